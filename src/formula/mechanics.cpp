// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/mechanics.h"

#include <algorithm>

namespace tappet {
namespace {

// Copies only the inputs that a program reads, so the cost of a contact does not grow with the system.
inline void load(const std::vector<int>& indices, const double* from, double* to) {
  for (int i : indices) to[i] = from[i];
}

}  // namespace

FormulaMechanics::Workspace FormulaMechanics::workspace() const {
  Workspace w;
  w.constants_ = static_cast<int>(layout_.constants.size());
  w.numbers_ = layout_.numbers();
  return w;
}

inline const double* FormulaMechanics::evaluate(const Evaluation& e, double t, const double* q, Workspace& w) const {
  double* base = w.base();
  base[0] = t;
  load(e.q, q, base + 1);
  e.program.execute(base);
  return base;
}

inline const double* FormulaMechanics::evaluate(const Evaluation& e, double t, const double* q, const double* u,
                                                Workspace& w) const {
  load(e.u, u, w.base() + 1 + n_);
  return evaluate(e, t, q, w);
}

void FormulaMechanics::mass(double t, const double* q, double* M, Workspace& w) const {
  mass_.program.read(evaluate(mass_, t, q, w), 0, mass_.program.outputs(), M);
}

void FormulaMechanics::forces(double t, const double* q, const double* u, double* h, Workspace& w) const {
  forces_.program.read(evaluate(forces_, t, q, u, w), 0, n_, h);
}

void FormulaMechanics::mass_and_forces(double t, const double* q, const double* u, double* M, double* h,
                                       Workspace& w) const {
  const double* base = evaluate(mass_and_forces_, t, q, u, w);
  const int entries = mass_and_forces_.program.outputs() - n_;
  mass_and_forces_.program.read(base, 0, entries, M);
  mass_and_forces_.program.read(base, entries, n_, h);
}

void FormulaMechanics::force_derivatives(double t, const double* q, const double* u, double* dh_dq, double* dh_du,
                                         Workspace& w) const {
  const double* base = evaluate(force_derivatives_, t, q, u, w);
  const int by_q = has_all_entries() ? n_ * n_ : static_cast<int>(stiffness_entries_.size());
  force_derivatives_.program.read(base, 0, by_q, dh_dq);
  force_derivatives_.program.read(base, by_q, force_derivatives_.program.outputs() - by_q, dh_du);
}

void FormulaMechanics::mass_times_derivative(double t, const double* q, const double* a, double* out,
                                             Workspace& w) const {
  load(mass_times_.a, a, w.base() + 1 + 2 * n_);
  mass_times_.program.read(evaluate(mass_times_, t, q, w), 0, mass_times_.program.outputs(), out);
}

double FormulaMechanics::kinetic(double t, const double* q, const double* u, Workspace& w) const {
  double T;
  kinetic_.program.read(evaluate(kinetic_, t, q, u, w), 0, 1, &T);
  return T;
}

double FormulaMechanics::potential(double t, const double* q, Workspace& w) const {
  double V;
  potential_.program.read(evaluate(potential_, t, q, w), 0, 1, &V);
  return V;
}

void FormulaMechanics::set_branch(int i, double b, Workspace& w) const { w.base()[first_branch_ + i] = b; }

void FormulaMechanics::switch_functions(double t, const double* q, const double* u, double* sigma, Workspace& w) const {
  switch_functions_.program.read(evaluate(switch_functions_, t, q, u, w), 0, switches(), sigma);
}

void FormulaMechanics::switch_rates(double t, const double* q, const double* u, const double* a, double* first,
                                    double* rate, Workspace& w) const {
  load(switch_rates_.a, a, w.base() + 1 + 2 * n_);
  const double* base = evaluate(switch_rates_, t, q, u, w);
  switch_rates_.program.read(base, 0, switches(), first);
  switch_rates_.program.read(base, switches(), switches(), rate);
}

void FormulaMechanics::gaps(double t, const double* q, double* g_N, Workspace& w) const {
  gaps_.program.read(evaluate(gaps_, t, q, w), 0, contacts(), g_N);
}

void FormulaMechanics::value(int k, double t, const double* q, double* g, Workspace& w) const {
  const Block& block = blocks_[k];
  block.value.program.read(evaluate(block.value, t, q, w), 0, block.rows, g);
}

void FormulaMechanics::directions(int k, double t, const double* q, double* W, double* chi, Workspace& w) const {
  const Block& block = blocks_[k];
  const int entries = block.rows * static_cast<int>(block.columns.size());
  const double* base = evaluate(block.directions, t, q, w);
  block.directions.program.read(base, 0, entries, W);
  block.directions.program.read(base, entries, block.rows, chi);
}

void FormulaMechanics::accelerations(int k, double t, const double* q, const double* u, double* zeta,
                                     Workspace& w) const {
  const Block& block = blocks_[k];
  block.accelerations.program.read(evaluate(block.accelerations, t, q, u, w), 0, block.rows, zeta);
}

void FormulaMechanics::impulse_derivative(int k, double t, const double* q, const double* P, double* out,
                                          Workspace& w) const {
  const Evaluation& e = blocks_[k].impulse_derivative;
  load(e.P, P, w.base() + 1 + 3 * n_);
  e.program.read(evaluate(e, t, q, w), 0, e.program.outputs(), out);
}

void FormulaMechanics::velocity_derivative(int k, double t, const double* q, const double* u, double* out,
                                           Workspace& w) const {
  const Evaluation& e = blocks_[k].velocity_derivative;
  e.program.read(evaluate(e, t, q, u, w), 0, e.program.outputs(), out);
}

void FormulaMechanics::acceleration_derivatives(int k, double t, const double* q, const double* u, const double* a,
                                                double* out_q, double* out_u, Workspace& w) const {
  const Evaluation& e = blocks_[k].acceleration_derivatives;
  const int half = e.program.outputs() / 2;
  load(e.a, a, w.base() + 1 + 2 * n_);
  const double* base = evaluate(e, t, q, u, w);
  e.program.read(base, 0, half, out_q);
  e.program.read(base, half, half, out_u);
}

int FormulaSystem::most_rows() const {
  int most = 0;
  for (const Joint& joint : joints) most = std::max(most, static_cast<int>(joint.rows.size()));
  for (const Contact& contact : contacts) most = std::max(most, 1 + static_cast<int>(contact.friction.size()));
  return most;
}

HeldSystem held_system(Graph& graph, const FormulaSystem& system) {
  using Part = MechanicsError::Part;
  HeldSystem result{system, {}};
  HeldFormulas held(graph, system.first_branch_slot());
  const auto hold = [&](Node& f, Part part, int index, int row) {
    if (f < 0) return;
    f = held.hold(f);
    result.origins.resize(held.switches().size(), {part, index, row});
  };
  FormulaSystem& s = result.system;
  for (int k = 0; k < static_cast<int>(s.contacts.size()); ++k) {
    hold(s.contacts[k].gap, Part::contact, k, 0);
    for (int r = 0; r < static_cast<int>(s.contacts[k].friction.size()); ++r)
      hold(s.contacts[k].friction[r].node, Part::contact, k, 1 + r);
  }
  for (int k = 0; k < static_cast<int>(s.joints.size()); ++k)
    for (int r = 0; r < static_cast<int>(s.joints[k].rows.size()); ++r)
      hold(s.joints[k].rows[r].node, Part::joint, k, r);
  for (int i = 0; i < static_cast<int>(s.forces.size()); ++i) hold(s.forces[i], Part::forces, i, 0);
  hold(s.potential, Part::potential, 0, 0);
  hold(s.kinetic, Part::kinetic, 0, 0);
  for (Node& entry : s.mass) hold(entry, Part::mass, 0, 0);
  s.switches = held.switches();
  return result;
}

}  // namespace tappet
