// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "collision/broad_phase.h"
#include "collision/narrow_phase.h"
#include "collision/shape.h"
#include "collision/touch_point.h"

namespace tappet {

// All colliders of a system. find() gives every touch point whose gap is at most the margin, ordered by the pair of
// colliders (lower index, then higher index) and the feature: the order and the values depend on the poses and margins
// alone, neither on earlier calls nor on the number of threads. Nothing is allocated once the largest scene was seen.
class CollisionWorld {
 public:
  // No pairs within one body, between two colliders of the ground, or between two bodies that `excluded` names
  // (−1: the ground).
  explicit CollisionWorld(std::vector<Collider> colliders, std::vector<std::pair<int, int>> excluded = {});

  // One margin for all pairs; or one a collider, a pair has the sum of its two (speed · dt of each, say).
  void find(std::span<const Pose<double>> bodies, double margin, std::vector<TouchPoint>& out);
  void find(std::span<const Pose<double>> bodies, std::span<const double> margins, std::vector<TouchPoint>& out);

  std::span<const Collider> colliders() const { return colliders_; }
  int bodies() const { return bodies_; }  // one more than the highest body index

  // Since the beginning: how often pairs were sought anew.
  long searches() const { return broad_.searches(); }

 private:
  bool wanted(int i, int j) const;
  struct Ball {
    Vec3d center;
    double radius;
  };

  void place(std::span<const Pose<double>> bodies);
  void touch_pairs(int first, int last, std::span<const double> margins, std::vector<TouchPoint>& out) const;

  std::vector<Collider> colliders_;
  std::vector<std::pair<int, int>> excluded_;  // lower body first, sorted
  int bodies_ = 0;
  std::vector<Placed> placed_;
  std::vector<Ball> balls_;  // about each collider
  std::vector<double> margins_;
  BroadPhase broad_;
  std::vector<std::vector<TouchPoint>> parts_;  // where several threads work: of each share of the pairs
};

}  // namespace tappet
