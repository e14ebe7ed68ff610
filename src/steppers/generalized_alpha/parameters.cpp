// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/parameters.h"

namespace tappet::alpha {

Coefficients coefficients(const GeneralizedAlphaOptions& options) {
  if (options.family == "newmark") return {0.0, 0.0, options.newmark_beta, options.newmark_gamma};
  if (options.family == "hht") {
    const double a = options.hht_alpha;
    return {0.0, a, 0.25 * (1 + a) * (1 + a), 0.5 + a};
  }
  const double rho = options.rho_inf;
  const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1), gamma = 0.5 + alpha_f - alpha_m;
  return {alpha_m, alpha_f, 0.25 * (0.5 + gamma) * (0.5 + gamma), gamma};  // (72)
}

Quadrature::Quadrature(const Coefficients& c, double step) : dt(step) {
  bar_bar = -c.alpha_m / (1 - c.alpha_m);  // (71)
  bar_start = c.alpha_f / (1 - c.alpha_m);
  bar_end = (1 - c.alpha_f) / (1 - c.alpha_m);
  velocity_bar = dt * (1 - c.gamma + c.gamma * bar_bar);  // (70)
  velocity_0 = dt * c.gamma * bar_start;
  velocity_1 = dt * c.gamma * bar_end;
  position_bar = dt * dt * (0.5 - c.beta + c.beta * bar_bar);
  position_0 = dt * dt * c.beta * bar_start;
  position_1 = dt * dt * c.beta * bar_end;
}

}  // namespace tappet::alpha
