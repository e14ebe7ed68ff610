// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tappet {
namespace {

constexpr double skin_share = 0.05;   // of the smallest half extent
constexpr double skin_margins = 3.0;  // in units of the margin, which says how far the caller expects bodies to move
constexpr double cell_share = 1.0;    // edge of a cell in units of the extent of the largest member
constexpr double level_ratio = 2.0;   // the largest extent in a level divided by the smallest
constexpr int few = 16;               // up to this number, members are compared without looking at cells
constexpr int share = 512;            // the number of colliders that one thread looks up at a time

Vec3d half_extent(const Placed& c) {
  const Mat3d& R = c.world.R;
  const Vec3d& h = c.shape.half;
  const double r = c.shape.radius;
  switch (c.shape.kind) {
    case Shape::Kind::box:
    case Shape::Kind::profile:
    case Shape::Kind::plate:
    case Shape::Kind::convex:
    case Shape::Kind::wheel:
      return {std::abs(R.x.x) * h.x + std::abs(R.y.x) * h.y + std::abs(R.z.x) * h.z,
              std::abs(R.x.y) * h.x + std::abs(R.y.y) * h.y + std::abs(R.z.y) * h.z,
              std::abs(R.x.z) * h.x + std::abs(R.y.z) * h.y + std::abs(R.z.z) * h.z};
    case Shape::Kind::capsule:
      return {std::abs(R.z.x) * h.z + r, std::abs(R.z.y) * h.z + r, std::abs(R.z.z) * h.z + r};
    default:
      return {r, r, r};
  }
}

Bounds grown(const Bounds& b, double by) { return {b.low - Vec3d{by, by, by}, b.high + Vec3d{by, by, by}}; }
double extent(const Bounds& b) { return std::max({b.high.x - b.low.x, b.high.y - b.low.y, b.high.z - b.low.z}); }
double smallest_half(const Shape& s) {
  return s.kind == Shape::Kind::box || s.solid ? std::min({s.half.x, s.half.y, s.half.z}) : s.radius;
}
bool is_plane(const Placed& c) { return c.shape.is_unbounded(); }
// A terrain is looked at as if all of it were as high as its highest point.
double level_of(const Placed& c) { return c.shape.solid ? c.shape.mid.z + c.shape.half.z : 0.0; }

std::pair<int, int> ordered(int i, int j) { return {std::min(i, j), std::max(i, j)}; }

// The index of a cell before it is wrapped. It does not matter for a body whose position is beyond these numbers.
std::int64_t index_of(double x) { return std::abs(x) < 1e15 ? static_cast<std::int64_t>(std::floor(x)) : 0; }

}  // namespace

Bounds bounds_of(const Placed& collider, double margin) {
  const Vec3d h = half_extent(collider) + Vec3d{margin, margin, margin}, center = collider.center();
  return {center - h, center + h};
}

int BroadPhase::Level::cell_at(double x, double y, double z) const {
  const std::int64_t i = index_of(x) & ((1 << bits[0]) - 1), j = index_of(y) & ((1 << bits[1]) - 1),
                     k = index_of(z) & ((1 << bits[2]) - 1);
  return static_cast<int>((k << bits[1] | j) << bits[0] | i);
}

void BroadPhase::update(std::span<const Placed> colliders, std::span<const double> margins, const Filter& wanted) {
  if (!still_valid(colliders, margins)) search(colliders, margins, wanted);
}

bool BroadPhase::still_valid(std::span<const Placed> colliders, std::span<const double> margins) {
  if (fat_.size() != colliders.size()) return false;
  for (const PlaneThen& plane : planes_) {
    const Placed& c = colliders[plane.collider];
    if (!(c.world.p + level_of(c) * c.world.R.z == plane.p && c.world.R.z == plane.n &&
          margins[plane.collider] <= plane.margin))
      return false;
  }
  for (size_t i = 0; i < colliders.size(); ++i)
    if (!is_plane(colliders[i]) && !inside(bounds_of(colliders[i], margins[i]), fat_[i])) return false;
  return true;
}

void BroadPhase::search(std::span<const Placed> colliders, std::span<const double> margins, const Filter& wanted) {
  ++searches_;
  found_.clear();
  fat_.resize(colliders.size());
  skin_.resize(colliders.size());
  parallel_for(*execution_, static_cast<int>(colliders.size()), share, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      skin_[i] = skin_share * smallest_half(colliders[i].shape) + skin_margins * margins[i];
      if (!is_plane(colliders[i])) fat_[i] = grown(bounds_of(colliders[i], margins[i]), skin_[i]);
    }
  });
  sort_into_levels(colliders);
  look_up(colliders, wanted);
  look_at_planes(colliders, margins, wanted);
  sort_pairs(static_cast<int>(colliders.size()));
}

void BroadPhase::look_up(std::span<const Placed> colliders, const Filter& wanted) {
  for (int l = 0; l < level_count_; ++l) {
    const auto& members = levels_[l].members;
    const int count = static_cast<int>(members.size()), shares = (count + share - 1) / share;
    const auto look = [&](int s, Pairs& found) {
      found.clear();
      for (int m = s * share; m < std::min(count, (s + 1) * share); ++m) {
        look_up(members[m], levels_[l], true, found);
        for (int coarser = l + 1; coarser < level_count_; ++coarser)
          look_up(members[m], levels_[coarser], false, found);
      }
      std::erase_if(found, [&](const auto& pair) {
        return corners_only(colliders[pair.first], colliders[pair.second]) || !wanted(pair.first, pair.second);
      });
    };
    const auto keep = [&](const Pairs& found) {
      make_room(found_, found_.size() + found.size());
      found_.insert(found_.end(), found.begin(), found.end());
    };
    const bool alone = execution_->threads() == 1;  // if so, one share is enough for all
    const int held = alone ? 1 : shares;
    if (static_cast<int>(shares_.size()) < held) shares_.resize(held);
    for (int s = 0; alone && s < shares; ++s) look(s, shares_[0]), keep(shares_[0]);
    if (alone) continue;
    parallel_for(*execution_, shares, 1, [&](int first, int last) {
      for (int s = first; s < last; ++s) look(s, shares_[s]);
    });
    for (int s = 0; s < shares; ++s) keep(shares_[s]);
  }
}

// Each level takes the smallest of the remaining colliders, and all up to level_ratio times their extent.
void BroadPhase::sort_into_levels(std::span<const Placed> colliders) {
  rest_.clear();
  for (size_t i = 0; i < colliders.size(); ++i)
    if (!is_plane(colliders[i])) rest_.push_back(static_cast<int>(i));
  level_count_ = 0;
  while (!rest_.empty()) {
    double smallest = extent(fat_[rest_[0]]);
    for (int i : rest_) smallest = std::min(smallest, extent(fat_[i]));
    if (static_cast<int>(levels_.size()) == level_count_) levels_.emplace_back();
    Level& level = levels_[level_count_++];
    level.members.clear();
    size_t left = 0;
    for (int i : rest_)
      if (extent(fat_[i]) > level_ratio * smallest)
        rest_[left++] = i;
      else
        level.members.push_back(i);
    // A body whose position is not finite is not smaller or larger than anything.
    if (level.members.empty()) level.members.swap(rest_), left = 0;
    rest_.resize(left);
    fill(level);
  }
}

void BroadPhase::fill(Level& level) {
  double largest = 0.0;
  Bounds all = fat_[level.members[0]];
  for (int i : level.members) {
    largest = std::max(largest, extent(fat_[i]));
    for (int k = 0; k < 3; ++k) {
      all.low[k] = std::min(all.low[k], fat_[i].low[k]);
      all.high[k] = std::max(all.high[k], fat_[i].high[k]);
    }
  }
  level.cell = cell_share * largest;
  level.reach = 0.5 * largest;
  const int count = static_cast<int>(level.members.size());
  int bits = 0;
  for (int k = 0; k < 3; ++k) {
    level.bits[k] = 2;  // at least four cells, so that the three cells of a look-up are different
    while (level.bits[k] < 20 && (1 << level.bits[k]) * level.cell < all.high[k] - all.low[k]) ++level.bits[k];
    bits += level.bits[k];
  }
  for (; bits > 6 && (1LL << bits) > 4LL * count; --bits) --*std::max_element(level.bits, level.bits + 3);

  const double scale = 1.0 / level.cell;
  cell_of_.resize(count);
  level.start.assign((size_t{1} << bits) + 1, 0);
  for (int m = 0; m < count; ++m) {
    const Bounds& b = fat_[level.members[m]];
    const Vec3d c = (0.5 * scale) * (b.low + b.high);
    cell_of_[m] = level.cell_at(c.x, c.y, c.z);
    ++level.start[cell_of_[m] + 1];
  }
  for (size_t c = 1; c < level.start.size(); ++c) level.start[c] += level.start[c - 1];
  rest_copy_.assign(level.members.begin(), level.members.end());
  first_.assign(level.start.begin(), level.start.end() - 1);
  level.bounds.resize(count);
  for (int m = 0; m < count; ++m) {
    const int to = first_[cell_of_[m]]++;
    level.members[to] = rest_copy_[m];
    level.bounds[to] = fat_[rest_copy_[m]];
  }
}

// Finds overlapping members of a level. In the collider's own level it only takes those that come later, so each pair
// is found once.
void BroadPhase::look_up(int i, const Level& level, bool own, Pairs& found) const {
  const Bounds& b = fat_[i];
  const auto compare = [&](int first, int last) {
    for (int m = first; m < last; ++m)
      if (overlap(b, level.bounds[m]) && (!own || i < level.members[m])) found.push_back(ordered(i, level.members[m]));
  };
  if (level.members.size() <= few) return compare(0, static_cast<int>(level.members.size()));
  const double scale = 1.0 / level.cell;
  std::int64_t low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    low[k] = index_of((b.low[k] - level.reach) * scale);
    high[k] = index_of((b.high[k] + level.reach) * scale);
  }
  const std::int64_t x_mask = (1 << level.bits[0]) - 1, y_mask = (1 << level.bits[1]) - 1,
                     z_mask = (1 << level.bits[2]) - 1;
  for (std::int64_t z = low[2]; z <= high[2]; ++z)
    for (std::int64_t y = low[1]; y <= high[1]; ++y) {
      const std::int64_t row = ((z & z_mask) << level.bits[1] | (y & y_mask)) << level.bits[0];
      const std::int64_t x0 = low[0] & x_mask, x1 = high[0] & x_mask;
      if (x0 <= x1)
        compare(level.start[row + x0], level.start[row + x1 + 1]);
      else {  // the row wraps around
        compare(level.start[row + x0], level.start[row + x_mask + 1]);
        compare(level.start[row], level.start[row + x1 + 1]);
      }
    }
}

void BroadPhase::look_at_planes(std::span<const Placed> colliders, std::span<const double> margins,
                                const Filter& wanted) {
  planes_.clear();
  for (size_t p = 0; p < colliders.size(); ++p) {
    if (!is_plane(colliders[p])) continue;
    const Vec3d n = colliders[p].world.R.z, at = colliders[p].world.p + level_of(colliders[p]) * n;
    planes_.push_back({static_cast<int>(p), at, n, margins[p]});
    for (size_t i = 0; i < colliders.size(); ++i) {
      if (is_plane(colliders[i])) continue;
      const Vec3d nearest{n.x > 0.0 ? fat_[i].low.x : fat_[i].high.x, n.y > 0.0 ? fat_[i].low.y : fat_[i].high.y,
                          n.z > 0.0 ? fat_[i].low.z : fat_[i].high.z};
      const auto pair = ordered(static_cast<int>(i), static_cast<int>(p));
      if (dot(n, nearest - at) <= margins[p] && wanted(pair.first, pair.second)) found_.push_back(pair);
    }
  }
}

// If the boxes of two spheres overlap only at corners, the spheres do not meet before one of them leaves its box.
bool BroadPhase::corners_only(const Placed& i, const Placed& j) const {
  if (i.shape.kind != Shape::Kind::sphere || j.shape.kind != Shape::Kind::sphere) return false;
  const Bounds &a = fat_[i.collider], &b = fat_[j.collider];
  const Vec3d d = (0.5) * ((a.low + a.high) - (b.low + b.high));
  const double skins = skin_[i.collider] + skin_[j.collider];
  const double reach = 0.5 * (extent(a) + extent(b)) + (std::sqrt(3.0) - 1.0) * skins;
  return dot(d, d) > reach * reach;
}

// Sorts pairs by the lower index in one pass over all, and then by the higher index.
void BroadPhase::sort_pairs(int colliders) {
  first_.assign(colliders + 1, 0);
  for (const auto& pair : found_) ++first_[pair.first + 1];
  for (int i = 0; i < colliders; ++i) first_[i + 1] += first_[i];
  make_room_anew(pairs_, found_.size());
  pairs_.resize(found_.size());
  for (const auto& pair : found_) pairs_[first_[pair.first]++] = pair;
  parallel_for(*execution_, colliders, share, [&](int first, int last) {
    for (int i = first; i < last; ++i)
      std::sort(pairs_.begin() + (i > 0 ? first_[i - 1] : 0), pairs_.begin() + first_[i]);
  });
}

}  // namespace tappet
