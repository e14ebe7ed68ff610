// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/shape.h"
#include "elements/lists.h"

namespace tappet {

// The shapes of the model file: their keys, and the colliders that are made from them.
struct SphereShape {
  static constexpr std::string_view name = "sphere";
  static constexpr std::string_view about = "body: A, a group or ground; a ball";
  double radius = 1.0;
  Vec3d center{};

  template <class V>
  void describe(V& v) {
    v.required("radius", radius, positive);
    v.optional("center", center);
  }
  std::vector<Collider> colliders() const { return {{Shape::sphere(radius), {.p = center}}}; }
};

// The place and orientation of a shape in the frame of its body.
struct ShapePlace {
  Vec3d center{};
  Quatd rotation{};

  template <class V>
  void describe(V& v) {
    v.optional("center", center);
    v.optional("rotation", rotation, unit_quaternion);
  }
  Pose<double> pose() const { return {.p = center, .R = rotation_matrix(rotation)}; }
};

struct BoxShape {
  static constexpr std::string_view name = "box";
  static constexpr std::string_view about = "body: A, a group or ground; a solid box";
  EdgeLengths edges;
  ShapePlace place;

  template <class V>
  void describe(V& v) {
    v.required("size", edges, positive_edges);
    place.describe(v);
  }
  // In the plane the length of the third edge does not matter. It is set to the longer of the two others.
  std::vector<Collider> colliders() const {
    Vec3d size = edges.size;
    if (edges.given == 2) size.z = max(size.x, size.y);
    return {{Shape::box(size), place.pose()}};
  }
};

struct CapsuleShape {
  static constexpr std::string_view name = "capsule";
  static constexpr std::string_view about = "body: A, a group or ground; a cylinder along its z axis with round ends";
  double radius = 1.0, length = 1.0;
  ShapePlace place;

  template <class V>
  void describe(V& v) {
    v.required("radius", radius, positive);
    v.required("length", length, positive);
    place.describe(v);
  }
  std::vector<Collider> colliders() const { return {{Shape::capsule(length, radius), place.pose()}}; }
};

struct PlaneShape {
  static constexpr std::string_view name = "plane";
  static constexpr std::string_view about = "body: A or ground; the half-space behind the plane is solid";
  Vec3d point{}, normal{0, 0, 1};

  template <class V>
  void describe(V& v) {
    v.optional("point", point);
    v.required("normal", normal, nonzero_vector);
  }
  std::vector<Collider> colliders() const { return {plane_collider(point, normal)}; }
};

// The inside of a box: a floor, four walls and, if `lid` is true, a lid.
struct ContainerShape {
  static constexpr std::string_view name = "container";
  static constexpr std::string_view about =
      "body: A or ground; the inside of a box: floor, four walls and, if asked for, a lid";
  Vec3d size{1, 1, 1}, center{};
  bool lid = false;

  template <class V>
  void describe(V& v) {
    v.required("size", size, positive);
    v.optional("center", center);
    v.optional("lid", lid);
  }
  std::vector<Collider> colliders() const { return container(center, size, lid); }
};

using Shapes = List<SphereShape, BoxShape, CapsuleShape, PlaneShape, ContainerShape>;

}  // namespace tappet
