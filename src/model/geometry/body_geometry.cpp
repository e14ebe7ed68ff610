// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/geometry/geometry.h"
#include "model/reading/element_reader.h"

namespace tappet {
namespace {

// The keys of the body itself on which its geometry depends.
struct BodyKeys : GeometryKeys {
  std::optional<double> mass, angle;
  Quatd rotation{};

  template <class V>
  void describe(V& v) {
    GeometryKeys::describe(v);
    v.optional("mass", mass, positive);
    v.optional("angle", angle);
    v.optional("rotation", rotation, unit_quaternion);
  }
};

void require(const Item& item, const char* key, bool wanted, const std::string& why) {
  const auto given = item.find(key);
  if (wanted && !given) item.fail_at_key(fmt::format("the key `{}` is missing; expected it, because {}", key, why));
  if (!wanted && given) given->fail_at_key(fmt::format("{}; expected no `{}`", why, key));
}

void set(Yaml& body, const Item& at, const std::string& key, const std::string& text) {
  std::erase_if(body.pairs, [&](const YamlPair& pair) { return pair.key.text == key; });
  YamlPair pair;
  pair.key.kind = pair.value.kind = Yaml::Kind::scalar;
  pair.key.text = key, pair.value.text = text;
  pair.key.place = pair.value.place = at.place();
  pair.key.offset = pair.value.offset = at.node().offset;
  body.pairs.push_back(std::move(pair));
}
void set(Yaml& body, const Item& at, const std::string& key, const std::vector<double>& numbers) {
  set(body, at, key, "");
  Yaml& value = body.pairs.back().value;
  value.kind = Yaml::Kind::list;
  for (const double x : numbers) {
    Yaml number;
    number.kind = Yaml::Kind::scalar, number.text = fmt::format("{}", x);
    number.place = value.place, number.offset = value.offset;
    value.items.push_back(std::move(number));
  }
}

// Moments about the centre. A body in the plane has the one about z.
void set_inertia(Yaml& body, const Item& at, const Mat3d& J, bool planar) {
  if (planar) return set(body, at, "inertia", fmt::format("{}", J.z.z));
  set(body, at, "inertia", std::vector<double>{});
  for (int row = 0; row < 3; ++row) {
    Yaml list;
    set(list, at, "row", std::vector<double>{J(row, 0), J(row, 1), J(row, 2)});
    body.pairs.back().value.items.push_back(list.pairs.back().value);
  }
}

// What the geometry says about the mass, scaled to the mass or density of the body.
MassProperties mass_of(const Item& item, const BodyKeys& keys, const Solid& solid, bool planar) {
  const bool flat_in_space = solid.is_flat() && !planar;
  if (keys.density) {
    require(item, "mass", false, "`density` gives the mass of the body");
    require(item, "inertia", false, "`density` gives the inertia of the body");
    require(item, "thickness", solid.is_flat(),
            solid.is_flat() ? "a flat part has no mass without it" : "the geometry is not flat");
  } else if (!flat_in_space) {
    require(item, "thickness", false, "without `density` it means nothing");
  }
  const OneOrTwo z = from_low_to_high(keys.thickness.value_or(OneOrTwo{1.0, 1.0}));
  MassProperties mass = solid.mass_properties(z[1] - z[0]);
  if (flat_in_space) mass.center.z = 0.5 * (z[0] + z[1]);
  const double scale = keys.density ? *keys.density : *keys.mass / mass.mass;
  mass.mass *= scale, mass.inertia = scale * mass.inertia;
  return mass;
}

}  // namespace

Yaml with_geometry(const Loading& loading, const Item& item, BodyEntry& body) {
  Yaml node = item.node();
  const auto geometry = item.find("geometry");
  if (!geometry) return node;
  const std::string& type = item.at("type", "the type of the body").text();
  if (type != PlanarBody::name && type != RigidBody::name)
    geometry->fail_at_key(fmt::format("a body of type {} has no shape; expected a planar or a rigid one", type));
  body.geometry = geometry_named(loading, *geometry);
  const GeometryEntry& entry = loading.model.geometries[body.geometry];
  const bool planar = type == PlanarBody::name;
  if (entry.solid->kind() == Shape::Kind::terrain)
    geometry->fail(
        fmt::format("'{}' is a terrain, which has no mass; expected a profile or a convex solid", entry.name));
  if (planar && !entry.solid->is_flat())
    geometry->fail(fmt::format("'{}' is a part in space, but the body is planar; expected a rigid body, or a profile",
                               entry.name));
  BodyKeys keys;
  KeyReader reader(item, loading.values);
  keys.describe(reader);
  if (entry.solid->is_flat() && !planar) {
    require(item, "thickness", true, "the body moves in space");
    body.thickness = from_low_to_high(*keys.thickness);
  }
  Vec3d center = keys.center.value_or(Vec3d{});
  if (keys.density || (keys.mass && !item.find("inertia"))) {
    require(item, "center", false, "the centre of mass follows from the geometry");
    const MassProperties mass = mass_of(item, keys, *entry.solid, planar);
    center = mass.center;
    set(node, *geometry, "mass", fmt::format("{}", mass.mass));
    set_inertia(node, *geometry, mass.inertia, planar);
  } else if (!keys.mass) {
    item.fail_at_key(
        "nothing says how heavy the body is; expected `density` (and for a flat part `thickness`), or `mass`");
  }
  body.geometry_origin = -center;
  if (keys.origin) {
    require(item, "position", false, "`origin` gives the place of the body");
    const Mat3d R = planar ? rotation_about_z(keys.angle.value_or(0.0)) : rotation_matrix(keys.rotation);
    const Vec3d p = *keys.origin + R * center;
    set(node, *geometry, "position", planar ? std::vector<double>{p.x, p.y} : std::vector<double>{p.x, p.y, p.z});
  }
  return node;
}

}  // namespace tappet
