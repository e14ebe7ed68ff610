// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "solvers/path.h"

namespace tappet {

void Path::predictor_corrector(double scale, int max_steps, Judge& judge) {
  const auto& laws = state_->problem.laws;
  cold_point(scale, z_);
  for (int iteration = 0, short_steps = 0; iteration < max_steps && !state_->late(); ++iteration) {
    products(z_, p_);
    const double k = kappa(p_);
    residual(z_, res_);
    if (judge.done(z_.r)) return;
    factor(z_);
    target(0.0, p_, target_);
    solve(z_, target_, &res_, d_);
    const double reach = std::min(1.0, step_length(z_, d_, false));
    if (!std::isfinite(reach)) return;
    add(z_, reach, d_, trial_);
    products(trial_, second_);
    const double ratio = std::min(1.0, std::max(kappa(second_), 0.0) / k);
    const double sigma = std::max(reach > 0.1 ? ratio * ratio * ratio : 0.5, 1e-4);
    products(d_, second_);  // the second-order term has the form of the products
    target(sigma * k, p_, target_);
    const double damp = reach * reach;
    for (size_t i = 0; i < laws.size(); ++i)
      target_.normal[i] -= damp * second_.normal[i], target_.scalar[i] -= damp * second_.scalar[i];
    for (int i = 0; i < target_.vector.size(); ++i) target_.vector[i] -= damp * second_.vector[i];
    solve(z_, target_, &res_, d_);
    const double longest = step_length(z_, d_, false);
    if (!std::isfinite(longest)) return;
    const double a = std::min(1.0, (k > 1e-6 ? 0.95 : 0.99) * longest);
    add(z_, a, d_, z_);
    short_steps = a < 0.1 ? short_steps + 1 : 0;
    if (short_steps >= 4 || a < 1e-6) return;
  }
}

}  // namespace tappet
