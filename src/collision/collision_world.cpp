// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "math/parallel.h"
#include "math/profile.h"

namespace tappet {

namespace {
constexpr int share = 1024;  // pairs that one thread takes at a time
}

CollisionWorld::CollisionWorld(std::vector<Collider> colliders, std::vector<std::pair<int, int>> excluded)
    : colliders_(std::move(colliders)), excluded_(std::move(excluded)) {
  if (colliders_.size() >= max_colliders)
    throw std::invalid_argument(fmt::format("expected fewer than {} colliders", max_colliders));
  placed_.reserve(colliders_.size());
  for (const Collider& c : colliders_) {
    if (c.body < -1)
      throw std::invalid_argument(fmt::format("body of a collider: expected −1 or more, got {}", c.body));
    bodies_ = std::max(bodies_, c.body + 1);
    const double half_diagonal = norm(c.shape.half);
    balls_.push_back({c.pose.p, c.shape.kind == Shape::Kind::half_space ? 1e150 : half_diagonal + c.shape.radius});
    placed_.push_back({c.shape, c.pose, c.pose, c.body, static_cast<int>(placed_.size())});
  }
  for (auto& [a, b] : excluded_)
    if (a > b) std::swap(a, b);
  std::sort(excluded_.begin(), excluded_.end());
}

bool CollisionWorld::wanted(int i, int j) const {
  const auto [a, b] = std::minmax(colliders_[i].body, colliders_[j].body);
  return a != b && (excluded_.empty() || !std::binary_search(excluded_.begin(), excluded_.end(), std::pair(a, b)));
}

void CollisionWorld::find(std::span<const Pose<double>> bodies, double margin, std::vector<TouchPoint>& out) {
  margins_.assign(colliders_.size(), 0.5 * margin);
  find(bodies, margins_, out);
}

void CollisionWorld::find(std::span<const Pose<double>> bodies, std::span<const double> margins,
                          std::vector<TouchPoint>& out) {
  assert(static_cast<int>(bodies.size()) >= bodies_ && margins.size() == colliders_.size());
  {
    const InPhase phase(Phase::broad_phase);
    place(bodies);
    broad_.update(placed_, margins, [this](int i, int j) { return wanted(i, j); });
  }
  const InPhase phase(Phase::narrow_phase);
  out.clear();
  const int pairs = static_cast<int>(broad_.pairs().size());
  if (threads() == 1 || pairs <= share) return touch_pairs(0, pairs, margins, out);
  const int shares = (pairs + share - 1) / share;
  if (static_cast<int>(parts_.size()) < shares) parts_.resize(shares);
  parallel_for(shares, 1, [&](int first, int last) {
    for (int s = first; s < last; ++s) {
      parts_[s].clear();
      touch_pairs(s * share, std::min(pairs, (s + 1) * share), margins, parts_[s]);
    }
  });
  for (int s = 0; s < shares; ++s) out.insert(out.end(), parts_[s].begin(), parts_[s].end());
}

void CollisionWorld::touch_pairs(int first, int last, std::span<const double> margins,
                                 std::vector<TouchPoint>& out) const {
  for (const auto& [i, j] : broad_.pairs().subspan(first, last - first)) {
    const double margin = margins[i] + margins[j], reach = balls_[i].radius + balls_[j].radius + margin;
    const Vec3d d = balls_[i].center - balls_[j].center;
    if (dot(d, d) <= reach * reach) touch(placed_[i], placed_[j], margin, out);
  }
}

void CollisionWorld::place(std::span<const Pose<double>> bodies) {
  for (Placed& c : placed_) {
    if (c.body < 0) continue;
    const Pose<double>& body = bodies[c.body];
    balls_[c.collider].center = c.world.p = body.point(c.local.p);
    if (c.shape.kind != Shape::Kind::sphere) c.world.R = body.R * c.local.R;
  }
}

}  // namespace tappet
