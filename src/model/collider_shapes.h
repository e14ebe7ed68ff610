// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/plate/plate.h"
#include "elements/lists.h"
#include "model/geometry/geometry.h"

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

// A shape of the section `geometry:`, which the loader looks up.
struct GeometryShape {
  std::string geometry;
  ShapePlace place;
  std::shared_ptr<const Solid> solid;

  template <class V>
  void describe(V& v) {
    v.required("geometry", geometry);
    place.describe(v);
  }
  std::vector<Collider> colliders() const { return {{Shape::of(solid), place.pose()}}; }
};

struct ProfileShape : GeometryShape {
  static constexpr std::string_view name = "profile";
  static constexpr std::string_view about =
      "body: A, a group or ground; a profile of the section `geometry`, flat or, with `thickness`, in space";
  static constexpr Shape::Kind kind = Shape::Kind::profile;
  static constexpr double default_rim = 0.01;  // of the thickness

  std::optional<OneOrTwo> thickness;
  std::optional<double> rim;

  template <class V>
  void describe(V& v) {
    GeometryShape::describe(v);
    v.optional("thickness", thickness, ThicknessRange{});  // that of the body unless given; without one it is flat
    v.optional("rim", rim, non_negative);                  // the radius with which the edges of its faces are rounded
  }
  std::vector<Collider> colliders() const {
    if (!thickness) return GeometryShape::colliders();
    const auto profile = std::static_pointer_cast<const PlanarProfile>(solid);
    const auto [low, high] = from_low_to_high(*thickness);
    const double most = Plate::largest_rim(*profile, low, high);
    const double radius = rim.value_or(std::min(most, default_rim * (high - low)));
    return {{Shape::of(std::make_shared<const Plate>(profile, low, high, radius)), place.pose()}};
  }
};

struct ConvexShape : GeometryShape {
  static constexpr std::string_view name = "convex";
  static constexpr std::string_view about = "body: A, a group or ground; a convex solid of the section `geometry`";
  static constexpr Shape::Kind kind = Shape::Kind::convex;
};

struct TerrainShape : GeometryShape {
  static constexpr std::string_view name = "terrain";
  static constexpr std::string_view about = "body: A or ground; a terrain of the section `geometry`, solid below";
  static constexpr Shape::Kind kind = Shape::Kind::terrain;
};

// A wheel with a round tyre: a torus.
struct WheelShape {
  static constexpr std::string_view name = "wheel";
  static constexpr std::string_view about = "body: A, a group or ground; a wheel with a round tyre";
  double radius = 1.0, tube = 0.1;
  Vec3d axis{0, 1, 0}, center{};

  template <class V>
  void describe(V& v) {
    v.required("radius", radius, positive);
    v.required("tube", tube, positive);
    v.optional("axis", axis, nonzero_vector);
    v.optional("center", center);
  }
  std::string check() const {
    return tube < radius ? "" : "the tube is as thick as the wheel; expected a `tube` smaller than `radius`";
  }
  std::vector<Collider> colliders() const {
    const Vec3d z = normalized(axis);
    const auto [x, y] = normals(z);
    return {{Shape::wheel(radius, tube), {.p = center, .R = {x, y, z}}}};
  }
};

using Shapes = List<SphereShape, BoxShape, CapsuleShape, PlaneShape, ContainerShape, ProfileShape, ConvexShape,
                    WheelShape, TerrainShape>;

}  // namespace tappet
