// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The Newton step for right-hand sides c1, c2s, c2v and res = u − Ĝ r − q, with m = μ r_N:
//   A⁻¹ = (I + r_F r_Fᵀ / ((m − ‖r_F‖)(m + ‖r_F‖))) / m,   B = [μ u_F − r_F μψ/m,  ψ I − r_F u_Fᵀ/m],
//   D = [u_N/r_N, 0; A⁻¹B],   cc = (c1/r_N, A⁻¹(c2v − r_F c2s/m)),
//   (Ĝ + D) dr = cc + res,   du = cc − D dr,   dψ = (c2s − μψ dr_N − u_F·dr_F − r_F·du_F)/m.
#include <algorithm>
#include <cmath>

#include "solvers/path/path_cone.h"
#include "solvers/path/path_equations.h"

namespace tappet {

namespace {

// D (4 × 4) and A⁻¹ (3 × 3) of a contact, both column-major. They must be zero on entry.
void fill_blocks(const Law& law, const double* r, const double* u, double psi, double* D, double* A) {
  const int f = law.rows - 1;
  D[0] = u[0] / r[0];
  if (f == 0) return;
  const double m = law.mu * r[0], *r_F = r + 1, *u_F = u + 1, t = norm(r_F, f);
  const double det = std::max((m - t) * (m + t), 1e-300);
  double B[3][4];
  for (int i = 0; i < f; ++i) {
    B[i][0] = law.mu * u_F[i] - r_F[i] * law.mu * psi / m;
    for (int j = 0; j < f; ++j) {
      B[i][1 + j] = (i == j ? psi : 0.0) - r_F[i] * u_F[j] / m;
      A[3 * j + i] = ((i == j ? 1.0 : 0.0) + r_F[i] * r_F[j] / det) / m;
    }
  }
  for (int j = 0; j <= f; ++j)
    for (int i = 0; i < f; ++i)
      for (int s = 0; s < f; ++s) D[4 * j + 1 + i] += A[3 * s + i] * B[s][j];
}

}  // namespace

void PathEquations::factor(const PathPoint& z) {
  const auto& laws = state_->problem.laws;
  system_.clear(*state_), A_.assign(9 * laws.size(), 0.0);
  for (size_t k = 0; k < laws.size(); ++k)
    if (laws[k].kind == Law::Kind::contact)
      fill_blocks(laws[k], z.r.data() + laws[k].row, z.u.data() + laws[k].row, z.psi[k], system_.D.data() + 16 * k,
                  A_.data() + 9 * k);
  system_.factor(*state_);
}

// Computes cc_.
void PathEquations::eliminate_psi(const PathPoint& z, const Products& c) {
  const auto& laws = state_->problem.laws;
  cc_.assign(state_->problem.size(), 0.0);
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row, f = law.rows - 1;
    cc_[N] = c.normal[k] / z.r[N];
    if (f == 0) continue;
    const double m = law.mu * z.r[N], *A = A_.data() + 9 * k;
    for (int j = 0; j < f; ++j) {
      const double b = c.vector[N + 1 + j] - z.r[N + 1 + j] * c.scalar[k] / m;
      for (int i = 0; i < f; ++i) cc_[N + 1 + i] += A[3 * j + i] * b;
    }
  }
}

void PathEquations::solve(const PathPoint& z, const Products& c, const Vec* res, PathPoint& d, bool refined) {
  const auto& laws = state_->problem.laws;
  const int n = state_->problem.size();
  eliminate_psi(z, c);
  rhs_.resize(n);
  for (int i = 0; i < n; ++i) rhs_[i] = cc_[i] + (res ? (*res)[i] : 0.0);
  system_.solve(*state_, rhs_, refined, x_);
  d.u.assign(n, 0.0), d.psi.assign(static_cast<int>(laws.size()), 0.0);
  d.r = x_;
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row, f = law.rows - 1;
    const double* D = system_.D.data() + 16 * k;
    for (int i = 0; i < law.rows; ++i) {
      d.u[N + i] = cc_[N + i];
      for (int j = 0; j < law.rows; ++j) d.u[N + i] -= D[4 * j + i] * d.r[N + j];
    }
    if (f == 0) continue;
    d.psi[k] = (c.scalar[k] - law.mu * z.psi[k] * d.r[N] - dot(z.u.data() + N + 1, d.r.data() + N + 1, f) -
                dot(z.r.data() + N + 1, d.u.data() + N + 1, f)) /
               (law.mu * z.r[N]);
  }
}

}  // namespace tappet
