// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// With ρ = n / tr G (n rows), ξ = G P + c and, for a contact, ξ̂ = ξ + μ‖ξ_F‖ e_N (De Saxcé):
//
//   e = ‖ P/ρ − proj_K(P/ρ − ξ̂) ‖₂ / ‖c‖₂ ,
//
// where K is the friction cone {‖P_F‖ ≤ μ P_N} of a contact and all of ℝⁿ for a joint, whose share is therefore ξ.
// e = 0 exactly where −ξ ∈ N_C(P). P/ρ and ξ carry the unit of c, so e does not change with the units of mass,
// length and time. On contacts alone it is the error of the problem collection in test/data/problems.
// Where c = 0 the divisor is ‖G P‖ (P = 0 is a solution then); where tr G = 0, ρ = 1.
#include <cmath>

#include "problem/contact_problem.h"

namespace tappet {

double residual(const ContactProblem& problem, const Vec& P, const Vec& xi) {
  const int n = problem.size();
  if (n == 0) return 0.0;
  const double trace = problem.G.trace();
  const double rho_inverse = trace > 0.0 ? trace / n : 1.0;
  double sum = 0.0;
  for (const Law& law : problem.laws) {
    const double* xi_k = xi.data() + law.row;
    if (law.kind == Law::Kind::bilateral) {
      for (int i = 0; i < law.rows; ++i) sum += xi_k[i] * xi_k[i];
      continue;
    }
    const double* P_k = P.data() + law.row;
    double x[4], slip = 0.0;
    for (int i = 1; i < law.rows; ++i) slip += xi_k[i] * xi_k[i];
    x[0] = P_k[0] * rho_inverse - xi_k[0] - law.mu * std::sqrt(slip);
    for (int i = 1; i < law.rows; ++i) x[i] = P_k[i] * rho_inverse - xi_k[i];
    project_cone(law.rows, law.mu, x);
    for (int i = 0; i < law.rows; ++i) {
      const double d = P_k[i] * rho_inverse - x[i];
      sum += d * d;
    }
  }
  double scale = 0.0;
  for (double c : problem.c) scale += c * c;
  if (scale == HUGE_VAL) return HUGE_VAL;  // an infinite c must not pass as a large scale
  if (sum == 0.0) return scale * 0.0;      // NaN stays NaN
  if (scale == 0.0)
    for (double x : xi) scale += x * x;
  return scale > 0.0 ? std::sqrt(sum / scale) : scale == 0.0 ? 1.0 : scale;
}

double residual(const ContactProblem& problem, const Vec& P) {
  Vec xi(problem.size());
  problem.G.multiply(P, xi);
  for (int i = 0; i < xi.size(); ++i) xi[i] += problem.c[i];
  return residual(problem, P, xi);
}

}  // namespace tappet
