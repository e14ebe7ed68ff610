// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision_world.h"

#include <fmt/format.h>
#include <tappet/vec.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "collision/terrain/terrain.h"

namespace tappet {

namespace {
constexpr int share = 1024;  // the number of pairs that one thread takes at a time
constexpr int touches_of_pair = 16;
}  // namespace

CollisionWorld::CollisionWorld(std::vector<Collider> colliders, std::vector<std::pair<int, int>> excluded,
                               const Execution& execution)
    : execution_(&execution), excluded_(std::move(excluded)), broad_(execution) {
  placed_.reserve(colliders.size()), balls_.reserve(colliders.size());
  for (const Collider& c : colliders) {
    has_hulls_ |= c.shape.kind == Shape::Kind::convex;
    needs_cores_ |=
        c.shape.kind == Shape::Kind::convex || c.shape.kind == Shape::Kind::plate || c.shape.kind == Shape::Kind::wheel;
  }
  for (const Collider& c : colliders) {
    if (c.body < -1)
      throw std::invalid_argument(fmt::format("body of a collider: expected −1 or more, got {}", c.body));
    bodies_ = std::max(bodies_, c.body + 1);
    balls_.push_back({c.pose.point(c.shape.mid), c.shape.is_unbounded() ? 1e150 : norm(c.shape.half) + c.shape.radius});
    const Collider& kind = kind_of(c);
    placed_.push_back({kind.shape, c.pose, kind.pose, c.body, static_cast<int>(placed_.size())});
  }
  for (auto& [a, b] : excluded_)
    if (a > b) std::swap(a, b);
  std::sort(excluded_.begin(), excluded_.end());
}

// Bodies of a group come one after the other, so this is one of the last kinds, or a new one.
const Collider& CollisionWorld::kind_of(const Collider& c) {
  constexpr size_t looked_at = 16;
  const auto same = [&](const Collider& k) {
    return k.shape.kind == c.shape.kind && k.shape.solid == c.shape.solid && k.shape.half == c.shape.half &&
           k.shape.radius == c.shape.radius && k.pose.p == c.pose.p && k.pose.R.x == c.pose.R.x &&
           k.pose.R.y == c.pose.R.y && k.pose.R.z == c.pose.R.z;
  };
  for (size_t i = kinds_.size(); i > 0 && i + looked_at > kinds_.size(); --i)
    if (same(kinds_[i - 1])) return kinds_[i - 1];
  Collider& kind = kinds_.emplace_back(c);
  if (needs_cores_) kind.shape = with_core(kind.shape);
  return kind;
}

bool CollisionWorld::wanted(int i, int j) const {
  const auto [a, b] = std::minmax(placed_[i].body, placed_[j].body);
  return a != b && (excluded_.empty() || !std::binary_search(excluded_.begin(), excluded_.end(), std::pair(a, b)));
}

void CollisionWorld::find(std::span<const Pose<double>> bodies, double margin, std::vector<TouchPoint>& out) {
  margins_.assign(placed_.size(), 0.5 * margin);
  find(bodies, margins_, out);
}

void CollisionWorld::find(std::span<const Pose<double>> bodies, std::span<const double> margins,
                          std::vector<TouchPoint>& out) {
  assert(static_cast<int>(bodies.size()) >= bodies_);
  find([bodies](int body) { return bodies[body]; }, margins, out);
}

void CollisionWorld::find(const PoseOf& pose_of, std::span<const double> margins, std::vector<TouchPoint>& out) {
  assert(margins.size() == placed_.size());
  {
    const InPhase phase(*execution_, Phase::broad_phase);
    place(pose_of);
    broad_.update(placed_, margins, [this](int i, int j) { return wanted(i, j); });
  }
  const InPhase phase(*execution_, Phase::narrow_phase);
  if (has_hulls_ && warm_search_ != broad_.searches()) keep_warm();
  // Reserves a little more than last time. A list that grows while it is filled would be in memory twice.
  const size_t last = out.size();
  out.clear();
  make_room_anew(out, last + last / 32);
  const int pairs = static_cast<int>(broad_.pairs().size());
  if (execution_->threads() == 1 || pairs <= share) return touch_pairs(0, pairs, margins, out);
  const int shares = (pairs + share - 1) / share;
  if (static_cast<int>(parts_.size()) < shares) parts_.resize(shares);
  parallel_for(*execution_, shares, 1, [&](int first, int last) {
    for (int s = first; s < last; ++s) {
      parts_[s].clear();
      touch_pairs(s * share, std::min(pairs, (s + 1) * share), margins, parts_[s]);
    }
  });
  starts_.assign(1, 0);
  for (int s = 0; s < shares; ++s) starts_.push_back(starts_[s] + static_cast<int>(parts_[s].size()));
  make_room_anew(out, starts_[shares]);
  out.resize(starts_[shares]);
  parallel_for(*execution_, shares, 1, [&](int first, int last) {
    for (int s = first; s < last; ++s) std::copy(parts_[s].begin(), parts_[s].end(), out.begin() + starts_[s]);
  });
}

void CollisionWorld::touch_pairs(int first, int last, std::span<const double> margins, std::vector<TouchPoint>& out) {
  WarmPair none;
  for (int k = first; k < last; ++k) {
    const auto [i, j] = broad_.pairs()[k];
    if (resting_ && rests(i) && rests(j)) continue;
    const double margin = margins[i] + margins[j], reach = balls_[i].radius + balls_[j].radius + margin;
    const Vec3d d = balls_[i].center - balls_[j].center;
    if (dot(d, d) > reach * reach) continue;
    make_room(out, out.size() + touches_of_pair);
    touch(placed_[i], placed_[j], margin, has_hulls_ ? warm_[k] : none, out);
  }
}

// The pairs have changed. Both lists of pairs are sorted, so one pass finds what is known of each new pair.
void CollisionWorld::keep_warm() {
  const auto pairs = broad_.pairs();
  warm_before_.swap(warm_);
  make_room_anew(warm_, pairs.size());
  warm_.assign(pairs.size(), WarmPair{});
  size_t before = 0;
  for (size_t k = 0; k < pairs.size(); ++k) {
    while (before < warm_pairs_.size() && warm_pairs_[before] < pairs[k]) ++before;
    if (before < warm_pairs_.size() && warm_pairs_[before] == pairs[k]) warm_[k] = warm_before_[before];
  }
  make_room_anew(warm_pairs_, pairs.size());
  warm_pairs_.assign(pairs.begin(), pairs.end());
  warm_search_ = broad_.searches();
}

void CollisionWorld::archive(Archive& a) {
  for (Placed& c : placed_) a(c.world);
  a(balls_, broad_, warm_search_, warm_, warm_pairs_);
}

void CollisionWorld::locate_terrain(TouchPoint& touch) const {
  touch.field = nullptr;
  if (touch.is_on_terrain()) narrow::refer_to_terrain(placed_[touch.collider_B], touch);
}

void CollisionWorld::place(const PoseOf& pose_of) {
  parallel_for(*execution_, static_cast<int>(placed_.size()), share, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      Placed& c = placed_[i];
      if (c.body < 0) continue;
      const Pose<double> body = pose_of(c.body);
      c.world.p = body.point(c.local.p);
      if (c.shape.kind != Shape::Kind::sphere) c.world.R = body.R * c.local.R;
      balls_[i].center = c.center();
    }
  });
}

}  // namespace tappet
