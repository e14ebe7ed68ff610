// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "math/vec2.h"

namespace tappet {

// Cuts a polygon with holes into triangles, each counter-clockwise. `points` holds the outline, counter-clockwise, and
// then the holes, clockwise; `loops` is the number of points of each of them.
std::vector<std::array<int, 3>> triangulate(std::span<const Vec2> points, std::span<const int> loops);

}  // namespace tappet
