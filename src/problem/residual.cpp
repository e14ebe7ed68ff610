// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// With ξ = G P + c, 1/ρ the mean of the diagonal of G over the rows of contacts, and ξ̂ = ξ + μ‖ξ_F‖ e_N (De Saxcé):
//
//   e = ‖ P/ρ − proj_K(P/ρ − ξ̂) ‖₂ / ‖c‖₂ ,
//
// where K is the friction cone {‖P_F‖ ≤ μ P_N} of a contact, and all of ℝⁿ for a joint, whose part is therefore ξ. e =
// 0 holds exactly if −ξ ∈ N_C(P). P/ρ and ξ have the unit of c. Rows of joints may have different units (a translation
// beside a rotation). In both norms they are multiplied by (ρ G_ii)^−½, which gives them the unit of the contacts. So e
// does not depend on the units of mass, length and time. For contacts alone it is the error of the problem collection
// in test/data/problems, with ρ = n / tr G. Without contacts the mean is taken over all rows. A part of a larger
// problem is judged with ρ of the whole and a share s_i of its ‖c‖, with Σ s_i² = ‖c‖². So if every part has e_i ≤ ε,
// the whole has e ≤ ε. If c = 0, the divisor is ‖G P‖ (P = 0 is then a solution). If the mean is 0, ρ = 1.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "problem/contact_problem.h"

namespace tappet {

double velocity_per_impulse(const ContactProblem& problem) {
  if (problem.whole_per_impulse > 0.0) return problem.whole_per_impulse;
  double sum = 0.0;
  int rows = 0;
  const bool joints = std::any_of(problem.laws.begin(), problem.laws.end(),
                                  [](const Law& law) { return law.kind == Law::Kind::bilateral; });
  if (!joints) {
    sum = problem.G.trace();
    return sum > 0.0 ? sum / problem.size() : 1.0;
  }
  for (const Law& law : problem.laws) {
    if (law.kind == Law::Kind::bilateral) continue;
    rows += law.rows;
    for (int i = law.row; i < law.row + law.rows; ++i) sum += problem.G.diagonal(i);
  }
  if (sum > 0.0) return sum / rows;
  sum = problem.G.trace();
  return sum > 0.0 ? sum / problem.size() : 1.0;
}

double joint_weight(const ContactProblem& problem, double per_impulse, int row) {
  return std::sqrt(per_impulse / std::max(problem.G.diagonal(row), 1e-12 * per_impulse));
}

namespace {

// The sum of the terms of add(law, sum). It is taken in parts with one sum each, so it does not depend on the number of
// threads.
template <class Add>
double sum_over_laws(const ContactProblem& problem, const Add& add) {
  constexpr int part = 2048;
  const int laws = static_cast<int>(problem.laws.size()), parts = (laws + part - 1) / part;
  const auto sum_of = [&](int p) {
    double sum = 0.0;
    for (int k = p * part; k < std::min(laws, (p + 1) * part); ++k) add(problem.laws[k], sum);
    return sum;
  };
  if (parts <= 1) return sum_of(0);
  thread_local std::vector<double> own;
  std::vector<double>& sums = own;
  sums.resize(parts);
  parallel_for(problem.G.execution(), parts, 1, [&](int first, int last) {
    for (int p = first; p < last; ++p) sums[p] = sum_of(p);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

double norm(const ContactProblem& problem, double per_impulse, const Vec& xi) {
  return std::sqrt(sum_over_laws(problem, [&](const Law& law, double& sum) {
    for (int i = law.row; i < law.row + law.rows; ++i) {
      const double x = law.kind == Law::Kind::bilateral ? xi[i] * joint_weight(problem, per_impulse, i) : xi[i];
      sum += x * x;
    }
  }));
}

double scale(const ContactProblem& problem, double per_impulse) {
  return problem.whole_scale > 0.0 ? problem.whole_scale : norm(problem, per_impulse, problem.c);
}

double squared_distance(const ContactProblem& problem, const Law& law, double per_impulse, const double* P,
                        const double* xi) {
  double sum = 0.0;
  if (law.kind == Law::Kind::bilateral) {
    for (int i = 0; i < law.rows; ++i) {
      const double x = xi[i] * joint_weight(problem, per_impulse, law.row + i);
      sum += x * x;
    }
    return sum;
  }
  double x[4], slip = 0.0;
  for (int i = 1; i < law.rows; ++i) slip += xi[i] * xi[i];
  x[0] = P[0] * per_impulse - xi[0] - law.mu * std::sqrt(slip);
  for (int i = 1; i < law.rows; ++i) x[i] = P[i] * per_impulse - xi[i];
  project_cone(law.rows, law.mu, x);
  for (int i = 0; i < law.rows; ++i) {
    const double d = P[i] * per_impulse - x[i];
    sum += d * d;
  }
  return sum;
}

double residual(const ContactProblem& problem, const Vec& P, const Vec& xi) {
  return problem.size() == 0 ? 0.0 : residual(problem, velocity_per_impulse(problem), P, xi);
}

double residual(const ContactProblem& problem, double rho_inverse, const Vec& P, const Vec& xi) {
  const double sum = sum_over_laws(problem, [&](const Law& law, double& sum) {
    sum += squared_distance(problem, law, rho_inverse, P.data() + law.row, xi.data() + law.row);
  });
  double divisor = scale(problem, rho_inverse);
  if (divisor == HUGE_VAL) return HUGE_VAL;  // an infinite c must not be taken for a large scale
  if (sum == 0.0) return divisor * 0.0;      // NaN remains NaN
  if (divisor == 0.0) divisor = norm(problem, rho_inverse, xi);
  return divisor > 0.0 ? std::sqrt(sum) / divisor : divisor == 0.0 ? 1.0 : divisor;
}

double residual(const ContactProblem& problem, const Vec& P) {
  Vec xi(problem.size());
  problem.G.multiply(P, xi);
  for (int i = 0; i < xi.size(); ++i) xi[i] += problem.c[i];
  return residual(problem, P, xi);
}

}  // namespace tappet
