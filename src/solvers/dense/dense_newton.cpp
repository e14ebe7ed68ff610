// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/dense/dense_newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/dense/dense_kernels.h"

namespace tappet {

namespace {

constexpr double still_right = 1e-14;  // the residual of impulses that are not solved for again

void response(const ContactProblem& problem, const Vec& P, Vec& xi) {
  problem.G.multiply(P, xi);
  for (int i = 0; i < xi.size(); ++i) xi[i] += problem.c[i];
}

}  // namespace

void DenseNewton::start(const ContactProblem& problem) {
  direction_.resize(problem.size());
  const int laws = static_cast<int>(problem.laws.size());
  status_.assign(laws, Status::open);
  beta_.resize(laws), step_.resize(laws);
  for (int k = 0; k < laws; ++k) {
    const Law& law = problem.laws[k];
    double trace = 0.0;
    for (int i = law.row; i < law.row + law.rows; ++i) trace += problem.G.dense()(i, i);
    step_[k] = trace > 0.0 ? law.rows / trace : 1.0;
  }
}

// Whether the start is judged first. If a problem is small, one iteration costs little more than that. If contacts have
// more rows than a body has velocities, they may depend on each other, as under a block that stands on four corners.
// Then an iteration costs much more, and at rest the last solution is still right.
bool DenseNewton::costs_much(const ContactProblem& problem) {
  int rows = 0;
  for (const Law& law : problem.laws)
    if (law.kind == Law::Kind::contact) rows += law.rows;
  return rows > 6;
}

// One correction with the factors of the last solution whose rows depended on each other. They serve again if the same
// contacts stick and none slides, as under a block at rest, because G hardly changes there. Returns the residual; P and
// xi stay as they were if it is not small.
double DenseNewton::correct(const ContactProblem& problem, Vec& P, Vec& xi) {
  if (kept_status_.size() != problem.laws.size()) return HUGE_VAL;
  classify(problem, P, xi);
  if (status_ != kept_status_ || minimum_norm_.size() != static_cast<int>(row_.size())) return HUGE_VAL;
  const int m = minimum_norm_.size();
  y_.resize(m);
  for (int a = 0; a < m; ++a) y_[a] = -xi[row_[a]] * scale_[a];
  minimum_norm_.solve(y_.data());
  for (int a = 0; a < m; ++a) y_[a] = P[row_[a]] + y_[a] * scale_[a];
  std::swap(P, best_P_);
  spread(problem, P);
  response(problem, P, xi);
  const double e = residual(problem, P, xi);
  if (e <= still_right) return e;
  std::swap(P, best_P_);
  response(problem, P, xi);
  return HUGE_VAL;
}

DenseNewton::Result DenseNewton::solve(const ContactProblem& problem, int max_iterations, Vec& P, Vec& xi,
                                       Choice choice) {
  constexpr double round_off = 1e-15;
  xi.resize(problem.size());
  start(problem);
  dependent_ = false;
  response(problem, P, xi);
  if (costs_much(problem)) {
    if (const double e = residual(problem, P, xi); e <= still_right) return {e, 0, 0};
    if (const double e = correct(problem, P, xi); e <= still_right) return {e, 1, 0};
  }
  Result best{HUGE_VAL, 0, 0};
  bool at_best = true;  // whether P is the best point; otherwise best_P_ is
  int since_best = 0, iteration = 0;
  while (iteration < max_iterations && best.residual > round_off) {
    if (classify(problem, P, xi) && iteration > 0) break;
    build(problem);
    if (!factor_and_solve(problem, P, choice)) break;
    if (at_best) std::swap(P, best_P_);
    spread(problem, P);
    response(problem, P, xi);
    const double e = residual(problem, P, xi);
    ++iteration;
    at_best = e < best.residual;
    since_best = e < 0.5 * best.residual ? 0 : since_best + 1;
    if (at_best) best.residual = e;
    // The statuses of the shortest impulses often go round in circles, those of the nearest rarely.
    const int patience = dependent_ && choice == Choice::shortest ? 3 : 8;
    if (since_best >= (best.residual < 1e-13 ? 1 : patience)) break;
  }
  best.iterations = best.factorisations = iteration, best.dependent = dependent_;
  if (!at_best) {
    std::swap(P, best_P_);
    response(problem, P, xi);
  }
  return best;
}

// For a contact with friction that presses with τ_N: determines whether it slips, and how. Returns false if its slip
// has changed.
bool DenseNewton::classify_friction(const Law& law, int k, double tau_N, const Vec& P, const Vec& xi, Status& status) {
  const int N = law.row;
  const double r = step_[k];
  double norm = 0.0;
  for (int i = N + 1; i < N + law.rows; ++i) {
    direction_[i] = P[i] - r * xi[i];
    norm += direction_[i] * direction_[i];
  }
  norm = std::sqrt(norm);
  bool same = true;
  if (norm > law.mu * tau_N) {
    status = Status::slip;
    if (law.rows == 2) {
      const double slip = direction_[N + 1] > 0.0 ? law.mu : -law.mu;
      same = status_[k] == Status::slip && beta_[k] == slip;
      direction_[N + 1] = beta_[k] = slip;
      tied_.back() = 1;
    } else {
      same = false;  // its direction changes
      for (int i = N + 1; i < N + law.rows; ++i) direction_[i] /= norm;
      beta_[k] = law.mu * tau_N / norm;
    }
  }
  if (status == Status::stick || law.rows > 2)
    for (int i = N + 1; i < N + law.rows; ++i) row_.push_back(i), tied_.push_back(0);
  return same;
}

bool DenseNewton::classify(const ContactProblem& problem, const Vec& P, const Vec& xi) {
  bool same = true;
  row_.clear(), tied_.clear();
  for (int k = 0; k < static_cast<int>(problem.laws.size()); ++k) {
    const Law& law = problem.laws[k];
    const int N = law.row;
    if (law.kind == Law::Kind::bilateral) {
      for (int i = 0; i < law.rows; ++i) row_.push_back(N + i), tied_.push_back(0);
      continue;
    }
    const double tau_N = P[N] - step_[k] * xi[N];
    Status status = Status::open;
    if (tau_N > 0.0) {
      row_.push_back(N), tied_.push_back(0);
      status = Status::stick;
      if (law.rows > 1 && law.mu > 0.0) same &= classify_friction(law, k, tau_N, P, xi, status);
    }
    same &= status_[k] == status;
    status_[k] = status;
  }
  return same;
}

void DenseNewton::build(const ContactProblem& problem) {
  const Mat& G = problem.G.dense();
  const int m = static_cast<int>(row_.size());
  K_.resize(m, m), y_.resize(m);
  for (int b = 0; b < m; ++b) {
    const double* g = G.column(row_[b]);
    double* column = K_.column(b);
    for (int a = 0; a < m; ++a) column[a] = g[row_[a]];
    if (tied_[b]) {
      const double* g_F = G.column(row_[b] + 1);
      const double slip = direction_[row_[b] + 1];
      for (int a = 0; a < m; ++a) column[a] += slip * g_F[row_[a]];
    }
  }
  for (int a = 0; a < m; ++a) y_[a] = -problem.c[row_[a]];
  for (int k = 0, a = 0; a < m; ++k) {
    const Law& law = problem.laws[k];
    if (law.kind == Law::Kind::bilateral)
      a += law.rows;
    else if (status_[k] == Status::slip && law.rows > 2)
      spatial_slip(problem, law, k, a), a += law.rows;
    else if (status_[k] == Status::slip)
      a += 1;
    else if (status_[k] == Status::stick)
      a += law.mu > 0.0 ? law.rows : 1;
  }
}

// The rows of friction of a sliding contact, times 1/r so that they have the unit of G. a is its row N in K.
void DenseNewton::spatial_slip(const ContactProblem& problem, const Law& law, int k, int a) {
  const int f = law.rows - 1, m = K_.cols();
  const double beta = beta_[k], stiffness = 1.0 / step_[k];
  const double* d = direction_.data() + law.row + 1;
  const auto tangential = [&](double* x) {  // x ← β (I − ddᵀ) x
    if (f == 2) {
      const double across = beta * (d[0] * x[1] - d[1] * x[0]);
      x[0] = -d[1] * across, x[1] = d[0] * across;
      return;
    }
    const double along = d[0] * x[0] + d[1] * x[1] + d[2] * x[2];
    for (int i = 0; i < 3; ++i) x[i] = beta * (x[i] - along * d[i]);
  };
  double* x = K_.data() + a + 1;
  for (int b = 0; b < m; ++b, x += m) tangential(x);
  tangential(y_.data() + a + 1);
  for (int i = 0; i < f; ++i) K_(a + 1 + i, a) -= law.mu * d[i] * stiffness;
  for (int j = 0; j < f; ++j) {
    double* column = K_.column(a + 1 + j) + a + 1;
    for (int i = 0; i < f; ++i) column[i] += beta * d[i] * d[j] * stiffness;
    column[j] += (1.0 - beta) * stiffness;
  }
}

bool DenseNewton::factor_and_solve(const ContactProblem& problem, const Vec& P, Choice choice) {
  constexpr double dependent = 1e-9;
  const int m = K_.rows();
  const Mat& G = problem.G.dense();
  double* y = y_.data();
  for (int k = 0; k < m; ++k) {
    double* column = K_.column(k);
    if (!(std::abs(column[k]) > dependent * G(row_[k], row_[k]))) return solve_dependent(problem, P, choice);
    const double inverse = 1.0 / column[k];
    for (int i = k + 1; i < m; ++i) column[i] *= inverse;
    subtract_outer(m - k - 1, m - k - 1, column + k + 1, column + m + k, column + m + k + 1, m);
    const double factor = y[k];
    for (int i = k + 1; i < m; ++i) y[i] -= column[i] * factor;
    column[k] = inverse;
  }
  for (int k = m - 1; k >= 0; --k) {
    const double* column = K_.column(k);
    const double value = y[k] *= column[k];
    for (int i = 0; i < k; ++i) y[i] -= column[i] * value;
  }
  return true;
}

// If rows depend on each other: the shortest solution of the system, which is built again, or the nearest to P.
bool DenseNewton::solve_dependent(const ContactProblem& problem, const Vec& P, Choice choice) {
  dependent_ = true;
  build(problem);
  const int m = K_.rows();
  const Mat& G = problem.G.dense();
  // The system is scaled by the diagonal of G, with the same factor for all rows of a contact, so that "shortest" does
  // not depend on units.
  scale_.assign(m, 1.0);
  int k = 0;
  for (int a = 0; a < m; ++a) {
    while (problem.laws[k].row + problem.laws[k].rows <= row_[a]) ++k;
    const bool joint = problem.laws[k].kind == Law::Kind::bilateral;
    const double g = joint ? G(row_[a], row_[a]) : 1.0 / step_[k];
    if (g > 0.0) scale_[a] = 1.0 / std::sqrt(g);
  }
  present_.assign(m, 0.0);
  for (int b = 0; b < m && choice == Choice::nearest; ++b) {
    present_[b] = P[row_[b]];
    for (int a = 0; a < m; ++a) y_[a] -= K_(a, b) * present_[b];
  }
  for (int b = 0; b < m; ++b)
    for (int a = 0; a < m; ++a) K_(a, b) *= scale_[a] * scale_[b];
  for (int a = 0; a < m; ++a) y_[a] *= scale_[a];
  minimum_norm_.factor(m, K_.data());
  kept_status_.clear();
  if (std::find(status_.begin(), status_.end(), Status::slip) == status_.end()) kept_status_ = status_;
  minimum_norm_.solve(y_.data());
  for (int a = 0; a < m; ++a) {
    y_[a] = present_[a] + y_[a] * scale_[a];
    if (!std::isfinite(y_[a])) return false;
  }
  return true;
}

void DenseNewton::spread(const ContactProblem& problem, Vec& P) const {
  P.assign(problem.size(), 0.0);
  for (int a = 0; a < y_.size(); ++a) {
    P[row_[a]] = y_[a];
    if (tied_[a]) P[row_[a] + 1] = direction_[row_[a] + 1] * y_[a];
  }
}

}  // namespace tappet
