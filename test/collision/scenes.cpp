// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/scenes.h"

#include <Eigen/Dense>

#include "collision/plate/plate.h"

namespace tappet::test {
namespace {

// The point of the solid without its radius that is furthest along d.
Vec3d support(const Placed& c, const Vec3d& d) {
  if (c.shape.kind == Shape::Kind::convex) {
    const auto& v = c.shape.core->vertices;
    const Vec3d in_shape = transposed_times(c.world.R, d);
    return c.world.point(*std::max_element(
        v.begin(), v.end(), [&](const Vec3d& p, const Vec3d& q) { return dot(p, in_shape) < dot(q, in_shape); }));
  }
  if (c.shape.kind == Shape::Kind::plate) {  // the curve of a rim
    const Plate& plate = plate_of(c.shape);
    const Vec3d in_shape = transposed_times(c.world.R, d);
    const Vec2 across{in_shape.x, in_shape.y};
    const Vec2 out = norm(across) > 0.0 ? normalized(across) : Vec2{1.0, 0.0};
    Vec2 furthest;
    double most = -1e300;
    for (const Piece& piece : plate.profile().pieces()) {
      Vec2 p = piece.from - plate.rim() * piece.n0;
      if (piece.is_arc && piece.side_of(out, 0.0) == 0) p = piece.center + plate.ring(piece) * out;
      if (dot(p, out) > most) most = dot(p, out), furthest = p;
    }
    return c.world.point(Vec3d{furthest.x, furthest.y, plate.level(in_shape.z > 0.0)});
  }
  Vec3d x = c.world.p;
  for (int k = 0; k < 3; ++k) x += std::copysign(c.shape.half[k], dot(d, c.world.R[k])) * c.world.R[k];
  return x;
}

double radius_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::plate) return plate_of(shape).rim();
  return shape.kind == Shape::Kind::convex ? shape.core->radius : shape.radius;
}

// The point of the hull of at most four points that is nearest to the origin. Keeps the points that span it.
Vec3d nearest_to_origin(std::vector<Vec3d>& points) {
  const int count = static_cast<int>(points.size());
  Vec3d best{};
  double best_norm = 1e300;
  std::vector<Vec3d> span;
  for (int subset = 1; subset < 1 << count; ++subset) {
    std::vector<Vec3d> chosen;
    for (int k = 0; k < count; ++k)
      if (subset >> k & 1) chosen.push_back(points[k]);
    const int edges = static_cast<int>(chosen.size()) - 1;
    Eigen::MatrixXd E(3, edges);
    for (int k = 0; k < edges; ++k) {
      const Vec3d e = chosen[k + 1] - chosen[0];
      E.col(k) << e.x, e.y, e.z;
    }
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(edges);
    if (edges > 0) weights = E.colPivHouseholderQr().solve(-Eigen::Vector3d(chosen[0].x, chosen[0].y, chosen[0].z));
    if (edges > 0 && (weights.minCoeff() < 0.0 || weights.sum() > 1.0)) continue;
    Vec3d x = chosen[0];
    for (int k = 0; k < edges; ++k) x += weights[k] * (chosen[k + 1] - chosen[0]);
    if (norm(x) < best_norm) best = x, best_norm = norm(x), span = chosen;
  }
  points = span;
  return best;
}

}  // namespace

double distance_by_support(const Placed& A, const Placed& B) {
  const double radii = radius_of(A.shape) + radius_of(B.shape);
  Vec3d v = A.world.p - B.world.p;
  std::vector<Vec3d> points;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Vec3d w = support(A, -v) - support(B, v);
    if (!points.empty() && dot(v, v) - dot(v, w) <= 1e-13 * dot(v, v)) break;
    if (std::find(points.begin(), points.end(), w) != points.end()) break;
    points.push_back(w);
    v = nearest_to_origin(points);
    if (points.size() == 4 || norm(v) < 1e-12) return -radii;
  }
  return norm(v) - radii;
}

}  // namespace tappet::test
