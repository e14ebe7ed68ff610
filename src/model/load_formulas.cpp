// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "formula/minimum.h"
#include "model/loading.h"
#include "model/names.h"
#include "model/reading/element_reader.h"
#include "model/state_names.h"

namespace tappet {

bool Loading::depends_on_slots(Node f, int first, int end) const {
  const std::vector<int> slots = model.formulas.graph.input_slots({&f, 1});
  const auto found = std::lower_bound(slots.begin(), slots.end(), first);
  return found != slots.end() && *found < end;
}

bool Loading::depends_on_velocity(Node f) const { return depends_on_slots(f, 1 + variables, 1 + 2 * variables); }

bool Loading::depends_on_position(Node f) const { return depends_on_slots(f, 1, 1 + variables); }

bool Loading::is_linear_in_velocity(Node f) const {
  for (const int slot : model.formulas.graph.input_slots({&f, 1}))
    if (slot > variables && slot <= 2 * variables &&
        depends_on_velocity(model.formulas.graph.derivative(f, model.formulas.graph.input(slot))))
      return false;
  return true;
}

namespace {

void check_finite(const Graph& graph, const Item& item, Node f) {
  if (graph.is_constant(f) && !graph.is_finite(f))
    item.fail(fmt::format("'{}' is {}; expected a finite value", item.text(), graph.value(f)));
}

}  // namespace

Node Loading::formula(const Item& item) const {
  Graph& graph = model.formulas.graph;
  const Node f = parse_formula(graph, item, scope, " (formulas may use t, parameters, coordinates and definitions)");
  check_finite(graph, item, f);
  if (depends_on_state(f))
    item.fail(
        "a definition in it names the state of a body (a.vx, a.Rxz, ..), which only force elements may use; "
        "expected coordinates (a.x, a.x')");
  return f;
}

Node Loading::state_formula(const Item& item) {
  Graph& graph = model.formulas.graph;
  const Node f = parse_formula(
      graph, item, scope,
      " (it may use t, parameters, coordinates, definitions and the state of bodies: a.x, a.vx, a.angle, ..)",
      [this](std::string_view name) { return state_named(*this, name); });
  check_finite(graph, item, f);
  return f;
}

std::vector<Node> Loading::formulas(const Item& item) const {
  if (!item.is_list()) return {formula(item)};
  std::vector<Node> nodes;
  for (const Item& row : item.list()) nodes.push_back(formula(row));
  if (nodes.empty()) item.fail_expecting("a formula or a list of formulas");
  return nodes;
}

double Loading::number(const Item& item) const {
  const double value = values.number(item);
  values.keep_formula(model.formulas.graph, item);
  return value;
}

StagedNumber Loading::staged_number(const Item& item) const {
  const StagedNumber value = values.staged(item);
  values.keep_formula(model.formulas.graph, item);
  return value;
}

FormulaJoint read_formula_joint(const Loading& loading, const Item& item) {
  const bool velocity_level = !item.find("constraint");
  const std::string key = velocity_level ? "velocity_constraint" : "constraint";
  item.allow({key});
  FormulaJoint joint{item.key(), {}, velocity_level, item.key_place()};
  const Item rows = item.at(key, "a formula");
  joint.rows = loading.formulas(rows);
  const std::vector<Item> items = rows.is_list() ? rows.list() : std::vector<Item>{rows};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Node row = joint.rows[i];
    if (!velocity_level && loading.depends_on_velocity(row))
      items[i].fail(
          "the constraint depends on a velocity; expected a formula of t and positions, or `velocity_constraint:`");
    if (!velocity_level && !loading.depends_on_position(row))
      items[i].fail("the constraint depends on no coordinate; expected a formula that is zero if the joint holds");
    if (velocity_level && !loading.depends_on_velocity(row))
      items[i].fail("the constraint depends on no velocity; expected a formula such as x' - R*phi', or `constraint:`");
    if (velocity_level && !loading.is_linear_in_velocity(row))
      items[i].fail("the constraint is not linear in the velocities; expected a formula linear in them");
  }
  return joint;
}

namespace {

std::vector<Node> read_slip(const Loading& loading, const Item& item, bool is_velocity) {
  constexpr std::size_t most = 3;
  const std::vector<Node> slip = loading.formulas(item);
  if (slip.size() > most) item.fail_expecting("one, two or three formulas");
  for (const Node s : slip) {
    if (!is_velocity && loading.depends_on_velocity(s))
      item.fail("the slip depends on a velocity; expected a formula of t and positions, or `slip_velocity:`");
    if (is_velocity && !loading.is_linear_in_velocity(s))
      item.fail("the slip velocity is not linear in the velocities; expected a formula linear in them");
    if (is_velocity ? !loading.depends_on_velocity(s) : !loading.depends_on_position(s))
      item.fail(fmt::format("the slip depends on no {}; expected one", is_velocity ? "velocity" : "coordinate"));
  }
  return slip;
}

// The part of a contact law that has a meaning if the slip is a formula.
struct FormulaLaw {
  ContactLaw& law;
  template <class V>
  void describe(V& v) {
    v.optional("e_N", law.e_N, unit_interval);
    v.optional("e_F", law.e_F, unit_interval);
    v.optional("mu", law.mu, non_negative);
  }
};

// Lets the laws of the contacts first, first + 1, … follow the parameters that vary. How many friction rows there are
// depends on mu, so neither its sign nor its being the same in both directions may change.
void follow_law(const Loading& loading, const ContactLaw& law, const KeyUses& uses, std::size_t first,
                std::size_t count) {
  if (uses.empty()) return;
  std::array<StagedNumber, 2> mu{StagedNumber{law.mu[0]}, {law.mu[1]}};
  for (const KeyUse& use : uses)
    for (int i = 0; i < 2; ++i)
      if (use.key == "mu" && (use.index < 0 || use.index == i)) mu[i] = use.number;
  for (const StagedNumber& x : mu) loading.values.decide(ParameterStage::Condition::positive, x);
  loading.values.decide(ParameterStage::Condition::equal, mu[0], mu[1]);
  loading.values.uses()->add([uses, first, count](Model& model, const ParameterStage& stage) {
    KeySetter setter(uses, stage);
    for (std::size_t k = first; k < first + count; ++k) FormulaLaw{model.formulas.contacts[k].law}.describe(setter);
    return setter.right();
  });
}

// The gap may be the minimum of several formulas. Then none of these may become negative. A formula that can never be
// negative needs no contact.
std::vector<Node> read_gaps(const Loading& loading, const Item& item) {
  Graph& graph = loading.model.formulas.graph;
  const Node gap = loading.formula(item);
  if (loading.depends_on_velocity(gap))
    item.fail("the gap depends on a velocity; expected a formula of t and positions");
  if (!loading.depends_on_position(gap))
    item.fail("the gap depends on no coordinate; expected a distance that the motion changes");
  std::vector<Node> gaps = parts_of_minimum(graph, gap);
  std::erase_if(gaps, [&](Node part) { return graph.is_constant(part) && graph.value(part) >= 0.0; });
  for (const Node part : gaps)
    if (!loading.depends_on_position(part))
      item.fail(
          "the gap is a minimum, and one of its parts depends on no coordinate; expected parts that the motion "
          "changes");
  return gaps;
}

}  // namespace

std::vector<FormulaContact> read_formula_contact(const Loading& loading, const Item& item) {
  FormulaContact contact;
  contact.name = item.key();
  contact.place = item.key_place();
  FormulaLaw law{contact.law};
  KeyUses uses;
  read_element(item, loading.values, {"gap", "slip", "slip_velocity"}, law, &uses);
  for (const char* key : {"e_N", "e_F", "mu"})
    if (const auto number = item.find(key)) loading.values.keep_formula(loading.model.formulas.graph, *number);
  const std::vector<Node> gaps = read_gaps(loading, item.at("gap", "a formula"));
  const auto slip = item.find("slip"), slip_velocity = item.find("slip_velocity");
  if (slip && slip_velocity)
    slip_velocity->fail_at_key("`slip` is given too; expected one of `slip` and `slip_velocity`");
  contact.slip_is_velocity = slip_velocity.has_value();
  if (slip || slip_velocity) contact.slip = read_slip(loading, slip ? *slip : *slip_velocity, contact.slip_is_velocity);
  if (contact.law.mu_law() > 0.0 && contact.slip.empty())
    item.find("mu")->fail_at_key("friction without a slip; expected `slip:` or `slip_velocity:` beside mu > 0");
  if (contact.law.mu[0] != contact.law.mu[1] && contact.slip.size() < 2)
    item.find("mu")->fail("two values of mu; expected two formulas in `slip:`");
  contact.law.friction = static_cast<ContactLaw::Friction>(contact.slip.size());
  follow_law(loading, contact.law, uses, loading.model.formulas.contacts.size(), gaps.size());
  std::vector<FormulaContact> contacts(gaps.size(), contact);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    contacts[i].gap = gaps[i];
    if (gaps.size() > 1) contacts[i].name = fmt::format("{}.{}", item.key(), i + 1);
  }
  return contacts;
}

}  // namespace tappet
