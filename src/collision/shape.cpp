// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/shape.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace tappet {
namespace {

double positive_length(double length, const char* what) {
  if (!(length > 0.0) || !std::isfinite(length))
    throw std::invalid_argument(fmt::format("{}: expected a positive number, got {}", what, length));
  return length;
}

}  // namespace

Shape Shape::sphere(double radius) { return {Kind::sphere, {}, positive_length(radius, "radius of a sphere")}; }

Shape Shape::box(const Vec3d& size) {
  for (int i = 0; i < 3; ++i) positive_length(size[i], "edge of a box");
  return {Kind::box, 0.5 * size, 0.0};
}

Shape Shape::capsule(double length, double radius) {
  return {Kind::capsule,
          {0.0, 0.0, 0.5 * positive_length(length, "length of a capsule")},
          positive_length(radius, "radius of a capsule")};
}

Collider plane_collider(const Vec3d& point, const Vec3d& normal, int body) {
  const double length = norm(normal);
  if (!(length > 0.0) || !std::isfinite(length))
    throw std::invalid_argument("normal of a plane: expected a vector that is not zero");
  const Vec3d n = (1.0 / length) * normal;
  const auto [t1, t2] = normals(n);
  return {Shape::half_space(), {point, {t1, t2, n}}, body};
}

std::vector<Collider> container(const Vec3d& center, const Vec3d& size, bool lid, int body) {
  for (int i = 0; i < 3; ++i) positive_length(size[i], "edge of a container");
  std::vector<Collider> planes;
  for (int axis = 2; axis >= 0; --axis)
    for (double side : {-1.0, 1.0}) {
      if (axis == 2 && side > 0.0 && !lid) continue;
      Vec3d outward{};
      outward[axis] = side;
      planes.push_back(plane_collider(center + (0.5 * size[axis]) * outward, -outward, body));
    }
  return planes;
}

}  // namespace tappet
