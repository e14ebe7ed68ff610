// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/attachments.h"
#include "model/element_types.h"
#include "model/names.h"

namespace tappet {
namespace {

// The shapes of the file: their keys, and the colliders they become.
struct SphereShape {
  static constexpr std::string_view name = "sphere";
  double radius = 1.0;
  Vec3d center{};

  template <class V>
  void describe(V& v) {
    v.required("radius", radius, positive);
    v.optional("center", center);
  }
  std::vector<Collider> colliders() const { return {{Shape::sphere(radius), {.p = center}}}; }
};

// Where a shape that may be turned stands in the frame of its body.
struct Place {
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
  Vec3d size{1, 1, 1};
  Place place;

  template <class V>
  void describe(V& v) {
    v.required("size", size, positive);
    place.describe(v);
  }
  std::vector<Collider> colliders() const { return {{Shape::box(size), place.pose()}}; }
};

struct CapsuleShape {
  static constexpr std::string_view name = "capsule";
  double radius = 1.0, length = 1.0;
  Place place;

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
  Vec3d point{}, normal{0, 0, 1};

  template <class V>
  void describe(V& v) {
    v.optional("point", point);
    v.required("normal", normal, nonzero_vector);
  }
  std::vector<Collider> colliders() const { return {plane_collider(point, normal)}; }
};

// The inside of a box: a floor, four walls and, if asked for, a lid.
struct ContainerShape {
  static constexpr std::string_view name = "container";
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

// `body:` the ground, a body, or a generated group: all of its bodies.
void read_bodies(const Loading& loading, const Item& item, ColliderEntry& entry) {
  const Item body = item.at("body", "the name of a body, of a generated group, or ground");
  const auto& groups = loading.model.groups;
  const std::string& name = body.text("the name of a body");
  const auto group = std::find_if(groups.begin(), groups.end(), [&](const BodyGroup& g) { return g.name == name; });
  if (group != groups.end())
    entry.first_body = group->first, entry.bodies = group->count;
  else
    entry.first_body = body_named(loading, body);
  if (entry.first_body < 0) return;
  std::visit(
      [&](const auto& element) {
        if constexpr (!requires { element.nq; })
          body.fail(fmt::format("'{}' is flexible; expected the ground, a point, planar or rigid body", name));
      },
      loading.model.bodies[entry.first_body].element);
}

void check_law(const Item& item, const ContactLaw& law) {
  if (const std::string wrong = law.check(); !wrong.empty()) item.fail_at_key(wrong);
  if (law.mu[0] != law.mu[1])
    item.find("mu")->fail("a pair of colliders has no direction of its own; expected one coefficient");
  if (law.friction == ContactLaw::Friction::contensou)
    item.find("friction")->fail("drilling friction belongs to a contact of the file; expected auto, planar or spatial");
}

}  // namespace

void load_colliders(Loading& loading) {
  const std::vector<std::string> types = type_names<Shapes>();
  for (const Item& item : section_of(loading, "colliders")) {
    check_free_name(item, "a collider");
    const std::string type = type_of(item, types, "");
    ColliderEntry entry;
    entry.name = item.key();
    entry.place = item.key_place();
    KeyNames keys{{"type", "body"}};
    entry.law.describe(keys);
    VariantOf<Shapes> shape;
    read_type<Shapes>(item, type, loading.values, keys.names, shape);
    entry.shapes = std::visit([](const auto& s) { return s.colliders(); }, shape);
    KeyReader reader(item, loading.values);
    entry.law.describe(reader);
    check_law(item, entry.law);
    read_bodies(loading, item, entry);
    loading.model.colliders.push_back(std::move(entry));
  }
}

}  // namespace tappet
