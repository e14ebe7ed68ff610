// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "collision/profile/outline.h"

namespace tappet {

// A cubic Bézier curve, from its first point to its last.
using Bezier = std::array<Vec2, 4>;
// An arc of an ellipse whose axes may be turned.
struct EllipseArc {
  Vec2 center;
  double rx, ry, turn, from, sweep;  // from, sweep: angles of the parameter
};

// Append the corners of arcs that follow the curve. Neighbouring arcs have the same tangent. The last point of the
// curve is not appended. False: not even very many arcs are as near to the curve as the tolerance asks.
[[nodiscard]] bool append_arcs(const Bezier& curve, double tolerance, Outline& outline);
[[nodiscard]] bool append_arcs(const EllipseArc& curve, double tolerance, Outline& outline);

}  // namespace tappet
