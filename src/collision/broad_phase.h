// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>
#include <tappet/execution.h>
#include <tappet/vec.h>

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "collision/narrow_phase.h"

namespace tappet {

// An axis-aligned box.
struct Bounds {
  Vec3d low, high;
};
inline bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}
inline bool inside(const Bounds& a, const Bounds& b) {
  return a.low.x >= b.low.x && a.high.x <= b.high.x && a.low.y >= b.low.y && a.high.y <= b.high.y &&
         a.low.z >= b.low.z && a.high.z <= b.high.z;
}
// The bounds of any collider except a half-space.
Bounds bounds_of(const Placed& collider, double margin);

// Finds pairs of colliders whose bounds, enlarged by their margins, overlap. The search enlarges the bounds by an
// additional skin, and its pairs are kept until a collider leaves its enlarged bounds. Bodies at rest therefore cost
// one comparison per step.
class BroadPhase {
 public:
  using Filter = std::function<bool(int, int)>;

  explicit BroadPhase(const Execution& execution = Execution::serial) : execution_(&execution) {}

  void archive(Archive& a) { a(fat_, skin_, planes_, pairs_, searches_); }

  void update(std::span<const Placed> colliders, std::span<const double> margins, const Filter& wanted);

  // The pairs (lower, higher), sorted. They include all that overlap, and more.
  std::span<const std::pair<int, int>> pairs() const { return pairs_; }
  long searches() const { return searches_; }

 private:
  using Pairs = std::vector<std::pair<int, int>>;

  // Colliders of similar size, sorted by the cell of their centre. Cell indices wrap around (a power of two along each
  // axis), so the memory is bounded by the number of colliders even if they fly far apart.
  struct Level {
    double cell = 0.0, reach = 0.0;  // reach: the largest half extent of a member
    int bits[3] = {2, 2, 2};
    std::vector<int> start, members;  // by cell: members[start[c]] … members[start[c + 1] − 1]
    std::vector<Bounds> bounds;       // of the members

    int cell_at(double x, double y, double z) const;
  };
  struct PlaneThen {
    int collider;
    Vec3d p, n;
    double margin;
  };

  bool still_valid(std::span<const Placed> colliders, std::span<const double> margins);
  void search(std::span<const Placed> colliders, std::span<const double> margins, const Filter& wanted);
  void sort_into_levels(std::span<const Placed> colliders);
  void fill(Level& level);
  void look_up(std::span<const Placed> colliders, const Filter& wanted);
  void look_up(int i, const Level& level, bool own, Pairs& found) const;
  void look_at_planes(std::span<const Placed> colliders, std::span<const double> margins, const Filter& wanted);
  void sort_pairs(int colliders);
  bool corners_only(const Placed& i, const Placed& j) const;

  const Execution* execution_;
  std::vector<Bounds> fat_;  // the bounds, enlarged by margin and skin at the last search
  std::vector<double> skin_;
  std::vector<PlaneThen> planes_;
  std::vector<Level> levels_;  // from fine to coarse; the first level_count_ are in use
  int level_count_ = 0;
  std::vector<int> rest_, rest_copy_, cell_of_, first_;  // workspaces
  Pairs found_, pairs_;
  std::vector<Pairs> shares_;  // of found_, one after the other
  long searches_ = 0;
};

}  // namespace tappet
