// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/equations/equations.h"

#include <fmt/format.h>

#include "batch/equations/complete_equations.h"
#include "formula/mechanics/equations.h"
#include "model/formula_system.h"

namespace tappet {

namespace {

void check(const Model& model, const KeptParameters& kept) {
  if (!kept.fixed.empty())
    refuse(model, kept.fixed.begin()->second.place, kept.fixed.begin()->first,
           "it depends on a parameter that varies, and is not part of a formula");
}

// Names what the equations of a model of formulas need beside its FormulaSystem.
class FormulaNames {
 public:
  FormulaNames(Model& model, const KeptParameters& kept, BatchEquations& out)
      : kept_(kept), f_(model.formulas), graph_(model.formulas.graph), out_(out) {}

  void add() {
    vary_friction();
    for (size_t i = 0; i < kept_.names.size(); ++i)
      out_.parameters.push_back(graph_.input(KeptParameters::first_slot + static_cast<int>(i)));
    for (const Coordinate& c : f_.coordinates) {
      out_.q_names.push_back(c.name), out_.u_names.push_back(c.name + "'");
      out_.q_start.push_back(number(fmt::format("coordinates.{}.position", c.name), c.position));
      out_.u_start.push_back(number(fmt::format("coordinates.{}.velocity", c.name), c.velocity));
    }
    for (const FormulaContact& c : f_.contacts) {
      BatchEquations::BatchContact contact{.name = c.name, .place = c.place};
      contact.e_N = number(path(c, "e_N"), c.law.e_N), contact.e_F = number(path(c, "e_F"), c.law.e_F);
      contact.mu = number(path(c, "mu"), c.law.mu_law());
      out_.contacts.push_back(contact);
    }
  }

 private:
  // A coefficient of friction that varies may be zero for some instances. They have the rows too.
  void vary_friction() {
    for (FormulaContact& contact : f_.contacts)
      if (kept_.numbers.contains(path(contact, "mu")) && contact.law.mu_law() == 0.0 && !contact.slip.empty())
        contact.law.mu = {1.0, 1.0};
  }

  // Contacts whose gap is a minimum are called name.1, name.2, … and have one entry in the file.
  std::string path(const FormulaContact& contact, const std::string& key) const {
    const std::string whole = fmt::format("contacts.{}.{}", contact.name, key);
    const size_t dot = contact.name.rfind('.');
    if (kept_.numbers.contains(whole) || dot == std::string::npos) return whole;
    return fmt::format("contacts.{}.{}", contact.name.substr(0, dot), key);
  }

  Node number(const std::string& path, double value) {
    const auto found = kept_.numbers.find(path);
    return found == kept_.numbers.end() ? graph_.constant(value) : found->second;
  }

  const KeptParameters& kept_;
  Formulas& f_;
  Graph& graph_;
  BatchEquations& out_;
};

}  // namespace

namespace {

RecordedMotion motion_of(Graph& graph, const FormulaSystem& system) {
  const FormulaEquations equations(graph, system);
  const auto recorded = [&](const FormulaSystem::Row& row) {
    RecordedRow out{{}, equations.chi(row), row.velocity_level ? -1 : row.node};
    for (int i = 0; i < system.n; ++i) out.W.push_back(equations.direction(row, i));
    return out;
  };
  RecordedMotion motion{.t = equations.t,
                        .kinetic = equations.T,
                        .potential = equations.V,
                        .q = equations.q,
                        .u = equations.u,
                        .M = equations.full_mass(),
                        .h = equations.h};
  for (int i = 0; i < system.n; ++i) {
    motion.displaced.push_back(graph.add(motion.q[i], motion.u[i]));
    motion.tangents.push_back({{motion.q[i], graph.constant(1.0)}});
  }
  for (const auto& joint : system.joints)
    for (const auto& row : joint.rows) motion.joints.push_back(recorded(row));
  for (const auto& contact : system.contacts) {
    motion.contacts.push_back({recorded({contact.gap, false}), {}});
    for (const auto& row : contact.friction) motion.contacts.back().friction.push_back(recorded(row));
  }
  return motion;
}

}  // namespace

BatchEquations batch_equations(Model model, const KeptParameters& kept) {
  check(model, kept);
  BatchEquations out;
  FormulaNames(model, kept, out).add();
  out.definitions = model.formulas.definitions;
  out.parameter_names = kept.parameters;
  const FormulaSystem system = formula_system(model.formulas);
  out.graph = std::move(model.formulas.graph);
  complete_equations(motion_of(out.graph, system), out);
  return out;
}

}  // namespace tappet
