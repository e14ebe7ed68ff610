// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/polish.h"

#include <algorithm>
#include <cmath>

namespace tappet {

void Polish::respond(const ScaledProblem& problem, const Vec& r, Vec& u) const {
  problem.multiply(r, u);
  for (int i = 0; i < problem.size(); ++i) u[i] += problem.q[i];
}

// F and the blocks of its derivative for a contact that presses, τ_N = r_N − ρ u_N > 0.
void Polish::evaluate_pressing(const Law& law, size_t k, double tau_N, const Vec& r, const Vec& u) {
  const int N = law.row, rows = law.rows;
  double *A = A_.data() + 16 * k, *B = B_.data() + 16 * k;  // column-major, columns 4 apart
  F_[N] = rho_ * u[N];
  A[0] = rho_, B[0] = 0.0;
  double tau[3], norm = 0.0;
  for (int i = 0; i < rows - 1; ++i) tau[i] = r[N + 1 + i] - rho_ * u[N + 1 + i], norm += tau[i] * tau[i];
  norm = std::sqrt(norm);
  if (norm <= law.mu * tau_N) {
    for (int i = 1; i < rows; ++i) A[5 * i] = rho_, B[5 * i] = 0.0, F_[N + i] = rho_ * u[N + i];
    return;
  }
  const double beta = law.mu * tau_N / norm;
  for (int i = 0; i < rows - 1; ++i) {
    const double d_i = tau[i] / norm;
    F_[N + 1 + i] -= beta * tau[i];
    A[1 + i] = rho_ * law.mu * d_i, B[1 + i] = -law.mu * d_i;
    for (int j = 0; j < rows - 1; ++j) {
      const double g = beta * ((i == j ? 1.0 : 0.0) - d_i * tau[j] / norm);
      A[4 * (1 + j) + 1 + i] = rho_ * g;
      B[4 * (1 + j) + 1 + i] -= g;
    }
  }
}

double Polish::evaluate(const ScaledProblem& problem, const Vec& r, const Vec& u) {
  F_.resize(problem.size());
  A_.assign(16 * problem.laws.size(), 0.0), B_.assign(16 * problem.laws.size(), 0.0);
  double sum = 0.0;
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    const int N = law.row, rows = law.rows;
    if (law.kind == Law::Kind::bilateral) {
      for (int i = N; i < N + rows; ++i) F_[i] = u[i], sum += u[i] * u[i];
      continue;
    }
    double* B = B_.data() + 16 * k;
    for (int i = 0; i < rows; ++i) B[5 * i] = 1.0, F_[N + i] = r[N + i];
    if (const double tau_N = r[N] - rho_ * u[N]; tau_N > 0.0) evaluate_pressing(law, k, tau_N, r, u);
    for (int i = N; i < N + rows; ++i) sum += F_[i] * F_[i];
  }
  return std::sqrt(sum);
}

// A (Ĝ + α I) + B. Joints have A = I, B = 0, so α is their shift. A sliding contact has a singular A. Its block B + α A
// is regular only because of α.
void Polish::weigh(double alpha) {
  C_.resize(A_.size());
  for (size_t i = 0; i < A_.size(); ++i) C_[i] = B_[i] + alpha * A_[i];
}

bool Polish::step(PathState& state, double alpha) {
  const ScaledProblem& problem = state.problem;
  weigh(alpha);
  state.factor(A_.data(), C_.data(), 0.0, alpha);
  factors_ = state.factors, resumed_ = 0;
  d_.resize(problem.size());
  for (int i = 0; i < problem.size(); ++i) d_[i] = -F_[i];
  state.solve(d_);
  for (int pass = 0; !problem.formed() && pass < 2; ++pass) refine(state, alpha);
  return std::all_of(d_.begin(), d_.end(), [](double x) { return std::isfinite(x); });
}

// One step of refinement of (A Ĝ + C) d = −F, if the bodies and not the contacts were factorised.
void Polish::refine(PathState& state, double alpha) {
  const ScaledProblem& problem = state.problem;
  problem.multiply(d_, product_);
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    double rest[4] = {};
    if (law.kind == Law::Kind::bilateral) {
      for (int i = law.row; i < law.row + law.rows; ++i) product_[i] = -F_[i] - product_[i] - alpha * d_[i];
      continue;
    }
    const double *A = A_.data() + 16 * k, *C = C_.data() + 16 * k;
    for (int j = 0; j < law.rows; ++j)
      for (int i = 0; i < law.rows; ++i)
        rest[i] -= A[4 * j + i] * product_[law.row + j] + C[4 * j + i] * d_[law.row + j];
    for (int i = 0; i < law.rows; ++i) product_[law.row + i] = rest[i] - F_[law.row + i];
  }
  state.solve(product_);
  for (int i = 0; i < problem.size(); ++i) d_[i] += product_[i];
}

void Polish::quick(PathState& state, const Vec& start, int max_steps, double rho, double shift) {
  rho_ = rho, shift_ = shift;
  const ScaledProblem& problem = state.problem;
  const double enough = shift == near ? ahead * state.tolerance : state.tolerance;
  r_ = start;
  double first = 0.0, before = 0.0, before_that = 0.0;
  for (int iteration = 0;; ++iteration) {
    respond(problem, r_, u_);
    const double f = evaluate(problem, r_, u_);
    state.offer(r_, u_);
    if (iteration == 0) first = f;
    if (state.best <= enough || iteration == max_steps || !std::isfinite(f)) return;
    if (iteration >= 1 && f > 10.0 * first) return;
    if (iteration >= 1 && state.done() && f > 0.3 * before) return;
    if (iteration >= 3 && f > 0.5 * std::min(before, before_that)) return;
    before_that = before, before = f;
    if (!step(state, shift_)) return;
    for (int i = 0; i < problem.size(); ++i) r_[i] += d_[i];
  }
}

bool Polish::resume(PathState& state, const Vec& start) {
  constexpr int most = 4;
  const ScaledProblem& problem = state.problem;
  if (!has_factors(state) || d_.size() != problem.size()) return false;
  ++resumed_;
  r_ = start;
  double before = HUGE_VAL, first = 0.0;
  for (int iteration = 0;; ++iteration) {
    respond(problem, r_, u_);
    const double f = evaluate(problem, r_, u_), e = state.offer(r_, u_);
    if (iteration == 0) first = e;
    if (state.best <= ahead * state.tolerance) return true;
    if (iteration == most || !(f < 0.3 * before)) return state.best < 0.5 * first;
    before = f;
    weigh(shift_);
    for (int i = 0; i < problem.size(); ++i) d_[i] = -F_[i];
    state.solve(d_);
    for (int pass = 0; pass < 2; ++pass) refine(state, shift_);
    for (int i = 0; i < problem.size(); ++i) r_[i] += d_[i];
  }
}

// The inner problem, with nonmonotone halving compared with the worst of the last three ‖F‖. r is the start on entry
// and the best point on return.
bool Polish::newton(PathState& state, double alpha, double target, int limit, Vec& r, int& steps) {
  const ScaledProblem& problem = state.problem;
  const int n = problem.size();
  const auto shifted = [&](const Vec& x) {
    respond(problem, x, shifted_);
    for (int i = 0; i < n; ++i) shifted_[i] += alpha * (x[i] - centre_[i]);
    return evaluate(problem, x, shifted_);
  };
  double f = shifted(r), history[3] = {f, f, f}, best = f;
  inner_best_ = r;
  for (steps = 0; steps < limit && f > target; ++steps) {
    if (!step(state, alpha)) break;
    const double reference = std::max({history[0], history[1], history[2]});
    double length = 1.0;
    trial_.resize(n);
    for (;; length *= 0.5) {
      for (int i = 0; i < n; ++i) trial_[i] = r[i] + length * d_[i];
      f = shifted(trial_);
      if (f <= reference * (1.0 - 1e-3 * length) || length < 1e-3) break;
    }
    std::swap(r, trial_);
    history[steps % 3] = f;
    if (f < best) best = f, inner_best_ = r;
  }
  r = inner_best_;
  return best <= target;
}

void Polish::proximal(PathState& state, const Vec& start, int outer, int inner) {
  const ScaledProblem& problem = state.problem;
  proximal_r_ = start;
  rho_ = 1.0;
  double alpha = 1e-3;
  for (int k = 0, failures = 0; k < outer && !state.late(); ++k) {
    centre_ = proximal_r_;
    respond(problem, centre_, u_);
    const double f = evaluate(problem, centre_, u_);
    next_ = centre_;
    int steps = 0;
    const bool solved = newton(state, alpha, std::max(1e-13, 1e-2 * f * std::min(1.0, alpha)), inner, next_, steps);
    respond(problem, next_, u_);
    state.offer(next_, u_);
    if (state.done()) return;
    if (solved) {
      proximal_r_ = next_;
      alpha = std::max(1e-12, alpha * (steps <= 3 ? 0.1 : steps <= 8 ? 0.3 : 1.0));
    } else {
      alpha *= 10.0;
      if (alpha > 1e3 || ++failures > 8) return;
    }
  }
}

}  // namespace tappet
