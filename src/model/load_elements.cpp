// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/attachments.h"
#include "model/element_types.h"
#include "model/joints/joint_actions.h"
#include "model/names.h"

namespace tappet {
namespace {

// A drive counts from the start pose. If it is not zero at t = 0, its author probably means something else.
void explain_drive(Loading& loading, const Item& item, const char* key, const std::optional<TimeFunction>& drive) {
  if (!drive || (*drive)(0.0) == 0.0) return;
  const Item place = *item.find(key);
  loading.model.warnings.push_back(fmt::format(
      "{}:{}:{}: {}: the drive is {:g} at t = 0, but it counts from the start pose, so only its change since "
      "then moves the joint",
      loading.model.file, place.place().line, place.place().column, place.path(), (*drive)(0.0)));
}
template <class Element>
void explain_drives(Loading& loading, const Item& item, const Element& element) {
  if constexpr (requires { (*element.angle)(0.0); }) explain_drive(loading, item, "angle", element.angle);
  if constexpr (requires { (*element.displacement)(0.0); })
    explain_drive(loading, item, "displacement", element.displacement);
}

const std::vector<std::string> keys_of_pairs = {"type", "bodies", "node"};

// Reads an element between two bodies, if the list has its type.
template <class List, class Entries>
bool read_entry(Loading& loading, const Item& item, const std::string& type, Entries& entries) {
  typename Entries::value_type entry;
  entry.name = item.key();
  entry.place = item.key_place();
  KeyNames others{keys_of_pairs};
  if (std::is_same_v<List, Joints> && has_actions(type)) JointActionKeys{}.describe(others);
  bool found = read_type<List>(item, type, loading.values, others.names, entry.element);
  if constexpr (std::is_same_v<List, Joints>)
    found = found ||
            read_added_type<OwnJoint>(item, type, loading.values, keys_of_pairs, loading.types.joints(), entry.element);
  if (!found) return false;
  entry.bodies = read_pair(loading, item);
  std::visit([&](const auto& element) { explain_drives(loading, item, element); }, entry.element);
  entries.push_back(std::move(entry));
  if constexpr (std::is_same_v<List, Joints>)
    if (has_actions(type)) read_joint_actions(loading, item);
  return true;
}

bool is_formula_entry(const Item& item, std::initializer_list<const char*> keys) {
  return item.is_map() &&
         std::any_of(keys.begin(), keys.end(), [&](const char* key) { return item.find(key).has_value(); });
}

}  // namespace

namespace {

bool is_formula_joint(const Item& item) { return is_formula_entry(item, {"constraint", "velocity_constraint"}); }

}  // namespace

void load_formula_joints(Loading& loading) {
  for (const Item& item : section_of(loading, "joints"))
    if (is_formula_joint(item)) loading.model.formulas.joints.push_back(read_formula_joint(loading, item));
}

void load_joints(Loading& loading) {
  const std::vector<std::string> types = type_names<Joints, VelocityJoints>(loading.types.joints());
  for (const Item& item : section_of(loading, "joints")) {
    check_free_name(item, "a joint");
    if (is_formula_joint(item)) continue;
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

template <class Part>
void put(const Part& part, ContactVariant& element) {
  element = part;
}
template <class... Part>
void put(const std::variant<Part...>& part, ContactVariant& element) {
  std::visit([&](const auto& one) { element = one; }, part);
}

// A box on a plane, or a pin in a bore, becomes several contacts, `name.1`, `name.2`, …
void read_contact_group(Loading& loading, const Item& item, const std::string& type,
                        const std::vector<std::string>& others, ContactEntry contact) {
  VariantOf<ContactGroups> group;
  read_type<ContactGroups>(item, type, loading.values, others, group);
  const bool planar = is_planar(loading, contact.bodies[0]) && is_planar(loading, contact.bodies[1]);
  std::visit(
      [&](const auto& element) {
        const auto parts = element.parts(planar);
        for (size_t k = 0; k < parts.size(); ++k) {
          if (parts.size() > 1) contact.name = fmt::format("{}.{}", item.key(), k + 1);
          put(parts[k], contact.element);
          loading.model.contacts.push_back(contact);
        }
      },
      group);
}

}  // namespace

void load_contacts(Loading& loading) {
  const std::vector<std::string> types = type_names<Contacts, ContactGroups>(loading.types.contacts());
  for (const Item& item : section_of(loading, "contacts")) {
    check_free_name(item, "a contact");
    // The element point-on-curve has a key `gap` too.
    if (is_formula_entry(item, {"gap"}) && !item.find("type")) {
      for (FormulaContact& contact : read_formula_contact(loading, item))
        loading.model.formulas.contacts.push_back(std::move(contact));
      continue;
    }
    const std::string type = type_of(item, types, " (or `gap:` with a formula)");
    ContactEntry contact;
    contact.name = item.key();
    contact.place = item.key_place();
    KeyNames keys{{"type", "bodies", "node"}};
    contact.law.describe(keys);
    const bool single =
        read_type<Contacts>(item, type, loading.values, keys.names, contact.element) ||
        read_added_type<OwnContact>(item, type, loading.values, keys.names, loading.types.contacts(), contact.element);
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

// The remaining keys of a force or torque that is a formula of the state.
struct StateForceKeys {
  StateForce& force;
  template <class V>
  void describe(V& v) {
    if (!force.is_torque) v.optional("at", force.at);
    v.choice("frame", force.frame, {"world", "body"});
  }
};

// Reads `force:` or `torque:` if it is a formula of more than t. Returns false if there is no such formula.
bool read_state_force(Loading& loading, const Item& item, const std::string& type) {
  if (type != AppliedForce::name && type != AppliedTorque::name) return false;
  const auto given = item.find(type);  // the key has the same name as the type
  if (!given || given->is_map() || given->is_null()) return false;
  const std::vector<Item> items = given->is_list() ? given->list() : std::vector<Item>{*given};
  if (given->is_list() && items.size() != 2 && items.size() != 3) return false;
  StateForce force;
  force.name = item.key(), force.place = item.key_place(), force.is_torque = type == AppliedTorque::name;
  force.components.fill(loading.model.formulas.graph.constant(0.0));
  bool of_time = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Node f = loading.state_formula(items[i]);
    force.components[given->is_list() ? i : 2] = f;
    of_time = of_time && !loading.depends_on_slots(f, 1, INT_MAX);
  }
  if (of_time) return false;
  StateForceKeys keys{force};
  read_element(item, loading.values, {"type", "bodies", "body", "node", type}, keys);
  force.body = read_single(loading, item);
  loading.model.state_forces.push_back(std::move(force));
  return true;
}

}  // namespace

void load_forces(Loading& loading) {
  const std::vector<std::string> types = type_names<Forces>(loading.types.forces());
  for (const Item& item : section_of(loading, "forces")) {
    if (!item.is_map()) {
      read_generalised_force(loading, item);
      continue;
    }
    check_free_name(item, "a force");
    const std::string type = type_of(item, types, " (or, for a coordinate, a formula)");
    if (read_state_force(loading, item, type)) continue;
    Entry<ForceVariant> force;
    force.name = item.key();
    force.place = item.key_place();
    const std::vector<std::string> others = {"type", "bodies", "body", "node"};
    if (!read_type<Forces>(item, type, loading.values, others, force.element))
      read_added_type<OwnForce>(item, type, loading.values, others, loading.types.forces(), force.element);
    const int frames = std::visit([](const auto& element) { return element.frames; }, force.element);
    if (frames == 2) force.bodies = read_pair(loading, item);
    if (frames == 1) force.bodies[0] = read_single(loading, item);
    if (const auto bodies = item.find("bodies"); frames == 0 && bodies)
      for (const Item& name : bodies->list("a list of bodies")) force.targets.push_back(body_named(loading, name));
    loading.model.forces.push_back(std::move(force));
  }
}

}  // namespace tappet
