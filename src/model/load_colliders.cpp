// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/attachments.h"
#include "model/collider_shapes.h"
#include "model/element_types.h"
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
    if (const auto* box = std::get_if<BoxShape>(&shape)) check_edges(loading, item, entry, *box);
    loading.model.colliders.push_back(std::move(entry));
  }
}

}  // namespace tappet
