// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/profile/overlap.h"

#include <algorithm>
#include <cmath>

#include "collision/hull/hull.h"
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

// How deep a point of space lies in a plate. Near its surface, where edges are rounded, contacts tell that.
double depth_in_plate(const Placed& B, const Vec3d& point) {
  const double rim = plate_of(B.shape).rim();
  const Vec3d x = B.to_shape(point);
  const double along = B.shape.half.z - rim - std::abs(x.z - B.shape.mid.z);
  if (along <= 0.0) return 0.0;
  const double depth = std::min(along, depth_in(*outline_of(B.shape), {x.x, x.y}) - rim);
  return depth > 0.0 ? depth + rim : 0.0;
}
double depth_in_hull(const Placed& B, const Vec3d& point) {
  const Hull& hull = *B.shape.core;
  const Vec3d x = B.to_shape(point);
  if (hull.faces.empty()) {  // a capsule
    const double z = std::clamp(x.z, -B.shape.half.z, B.shape.half.z);
    return std::max(0.0, hull.radius - norm(x - Vec3d{0.0, 0.0, z}));
  }
  double depth = INFINITY;
  for (const Hull::Face& face : hull.faces) depth = std::min(depth, face.offset - dot(face.normal, x));
  return depth > 0.0 ? depth + hull.radius : 0.0;
}

// Calls f(point in the world) for points of the wall of a plate.
template <class F>
void for_wall(const Placed& A, F&& f) {
  constexpr int heights = 5;
  const Plate& plate = plate_of(A.shape);
  for (const Piece& piece : plate.profile().pieces())
    for (int k = 0; k < samples; ++k) {
      const Vec2 p = piece.at((k + 0.5) / samples);
      for (int i = 0; i < heights; ++i) {
        const double share = static_cast<double>(i) / (heights - 1);
        f(A.world.point(Vec3d{p.x, p.y, (1.0 - share) * plate.level(false) + share * plate.level(true)}));
      }
    }
}

// The same for points on a grid inside of it.
template <class F>
void for_inside(const Placed& A, F&& f) {
  constexpr int parts = 24;
  const Vec3d &mid = A.shape.mid, &half = A.shape.half;
  for (int i = 0; i < parts; ++i)
    for (int k = 0; k < parts; ++k) {
      const Vec2 p{mid.x + half.x * ((2 * i + 1.0) / parts - 1.0), mid.y + half.y * ((2 * k + 1.0) / parts - 1.0)};
      if (depth_in(*outline_of(A.shape), p) == 0.0) continue;
      for (const double height : {-0.5, 0.0, 0.5}) f(A.world.point(Vec3d{p.x, p.y, mid.z + height * half.z}));
    }
}
template <class F>
void for_edges(const Placed& A, F&& f) {
  const Hull& hull = *A.shape.core;
  for (const Hull::Edge& edge : hull.edges)
    for (int k = 0; k <= samples; ++k) {
      const double share = static_cast<double>(k) / samples;
      f(A.world.point((1.0 - share) * hull.vertices[edge.from] + share * hull.vertices[edge.to]));
    }
}
template <class F>
void for_circle(const Placed& wheel, F&& f) {
  constexpr int points = 96;
  for (int k = 0; k < points; ++k) {
    const double angle = 2.0 * M_PI * k / points;
    f(wheel.world.point(wheel.shape.circle() * Vec3d{std::cos(angle), std::sin(angle), 0.0}));
  }
}

bool is_plate(const Placed& c) { return c.shape.kind == Shape::Kind::plate; }
bool is_wheel(const Placed& c) { return c.shape.kind == Shape::Kind::wheel; }

// How deep points of A lie in B. Only plates and convex solids have an inside here.
double solid_in(const Placed& A, const Placed& B) {
  double deepest = 0.0;
  if (!is_plate(B) && !B.shape.core) return deepest;
  const auto look = [&](const Vec3d& x) {
    deepest = std::max(deepest, is_plate(B) ? depth_in_plate(B, x) : depth_in_hull(B, x));
  };
  if (is_plate(A)) for_wall(A, look), for_inside(A, look);
  if (is_wheel(A)) for_circle(A, look);
  if (A.shape.core) for_edges(A, look);
  return deepest;
}

bool are_tilted(const Placed& A, const Placed& B) {
  constexpr double tilt = 1e-3;
  return A.shape.kind == Shape::Kind::plate && B.shape.kind == Shape::Kind::plate &&
         norm(cross(A.world.R.z, B.world.R.z)) > tilt;
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
  if (are_tilted(A, B)) return std::max(solid_in(A, B), solid_in(B, A));
  if (a && b) return std::min(overlap_along_axis(A, B), std::max(reach(A, B), reach(B, A)));
  if (a && B.shape.kind == Shape::Kind::sphere) return ball_in(B, A);
  if (b && A.shape.kind == Shape::Kind::sphere) return ball_in(A, B);
  return std::max(solid_in(A, B), solid_in(B, A));
}

}  // namespace tappet
