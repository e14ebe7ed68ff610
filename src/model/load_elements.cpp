// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/element_reader.h"
#include "model/loading.h"
#include "model/names.h"

namespace tappet {
namespace {

template <class... Lists>
std::vector<std::string> type_names() {
  std::vector<std::string> names;
  (for_each<Lists>([&]<class Element>() { names.emplace_back(Element::name); }), ...);
  return names;
}

// The `type:` of an entry, one of the names.
std::string type_of(const Item& item, const std::vector<std::string>& types, const std::string& others) {
  const std::string expected = fmt::format("one of: {}{}", listed(types), others);
  if (!item.is_map()) item.fail_expecting(fmt::format("a map with `type:`, {}", expected));
  const Item type = item.at("type", expected);
  const std::string& name = type.text(expected);
  if (std::find(types.begin(), types.end(), name) == types.end())
    type.fail(fmt::format("unknown type '{}'{}; expected {}", name, suggestion(name, types), expected));
  return name;
}

// Fills `variant` and returns true where the list has the type.
template <class List, class Variant>
bool read_type(const Item& item, const std::string& type, const Values& values, const std::vector<std::string>& others,
               Variant& variant) {
  bool found = false;
  for_each<List>([&]<class Element>() {
    if (type != Element::name) return;
    Element element{};
    read_element(item, values, others, element);
    variant = std::move(element);
    found = true;
  });
  return found;
}

int body_named(const Loading& loading, const Item& item) {
  const std::string& name = item.text("the name of a body");
  if (name == "ground") return -1;
  const auto& bodies = loading.model.bodies;
  const auto found = std::find_if(bodies.begin(), bodies.end(), [&](const BodyEntry& b) { return b.name == name; });
  if (found != bodies.end()) return static_cast<int>(found - bodies.begin());
  std::vector<std::string> names{"ground"};
  for (const BodyEntry& b : bodies) names.push_back(b.name);
  item.fail(fmt::format("unknown body '{}'{}; expected one of: {}", name, suggestion(name, names), listed(names)));
}

int nodes_of(const Loading& loading, int body) {
  if (body < 0) return 1;
  return std::visit(
      [](const auto& element) {
        if constexpr (requires { element.nodes(); })
          return element.nodes();
        else
          return 1;
      },
      loading.model.bodies[body].element);
}

// `node: 3` for the flexible one of the bodies, or `node: [0, 3]`; −1 is the last node.
void read_nodes(const Loading& loading, const Item& item, std::array<Attachment, 2>& bodies) {
  const auto node = item.find("node");
  if (!node) return;
  const auto read = [&](const Item& number, Attachment& attachment) {
    const int nodes = nodes_of(loading, attachment.body), value = loading.values.integer(number);
    if (value >= nodes || value < -nodes)
      number.fail(fmt::format("found node {}; expected a node of '{}', 0 to {} (or −1 for the last)", value,
                              attachment.body < 0 ? "ground" : loading.model.bodies[attachment.body].name, nodes - 1));
    attachment.node = value < 0 ? nodes + value : value;
  };
  if (node->is_list()) {
    const std::vector<Item> nodes = node->list();
    if (nodes.size() != 2) node->fail_expecting("one whole number or a list of two, one for each body");
    for (int i = 0; i < 2; ++i) read(nodes[i], bodies[i]);
    return;
  }
  const bool second = nodes_of(loading, bodies[0].body) == 1 && nodes_of(loading, bodies[1].body) > 1;
  read(*node, bodies[second ? 1 : 0]);
}

// `bodies: [A, B]`, two different ones.
std::array<Attachment, 2> read_pair(const Loading& loading, const Item& item) {
  const std::string expected = "two bodies [A, B], one of which may be the ground";
  const Item section = item.at("bodies", expected);
  const std::vector<Item> names = section.list(expected);
  if (names.size() != 2) section.fail_expecting(expected);
  std::array<Attachment, 2> pair;
  for (int i = 0; i < 2; ++i) pair[i].body = body_named(loading, names[i]);
  if (pair[0].body == pair[1].body)
    section.fail(fmt::format("'{}' stands twice; expected two different bodies", names[0].text()));
  read_nodes(loading, item, pair);
  return pair;
}

// `bodies: [A]`, or `body: A`.
Attachment read_single(const Loading& loading, const Item& item) {
  const std::string expected = "one body [A]";
  std::array<Attachment, 2> pair;
  const auto body = item.find("body");
  if (body && item.find("bodies")) body->fail_at_key("`bodies` is given too; expected one of `body` and `bodies`");
  if (body) {
    pair[0].body = body_named(loading, *body);
  } else {
    const Item section = item.at("bodies", expected);
    const std::vector<Item> names = section.list(expected);
    if (names.size() != 1) section.fail_expecting(expected);
    pair[0].body = body_named(loading, names[0]);
  }
  if (pair[0].body < 0) item.fail_at_key("a force on the ground moves nothing; expected a body");
  read_nodes(loading, item, pair);
  return pair[0];
}

// An element between two bodies, where the list has its type.
template <class List, class Entries>
bool read_entry(const Loading& loading, const Item& item, const std::string& type, Entries& entries) {
  typename Entries::value_type entry;
  entry.name = item.key();
  entry.place = item.key_place();
  if (!read_type<List>(item, type, loading.values, {"type", "bodies", "node"}, entry.element)) return false;
  entry.bodies = read_pair(loading, item);
  entries.push_back(std::move(entry));
  return true;
}

void check_moments(const Item& item, const BodyVariant& element) {
  const auto* body = std::get_if<RigidBody>(&element);
  if (!body) return;
  constexpr double slack = 1.05;  // rounded or slightly idealised moments pass
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

bool is_formula_entry(const Item& item, std::initializer_list<const char*> keys) {
  return item.is_map() &&
         std::any_of(keys.begin(), keys.end(), [&](const char* key) { return item.find(key).has_value(); });
}

std::vector<Item> section_of(const Loading& loading, const std::string& name) {
  const auto section = loading.root.find(name);
  if (!section || section->is_null()) return {};
  return section->map(fmt::format("a map of {} `{{name: {{..}}}}`", name));
}

}  // namespace

void load_bodies(Loading& loading) {
  const std::vector<std::string> types = type_names<AllBodies>();
  for (const Item& item : section_of(loading, "bodies")) {
    check_free_name(item, "a body");
    if (item.key() == "ground") item.fail_at_key("the ground always exists; expected another name");
    const std::string type = type_of(item, types, "");
    BodyEntry body;
    body.name = item.key();
    body.place = item.key_place();
    read_type<AllBodies>(item, type, loading.values, {"type", "coordinates"}, body.element);
    check_moments(item, body.element);
    body.coordinates = coordinate_names(item, body.element);
    loading.model.bodies.push_back(std::move(body));
  }
}

void load_joints(Loading& loading) {
  const std::vector<std::string> types = type_names<Joints, VelocityJoints>();
  for (const Item& item : section_of(loading, "joints")) {
    check_free_name(item, "a joint");
    if (is_formula_entry(item, {"constraint", "velocity_constraint"})) {
      loading.model.formulas.joints.push_back(read_formula_joint(loading, item));
      continue;
    }
    const std::string type = type_of(item, types, " (or `constraint:`, `velocity_constraint:` with a formula)");
    if (!read_entry<Joints>(loading, item, type, loading.model.joints))
      read_entry<VelocityJoints>(loading, item, type, loading.model.velocity_joints);
  }
}

namespace {

bool is_planar(const Loading& loading, const Attachment& attachment) {
  return attachment.body < 0 || std::visit([](const auto& element) { return element.is_planar; },
                                           loading.model.bodies[attachment.body].element);
}

// A box on a plane is several contacts, `name.1`, `name.2`, …
void read_contact_group(Loading& loading, const Item& item, const std::string& type,
                        const std::vector<std::string>& others, ContactEntry contact) {
  VariantOf<ContactGroups> group;
  read_type<ContactGroups>(item, type, loading.values, others, group);
  const bool planar = is_planar(loading, contact.bodies[0]) && is_planar(loading, contact.bodies[1]);
  std::visit(
      [&](const auto& element) {
        int number = 0;
        for (auto& part : element.parts(planar)) {
          contact.name = fmt::format("{}.{}", item.key(), ++number);
          contact.element = part;
          loading.model.contacts.push_back(contact);
        }
      },
      group);
}

}  // namespace

void load_contacts(Loading& loading) {
  const std::vector<std::string> types = type_names<Contacts, ContactGroups>();
  for (const Item& item : section_of(loading, "contacts")) {
    check_free_name(item, "a contact");
    if (is_formula_entry(item, {"gap"})) {
      loading.model.formulas.contacts.push_back(read_formula_contact(loading, item));
      continue;
    }
    const std::string type = type_of(item, types, " (or `gap:` with a formula)");
    ContactEntry contact;
    contact.name = item.key();
    contact.place = item.key_place();
    KeyNames keys{{"type", "bodies", "node"}};
    contact.law.describe(keys);
    const bool single = read_type<Contacts>(item, type, loading.values, keys.names, contact.element);
    KeyReader reader(item, loading.values);
    contact.law.describe(reader);
    if (const std::string wrong = contact.law.check(); !wrong.empty()) item.fail_at_key(wrong);
    contact.bodies = read_pair(loading, item);
    if (single)
      loading.model.contacts.push_back(std::move(contact));
    else
      read_contact_group(loading, item, type, keys.names, std::move(contact));
  }
}

namespace {

void read_generalised_force(Loading& loading, const Item& item) {
  const auto found = loading.scope.find(item.key());
  int variable = -1;
  for (int i = 0; i < loading.variables; ++i)
    if (found != loading.scope.end() && found->second == loading.position(i)) variable = i;
  if (variable < 0) {
    const std::vector<std::string> names = loading.variable_names();
    item.fail_at_key(fmt::format("no coordinate of this name{}; expected {}", suggestion(item.key(), names),
                                 names.empty()
                                     ? "a force element `{type: ..}`"
                                     : fmt::format("one of: {}, or a force element `{{type: ..}}`", listed(names))));
  }
  loading.model.formulas.forces[variable] = loading.formula(item);
}

}  // namespace

void load_forces(Loading& loading) {
  const std::vector<std::string> types = type_names<Forces>();
  for (const Item& item : section_of(loading, "forces")) {
    if (!item.is_map()) {
      read_generalised_force(loading, item);
      continue;
    }
    check_free_name(item, "a force");
    const std::string type = type_of(item, types, " (or, for a coordinate, a formula)");
    Entry<ForceVariant> force;
    force.name = item.key();
    force.place = item.key_place();
    read_type<Forces>(item, type, loading.values, {"type", "bodies", "body", "node"}, force.element);
    const int frames = std::visit([](const auto& element) { return element.frames; }, force.element);
    if (frames == 2) force.bodies = read_pair(loading, item);
    if (frames == 1) force.bodies[0] = read_single(loading, item);
    if (const auto bodies = item.find("bodies"); frames == 0 && bodies)
      for (const Item& name : bodies->list("a list of bodies")) force.targets.push_back(body_named(loading, name));
    loading.model.forces.push_back(std::move(force));
  }
}

}  // namespace tappet
