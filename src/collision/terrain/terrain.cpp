// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/terrain/terrain.h"

#include <fmt/format.h>

namespace tappet {

Terrain::Terrain(HeightField field) : field_(std::move(field)) {
  const Vec3d low{field_.start()[0], field_.start()[1], field_.lowest()},
      high{field_.end(0), field_.end(1), field_.highest()};
  mid_ = 0.5 * (low + high), half_ = 0.5 * (high - low);
}

std::string Terrain::summary() const {
  return fmt::format("{} x {} heights, {:.4g} x {:.4g} m, from {:.4g} to {:.4g} m high", field_.count()[0],
                     field_.count()[1], 2.0 * half_.x, 2.0 * half_.y, field_.lowest(), field_.highest());
}

}  // namespace tappet
