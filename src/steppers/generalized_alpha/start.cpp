// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "steppers/generalized_alpha/generalized_alpha.h"

namespace tappet {

// Accelerations and forces that fulfil balance and laws at the given state (§9): joints on acceleration level, and
// contacts that are closed and do not separate. Contacts that approach are left to the impact of the first step.
void GeneralizedAlpha::restart(const State& state) {
  constexpr double closed = 1e-10, slow = 1e-10;
  alpha::Balance& b = balance_;
  start_.lambda.set_zero(), start_.lambda_bar.set_zero();
  const double speed = std::max(1.0, state.u.eigen().lpNorm<Eigen::Infinity>());

  b.evaluator.gaps(state.t, state.q, b.gaps);
  ContactSet& set = b.involved;
  set.clear();
  for (int k = 0; k < b.gaps.size(); ++k)
    if (b.gaps[k] <= closed) set.push_back(k);
  b.evaluator.mass_and_forces(state.t, state.q, state.u, M_0_, h_0_);
  M_0_.factor();
  b.evaluator.directions(state.t, state.q, set, W_0_, chi_0_);
  Vec c, lambda(W_0_.rows());
  b.evaluator.accelerations(state.t, state.q, state.u, set, c);
  M_0_.solve(h_0_);
  const int m = W_0_.rows(), n = h_0_.size();
  gamma_0_.resize(m);
  W_0_.multiply(h_0_, gamma_0_);
  for (int i = 0; i < m; ++i) c[i] += gamma_0_[i];
  W_0_.multiply(state.u, gamma_0_);
  for (int i = 0; i < m; ++i) gamma_0_[i] += chi_0_[i];

  Mat G(m, m), response(n, m);
  Vec unit(m), force(n), column(m);
  for (int j = 0; j < m; ++j) {
    unit.set_zero(), force.set_zero();
    unit[j] = 1.0;
    W_0_.multiply_transposed(unit, force);
    M_0_.solve(force);
    W_0_.multiply(force, column);
    for (int i = 0; i < m; ++i) G(i, j) = column[i];
    for (int i = 0; i < n; ++i) response(i, j) = force[i];
  }

  std::vector<alpha::Forces::Mode> mode(set.size(), alpha::Forces::Mode::none);
  Vec direction(3 * static_cast<int>(set.size()));
  std::fill(state_of_.begin(), state_of_.end(), alpha::StepLaw::Sets{});
  for (const auto& [c, k, contact, row] : contacts_.numbered(set)) {
    alpha::StepLaw::Sets& now = state_of_[k];
    double slip = 0.0;
    for (int f = 1; f < contact.rows; ++f) slip = std::hypot(slip, gamma_0_[row + f]);
    now.A = true;
    now.B = std::abs(gamma_0_[row]) <= slow * speed;
    now.D_stick = now.B && slip <= slow * speed;
    if (now.B) mode[c] = now.D_stick || contact.rows == 1 ? alpha::Forces::Mode::stick : alpha::Forces::Mode::slip;
    for (int f = 1; f < contact.rows && slip > 0.0; ++f) direction[3 * c + f - 1] = gamma_0_[row + f] / slip;
  }
  if (m > 0 && levels_.solver()) forces_.solve(set, mode, direction, G, c, lambda);

  for (int i = 0; i < n; ++i) {
    start_.a[i] = h_0_[i];
    for (int j = 0; j < m; ++j) start_.a[i] += response(i, j) * lambda[j];
    start_.a_bar[i] = start_.a[i];
  }
  for (int i = 0; i < system_.joint_rows(); ++i) start_.lambda[i] = lambda[i];
  for (const auto& [k, contact, row] : contacts_.each(set)) {
    alpha::StepLaw::Sets& now = state_of_[k];
    for (int i = 0; i < contact.rows; ++i) start_.lambda[contact.row + i] = lambda[row + i];
    now.C = now.B && lambda[row] > 0.0;
    law_.slid[k] = now.B && !now.D_stick && lambda[row] > 0.0;
  }
  start_.lambda_bar = start_.lambda;
}

}  // namespace tappet
