// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "formula/mechanics/sum_terms.h"
#include "model/loading.h"

namespace tappet {

StagedNumber Loading::initial(Node f) const {
  std::vector<StagedNumber> inputs(1 + 2 * variables);
  const Formulas& formulas = model.formulas;
  const int own = static_cast<int>(formulas.coordinates.size());
  for (int i = 0; i < own; ++i) {
    inputs[1 + i] = start[i][0];
    inputs[1 + variables + i] = start[i][1];
  }
  for (int i = own; i < variables; ++i) {
    const auto [body, index] = formulas.body_coordinates[i - own];
    const std::size_t size = model.bodies[body].coordinates.size();
    std::vector<double> q(size), u(size);
    std::visit([&](const auto& element) { element.initial(q.data(), u.data()); }, model.bodies[body].element);
    inputs[1 + i] = {q[index]};
    inputs[1 + variables + i] = {u[index]};
  }
  const auto kept = values.values_of_kept(model.formulas.graph);
  return formulas.graph.evaluate_staged(kept.empty() ? f : model.formulas.graph.substitute(f, kept), inputs);
}

double Loading::held_initial(Node f) const {
  const StagedNumber value = initial(f);
  if (values.uses()) values.uses()->stage()->hold(value);
  return value.value;
}

namespace {

void check_mass(const Loading& loading, const Item& item, int coordinate, Node mass) {
  const std::string& name = loading.model.formulas.coordinates[coordinate].name;
  if (loading.model.formulas.graph.is_zero(mass))
    item.fail(
        fmt::format("'{0}' has no mass; expected a positive one (a term with {0}'^2 in the kinetic energy)", name));
  const StagedNumber value = loading.initial(mass);
  if (!loading.values.decide(ParameterStage::Condition::positive, value) ||
      !loading.values.decide(ParameterStage::Condition::finite, value))
    item.fail(fmt::format("the mass of '{}' is {} at the start; expected a positive one", name, value.value));
}

void read_lagrangian(Loading& loading, const Item& item) {
  Formulas& formulas = loading.model.formulas;
  item.allow({"kinetic", "potential"});
  if (const auto potential = item.find("potential")) {
    formulas.potential = loading.formula(*potential);
    if (loading.depends_on_velocity(*formulas.potential))
      potential->fail("the potential depends on a velocity; expected a formula of t and positions");
  }
  if (formulas.coordinates.empty()) {
    if (const auto kinetic = item.find("kinetic"))
      kinetic->fail_at_key("bodies have their own kinetic energy; expected `kinetic:` for `coordinates:` only");
    return;
  }
  const Item kinetic = item.at("kinetic", "the kinetic energy, a formula");
  formulas.kinetic = loading.formula(kinetic);
  const int coordinates = static_cast<int>(formulas.coordinates.size());
  const FormulaGradient momentum(formulas.graph, *formulas.kinetic, coordinates);
  for (int i = 0; i < coordinates; ++i) {
    const Node u = loading.velocity(i);
    check_mass(loading, kinetic, i, formulas.graph.derivative(momentum.derivative(u), u));
  }
}

// Reads n rows of n formulas, or n formulas for the diagonal.
void read_mass(Loading& loading, const Item& item) {
  Formulas& formulas = loading.model.formulas;
  const std::size_t n = formulas.coordinates.size();
  const std::string expected =
      fmt::format("{0} formulas (the diagonal) or {0} rows of {0}, in the order of the coordinates", n);
  const std::vector<Item> rows = item.list(expected);
  if (rows.size() != n) item.fail_expecting(expected);
  formulas.mass.assign(n, std::vector<Node>(n, formulas.graph.constant(0.0)));
  const auto entry = [&](const Item& cell, std::size_t i, std::size_t j) {
    formulas.mass[i][j] = loading.formula(cell);
    if (loading.depends_on_velocity(formulas.mass[i][j]))
      cell.fail("the mass depends on a velocity; expected a formula of t and positions");
    if (i == j) check_mass(loading, cell, static_cast<int>(i), formulas.mass[i][i]);
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (!rows[i].is_list()) {
      entry(rows[i], i, i);
      continue;
    }
    const std::vector<Item> cells = rows[i].list();
    if (cells.size() != n) rows[i].fail_expecting(fmt::format("a row of {}", n));
    for (std::size_t j = 0; j < n; ++j) {
      entry(cells[j], i, j);
      if (j >= i || formulas.mass[i][j] == formulas.mass[j][i]) continue;
      const double below = loading.held_initial(formulas.mass[i][j]), above = loading.held_initial(formulas.mass[j][i]);
      if (std::abs(below - above) > 1e-12 * (std::abs(below) + std::abs(above)))
        cells[j].fail(fmt::format("the mass matrix is not symmetric: {} here, {} in row {}; expected equal values",
                                  below, above, j + 1));
    }
  }
  formulas.forces_are_complete = true;
}

}  // namespace

void load_dynamics(Loading& loading) {
  const auto lagrangian = loading.root.find("lagrangian"), mass = loading.root.find("mass");
  const bool coordinates = !loading.model.formulas.coordinates.empty();
  if (lagrangian && mass) mass->fail_at_key("`lagrangian` is given too; expected one of `lagrangian` and `mass`");
  if (mass && !coordinates) mass->fail_at_key("there are no coordinates; expected `coordinates:` beside `mass:`");
  if (coordinates && !lagrangian && !mass)
    loading.root.find("coordinates")
        ->fail_at_key(
            "the coordinates have no dynamics; expected `lagrangian: {kinetic: .., potential: ..}` or `mass:` and "
            "`forces:`");
  Formulas& formulas = loading.model.formulas;
  if (lagrangian || mass) formulas.energy_place = (lagrangian ? lagrangian : mass)->key_place();
  if (const auto forces = loading.root.find("forces")) formulas.forces_place = forces->key_place();
  if (lagrangian) read_lagrangian(loading, *lagrangian);
  if (mass) read_mass(loading, *mass);
  formulas.forces.resize(loading.variables);
}

}  // namespace tappet
