// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/proximal/proximal_piece.h"

#include <algorithm>
#include <cmath>

#include "solvers/path/path_cone.h"

namespace tappet {

namespace {

// The first s ≥ 0 at which c + b s + a s² rises through zero, HUGE_VAL if there is none.
double rises(double a, double b, double c) {
  if (c >= 0.0 && b > 0.0) return 0.0;
  const double discriminant = b * b - 4.0 * a * c;
  if (discriminant <= 0.0) return HUGE_VAL;
  const double root = std::sqrt(discriminant);
  if (b > 0.0) return -2.0 * c / (b + root);
  return a > 0.0 ? (-b + root) / (2.0 * a) : HUGE_VAL;
}

}  // namespace

void ProximalPiece::start(PathState& state, const Vec& centre) {
  state_ = &state, centre_ = centre;
  status_.assign(state.problem.laws.size(), Status::open);
  rho_.assign(static_cast<int>(state.problem.laws.size()), 1.0);
}

void ProximalPiece::read_statuses(const Vec& r) {
  const auto& laws = state_->problem.laws;
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    double slip = 0.0;
    for (int i = law.row + 1; i < law.row + law.rows; ++i) slip += std::pow(r[i] - rho_[k] * u_[i], 2);
    const double pressing = tau_N(law, r, u_);
    const bool sliding = law.rows > 1 && std::sqrt(slip) > law.mu * pressing;
    status_[k] = pressing <= 0.0 ? Status::open : sliding ? Status::sliding : Status::sticking;
  }
}

void ProximalPiece::weigh_slip(const Vec& r) {
  constexpr double most = 1e4;  // u is known to about 1e-15
  const auto& laws = state_->problem.laws;
  for (int k = 0; k < rho_.size(); ++k) {
    const int N = laws[k].row, f = laws[k].rows - 1;
    rho_[k] = 1.0;
    if (status_[k] != Status::sliding) continue;
    rho_[k] = std::clamp(laws[k].mu * r[N] / std::max(norm(u_.data() + N + 1, f), 1e-300), 1.0, most);
  }
}

void ProximalPiece::evaluate_sliding(int k, const Vec& r) {
  const Law& law = state_->problem.laws[k];
  const int N = law.row, f = law.rows - 1;
  double *A = A_.data() + 16 * k, *B = B_.data() + 16 * k, tau[3];
  for (int i = 0; i < f; ++i) tau[i] = r[N + 1 + i] - rho_[k] * u_[N + 1 + i];
  const double size = norm(tau, f), beta = law.mu * tau_N(law, r, u_) / size;
  A[0] = 1.0, F_[N] = u_[N];
  for (int i = 0; i < f; ++i) {
    const double d = tau[i] / size;
    F_[N + 1 + i] = r[N + 1 + i] - beta * tau[i];
    A[1 + i] = law.mu * d, B[1 + i] = -law.mu * d;
    for (int j = 0; j < f; ++j) {
      const double same = i == j ? 1.0 : 0.0, turn = beta * (same - d * tau[j] / size);
      A[4 * (1 + j) + 1 + i] = rho_[k] * turn;
      B[4 * (1 + j) + 1 + i] = same - turn;
    }
  }
}

double ProximalPiece::evaluate(const Point& z) {
  const ScaledProblem& problem = state_->problem;
  const int n = problem.size();
  alpha_ = std::exp(z.log_alpha);
  problem.multiply(z.r, u_);
  for (int i = 0; i < n; ++i) u_[i] += problem.q[i] + alpha_ * (z.r[i] - centre_[i]);
  F_.resize(n);
  A_.assign(16 * problem.laws.size(), 0.0), B_.assign(16 * problem.laws.size(), 0.0);
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    if (law.kind == Law::Kind::bilateral) {
      for (int i = law.row; i < law.row + law.rows; ++i) F_[i] = u_[i];
      continue;
    }
    const bool open = status_[k] == Status::open;
    if (status_[k] == Status::sliding) {
      evaluate_sliding(static_cast<int>(k), z.r);
      continue;
    }
    for (int i = 0; i < law.rows; ++i) {
      F_[law.row + i] = open ? z.r[law.row + i] : u_[law.row + i];
      (open ? B_ : A_)[16 * k + 5 * i] = 1.0;
    }
  }
  return F_.eigen().norm();
}

void ProximalPiece::factor() {
  C_.resize(A_.size());
  for (size_t i = 0; i < A_.size(); ++i) C_[i] = B_[i] + alpha_ * A_[i];
  state_->factor(A_.data(), C_.data(), 0.0, alpha_);
}

// x ← A x. Joints have A = I, B = 0, and any number of rows.
void ProximalPiece::multiply_by_A(Vec& x) const {
  const auto& laws = state_->problem.laws;
  for (size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].kind == Law::Kind::bilateral) continue;
    double sum[4] = {};
    for (int j = 0; j < laws[k].rows; ++j)
      for (int i = 0; i < laws[k].rows; ++i) sum[i] += A_[16 * k + 4 * j + i] * x[laws[k].row + j];
    std::copy(sum, sum + laws[k].rows, x.data() + laws[k].row);
  }
}

// One step of refinement of (A (Ĝ + α I) + B) x = right_. Returns false if x was accurate before.
bool ProximalPiece::refine(double accuracy, Vec& x) {
  const ScaledProblem& problem = state_->problem;
  problem.multiply(x, product_);
  for (int i = 0; i < x.size(); ++i) product_[i] += alpha_ * x[i];
  multiply_by_A(product_);
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    for (int j = 0; j < law.rows; ++j)
      for (int i = 0; i < law.rows; ++i) product_[law.row + i] += B_[16 * k + 4 * j + i] * x[law.row + j];
  }
  for (int i = 0; i < x.size(); ++i) product_[i] = right_[i] - product_[i];
  if (product_.eigen().norm() <= accuracy * right_.eigen().norm()) return false;
  state_->solve(product_);
  for (int i = 0; i < x.size(); ++i) x[i] += product_[i];
  return true;
}

void ProximalPiece::solve(double accuracy, Vec& x) {
  right_ = x;
  state_->solve(x);
  for (int passes = 0; passes < 2 && refine(accuracy, x);) ++passes;
}

void ProximalPiece::newton_step(double accuracy, Vec& dr) {
  dr = F_;
  for (double& x : dr) x = -x;
  solve(accuracy, dr);
}

void ProximalPiece::slope(double accuracy, const Vec& r, Vec& dr) {
  dr.resize(r.size());
  for (int i = 0; i < r.size(); ++i) dr[i] = -alpha_ * (r[i] - centre_[i]);
  multiply_by_A(dr);
  solve(accuracy, dr);
}

void ProximalPiece::change_of_tau(const Vec& r, const Vec& dr, double d_log_alpha, Vec& dtau) const {
  const auto& laws = state_->problem.laws;
  state_->problem.multiply(dr, dtau);
  for (int k = 0; k < rho_.size(); ++k)
    for (int i = laws[k].row; i < laws[k].row + laws[k].rows; ++i) {
      const double du = dtau[i] + alpha_ * (dr[i] + (r[i] - centre_[i]) * d_log_alpha);
      dtau[i] = dr[i] - (i == laws[k].row ? 1.0 : rho_[k]) * du;
    }
}

double ProximalPiece::outside(Boundary boundary, const Vec& r, const Vec& u) const {
  const Law& law = state_->problem.laws[boundary.law];
  const double pressing = tau_N(law, r, u);
  if (boundary.from == Status::open) return pressing;
  if (boundary.to == Status::open) return -pressing;
  double size = 0.0;
  for (int i = law.row + 1; i < law.row + law.rows; ++i) size += std::pow(r[i] - rho_[boundary.law] * u[i], 2);
  const double beyond = std::sqrt(size) - law.mu * pressing;
  return boundary.to == Status::sliding ? beyond : -beyond;
}

double ProximalPiece::change_outside(Boundary boundary, const Vec& r, const Vec& dtau) const {
  const Law& law = state_->problem.laws[boundary.law];
  const int N = law.row;
  if (boundary.from == Status::open) return dtau[N];
  if (boundary.to == Status::open) return -dtau[N];
  double size = 0.0, change = 0.0;
  for (int i = N + 1; i < N + law.rows; ++i) {
    const double tau = r[i] - rho_[boundary.law] * u_[i];
    size += tau * tau, change += tau * dtau[i];
  }
  const double beyond = change / std::sqrt(size) - law.mu * dtau[N];
  return boundary.to == Status::sliding ? beyond : -beyond;
}

double ProximalPiece::length_to(Boundary boundary, const Vec& r, const Vec& dtau) const {
  const Law& law = state_->problem.laws[boundary.law];
  const int N = law.row;
  const double pressing = tau_N(law, r, u_), change = dtau[N];
  if (boundary.from == Status::open) return rises(0.0, change, pressing);
  if (boundary.to == Status::open) return rises(0.0, -change, -pressing);
  const double square = law.mu * law.mu;
  double c = -square * pressing * pressing, b = -2.0 * square * pressing * change, a = -square * change * change;
  for (int i = N + 1; i < N + law.rows; ++i) {
    const double tau = r[i] - rho_[boundary.law] * u_[i];
    c += tau * tau, b += 2.0 * tau * dtau[i], a += dtau[i] * dtau[i];
  }
  return boundary.to == Status::sliding ? rises(a, b, c) : rises(-a, -b, -c);
}

}  // namespace tappet
