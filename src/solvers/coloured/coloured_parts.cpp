// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Laws that are not between balls, which are visited one by one.
#include <algorithm>
#include <cmath>

#include "solvers/coloured/coloured_sweeps.h"
#include "solvers/iterative/local.h"

namespace tappet {

namespace {

// Rows over the velocities of one or two bodies.
template <int rows, int bodies>
void add_rates(const double* w, const double* v_A, const double* v_B, double* xi) {
  for (int r = 0; r < rows; ++r, w += bodies * 6) {
    double sum = xi[r];
    for (int i = 0; i < 3; ++i) sum += w[i] * v_A[i] + w[3 + i] * v_A[4 + i];
    if constexpr (bodies == 2)
      for (int i = 0; i < 3; ++i) sum += w[6 + i] * v_B[i] + w[9 + i] * v_B[4 + i];
    xi[r] = sum;
  }
}

template <int rows, int bodies>
void add_push(const double* y, const double* dP, double* v_A, double* v_B) {
  for (int r = 0; r < rows; ++r, y += bodies * 6)
    for (int i = 0; i < 3; ++i) {
      v_A[i] += y[i] * dP[r], v_A[4 + i] += y[3 + i] * dP[r];
      if constexpr (bodies == 2) v_B[i] += y[6 + i] * dP[r], v_B[4 + i] += y[9 + i] * dP[r];
    }
}

// Solves one contact alone, from ξ at the present P. It sticks if that lies in the cone. Otherwise it takes one step of
// the prox iteration, normal first. A sweep need not be more exact than the next one.
void solve_spatial(const double* G, const double* inverse, double mu, const double* xi, const double* P,
                   double* P_new) {
  for (int i = 0; i < 3; ++i) P_new[i] = P[i] - inverse[i] * xi[0] - inverse[3 + i] * xi[1] - inverse[6 + i] * xi[2];
  const auto outside = [&] { return P_new[1] * P_new[1] + P_new[2] * P_new[2] > mu * mu * P_new[0] * P_new[0]; };
  if (P_new[0] >= 0.0 && !outside()) return;
  P_new[0] = std::max(0.0, P[0] - xi[0] / G[0]);
  const double dN = P_new[0] - P[0], step = 1.0 / (std::max(G[4], G[8]) + std::abs(G[5]));
  P_new[1] = P[1] - step * (xi[1] + G[1] * dN), P_new[2] = P[2] - step * (xi[2] + G[2] * dN);
  if (!outside()) return;
  const double scale = mu * P_new[0] / std::sqrt(P_new[1] * P_new[1] + P_new[2] * P_new[2]);
  P_new[1] *= scale, P_new[2] *= scale;
}

// The inverse of a symmetric G with 3 rows. Returns false if it is singular up to rounding.
bool invert(const double* G, double* inverse) {
  const double a = G[4] * G[8] - G[5] * G[5], b = G[2] * G[5] - G[1] * G[8], c = G[1] * G[5] - G[2] * G[4];
  const double det = G[0] * a + G[1] * b + G[2] * c, trace = G[0] + G[4] + G[8];
  if (!(det > 1e-9 * trace * trace * trace)) return false;
  const double d = (G[0] * G[8] - G[2] * G[2]) / det, e = (G[1] * G[2] - G[0] * G[5]) / det;
  const double f = (G[0] * G[4] - G[1] * G[1]) / det;
  const double values[9] = {a / det, b / det, c / det, b / det, d, e, c / det, e, f};
  std::copy(values, values + 9, inverse);
  return true;
}

}  // namespace

void ColouredSweeps::fill(const ContactProblem& problem, int k, Part& part) {
  const Law& law = problem.laws[k];
  const BlockRows& W = problem.G.W();
  part.law = k, part.row = law.row, part.mu = law.mu, part.kind = Part::Kind::general;
  if (sides_[k].A < 0 || (law.rows != 1 && law.rows != 3)) return;
  part.A = sides_[k].A, part.B = sides_[k].B;
  const int width = part.B < 0 ? body : 2 * body;
  const double* w = W.values(k);
  for (int j = 0; j < law.rows; ++j)
    for (int i = 0; i < law.rows; ++i) part.G[j * law.rows + i] = dot(w + i * width, w + j * width, width);
  if (law.rows == 1 || invert(part.G, part.inverse))
    part.kind = law.rows == 1 ? Part::Kind::normal : Part::Kind::spatial;
}

void ColouredSweeps::velocity_of(const Part& part, double* xi) const {
  const BlockRows& W = problem_->G.W();
  const double *c = problem_->c.data() + part.row, *w = W.values(part.law);
  const double* v = std::get<Balls<double>>(balls_).velocity.data()->value;
  if (part.kind == Part::Kind::general) {
    const auto columns = W.columns(part.law);
    for (int r = 0; r < problem_->laws[part.law].rows; ++r, w += columns.size()) {
      xi[r] = c[r];
      for (size_t a = 0; a < columns.size(); ++a) xi[r] += w[a] * v[place_[columns[a]]];
    }
    return;
  }
  double A[8], B[8];
  const double *v_A = in_own_frame(part.A, A), *v_B = in_own_frame(std::max(part.B, 0), B);
  if (part.kind == Part::Kind::normal) {
    xi[0] = c[0];
    part.B < 0 ? add_rates<1, 1>(w, v_A, v_B, xi) : add_rates<1, 2>(w, v_A, v_B, xi);
  } else {
    xi[0] = c[0], xi[1] = c[1], xi[2] = c[2];
    part.B < 0 ? add_rates<3, 1>(w, v_A, v_B, xi) : add_rates<3, 2>(w, v_A, v_B, xi);
  }
}

void ColouredSweeps::push_from(const Part& part, const double* dP) {
  const BlockRows& Y = problem_->G.Y();
  const double* y = Y.values(part.law);
  double* v = balls<double>().velocities();
  if (part.kind == Part::Kind::general) {
    const auto columns = Y.columns(part.law);
    for (int r = 0; r < problem_->laws[part.law].rows; ++r, y += columns.size())
      for (size_t a = 0; a < columns.size(); ++a) v[place_[columns[a]]] += y[a] * dP[r];
    return;
  }
  double A[8] = {}, B[8] = {};
  const bool turned_A = is_turned_[part.A], turned_B = part.B >= 0 && is_turned_[part.B];
  double *v_A = turned_A ? A : v + 8 * part.A, *v_B = turned_B ? B : v + 8 * std::max(part.B, 0);
  if (part.kind == Part::Kind::normal)
    part.B < 0 ? add_push<1, 1>(y, dP, v_A, v_B) : add_push<1, 2>(y, dP, v_A, v_B);
  else
    part.B < 0 ? add_push<3, 1>(y, dP, v_A, v_B) : add_push<3, 2>(y, dP, v_A, v_B);
  if (turned_A) add_turned(part.A, A);
  if (turned_B) add_turned(part.B, B);
}

const double* ColouredSweeps::in_own_frame(int body, double* line) const {
  const double* v = std::get<Balls<double>>(balls_).velocity[body].value;
  if (!is_turned_[body]) return v;
  const Frame& R = frames_[body];
  for (int i = 0; i < 3; ++i) {
    line[i] = v[i];
    line[4 + i] = R[i] * v[4] + R[3 + i] * v[5] + R[6 + i] * v[6];
  }
  return line;
}

void ColouredSweeps::add_turned(int body, const double* line) {
  double* v = balls<double>().velocity[body].value;
  const Frame& R = frames_[body];
  for (int i = 0; i < 3; ++i) {
    v[i] += line[i];
    v[4 + i] += R[3 * i] * line[4] + R[3 * i + 1] * line[5] + R[3 * i + 2] * line[6];
  }
}

double ColouredSweeps::visit(const Part& part) {
  if (part.kind == Part::Kind::general) return visit_general(part);
  const double* P = balls<double>().P.data() + part.at;
  double xi[3], P_new[3], dP[3];
  velocity_of(part, xi);
  if (part.kind == Part::Kind::spatial) {
    solve_spatial(part.G, part.inverse, part.mu, xi, P, P_new);
    return finish(part, part.G, 4, P_new, dP);
  }
  P_new[0] = part.G[0] > 0.0 ? std::max(0.0, P[0] - xi[0] / part.G[0]) : 0.0;
  return finish(part, part.G, 0, P_new, dP);
}

double ColouredSweeps::visit_general(const Part& part) {
  const Law& law = problem_->laws[part.law];
  const int rows = law.rows;
  thread_local std::vector<double> scratch;
  scratch.resize(rows * (2 * rows + 3));
  double *xi = scratch.data(), *P_new = xi + rows, *dP = P_new + rows, *G = dP + rows, *copy = G + rows * rows;
  const double* P = balls<double>().P.data() + part.at;
  velocity_of(part, xi);
  problem_->G.diagonal_block(part.row, rows, G);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) xi[i] -= G[j * rows + i] * P[j];
  if (law.kind == Law::Kind::contact) {
    solve_contact(rows, law.mu, G, rows, xi, P_new);
  } else {
    std::copy_n(G, rows * rows, copy);
    solve_joint(rows, copy, xi, P_new);
  }
  return finish(part, G, rows + 1, P_new, dP);
}

// Sets P ← P_new and moves the bodies. The entries of the diagonal of G are `stride` numbers apart.
double ColouredSweeps::finish(const Part& part, const double* G, int stride, const double* P_new, double* dP) {
  double square = 0.0, *P = balls<double>().P.data() + part.at;
  for (int i = 0; i < problem_->laws[part.law].rows; ++i) {
    dP[i] = P_new[i] - P[i];
    P[i] = P_new[i];
    const double change = G[i * stride] * dP[i];
    square += change * change;
  }
  if (square > 0.0) push_from(part, dP);
  return square;
}

double ColouredSweeps::squared_distance_of(const Part& part, double rho_inverse) const {
  const Law& law = problem_->laws[part.law];
  thread_local std::vector<double> xi;
  xi.resize(law.rows);
  velocity_of(part, xi.data());
  return squared_distance(*problem_, law, rho_inverse, std::get<Balls<double>>(balls_).P.data() + part.at, xi.data());
}

}  // namespace tappet
