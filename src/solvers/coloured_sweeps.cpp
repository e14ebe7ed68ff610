// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured_sweeps.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "math/parallel.h"
#include "solvers/local.h"
#include "solvers/support.h"

namespace tappet {

namespace {

constexpr int colours = 63;  // a body in more contacts than these has the rest solved one after the other
constexpr int body = 6;      // velocities of a rigid body

// Rows over the velocities of one or two bodies.
template <int rows, int bodies>
void add_rates(const double* w, const double* v_A, const double* v_B, double* xi) {
  for (int r = 0; r < rows; ++r, w += bodies * body) {
    double sum = xi[r];
    for (int i = 0; i < body; ++i) sum += w[i] * v_A[i];
    if constexpr (bodies == 2)
      for (int i = 0; i < body; ++i) sum += w[body + i] * v_B[i];
    xi[r] = sum;
  }
}

template <int rows, int bodies>
void add_push(const double* y, const double* dP, double* v_A, double* v_B) {
  for (int i = 0; i < body; ++i) {
    double sum = v_A[i];
    for (int r = 0; r < rows; ++r) sum += y[r * bodies * body + i] * dP[r];
    v_A[i] = sum;
  }
  if constexpr (bodies == 2)
    for (int i = 0; i < body; ++i) {
      double sum = v_B[i];
      for (int r = 0; r < rows; ++r) sum += y[r * bodies * body + body + i] * dP[r];
      v_B[i] = sum;
    }
}

// One contact alone where G_kk⁻¹ = diag(a, b, b), from ξ at the present P.
void solve_isotropic(double a, double b, double mu, const double* xi, const double* P, double* P_new) {
  P_new[0] = std::max(0.0, P[0] - a * xi[0]);
  const double x = P[1] - b * xi[1], y = P[2] - b * xi[2];
  const double square = x * x + y * y, limit = mu * P_new[0];
  const double scale = square > limit * limit ? limit / std::sqrt(square) : 1.0;
  P_new[1] = scale * x, P_new[2] = scale * y;
}

// G⁻¹ of 3 rows, symmetric; false where it is singular to rounding.
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

// One contact alone from ξ at the present P: stick where that lies in the cone, else one step of the prox iteration,
// normal first; a sweep need not be more exact than the next one.
void solve_spatial(const double* G, const double* inverse, double mu, const double* xi, const double* P,
                   double* P_new) {
  for (int i = 0; i < 3; ++i)
    P_new[i] = P[i] - inverse[i] * xi[0] - inverse[3 + i] * xi[1] - inverse[6 + i] * xi[2];
  const auto outside = [&] { return P_new[1] * P_new[1] + P_new[2] * P_new[2] > mu * mu * P_new[0] * P_new[0]; };
  if (P_new[0] >= 0.0 && !outside()) return;
  P_new[0] = std::max(0.0, P[0] - xi[0] / G[0]);
  const double dN = P_new[0] - P[0], step = 1.0 / (std::max(G[4], G[8]) + std::abs(G[5]));
  P_new[1] = P[1] - step * (xi[1] + G[1] * dN), P_new[2] = P[2] - step * (xi[2] + G[2] * dN);
  if (!outside()) return;
  const double scale = mu * P_new[0] / std::sqrt(P_new[1] * P_new[1] + P_new[2] * P_new[2]);
  P_new[1] *= scale, P_new[2] *= scale;
}

// Whether columns are whole bodies of six velocities in a row.
bool regular(std::span<const int> columns) {
  if (columns.size() != body && columns.size() != 2 * body) return false;
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i] != columns[i - i % body] + static_cast<int>(i % body)) return false;
  return true;
}

}  // namespace

SolveReport ColouredSweeps::solve(const ContactProblem& problem, Vec& P) {
  if (problem.G.form() != Delassus::Form::factored) return plain_.solve(problem, P);
  return run_checked(problem, P, [&] {
    const int sweeps = options_.max_iterations > 0 ? options_.max_iterations : default_sweeps;
    return sweep(problem, sweeps, options_.tolerance, P);
  });
}

SolveReport ColouredSweeps::sweep(const ContactProblem& problem, int sweeps, double tolerance, Vec& P) {
  problem_ = &problem, P_ = &P;
  choose_colours(problem);
  lay_out(problem);
  velocity_.assign(problem.G.velocities(), 0.0);
  problem.G.Y().multiply_transposed(P, velocity_);
  xi_.resize(problem.size()), change_.resize(problem.size());
  extrapolation_.start();

  const double rho_inverse = velocity_per_impulse(problem);
  const double enough = 0.95 * tolerance * norm(problem, rho_inverse, problem.c);
  SolveReport report{SolveStatus::not_converged, 0, HUGE_VAL};
  const Deadline deadline(options_.budget_s);
  // The distance costs most of a sweep: looked at where the changes within a sweep say that it may be small enough.
  double look_below = 3.0 * enough;
  while (true) {
    const double change = one_sweep();
    ++report.iterations;
    const bool last = report.iterations >= sweeps || change == 0.0 || !std::isfinite(change) ||
                      (report.iterations % 64 == 0 && deadline.passed());
    if (last) break;
    if (change <= look_below) {
      const double left = distance(rho_inverse);
      if (left <= enough) break;
      look_below = change * std::min(0.95, 1.2 * enough / left);
    }
    extrapolation_.apply(change_, change, P, velocity_);
  }
  respond(problem, P, xi_);
  report.residual = residual(problem, P, xi_);
  report.status = report.residual <= tolerance ? SolveStatus::converged : SolveStatus::not_converged;
  return report;
}

// Greedy, in the order of the laws: the lowest colour that none of the bodies has seen.
void ColouredSweeps::choose_colours(const ContactProblem& problem) {
  const Delassus& G = problem.G;
  const int laws = static_cast<int>(problem.laws.size());
  used_.assign(G.velocities(), 0);
  colour_of_.resize(laws);
  count_.assign(colours + 2, 0);
  for (int k = 0; k < laws; ++k) {
    const auto columns = G.Y().columns(k);
    std::uint64_t used = 0;
    for (int v : columns) used |= used_[G.block_of(v)];
    const int colour = std::min(std::countr_one(used), colours);
    for (int v : columns) used_[G.block_of(v)] |= std::uint64_t{1} << colour;
    colour_of_[k] = colour;
    ++count_[colour + 1];
  }
  for (int c = 0; c <= colours; ++c) count_[c + 1] += count_[c];
}

void ColouredSweeps::lay_out(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  parts_.resize(laws);
  blocks_.clear(), colour_start_.clear();
  for (int c = 0; c <= colours && count_[c] < laws; ++c) {
    colour_start_.push_back(static_cast<int>(blocks_.size()));
    for (int first = count_[c]; first < count_[c + 1]; first += block_size)
      blocks_.push_back({first, std::min(first + block_size, count_[c + 1])});
    last_is_serial_ = c == colours;
  }
  colour_start_.push_back(static_cast<int>(blocks_.size()));
  sums_.resize(blocks_.size());
  for (int k = 0; k < laws; ++k) parts_[count_[colour_of_[k]]++].law = k;
  inverses_.resize(9 * static_cast<size_t>(problem.size() / 3 + 1));
  parallel_for(laws, 256, [&](int first, int last) {
    for (int i = first; i < last; ++i) describe(problem, parts_[i]);
  });
}

void ColouredSweeps::describe(const ContactProblem& problem, Part& part) {
  const Law& law = problem.laws[part.law];
  const BlockRows &W = problem.G.W(), &Y = problem.G.Y();
  const auto columns = W.columns(part.law);
  part.row = law.row, part.mu = law.mu, part.kind = Part::Kind::general;
  const bool by_bodies = &W == &Y && regular(columns) && law.kind == Law::Kind::contact;
  if (!by_bodies || (law.rows != 1 && law.rows != 3)) return;
  part.kind = law.rows == 1 ? Part::Kind::normal : Part::Kind::spatial;
  part.first_A = columns[0], part.first_B = columns.size() > body ? columns[body] : -1;
  const double* w = W.values(part.law);
  const size_t width = columns.size();
  for (int j = 0; j < law.rows; ++j)
    for (int i = 0; i < law.rows; ++i) {
      double sum = 0.0;
      for (size_t a = 0; a < width; ++a) sum += w[i * width + a] * w[j * width + a];
      part.G[j * law.rows + i] = sum;
    }
  const double* G = part.G;
  const double small = 1e-14 * (G[0] + G[4] + G[8]);
  if (law.rows == 3 && std::abs(G[1]) < small && std::abs(G[2]) < small && std::abs(G[5]) < small &&
      std::abs(G[4] - G[8]) < 100 * small && G[0] > 0.0 && G[4] > 0.0)
    part.kind = Part::Kind::isotropic, part.G[1] = 1.0 / G[0], part.G[2] = 1.0 / G[4];
  else if (law.rows == 3 && !invert(G, inverses_.data() + 9 * static_cast<size_t>(law.row / 3)))
    part.kind = Part::Kind::general;
}

void ColouredSweeps::velocity_of(const Part& part, double* xi) const {
  const BlockRows& W = problem_->G.W();
  const double* c = problem_->c.data() + part.row;
  const double* w = W.values(part.law);
  const double* v = velocity_.data();
  if (part.kind == Part::Kind::general) {
    const auto columns = W.columns(part.law);
    for (int r = 0; r < problem_->laws[part.law].rows; ++r, w += columns.size()) {
      xi[r] = c[r];
      for (size_t a = 0; a < columns.size(); ++a) xi[r] += w[a] * v[columns[a]];
    }
    return;
  }
  const double *v_A = v + part.first_A, *v_B = v + part.first_B;
  if (part.kind == Part::Kind::normal) {
    xi[0] = c[0];
    part.first_B < 0 ? add_rates<1, 1>(w, v_A, v_A, xi) : add_rates<1, 2>(w, v_A, v_B, xi);
  } else {
    xi[0] = c[0], xi[1] = c[1], xi[2] = c[2];
    part.first_B < 0 ? add_rates<3, 1>(w, v_A, v_A, xi) : add_rates<3, 2>(w, v_A, v_B, xi);
  }
}

double ColouredSweeps::visit(const Part& part) {
  if (part.kind == Part::Kind::general) return visit_general(part);
  const bool normal = part.kind == Part::Kind::normal, single = part.first_B < 0;
  const double* y = problem_->G.Y().values(part.law);
  double *P = P_->data() + part.row, *change = change_.data() + part.row;
  double *v_A = velocity_.data() + part.first_A, *v_B = velocity_.data() + part.first_B;
  const double* G = part.G;
  double xi[3], P_new[3], dP[3];
  velocity_of(part, xi);
  if (normal) {
    P_new[0] = G[0] > 0.0 ? std::max(0.0, P[0] - xi[0] / G[0]) : 0.0;
    dP[0] = P_new[0] - P[0];
    change[0] = G[0] * dP[0];
    if (dP[0] == 0.0) return 0.0;
    P[0] = P_new[0];
    single ? add_push<1, 1>(y, dP, v_A, v_A) : add_push<1, 2>(y, dP, v_A, v_B);
    return change[0] * change[0];
  }
  if (part.kind == Part::Kind::isotropic) {
    solve_isotropic(G[1], G[2], part.mu, xi, P, P_new);
  } else {
    solve_spatial(G, inverses_.data() + 9 * static_cast<size_t>(part.row / 3), part.mu, xi, P, P_new);
  }
  double square = 0.0;
  for (int i = 0; i < 3; ++i) {
    dP[i] = P_new[i] - P[i];
    change[i] = G[4 * i] * dP[i];
    square += change[i] * change[i];
    P[i] = P_new[i];
  }
  if (square == 0.0) return 0.0;
  single ? add_push<3, 1>(y, dP, v_A, v_A) : add_push<3, 2>(y, dP, v_A, v_B);
  return square;
}

double ColouredSweeps::visit_general(const Part& part) {
  const Law& law = problem_->laws[part.law];
  const int rows = law.rows;
  thread_local std::vector<double> scratch;
  scratch.resize(rows * (2 * rows + 3));
  double *xi = scratch.data(), *P_new = xi + rows, *dP = P_new + rows, *G = dP + rows, *copy = G + rows * rows;
  double* P = P_->data() + part.row;
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
  double square = 0.0;
  for (int i = 0; i < rows; ++i) {
    dP[i] = P_new[i] - P[i];
    change_[part.row + i] = G[i * rows + i] * dP[i];
    square += change_[part.row + i] * change_[part.row + i];
    P[i] = P_new[i];
  }
  const BlockRows& Y = problem_->G.Y();
  const auto columns = Y.columns(part.law);
  const double* y = Y.values(part.law);
  for (int r = 0; r < rows; ++r, y += columns.size())
    for (size_t a = 0; a < columns.size(); ++a) velocity_[columns[a]] += y[a] * dP[r];
  return square;
}

// Σ f(part) over some blocks. Every block has its own sum, so that the total does not depend on the threads.
template <class F>
double ColouredSweeps::sum_over_blocks(int first, int last, F&& f) {
  parallel_for(last - first, 2, [&](int from, int to) {
    for (int b = first + from; b < first + to; ++b) {
      double sum = 0.0;
      for (int i = blocks_[b].first; i < blocks_[b].last; ++i) sum += f(parts_[i]);
      sums_[b] = sum;
    }
  });
  double sum = 0.0;
  for (int b = first; b < last; ++b) sum += sums_[b];
  return sum;
}

double ColouredSweeps::one_sweep() {
  const int count = static_cast<int>(colour_start_.size()) - 1;
  double sum = 0.0;
  for (int c = 0; c < count; ++c) {
    if (last_is_serial_ && c == count - 1) {
      for (int k = blocks_[colour_start_[c]].first; k < static_cast<int>(parts_.size()); ++k) sum += visit(parts_[k]);
      continue;
    }
    sum += sum_over_blocks(colour_start_[c], colour_start_[c + 1], [this](const Part& part) { return visit(part); });
  }
  return std::sqrt(sum);
}

double ColouredSweeps::distance(double rho_inverse) {
  return std::sqrt(sum_over_blocks(0, static_cast<int>(blocks_.size()), [&](const Part& part) {
    const Law& law = problem_->laws[part.law];
    const double* P = P_->data() + part.row;
    double* xi = xi_.data() + part.row;
    velocity_of(part, xi);
    double sum = 0.0;
    if (law.kind == Law::Kind::bilateral) {
      for (int i = 0; i < law.rows; ++i) {
        const double x = xi[i] * joint_weight(*problem_, rho_inverse, part.row + i);
        sum += x * x;
      }
      return sum;
    }
    double x[4], slip = 0.0;
    for (int i = 1; i < law.rows; ++i) slip += xi[i] * xi[i];
    x[0] = P[0] * rho_inverse - xi[0] - law.mu * std::sqrt(slip);
    for (int i = 1; i < law.rows; ++i) x[i] = P[i] * rho_inverse - xi[i];
    project_cone(law.rows, law.mu, x);
    for (int i = 0; i < law.rows; ++i) sum += (P[i] * rho_inverse - x[i]) * (P[i] * rho_inverse - x[i]);
    return sum;
  }));
}

}  // namespace tappet
