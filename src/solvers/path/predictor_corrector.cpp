// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "solvers/path/exact_path.h"
#include "solvers/path/path_cone.h"

namespace tappet {

// Gondzio's correctors. A step longer than the cones allow would leave some products far from κ. These are brought back
// to between a tenth and ten times κ with the same factorisation, as long as this lengthens the step.
void ExactPath::correct_products(double target_kappa, int most, double& longest) {
  constexpr double more = 0.3, least_gain = 0.03;
  const double low = 0.1 * target_kappa, high = 10.0 * target_kappa;
  const auto missing = [&](double product) { return std::max(std::clamp(product, low, high) - product, -high); };
  const auto& laws = state_->problem.laws;
  for (int corrector = 0; corrector < most && longest < 1.0; ++corrector) {
    add(z_, std::min(1.0, longest + more), d_, trial_);
    products(trial_, second_);
    for (size_t k = 0; k < laws.size(); ++k) {
      if (laws[k].kind == Law::Kind::bilateral) continue;
      second_.normal[k] = missing(second_.normal[k]);
      if (!frictional(laws[k])) continue;
      double* vector = second_.vector.data() + laws[k].row + 1;  // the eigenvalues of the product are scalar ± ‖vector‖
      const int f = laws[k].rows - 1;
      const double length = norm(vector, f), plus = missing(second_.scalar[k] + length),
                   minus = missing(second_.scalar[k] - length);
      second_.scalar[k] = 0.5 * (plus + minus);
      for (int i = 0; i < f; ++i) vector[i] *= length > 0.0 ? 0.5 * (plus - minus) / length : 0.0;
    }
    solve(z_, second_, nullptr, trial_, false);
    add(d_, 1.0, trial_, back_);
    const double length = step_length(z_, back_, false);
    if (!(length >= longest + least_gain)) return;
    std::swap(d_, back_);
    longest = length;
  }
}

void ExactPath::predictor_corrector(double scale, int max_steps, Judge& judge) {
  const auto& laws = state_->problem.laws;
  cold_point(scale, z_);
  // A corrector costs about a dozen solves, compared with the cost of a factorisation, and few are worth another one.
  const int correctors = std::min(3, static_cast<int>(state_->system.solves_per_factorisation() / 35.0));
  for (int iteration = 0, short_steps = 0; iteration < max_steps && !state_->late(); ++iteration) {
    products(z_, p_);
    const double k = kappa(p_);
    residual(z_, res_);
    if (judge.done(z_.r)) return;
    factor(z_);
    target(0.0, p_, target_);
    solve(z_, target_, &res_, d_, correctors == 0);
    const double reach = std::min(1.0, step_length(z_, d_, false));
    if (!std::isfinite(reach)) return;
    add(z_, reach, d_, trial_);
    products(trial_, second_);
    const double ratio = std::min(1.0, std::max(kappa(second_), 0.0) / k);
    const double sigma = std::max(reach > 0.1 ? ratio * ratio * ratio : 0.5, 1e-4);
    products(d_, second_);  // the second-order term has the same form as the products
    target(sigma * k, p_, target_);
    const double damp = reach * reach;
    for (size_t i = 0; i < laws.size(); ++i)
      target_.normal[i] -= damp * second_.normal[i], target_.scalar[i] -= damp * second_.scalar[i];
    for (int i = 0; i < target_.vector.size(); ++i) target_.vector[i] -= damp * second_.vector[i];
    solve(z_, target_, &res_, d_);
    double longest = step_length(z_, d_, false);
    if (!std::isfinite(longest)) return;
    correct_products(sigma * k, correctors, longest);
    const double a = std::min(1.0, (k > 1e-6 ? 0.95 : 0.99) * longest);
    add(z_, a, d_, z_);
    short_steps = a < 0.1 ? short_steps + 1 : 0;
    if (short_steps >= 4 || a < 1e-6) return;
  }
}

}  // namespace tappet
