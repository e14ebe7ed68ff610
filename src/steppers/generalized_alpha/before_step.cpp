// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/before_step.h"

#include <algorithm>
#include <cmath>

#include "steppers/shared/contact_rows.h"

namespace tappet::alpha {

BeforeStep::BeforeStep(const ContactList& contacts, Evaluator& evaluate, ContactSolver* solver)
    : contacts_(contacts),
      system_(contacts.system()),
      evaluate_(evaluate),
      solver_(solver),
      law_(contacts),
      M_(contacts),
      gamma_(contacts.rows()),
      a_free_(system_.u_size()) {
  reserve_rows(contacts, W_);
  chi_.reserve(contacts.rows());
}

// W and γ of the set.
void BeforeStep::kinematics(double t, const Vec& q, const Vec& u, const ContactSet& set) {
  evaluate_.directions(t, q, set, W_, chi_);
  gamma_.resize(W_.rows());
  W_.multiply(u, gamma_);
  for (int i = 0; i < gamma_.size(); ++i) gamma_[i] += chi_[i];
}

bool BeforeStep::free_accelerations(double t, const Vec& q, const Vec& u) {
  const bool regular = M_.evaluate(evaluate_, t, q, u, a_free_);
  M_.solve(a_free_);
  return regular;
}

void BeforeStep::consistent_forces(const State& state, Start& start, std::vector<StepLaw::Sets>& states,
                                   std::vector<char>& slid) {
  start.lambda.set_zero(), start.lambda_bar.set_zero();
  find_closed(state);
  free_accelerations(state.t, state.q, state.u);
  kinematics(state.t, state.q, state.u, set_);
  respond(state);
  choose_modes(state, states);
  lambda_.assign(W_.rows(), 0.0);
  if (W_.rows() > 0 && solver_) law_.solve(set_, modes_, G_, c_, *solver_, lambda_);

  for (int i = 0; i < start.a.size(); ++i) {
    start.a[i] = a_free_[i];
    for (int j = 0; j < lambda_.size(); ++j) start.a[i] += response_(i, j) * lambda_[j];
    start.a_bar[i] = start.a[i];
  }
  scatter_rows(contacts_, set_, lambda_, start.lambda);
  for (const auto& [k, contact, row] : contacts_.each(set_)) {
    StepLaw::Sets& now = states[k];
    now.C = now.B && lambda_[row] > 0.0;
    slid[k] = now.B && !now.D_stick && lambda_[row] > 0.0;
  }
  start.lambda_bar = start.lambda;
}

void BeforeStep::find_closed(const State& state) {
  constexpr double closed = 1e-10;
  evaluate_.gaps(state.t, state.q, gaps_);
  set_.clear();
  for (int k = 0; k < gaps_.size(); ++k)
    if (gaps_[k] <= closed) set_.push_back(k);
}

// γ̇ = G λ + c of the set, and the accelerations M⁻¹ W that unit forces cause.
void BeforeStep::respond(const State& state) {
  const int m = W_.rows(), n = a_free_.size();
  evaluate_.accelerations(state.t, state.q, state.u, set_, c_);
  Vec unit(m), force(n), column(m);
  W_.multiply(a_free_, column);
  for (int i = 0; i < m; ++i) c_[i] += column[i];
  G_.resize(m, m), response_.resize(n, m);
  for (int j = 0; j < m; ++j) {
    unit.set_zero(), force.set_zero();
    unit[j] = 1.0;
    W_.multiply_transposed(unit, force);
    M_.solve(force);
    W_.multiply(force, column);
    for (int i = 0; i < m; ++i) G_(i, j) = column[i];
    for (int i = 0; i < n; ++i) response_(i, j) = force[i];
  }
}

void BeforeStep::choose_modes(const State& state, std::vector<StepLaw::Sets>& states) {
  constexpr double slow = 1e-10;
  const double speed = std::max(1.0, state.u.eigen().lpNorm<Eigen::Infinity>());
  modes_.assign(set_.size(), {});
  std::fill(states.begin(), states.end(), StepLaw::Sets{});
  for (const auto& [c, k, contact, row] : contacts_.numbered(set_)) {
    StepLaw::Sets& now = states[k];
    double slip = 0.0;
    for (int f = 1; f < contact.rows; ++f) slip = std::hypot(slip, gamma_[row + f]);
    now.A = true;
    now.B = std::abs(gamma_[row]) <= slow * speed;
    now.D_stick = now.B && slip <= slow * speed;
    if (now.B) modes_[c].kind = now.D_stick || contact.rows == 1 ? ContactMode::Kind::sticks : ContactMode::Kind::slips;
    for (int f = 1; f < contact.rows && slip > 0.0; ++f) modes_[c].d[f - 1] = gamma_[row + f] / slip;
  }
}

void BeforeStep::approach(const Start& start, const ContactSet& set, StepLaw& law) {
  constexpr double dead_band = 1e-3;
  if (set.empty()) return;
  kinematics(start.t, start.q, start.u, set);
  bool free_known = false;
  for (const auto& [c, k, contact, i] : contacts_.numbered(set)) {
    for (int r = 0; r < contact.rows; ++r) {
      law.gamma_before[contact.row + r] = gamma_[i + r];
      law.e[contact.row + r] = r == 0 ? contact.law->e_N : contact.law->e_F;
    }
    if (contact.law->e_N <= 0.0 || law.kind == StepLaw::Kind::printed) continue;
    if (!free_known) free_known = free_accelerations(start.t, start.q, start.u);
    const int b = static_cast<int>(system_.joints().size() + c);
    // Both bodies may fall alike. Then nothing is gained between them, and the sign of γ⁻ at rest is that of round-off.
    // So the gains of all velocities count.
    double gain = 0.0;
    for (size_t j = 0; j < W_.columns(b).size(); ++j) gain += std::abs(W_.values(b)[j] * a_free_[W_.columns(b)[j]]);
    if (std::abs(gamma_[i]) < dead_band * start.weight.dt * gain) law.e[contact.row] = 0.0;
  }
}

}  // namespace tappet::alpha
