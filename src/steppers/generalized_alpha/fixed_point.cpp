// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "steppers/generalized_alpha/levels.h"

namespace tappet::alpha {

void Levels::fixed_point(const Balance& at, const Start& start, const Response& response, const StepLaw& law,
                         int iterations, Vec& dz) {
  begin(at, response, law);
  const int joints = system_.joint_rows();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double moved = 0.0;
    const auto update = [&](int level, int row, double value) {
      const Vec& old = level == 0 ? kappa_ : level == 1 ? P_ : lambda_;
      const double by = value - old[row], dt = start.weight.dt;
      moved = std::max(moved, std::abs(by) / (response.r[at.row[row]] * (level == 0   ? dt * dt
                                                                         : level == 1 ? dt
                                                                                      : 1.0)));
      change(at, start, response, level, row, by);
    };
    const auto kinematic = [&](int level, int row) {
      return level == 0   ? kinematics_[at.position[row]]
             : level == 1 ? kinematics_[Response::Lambda(at, row)]
                          : kinematics_[Response::lambda(at, row)];
    };
    for (int i = 0; i < joints; ++i)
      for (int level = at.position[i] >= 0 ? 0 : 1; level < 3; ++level) {
        const Vec& old = level == 0 ? kappa_ : level == 1 ? P_ : lambda_;
        update(level, i, old[i] - response.r[at.row[i]] * kinematic(level, i));
      }
    for (const auto& [c, k, contact, i] : contacts_.numbered(at.involved)) {
      const int n = contact.rows - 1;
      const double r = response.r[contact.row], mu = contact.law->mu_law();
      update(0, i, std::max(kappa_[i] - r * kinematic(0, i), 0.0));  // (128)
      in_A_[c] = kappa_[i] > 0.0 || kinematic(0, i) <= 0.0;
      update(1, i, in_A_[c] ? std::max(P_[i] - r * kinematic(1, i), 0.0) : 0.0);  // (131)
      const auto project = [&](int level, double bound) {
        double s[3], length = 0.0;
        const Vec& old = level == 1 ? P_ : lambda_;
        for (int f = 0; f < n; ++f) {
          s[f] = old[i + 1 + f] - response.r[contact.row + 1] * kinematic(level, i + 1 + f);
          length += s[f] * s[f];
        }
        length = std::sqrt(length);
        for (int f = 0; f < n; ++f) update(level, i + 1 + f, length > bound ? s[f] * bound / length : s[f]);
      };
      if (n > 0) project(1, mu * P_[i]);  // (137)
      close(at, response, law);
      update(2, i, mode_[c] != Forces::Mode::none ? std::max(lambda_[i] - r * kinematic(2, i), 0.0) : 0.0);  // (134)
      if (mode_[c] == Forces::Mode::slip)
        for (int f = 0; f < n; ++f) update(2, i + 1 + f, -mu * lambda_[i] * direction_[3 * c + f]);  // (140)
      else if (n > 0)
        project(2, mu * lambda_[i]);
    }
    if (moved < 1e-13) break;
  }
  dz = dz_;
}

}  // namespace tappet::alpha
