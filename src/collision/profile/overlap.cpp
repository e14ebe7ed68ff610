// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/profile/overlap.h"

#include <algorithm>
#include <cmath>

#include "collision/plate/plate.h"
#include "collision/profile/outline.h"

namespace tappet {
namespace {

constexpr int samples = 16;  // points of each piece

// The outline of a profile or plate; null for other shapes.
const PlanarProfile* outline_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::profile) return &profile_of(shape);
  return shape.kind == Shape::Kind::plate ? &plate_of(shape).profile() : nullptr;
}

// Half the thickness, and its middle. Flat shapes have none.
double half_thickness(const Shape& shape) { return shape.kind == Shape::Kind::plate ? shape.half.z : 0.0; }
double middle(const Shape& shape) { return shape.kind == Shape::Kind::plate ? shape.mid.z : 0.0; }

// How deep the outline of A, at the middle of its thickness, reaches into B.
double reach(const Placed& A, const Placed& B) {
  double deepest = 0.0;
  for (const Piece& piece : outline_of(A.shape)->pieces())
    for (int k = 0; k < samples; ++k) {
      const Vec2 p = piece.at((k + 0.5) / samples);
      const Vec3d x = B.to_shape(A.world.point(Vec3d{p.x, p.y, middle(A.shape)}));
      deepest = std::max(deepest, depth_in(*outline_of(B.shape), {x.x, x.y}));
    }
  return deepest;
}

// How far the thicknesses of two plates overlap along the axis; 0 if they do not. Flat shapes are in one plane.
double overlap_along_axis(const Placed& A, const Placed& B) {
  const double thickness = half_thickness(A.shape) + half_thickness(B.shape);
  if (thickness == 0.0) return INFINITY;
  const double apart =
      std::abs(B.to_shape(A.world.point(Vec3d{A.shape.mid.x, A.shape.mid.y, middle(A.shape)})).z - middle(B.shape));
  return std::max(0.0, thickness - apart);
}

// How deep the centre of a ball lies in B.
double ball_in(const Placed& ball, const Placed& B) {
  const Vec3d center = B.to_shape(ball.world.p);
  const double depth = depth_in(*outline_of(B.shape), {center.x, center.y});
  if (B.shape.kind != Shape::Kind::plate) return depth;
  return std::min(depth, std::max(0.0, B.shape.half.z - std::abs(center.z - B.shape.mid.z)));
}

}  // namespace

double overlap_of_outlines(const Placed& A, const Placed& B) {
  const bool a = outline_of(A.shape), b = outline_of(B.shape);
  if (a && b) return std::min(overlap_along_axis(A, B), std::max(reach(A, B), reach(B, A)));
  if (a && B.shape.kind == Shape::Kind::sphere) return ball_in(B, A);
  if (b && A.shape.kind == Shape::Kind::sphere) return ball_in(A, B);
  return 0.0;
}

}  // namespace tappet
