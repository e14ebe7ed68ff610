// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/profile/outline.h"

namespace tappet::test {

inline Outline rectangle(double a, double b, double rounding) {
  return {{.at = {-a, -b}, .rounding = rounding},
          {.at = {a, -b}, .rounding = rounding},
          {.at = {a, b}, .rounding = rounding},
          {.at = {-a, b}, .rounding = rounding}};
}

inline PlanarProfile profile(const Outline& outline, const std::vector<Outline>& holes = {}) {
  std::vector<std::vector<Piece>> loops{pieces_of(outline, false)};
  for (const Outline& hole : holes) loops.push_back(pieces_of(hole, true));
  return PlanarProfile(std::move(loops));
}

}  // namespace tappet::test
