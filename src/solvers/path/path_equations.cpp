// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/path_equations.h"

#include <algorithm>
#include <cmath>

#include "solvers/path/path_cone.h"

namespace tappet {

void PathEquations::start(PathState& state, const Vec* weights) {
  state_ = &state;
  const auto& laws = state.problem.laws;
  w_.assign(static_cast<int>(laws.size()), 1.0);
  if (weights) w_ = *weights;
  pairs_ = 0.0;
  for (size_t k = 0; k < laws.size(); ++k)
    if (laws[k].kind == Law::Kind::contact) pairs_ += (frictional(laws[k]) ? 2.0 : 1.0) * w_[k];
}

double PathEquations::cold_point(double scale, PathPoint& z) const {
  const auto& laws = state_->problem.laws;
  const int n = state_->problem.size(), m = static_cast<int>(laws.size());
  z.r.assign(n, 0.0), z.u.assign(n, 0.0), z.psi.assign(m, 0.0);
  int count = 0;
  for (const Law& law : laws) count += law.kind == Law::Kind::contact;
  const double c = 1.0 / std::sqrt(std::max(count, 1));
  for (int k = 0; k < m; ++k) {
    if (laws[k].kind == Law::Kind::bilateral) continue;
    z.r[laws[k].row] = c * scale, z.u[laws[k].row] = c * w_[k];
    if (frictional(laws[k])) z.psi[k] = c * w_[k] / laws[k].mu;
  }
  return c * c * scale;
}

void PathEquations::products(const PathPoint& z, Products& p) const {
  const auto& laws = state_->problem.laws;
  const int n = state_->problem.size(), m = static_cast<int>(laws.size());
  p.normal.assign(m, 0.0), p.scalar.assign(m, 0.0), p.vector.assign(n, 0.0);
  for (int k = 0; k < m; ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row;
    p.normal[k] = z.r[N] * z.u[N];
    if (law.rows == 1) continue;
    const double mr = law.mu * z.r[N];
    p.scalar[k] = mr * z.psi[k] + dot(z.r.data() + N + 1, z.u.data() + N + 1, law.rows - 1);
    for (int i = N + 1; i < N + law.rows; ++i) p.vector[i] = mr * z.u[i] + z.psi[k] * z.r[i];
  }
}

double PathEquations::kappa(const Products& p) const {
  double sum = 0.0;
  for (double x : p.normal) sum += x;
  for (double x : p.scalar) sum += x;
  return sum / pairs_;
}

// The distance from the path relative to κ, above the rounding errors of sums that cancel.
double PathEquations::centrality(const PathPoint& z, const Products& p, double kappa, const Vec* res) const {
  const auto& laws = state_->problem.laws;
  double sum = 0.0;
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const double kw = kappa * w_[k];
    const int N = law.row, f = law.rows - 1;
    sum += (p.normal[k] / kw - 1.0) * (p.normal[k] / kw - 1.0);
    if (f > 0) {
      const double floor =
          1e-14 * (law.mu * z.r[N] * norm(z.u.data() + N + 1, f) + z.psi[k] * norm(z.r.data() + N + 1, f));
      const double s = std::max(std::abs(p.scalar[k] - kw) - floor, 0.0) / kw;
      const double v = std::max(norm(p.vector.data() + N + 1, f) - floor, 0.0) / kw;
      sum += s * s + v * v;
    }
    if (res) {
      const double miss = z.r[N] * std::max(norm(res->data() + N, law.rows) - 1e-10, 0.0) / kw;
      sum += miss * miss;
    }
  }
  return std::sqrt(sum);
}

void PathEquations::residual(const PathPoint& z, Vec& res) const {
  state_->problem.multiply(z.r, res);
  for (int i = 0; i < res.size(); ++i) res[i] = z.u[i] - res[i] - state_->problem.q[i];
}

void PathEquations::target(double kappa, const Products& p, Products& rhs) const {
  const auto& laws = state_->problem.laws;
  rhs = p;
  for (size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].kind == Law::Kind::bilateral) continue;
    const double kw = kappa * w_[k];
    rhs.normal[k] = kw - p.normal[k];
    if (frictional(laws[k])) rhs.scalar[k] = kw - p.scalar[k];
  }
  for (double& x : rhs.vector) x = -x;
}

void PathEquations::unit_target(double kappa, Products& rhs) const {
  const auto& laws = state_->problem.laws;
  rhs.normal.assign(static_cast<int>(laws.size()), 0.0), rhs.scalar.assign(static_cast<int>(laws.size()), 0.0);
  rhs.vector.assign(state_->problem.size(), 0.0);
  for (size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].kind == Law::Kind::bilateral) continue;
    rhs.normal[k] = kappa * w_[k];
    if (frictional(laws[k])) rhs.scalar[k] = kappa * w_[k];
  }
}

}  // namespace tappet
