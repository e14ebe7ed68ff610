// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/element_types.h"
#include "model/generators.h"
#include "model/geometry/geometry.h"
#include "model/names.h"

namespace tappet {
namespace {

void check_moments(const Item& item, const BodyVariant& element) {
  const auto* body = std::get_if<RigidBody>(&element);
  if (!body) return;
  constexpr double slack = 1.05;  // allows moments that are rounded or slightly idealised
  const Mat3d& J = body->inertia;
  const double I[3] = {J(0, 0), J(1, 1), J(2, 2)};
  for (int k = 0; k < 3; ++k)
    if (I[k] > slack * (I[(k + 1) % 3] + I[(k + 2) % 3]))
      item.find("inertia")->fail(fmt::format(
          "no body has moments {}, {}, {}: one exceeds the sum of the others; expected I1 + I2 ≥ I3 in every order",
          I[0], I[1], I[2]));
}

std::vector<std::string> coordinate_names(const Item& item, const BodyVariant& element) {
  std::vector<std::string> names = own_coordinates(element);
  for (std::string& name : names) name = item.key() + "." + name;
  const auto given = item.find("coordinates");
  if (!given) return names;
  const std::string expected = fmt::format("{} names", names.size());
  const std::vector<Item> items = given->list(expected);
  if (items.size() != names.size()) given->fail_expecting(expected);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string& name = items[i].text("a name");
    if (names_in(name) != std::vector<std::string>{name} || name.back() == '\'')
      items[i].fail_expecting("a name: a letter, then letters, digits and _");
    names[i] = name;
  }
  return names;
}

}  // namespace

namespace {

// Adds copies of a body, `name.1`, `name.2`, …, each at its place. Formulas cannot name their coordinates.
void add_group(Loading& loading, const Item& item, const BodyEntry& pattern) {
  if (const auto names = item.find("coordinates"))
    names->fail_at_key("names the coordinates of one body, but the entry creates many; expected no `coordinates`");
  if (!std::visit(
          [](const auto& element) {
            return requires { element.nq; };
          },
          pattern.element))
    item.fail_at_key("only point, planar and rigid bodies can be generated; expected one of these types");
  Model& model = loading.model;
  const std::vector<Vec3d> offsets = generated_offsets(loading, item);
  model.groups.push_back({item.key(), static_cast<int>(model.bodies.size()), static_cast<int>(offsets.size())});
  model.bodies.reserve(model.bodies.size() + offsets.size());
  for (size_t i = 0; i < offsets.size(); ++i) {
    BodyEntry body = pattern;
    body.name = fmt::format("{}.{}", item.key(), i + 1);
    body.generated = true;
    std::visit(
        [&](auto& element) {
          if constexpr (requires { element.nq; }) element.position = element.position + offsets[i];
        },
        body.element);
    model.bodies.push_back(std::move(body));
  }
}

// Adds the next body of a repetition (`for:`). All bodies of the repetition form a group with the name of the entry.
void add_to_group(Model& model, const Item& item) {
  if (item.entry_name() == item.key()) return;
  if (model.groups.empty() || model.groups.back().name != item.entry_name())
    model.groups.push_back({item.entry_name(), static_cast<int>(model.bodies.size()), 0});
  ++model.groups.back().count;
}

}  // namespace

void load_bodies(Loading& loading) {
  const std::vector<std::string> types = type_names<AllBodies>();
  std::vector<std::string> others{"type", "coordinates"};
  others.insert(others.end(), generator_keys().begin(), generator_keys().end());
  for (const Item& written : section_of(loading, "bodies")) {
    check_free_name(written, "a body");
    if (written.key() == "ground") written.fail_at_key("the ground always exists; expected another name");
    const std::string type = type_of(written, types, "");
    BodyEntry body;
    body.name = written.key();
    body.place = written.key_place();
    const Yaml node = with_geometry(loading, written, body);
    const Item item = written.with(node);
    KeyNames keys{others};
    if (body.geometry >= 0) GeometryKeys{}.describe(keys);
    read_type<AllBodies>(item, type, loading.values, keys.names, body.element);
    check_moments(item, body.element);
    if (is_generated(item)) {
      add_group(loading, item, body);
      continue;
    }
    body.coordinates = coordinate_names(item, body.element);
    add_to_group(loading.model, item);
    loading.model.bodies.push_back(std::move(body));
  }
  for (std::size_t b = 0; b < loading.model.bodies.size(); ++b)
    if (!loading.model.bodies[b].generated)
      loading.body_index.emplace(loading.model.bodies[b].name, static_cast<int>(b));
}

}  // namespace tappet
