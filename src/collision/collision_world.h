// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "collision/broad_phase.h"
#include "collision/narrow_phase.h"
#include "collision/shape.h"
#include "collision/touch_point.h"

namespace tappet {

// All colliders of a system. find() gives every touch point whose gap is at most the margin. They are ordered by the
// pair of colliders (lower index, then higher index) and by feature. Order and values depend only on the poses and
// margins, neither on earlier calls nor on the number of threads. (Of hulls with several pairs of features that are
// equally near, earlier calls may decide which of them is named.) No memory is allocated once the largest scene has
// been seen.
class CollisionWorld {
 public:
  // There are no pairs within one body, between two colliders of the ground, or between two bodies that `excluded`
  // names (−1 is the ground).
  explicit CollisionWorld(std::vector<Collider> colliders, std::vector<std::pair<int, int>> excluded = {},
                          const Execution& execution = Execution::serial);

  CollisionWorld(CollisionWorld&&) = default;

  // There is one margin for all pairs, or one per collider. A pair then has the sum of its two margins (for example
  // speed · dt of each).
  void find(std::span<const Pose<double>> bodies, double margin, std::vector<TouchPoint>& out);
  void find(std::span<const Pose<double>> bodies, std::span<const double> margins, std::vector<TouchPoint>& out);
  // The same, but poses are computed when they are needed.
  using PoseOf = std::function<Pose<double>(int body)>;
  void find(const PoseOf& pose_of, std::span<const double> margins, std::vector<TouchPoint>& out);

  // Bodies at rest, one flag per body. From now on there are no touch points between two of them, or of one with the
  // ground. nullptr means that no body rests.
  void leave_out(const std::vector<char>* resting) { resting_ = resting; }

  // What the next search depends on: where the colliders are, the pairs in reach, and the features of hulls.
  void archive(Archive& a);
  // A touch point refers to its terrain by an address. After it was archived, this sets the address.
  void locate_terrain(TouchPoint& touch) const;

  std::span<const Placed> colliders() const { return placed_; }
  int bodies() const { return bodies_; }  // one more than the highest body index

  // The number of searches for pairs since the beginning.
  long searches() const { return broad_.searches(); }

 private:
  bool wanted(int i, int j) const;
  const Collider& kind_of(const Collider& collider);
  struct Ball {
    Vec3d center;
    double radius;
  };

  bool rests(int collider) const { return placed_[collider].body < 0 || (*resting_)[placed_[collider].body]; }
  void place(const PoseOf& pose_of);
  void touch_pairs(int first, int last, std::span<const double> margins, std::vector<TouchPoint>& out);
  void keep_warm();

  const Execution* execution_;
  std::vector<std::pair<int, int>> excluded_;  // lower body first, sorted
  int bodies_ = 0;
  std::deque<Collider> kinds_;  // shapes and local poses; places in it do not change
  std::vector<Placed> placed_;
  std::vector<Ball> balls_;  // about each collider
  std::vector<double> margins_;
  const std::vector<char>* resting_ = nullptr;
  BroadPhase broad_;
  // Only if there are hulls: one entry per pair of the broad phase, and the pairs they belong to.
  bool has_hulls_ = false, needs_cores_ = false;
  long warm_search_ = -1;
  std::vector<WarmPair> warm_, warm_before_;
  std::vector<std::pair<int, int>> warm_pairs_;
  // used with several threads: the touch points of each share of the pairs
  std::vector<std::vector<TouchPoint>> parts_;
  std::vector<int> starts_;  // the first index of each part in the whole
};

}  // namespace tappet
