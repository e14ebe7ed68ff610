// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/last_change.h"

#include <cmath>

namespace tappet {

void LastChange::residuals(const ContactProblem& problem, const Vec& P, const Vec& xi, Vec& r) {
  const double per_impulse = velocity_per_impulse(problem);
  r.resize(problem.size());
  for (const Law& law : problem.laws) {
    const int N = law.row;
    if (law.kind == Law::Kind::bilateral) {
      for (int i = N; i < N + law.rows; ++i) r[i] = xi[i] * joint_weight(problem, per_impulse, i);
      continue;
    }
    double x[4], slip = 0.0;
    for (int i = 1; i < law.rows; ++i) slip += xi[N + i] * xi[N + i];
    for (int i = 0; i < law.rows; ++i) x[i] = P[N + i] * per_impulse - xi[N + i];
    x[0] -= law.mu * std::sqrt(slip);
    project_cone(law.rows, law.mu, x);
    for (int i = 0; i < law.rows; ++i) r[N + i] = P[N + i] * per_impulse - x[i];
  }
}

void LastChange::learn(const Vec& P_0, const Vec& r_0, const Vec& P_1, const Vec& r_1) {
  const int n = P_1.size();
  change_.resize(n), effect_.resize(n);
  for (int i = 0; i < n; ++i) change_[i] = P_1[i] - P_0[i], effect_[i] = r_1[i] - r_0[i];
}

bool LastChange::predict(const Vec& P, const Vec& r, Vec& predicted) const {
  constexpr double worth = 0.3;  // the share of ‖r‖² that is to vanish
  const int n = P.size();
  if (change_.size() != n) return false;
  double along = 0.0, square = 0.0, size = 0.0;
  for (int i = 0; i < n; ++i) along += effect_[i] * r[i], square += effect_[i] * effect_[i], size += r[i] * r[i];
  if (!(along * along > worth * square * size)) return false;
  predicted.resize(n);
  for (int i = 0; i < n; ++i) predicted[i] = P[i] - along / square * change_[i];
  return true;
}

}  // namespace tappet
