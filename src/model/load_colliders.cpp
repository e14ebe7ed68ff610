// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "model/attachments.h"
#include "model/collider_shapes.h"
#include "model/element_types.h"
#include "model/geometry/collider_pairs.h"
#include "model/geometry/geometry.h"
#include "model/names.h"

namespace tappet {
namespace {

// Reads `body:`, which is the ground, a body, or a generated group with all of its bodies.
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

bool is_planar(const BodyEntry& body) {
  return std::visit([](const auto& element) { return element.is_planar; }, body.element);
}

// A box with two edges is allowed for a body in the plane, or for the ground under such bodies.
void check_edges(const Loading& loading, const Item& item, const ColliderEntry& entry, const BoxShape& box) {
  const auto& bodies = loading.model.bodies;
  const bool planar = entry.first_body >= 0 ? is_planar(bodies[entry.first_body])
                                            : std::all_of(bodies.begin(), bodies.end(), is_planar);
  if (box.edges.given == 2 && !planar)
    item.find("size")->fail("two edges of a box in space; expected three [x, y, z], or one number for all");
}

// The thickness of a profile in space is that of the body, unless the collider has its own.
void find_thickness(const Item& item, ProfileShape& shape, const BodyEntry* body) {
  if (!shape.thickness && body) shape.thickness = body->thickness;
  if (!shape.rim) return;
  const Item rim = *item.find("rim");
  if (!shape.thickness) rim.fail_at_key("the profile is flat; expected `thickness` as well, or no `rim`");
  const auto [low, high] = from_low_to_high(*shape.thickness);
  const double most = Plate::largest_rim(static_cast<const PlanarProfile&>(*shape.solid), low, high);
  if (*shape.rim > most)
    rim.fail(
        fmt::format("a radius of {:g} m; expected at most {:g} m, the smallest rounding of a corner of the outline "
                    "or 0.49 of the thickness",
                    *shape.rim, most));
}

// Looks up the geometry of a collider. If it is that of its body, it lies where the body has it.
template <class S>
void find_geometry(const Loading& loading, const Item& item, S& shape, ColliderEntry& entry) {
  if constexpr (std::is_base_of_v<GeometryShape, S>) {
    const Item name = item.at("geometry", "the name of a geometry");
    entry.geometry = geometry_named(loading, name);
    shape.solid = loading.model.geometries[entry.geometry].solid;
    if (shape.solid->kind() != S::kind)
      name.fail(
          fmt::format("'{}' is of the type {}; expected a {}", name.text(), name_of(shape.solid->kind()), S::name));
    const BodyEntry* body = entry.first_body < 0 ? nullptr : &loading.model.bodies[entry.first_body];
    const bool is_that_of_body = body && body->geometry == entry.geometry;
    if (is_that_of_body && !item.find("center")) shape.place.center = body->geometry_origin;
    if constexpr (std::is_same_v<S, ProfileShape>) find_thickness(item, shape, is_that_of_body ? body : nullptr);
  }
}

// Reads `frame: geometry`. The origin of a body is its centre of mass, which few people know if it follows from the
// geometry. Then points are easier to give in the frame of the geometry.
void read_frame(const Loading& loading, const Item& item, ColliderEntry& entry) {
  const auto frame = item.find("frame");
  if (!frame) return;
  const std::string& name = frame->text("body or geometry");
  if (name != "body" && name != "geometry") frame->fail_expecting("body or geometry");
  if (name == "body") return;
  if (entry.first_body < 0 || loading.model.bodies[entry.first_body].geometry < 0)
    frame->fail("the body has no geometry; expected `frame: body`, or a body with `geometry`");
  if (entry.geometry >= 0 && !item.find("center"))
    frame->fail("the collider already lies where the body has its geometry; expected `center` as well, or no `frame`");
  for (Collider& collider : entry.shapes)
    collider.pose.p = collider.pose.p + loading.model.bodies[entry.first_body].geometry_origin;
}

void check_law(const Item& item, const ContactLaw& law) {
  if (const std::string wrong = law.check(); !wrong.empty()) item.fail_at_key(wrong);
  if (law.mu[0] != law.mu[1])
    item.find("mu")->fail("a pair of colliders has no preferred direction; expected one coefficient");
  if (law.friction == ContactLaw::Friction::contensou)
    item.find("friction")->fail("drilling friction belongs to a contact of the file; expected auto, planar or spatial");
}

}  // namespace

void load_colliders(Loading& loading) {
  const std::vector<std::string> types = type_names<Shapes>();
  std::vector<Item> items;
  for (const Item& item : section_of(loading, "colliders")) {
    check_free_name(item, "a collider");
    const std::string type = type_of(item, types, "");
    ColliderEntry entry;
    entry.name = item.key(), entry.type = type;
    entry.place = item.key_place();
    KeyNames keys{{"type", "body", "frame"}};
    entry.law.describe(keys);
    VariantOf<Shapes> shape;
    read_type<Shapes>(item, type, loading.values, keys.names, shape);
    KeyReader reader(item, loading.values);
    entry.law.describe(reader);
    check_law(item, entry.law);
    read_bodies(loading, item, entry);
    std::visit([&](auto& s) { find_geometry(loading, item, s, entry); }, shape);
    try {
      entry.shapes = std::visit([](const auto& s) { return s.colliders(); }, shape);
    } catch (const std::invalid_argument& error) {  // numbers that are too large to be squared
      item.fail(error.what());
    }
    read_frame(loading, item, entry);
    if (const auto* box = std::get_if<BoxShape>(&shape)) check_edges(loading, item, entry, *box);
    loading.model.colliders.push_back(std::move(entry));
    items.push_back(item);
  }
  flatten_shapes(loading.model, items);
  check_pairs(loading.model, items);
}

}  // namespace tappet
