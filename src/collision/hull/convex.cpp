// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/hull/convex.h"

#include <fmt/format.h>

#include <algorithm>

namespace tappet {

Convex::Convex(Hull sharp, Hull core, Facets facets)
    : sharp_(std::move(sharp)), core_(std::move(core)), facets_(std::move(facets)) {
  Vec3d low = core_.vertices[0], high = low;
  for (const Vec3d& v : core_.vertices)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], v[k]), high[k] = std::max(high[k], v[k]);
  mid_ = 0.5 * (low + high);
  half_ = 0.5 * (high - low) + Vec3d{core_.radius, core_.radius, core_.radius};
}

std::shared_ptr<const Convex> Convex::with_all_pairs() const {
  auto solid = std::make_shared<Convex>(*this);
  solid->all_pairs_ = true;
  return solid;
}

MassProperties Convex::mass_properties(double) const {
  const VolumeMoments moments = moments_of(sharp_);
  return {moments.volume, moments.center, moments.inertia};
}

std::string Convex::summary() const {
  return fmt::format("{} vertices, {} faces, {:.4g} x {:.4g} x {:.4g} m, edges rounded by {:.3g} m",
                     sharp_.vertices.size(), sharp_.faces.size(), 2.0 * half_.x, 2.0 * half_.y, 2.0 * half_.z,
                     core_.radius);
}

}  // namespace tappet
