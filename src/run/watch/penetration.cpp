// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/watch/penetration.h"

#include <fmt/format.h>

#include <algorithm>

namespace tappet {

namespace {

constexpr double share_of_opening = 0.2, share_of_size = 1e-3, many_steps = 10.0;
constexpr double least = 1e-6;  // smaller penetrations are not mentioned [m]

// The diagonal of the box around the bodies at the start.
double spread(const System& system) {
  const int bodies = static_cast<int>(system.model().bodies.size());
  if (bodies == 0) return 0.0;
  Vec3d low = system.pose(Attachment{0}, system.initial().q).p, high = low;
  for (int b = 1; b < bodies; ++b) {
    const Vec3d p = system.pose(Attachment{b}, system.initial().q).p;
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  }
  return norm(high - low);
}

double thickness(const Shape& shape) {
  if (shape.kind == Shape::Kind::box || shape.kind == Shape::Kind::convex)
    return 2.0 * std::min({shape.half.x, shape.half.y, shape.half.z});
  return shape.is_unbounded() ? 0.0 : 2.0 * shape.radius;
}

}  // namespace

PenetrationWatch::PenetrationWatch(const System& system)
    : size_(spread(system)), history_(system.named_contacts().size()) {
  for (const ColliderEntry& entry : system.model().colliders)
    for (const Collider& collider : entry.shapes) {
      const double d = thickness(collider.shape);
      if (entry.first_body < 0 || d == 0.0) continue;
      collider_size_ = collider_size_ == 0.0 ? d : std::min(collider_size_, d);
      size_ = std::max(size_, d);
    }
}

void PenetrationWatch::gaps(const Vec& gaps) {
  for (int k = 0; k < gaps.size(); ++k) size_ = std::max(size_, gaps[k]);
  for (int k = 0; k < gaps.size(); ++k) {
    History& h = history_[k];
    if (begun_) h.shrank = std::max(h.shrank, h.last - gaps[k]);
    h.last = gaps[k];
    h.opening = std::max(h.opening, gaps[k]);
    const double depth = -gaps[k];
    if (!(depth > named_)) continue;
    named_ = depth;
    remark_.clear();
    const double limit = std::max({share_of_opening * h.opening, share_of_size * size_, least});
    if (size_ == 0.0 || depth <= limit) {
      if (depth > std::max(share_of_size * size_, least) && depth > many_steps * h.shrank)
        remark_ = fmt::format(
            "is {:.2g} times the largest decrease of that gap in any single step, so it grew over many steps: the "
            "scheme "
            "does not correct positions, or not enough; take a smaller dt, or a scheme that projects",
            depth / std::max(h.shrank, 1e-300));
      continue;
    }
    remark_ = h.opening > 10.0 * share_of_size * size_
                  ? fmt::format(
                        "is large compared with the model: that contact had been open by at most {:.3g} m before; "
                        "the step is too large for this motion",
                        h.opening)
                  : fmt::format(
                        "is large compared with the model, whose bodies and gaps span {:.3g} m; the step is too "
                        "large for this motion",
                        size_);
  }
  begun_ = true;
}

void PenetrationWatch::found(double gap) {
  if (!(-gap > found_)) return;
  found_ = -gap;
  if (collider_size_ > 0.0 && found_ > std::max(share_of_opening * collider_size_, least))
    found_remark_ = fmt::format(
        "is large compared with the model, whose smallest moving collider is {:.3g} m thick; the step is too large for "
        "this motion",
        collider_size_);
}

std::string PenetrationWatch::remark() const { return found_ > named_ ? found_remark_ : remark_; }

}  // namespace tappet
