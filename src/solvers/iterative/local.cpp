// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Slip in any dimension is one scalar equation. With P_N eliminated by ξ_N = 0,
//   ξ_F = A P_F + b,  A = G_FF − G_FN G_NF / G_NN,  b = c_F − G_FN c_N / G_NN,  P_N = −(c_N + G_NF P_F) / G_NN,
// slip means ξ_F = −λ P_F with λ > 0, so P_F(λ) = −(A + λ I)⁻¹ b and ‖P_F‖ = μ P_N:
//   h(λ) = μ P_N(λ) / ‖P_F(λ)‖ − 1 = 0.
// If stick leaves the cone, h < 0 at λ = 0. If c_N < 0, h → ∞ with λ. So a root exists for every μ. If A is a multiple
// of I, h is linear in λ, and Newton's method then ends in two or three steps.
#include "solvers/iterative/local.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/minimum_norm.h"

namespace tappet {

namespace {

// Solves (A + λ I) x = y for 1 to 3 rows. Returns false if A + λ I is not positive.
struct FrictionBlock {
  int rows;
  double A[9];  // column-major

  bool solve(double lambda, const double* y, double* x) const {
    if (rows == 1) {
      x[0] = y[0] / (A[0] + lambda);
      return A[0] + lambda > 0.0;
    }
    if (rows == 2) {
      const double a = A[0] + lambda, d = A[3] + lambda, det = a * d - A[1] * A[2];
      x[0] = (d * y[0] - A[2] * y[1]) / det;
      x[1] = (a * y[1] - A[1] * y[0]) / det;
      return det > 0.0;
    }
    // Elimination in the order of the rows. A is positive definite up to rounding, and Cramer's rule would cube the
    // rounding errors.
    double B[9];
    std::copy(A, A + 9, B);
    for (int i = 0; i < 3; ++i) B[4 * i] += lambda, x[i] = y[i];
    for (int k = 0; k < 3; ++k) {
      if (!(B[4 * k] > 0.0)) return false;
      for (int i = k + 1; i < 3; ++i) {
        const double factor = B[3 * k + i] / B[4 * k];
        for (int j = k + 1; j < 3; ++j) B[3 * j + i] -= factor * B[3 * j + k];
        x[i] -= factor * x[k];
      }
    }
    x[2] /= B[8];
    x[1] = (x[1] - B[7] * x[2]) / B[4];
    x[0] = (x[0] - B[3] * x[1] - B[6] * x[2]) / B[0];
    return true;
  }

  // Solves A x = y, with the shortest x if A is singular up to rounding. Returns false if there is none.
  bool solve_stick(double trace, const double* y, double* x) const {
    const double d = rows == 1   ? A[0]
                     : rows == 2 ? A[0] * A[3] - A[1] * A[2]
                                 : A[0] * (A[4] * A[8] - A[7] * A[5]) + A[3] * (A[7] * A[2] - A[1] * A[8]) +
                                       A[6] * (A[1] * A[5] - A[4] * A[2]);
    const double mean = trace / rows;
    if (d > 1e-9 * (rows == 1 ? mean : rows == 2 ? mean * mean : mean * mean * mean)) return solve(0.0, y, x);
    thread_local MinimumNorm factors;
    for (int i = 0; i < rows; ++i) x[i] = y[i];
    double padded[10];
    std::copy(A, A + 9, padded);
    const int rank = factors.factor(rows, padded, 1e-9);
    if (rank == 0 || factors.longest() < 1e-12 * mean)
      std::fill(x, x + rows, 0.0);
    else
      factors.solve(x);
    double miss = 0.0, size = 0.0;
    for (int i = 0; i < rows; ++i) {
      double sum = -y[i];
      for (int j = 0; j < rows; ++j) sum += A[j * rows + i] * x[j];
      miss += sum * sum, size += y[i] * y[i];
    }
    return miss <= 1e-18 * size;
  }
};

double dot(int n, const double* x, const double* y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// For a contact that slips, finds λ ≥ 0 with (A + λ I) P_F = b and ‖P_F‖ = μ P_N, P_N = P_N0 − g·P_F, by Newton's
// method within brackets. On entry P is that of sticking.
void search_slip(const FrictionBlock& A, double mu, double P_N0, double trace, const double* b, const double* g,
                 double* P) {
  const int f = A.rows;
  double* P_F = P + 1;
  // A direction that moves nothing gets no impulse.
  const double tiny = 1e-15 * trace + std::numeric_limits<double>::min();
  // This is exact if A is a multiple of I. It is not used close to 0, where a singular A leaves P_F to rounding.
  const double ratio = mu * P[0] / std::sqrt(dot(f, P_F, P_F));
  const double first = ratio > 1e-3 && ratio < 1.0 ? trace / f * (1.0 / ratio - 1.0) : trace;
  double low = 0.0, high = std::numeric_limits<double>::infinity(), lambda = std::max(first, 1e-6 * trace + tiny),
         dP[3];
  for (int iteration = 0; iteration < 100; ++iteration) {
    const bool valid = A.solve(lambda, b, P_F);
    const double norm = std::sqrt(dot(f, P_F, P_F));
    P[0] = P_N0 - dot(f, g, P_F);
    const double h = valid ? mu * P[0] / norm - 1.0 : -1.0;
    if (h == 0.0) return;
    (h < 0.0 ? low : high) = lambda;
    A.solve(lambda, P_F, dP);  // −dP_F/dλ
    const double slope = mu * (dot(f, g, dP) + P[0] * dot(f, P_F, dP) / (norm * norm)) / norm;
    double next = lambda - h / slope;
    if (!valid || !(next > low && next < high))
      next = high < std::numeric_limits<double>::infinity() ? 0.5 * (low + high) : 4.0 * low + 0.1 * trace;
    if (std::abs(next - lambda) <= 4e-16 * next || std::abs(h) <= 2e-16) break;
    lambda = next;
  }
  const double norm = std::sqrt(dot(f, P_F, P_F));  // onto the cone, to the last digit
  if (P[0] < 0.0) P[0] = 0.0;
  for (int i = 0; i < f; ++i) P_F[i] *= norm > 0.0 ? mu * P[0] / norm : 0.0;
}

}  // namespace

void solve_contact(int rows, double mu, const double* G, int stride, const double* c, double* P) {
  for (int i = 0; i < rows; ++i) P[i] = 0.0;
  if (!(c[0] < 0.0) || !(G[0] > 0.0)) return;
  const double G_NN = G[0], P_N0 = -c[0] / G_NN;
  P[0] = P_N0;
  const int f = rows - 1;
  if (f == 0 || mu == 0.0) return;

  FrictionBlock A{f, {}};
  double b[3] = {}, g[3] = {}, trace = 0.0;  // g = G_NF / G_NN
  for (int j = 0; j < f; ++j) g[j] = G[(j + 1) * stride] / G_NN;
  for (int i = 0; i < f; ++i) b[i] = -(c[i + 1] + G[i + 1] * P_N0);
  for (int j = 0; j < f; ++j)
    for (int i = 0; i < f; ++i) A.A[j * f + i] = G[(j + 1) * stride + i + 1] - G[i + 1] * g[j];
  for (int j = 0; j < f; ++j) trace += G[(j + 1) * stride + j + 1];
  double* P_F = P + 1;
  bool stuck = A.solve_stick(trace, b, P_F);
  P[0] = P_N0 - dot(f, g, P_F);
  if (stuck && dot(f, P_F, P_F) <= mu * mu * P[0] * P[0] && P[0] >= 0.0) return;

  if (f == 1) {  // h is linear: P_F = ±μ P_N in the direction of the required friction
    const double s = b[0] > 0.0 ? mu : -mu, denominator = 1.0 + s * g[0];
    if (denominator > 0.0) {
      P[0] = P_N0 / denominator;
      P_F[0] = s * P[0];
      return;
    }
  }
  search_slip(A, mu, P_N0, trace, b, g, P);
}

void solve_joint(int rows, double* G, const double* c, double* P) {
  if (rows == 1) {
    P[0] = G[0] > 0.0 ? -c[0] / G[0] : 0.0;
    return;
  }
  // The rows are scaled, so that dependence between them does not change with their units.
  thread_local MinimumNorm factors;
  thread_local Vec scale;
  scale.resize(rows);
  for (int i = 0; i < rows; ++i) scale[i] = G[i * (rows + 1)] > 0.0 ? 1.0 / std::sqrt(G[i * (rows + 1)]) : 1.0;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i) G[j * rows + i] *= scale[i] * scale[j];
  for (int i = 0; i < rows; ++i) P[i] = -c[i] * scale[i];
  factors.factor(rows, G);
  factors.solve(P);
  for (int i = 0; i < rows; ++i) P[i] *= scale[i];
}

}  // namespace tappet
