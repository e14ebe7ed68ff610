// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "collision/hull/convex.h"
#include "collision/solid.h"

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

Shape Shape::wheel(double radius, double tube) {
  positive_length(tube, "tube of a wheel");
  if (!(positive_length(radius, "radius of a wheel") > tube))
    throw std::invalid_argument("radius of a wheel: expected more than that of its tube");
  return {Kind::wheel, {radius, radius, tube}, tube};
}

Shape Shape::of(std::shared_ptr<const Solid> solid) {
  const Solid& of = *solid;
  Shape shape{of.kind(), of.half(), 0.0, of.mid(), std::move(solid), {}};
  if (shape.kind == Kind::convex)
    shape.core = std::shared_ptr<const Hull>(shape.solid, &static_cast<const Convex&>(of).core());
  return shape;
}

std::string_view name_of(Shape::Kind kind) {
  static constexpr std::string_view names[Shape::kinds] = {"sphere", "box",   "capsule", "plane",  "profile",
                                                           "convex", "wheel", "terrain", "profile"};
  return names[static_cast<int>(kind)];
}

Shape with_core(Shape shape) {
  using Kind = Shape::Kind;
  if (shape.kind != Kind::box && shape.kind != Kind::capsule && shape.kind != Kind::sphere) return shape;
  const Hull core = shape.kind == Kind::box       ? Hull::box(shape.half)
                    : shape.kind == Kind::capsule ? Hull::segment(shape.half.z, shape.radius)
                                                  : Hull::point(shape.radius);
  shape.core = std::make_shared<const Hull>(core);
  return shape;
}

Collider plane_collider(const Vec3d& point, const Vec3d& normal, int body) {
  const double length = norm(normal);
  if (!(length > 0.0) || !std::isfinite(length))
    throw std::invalid_argument("normal of a plane: expected a vector that is not zero and whose length is finite");
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
