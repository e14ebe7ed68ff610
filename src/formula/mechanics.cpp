// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/mechanics.h"

namespace tappet {

FormulaMechanics::Workspace FormulaMechanics::workspace() const {
  Workspace w;
  w.constants_ = static_cast<int>(layout_.constants.size());
  w.numbers_.resize(layout_.constants.size() + layout_.inputs + layout_.scratch + 1);
  for (int i = 0; i < w.constants_; ++i) w.numbers_[w.constants_ - 1 - i] = layout_.constants[i];
  w.angles_.resize(layout_.angle_place.size());
  return w;
}

// Only the inputs that the program reads are copied: the cost of a contact does not grow with the system.
const double* FormulaMechanics::evaluate(const Evaluation& e, double t, const double* q, const double* u,
                                         const double* a, const double* P, Workspace& w) const {
  double* base = w.numbers_.data() + w.constants_;
  double *q_place = base + 1, *u_place = q_place + n_, *a_place = u_place + n_, *P_place = a_place + n_;
  base[0] = t;
  for (int i : e.q) q_place[i] = q[i];
  for (int i : e.u) u_place[i] = u[i];
  for (int i : e.a) a_place[i] = a[i];
  for (int i : e.P) P_place[i] = P[i];
  e.program.execute(base, w.angles_.data());
  return base;
}

void FormulaMechanics::mass(double t, const double* q, double* M, Workspace& w) const {
  mass_.program.read(evaluate(mass_, t, q, nullptr, nullptr, nullptr, w), 0, n_ * n_, M);
}

void FormulaMechanics::forces(double t, const double* q, const double* u, double* h, Workspace& w) const {
  forces_.program.read(evaluate(forces_, t, q, u, nullptr, nullptr, w), 0, n_, h);
}

void FormulaMechanics::mass_and_forces(double t, const double* q, const double* u, double* M, double* h,
                                       Workspace& w) const {
  const double* base = evaluate(mass_and_forces_, t, q, u, nullptr, nullptr, w);
  mass_and_forces_.program.read(base, 0, n_ * n_, M);
  mass_and_forces_.program.read(base, n_ * n_, n_, h);
}

void FormulaMechanics::force_derivatives(double t, const double* q, const double* u, double* dh_dq, double* dh_du,
                                         Workspace& w) const {
  const double* base = evaluate(force_derivatives_, t, q, u, nullptr, nullptr, w);
  force_derivatives_.program.read(base, 0, n_ * n_, dh_dq);
  force_derivatives_.program.read(base, n_ * n_, n_ * n_, dh_du);
}

void FormulaMechanics::mass_times_derivative(double t, const double* q, const double* a, double* out,
                                             Workspace& w) const {
  mass_times_.program.read(evaluate(mass_times_, t, q, nullptr, a, nullptr, w), 0, n_ * n_, out);
}

double FormulaMechanics::kinetic(double t, const double* q, const double* u, Workspace& w) const {
  double T;
  kinetic_.program.read(evaluate(kinetic_, t, q, u, nullptr, nullptr, w), 0, 1, &T);
  return T;
}

double FormulaMechanics::potential(double t, const double* q, Workspace& w) const {
  double V;
  potential_.program.read(evaluate(potential_, t, q, nullptr, nullptr, nullptr, w), 0, 1, &V);
  return V;
}

void FormulaMechanics::gaps(double t, const double* q, double* g_N, Workspace& w) const {
  gaps_.program.read(evaluate(gaps_, t, q, nullptr, nullptr, nullptr, w), 0, contacts(), g_N);
}

void FormulaMechanics::value(int k, double t, const double* q, double* g, Workspace& w) const {
  const Block& block = blocks_[k];
  block.value.program.read(evaluate(block.value, t, q, nullptr, nullptr, nullptr, w), 0, block.rows, g);
}

void FormulaMechanics::directions(int k, double t, const double* q, double* W, double* chi, Workspace& w) const {
  const Block& block = blocks_[k];
  const int entries = block.rows * static_cast<int>(block.columns.size());
  const double* base = evaluate(block.directions, t, q, nullptr, nullptr, nullptr, w);
  block.directions.program.read(base, 0, entries, W);
  block.directions.program.read(base, entries, block.rows, chi);
}

void FormulaMechanics::accelerations(int k, double t, const double* q, const double* u, double* zeta,
                                     Workspace& w) const {
  const Block& block = blocks_[k];
  block.accelerations.program.read(evaluate(block.accelerations, t, q, u, nullptr, nullptr, w), 0, block.rows, zeta);
}

void FormulaMechanics::impulse_derivative(int k, double t, const double* q, const double* P, double* out,
                                          Workspace& w) const {
  const Evaluation& e = blocks_[k].impulse_derivative;
  e.program.read(evaluate(e, t, q, nullptr, nullptr, P, w), 0, e.program.outputs(), out);
}

void FormulaMechanics::velocity_derivative(int k, double t, const double* q, const double* u, double* out,
                                           Workspace& w) const {
  const Evaluation& e = blocks_[k].velocity_derivative;
  e.program.read(evaluate(e, t, q, u, nullptr, nullptr, w), 0, e.program.outputs(), out);
}

void FormulaMechanics::acceleration_derivatives(int k, double t, const double* q, const double* u, const double* a,
                                                double* out_q, double* out_u, Workspace& w) const {
  const Evaluation& e = blocks_[k].acceleration_derivatives;
  const int half = e.program.outputs() / 2;
  const double* base = evaluate(e, t, q, u, a, nullptr, w);
  e.program.read(base, 0, half, out_q);
  e.program.read(base, half, half, out_u);
}

}  // namespace tappet
