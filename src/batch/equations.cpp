// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/equations.h"

#include <fmt/format.h>

#include "batch/recorded_algebra.h"
#include "formula/mechanics/equations.h"
#include "model/formula_system.h"

namespace tappet {

namespace {

[[noreturn]] void refuse(const Model& model, Place place, const std::string& key, const std::string& what) {
  throw ModelError(model.file, place, key, what + "; a batch cannot do that, `tappet study` can");
}

void check(const Model& model, const KeptParameters& kept) {
  if (!model.colliders.empty())
    refuse(model, model.colliders[0].place, "colliders." + model.colliders[0].name,
           "its contacts are found during the run, so that their number changes");
  if (!model.bodies.empty())
    refuse(model, model.bodies[0].place, "bodies." + model.bodies[0].name, "code is only generated for formulas yet");
  if (!kept.fixed.empty())
    refuse(model, kept.fixed.begin()->second.place, kept.fixed.begin()->first,
           "it depends on a parameter that varies, and is not part of a formula");
}

// Builds the equations of a model that consists of formulas.
class FormulaBuilder {
 public:
  FormulaBuilder(Model& model, const KeptParameters& kept, BatchEquations& out)
      : model_(model), kept_(kept), f_(model.formulas), graph_(model.formulas.graph), out_(out) {}

  void build() {
    vary_friction();
    const FormulaSystem system = formula_system(f_);
    const FormulaEquations equations(graph_, system);
    n_ = system.n;
    out_.t = equations.t, out_.q = equations.q, out_.u = equations.u;
    out_.kinetic = equations.T, out_.potential = equations.V;
    for (size_t i = 0; i < kept_.names.size(); ++i)
      out_.parameters.push_back(graph_.input(KeptParameters::first_slot + static_cast<int>(i)));
    start();
    const RecordedFactors M(graph_, n_, [&](int i, int j) { return equations.M[j * n_ + i]; });
    out_.accelerations = M.solve(equations.h);
    for (int i = 0; i < n_; ++i) out_.displaced.push_back(graph_.add(out_.q[i], out_.u[i]));
    std::vector<RecordedRow> joints;
    for (const FormulaSystem::Joint& joint : system.joints)
      for (const FormulaSystem::Row& row : joint.rows) {
        joints.push_back(row_of(equations, row));
        if (!row.velocity_level) out_.joint_values.push_back(row.node);
        out_.joint_values.push_back(graph_.add(dot(graph_, joints.back().W, out_.u), joints.back().chi));
      }
    out_.joint_rows = static_cast<int>(joints.size());
    const RecordedJoints held(graph_, M, joints);
    out_.held = held.hold(out_.u);
    contacts(system);
    rows(system, equations, M, held);
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

  void start() {
    for (const Coordinate& c : f_.coordinates) {
      out_.q_names.push_back(c.name), out_.u_names.push_back(c.name + "'");
      out_.q_start.push_back(number(fmt::format("coordinates.{}.position", c.name), c.position));
      out_.u_start.push_back(number(fmt::format("coordinates.{}.velocity", c.name), c.velocity));
    }
  }

  void contacts(const FormulaSystem& system) {
    std::vector<std::pair<Node, Node>> at_start{{out_.t, graph_.constant(0.0)}};
    for (int i = 0; i < n_; ++i) at_start.emplace_back(out_.q[i], out_.q_start[i]);
    for (size_t k = 0; k < f_.contacts.size(); ++k) {
      const FormulaContact& c = f_.contacts[k];
      const int friction = static_cast<int>(system.contacts[k].friction.size());
      if (friction > 1)
        refuse(model_, c.place, "contacts." + c.name, "friction in two or three directions is not generated yet");
      out_.stride = std::max(out_.stride, 1 + friction);
      const Node size = graph_.unary(Operation::abs, graph_.substitute(c.gap, at_start));
      const Node touching = graph_.constant(1e-12);
      out_.contacts.push_back({c.name, friction, c.gap, number(path(c, "e_N"), c.law.e_N),
                               number(path(c, "e_F"), c.law.e_F), number(path(c, "mu"), c.law.mu_law()),
                               graph_.select(graph_.less(touching, size), graph_.constant(0.0), touching), c.place});
    }
    for (int r = 0; r < out_.rows(); ++r) out_.P.push_back(graph_.input(1 + 2 * n_ + r));
  }

  RecordedRow row_of(const FormulaEquations& equations, const FormulaSystem::Row& row) {
    RecordedRow out{{}, equations.chi(row)};
    for (int i = 0; i < n_; ++i) out.W.push_back(equations.direction(row, i));
    return out;
  }

  void rows(const FormulaSystem& system, const FormulaEquations& equations, const RecordedFactors& M,
            const RecordedJoints& held) {
    std::vector<RecordedRow> rows;
    for (const auto& contact : system.contacts) {
      std::vector<FormulaSystem::Row> own{{contact.gap, false}};
      own.insert(own.end(), contact.friction.begin(), contact.friction.end());
      for (int r = 0; r < out_.stride; ++r)
        rows.push_back(r < static_cast<int>(own.size())
                           ? row_of(equations, own[r])
                           : RecordedRow{std::vector<Node>(n_, graph_.constant(0.0)), graph_.constant(0.0)});
    }
    respond(graph_, rows, M, held, out_);
  }

  Model& model_;
  const KeptParameters& kept_;
  Formulas& f_;
  Graph& graph_;
  BatchEquations& out_;
  int n_ = 0;
};

}  // namespace

BatchEquations batch_equations(Model model, const KeptParameters& kept) {
  check(model, kept);
  BatchEquations out;
  FormulaBuilder(model, kept, out).build();
  out.definitions = model.formulas.definitions;
  out.parameter_names = kept.parameters;
  out.graph = std::move(model.formulas.graph);
  return out;
}

}  // namespace tappet
