// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/dense/lemke_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/support.h"

namespace tappet {

namespace {

bool slides(const Law& law) { return law.kind == Law::Kind::contact && law.rows > 1 && law.mu > 0.0; }

// Friction directions that span the space positively: ±1 on the line, a regular polygon in the plane, axes and corners
// of a cube in space (drilling friction). The first direction is the first axis.
void spread_directions(int friction_rows, int count, double* D) {
  std::fill(D, D + 3 * count, 0.0);
  if (friction_rows == 1) {
    D[0] = 1.0, D[3] = -1.0;
  } else if (friction_rows == 2) {
    for (int j = 0; j < count; ++j) {
      const double angle = 2.0 * std::numbers::pi * j / count;
      D[3 * j] = std::cos(angle), D[3 * j + 1] = std::sin(angle);
    }
  } else {
    for (int i = 0; i < 3; ++i) D[3 * (2 * i) + i] = 1.0, D[3 * (2 * i + 1) + i] = -1.0;
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 3; ++i) D[3 * (6 + j) + i] = ((j >> i) & 1 ? 1.0 : -1.0) / std::sqrt(3.0);
  }
}

}  // namespace

int LemkeContact::directions(const Law& law) const {
  if (!slides(law)) return 0;
  return law.rows == 2 ? 2 : law.rows == 3 ? options_.facets : 14;
}

SolveReport LemkeContact::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    respond(problem, P, xi_);
    best_ = P;
    SolveReport report{SolveStatus::not_converged, 0, residual(problem, P, xi_)};
    const bool spatial =
        std::any_of(problem.laws.begin(), problem.laws.end(), [](const Law& l) { return slides(l) && l.rows > 2; });
    const bool friction = std::any_of(problem.laws.begin(), problem.laws.end(), slides);
    int unknowns = 0;
    for (const Law& law : problem.laws)
      if (law.kind == Law::Kind::contact) unknowns += 1 + (slides(law) ? directions(law) + 1 : 0);
    if (unknowns > most_unknowns || problem.size() > most_unknowns) return report;
    const Deadline deadline(options_.budget_s);
    if (report.residual > options_.tolerance) condense(problem);
    for (int turn = 0; turn < (spatial ? 200 : 1) && report.residual > options_.tolerance; ++turn) {
      align(problem, P, xi_);
      build(problem);
      const auto lemke = lemke_.solve(M_, q_, z_, w_, options_.max_iterations);
      report.iterations += lemke.pivots;
      if (lemke.end == Lemke::End::ray && !friction) report.status = SolveStatus::infeasible;
      recover(problem, P);
      respond(problem, P, xi_);
      const double e = residual(problem, P, xi_);
      if (e < report.residual) report.residual = e, best_ = P;
      if (lemke.end != Lemke::End::solution || deadline.passed()) break;
    }
    P = best_;
    if (report.residual <= options_.tolerance) report.status = SolveStatus::converged;
    return report;
  });
}

// Determines which rows belong to joints and which to contacts, and copies G by columns to reduced_.
void LemkeContact::take_rows(const ContactProblem& problem) {
  const int n = problem.size();
  joint_rows_.clear(), contact_rows_.clear();
  where_.resize(n);
  for (const Law& law : problem.laws) {
    auto& rows = law.kind == Law::Kind::bilateral ? joint_rows_ : contact_rows_;
    for (int i = law.row; i < law.row + law.rows; ++i) where_[i] = static_cast<int>(rows.size()), rows.push_back(i);
  }
  reduced_.resize(n, n);
  unit_.assign(n, 0.0), column_.resize(n);
  for (int j = 0; j < n; ++j) {
    unit_[j] = 1.0;
    problem.G.multiply(unit_, {reduced_.column(j), static_cast<size_t>(n)});
    unit_[j] = 0.0;
  }
}

// Eliminates the joints: ξ_c = G_ P_c + c_ with P_b = −G_bb⁺ (G_bc P_c + c_b).
void LemkeContact::condense(const ContactProblem& problem) {
  take_rows(problem);
  const int m = static_cast<int>(contact_rows_.size()), b = static_cast<int>(joint_rows_.size());
  joint_block_.resize(b, b);
  for (int j = 0; j < b; ++j)
    for (int i = 0; i < b; ++i) joint_block_(i, j) = reduced_(joint_rows_[i], joint_rows_[j]);
  joints_.factor(b, joint_block_.data());
  response_.resize(b, m + 1);
  for (int j = 0; j <= m; ++j) {
    for (int i = 0; i < b; ++i)
      response_(i, j) = -(j < m ? reduced_(joint_rows_[i], contact_rows_[j]) : problem.c[joint_rows_[i]]);
    if (b > 0) joints_.solve(response_.column(j));
  }
  G_.resize(m, m), c_.resize(m);
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = j < m ? reduced_(contact_rows_[i], contact_rows_[j]) : problem.c[contact_rows_[i]];
      for (int k = 0; k < b; ++k) sum += reduced_(contact_rows_[i], joint_rows_[k]) * response_(k, j);
      (j < m ? G_(i, j) : c_[i]) = sum;
    }
}

namespace {

// Turns directions by the reflection e₁ → v/‖v‖.
void reflect(int f, double* v, int count, double* D) {
  double norm = 0.0, vv = 0.0;
  for (int i = 0; i < f; ++i) norm += v[i] * v[i];
  if (norm == 0.0) return;
  norm = std::sqrt(norm);
  for (int i = 0; i < f; ++i) v[i] = (i == 0 ? 1.0 : 0.0) - v[i] / norm, vv += v[i] * v[i];
  if (vv < 1e-30) return;
  for (int j = 0; j < count; ++j) {
    double sum = 0.0;
    for (int i = 0; i < f; ++i) sum += v[i] * D[3 * j + i];
    for (int i = 0; i < f; ++i) D[3 * j + i] -= 2.0 * sum / vv * v[i];
  }
}

}  // namespace

// Turns the directions of a spatial contact so that the first is that of the required friction, τ = P_F/r − ξ_F.
void LemkeContact::align(const ContactProblem& problem, const Vec& P, const Vec& xi) {
  first_direction_.clear();
  int total = 0;
  for (const Law& law : problem.laws) first_direction_.push_back(total), total += directions(law);
  D_.resize(3, total);
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    const int count = directions(law), f = law.rows - 1;
    if (count == 0) continue;
    double* D = D_.column(first_direction_[k]);
    spread_directions(f, count, D);
    double v[3] = {}, trace = 0.0;
    const int row = where_[law.row];
    for (int i = 0; i <= f; ++i) trace += G_(row + i, row + i) / law.rows;
    for (int i = 0; i < f; ++i) v[i] = trace * P[law.row + 1 + i] - xi[law.row + 1 + i];
    if (f > 1) reflect(f, v, count, D);
  }
}

int LemkeContact::number_unknowns(const ContactProblem& problem) {
  first_unknown_.clear();
  int n = 0;
  for (const Law& law : problem.laws) {
    first_unknown_.push_back(n);
    if (law.kind == Law::Kind::contact) n += 1 + (slides(law) ? directions(law) + 1 : 0);
  }
  return n;
}

// λ and the cone, in the unit of G, so that the numbers in the pivoting are comparable.
void LemkeContact::build_cone(const Law& law, int a, int count) {
  const int lambda = a + count + 1;
  const double unit = std::sqrt(std::max(G_(where_[law.row], where_[law.row]), 1e-300));
  M_(lambda, a) = law.mu * unit;
  for (int i = 1; i <= count; ++i) M_(a + i, lambda) = unit, M_(lambda, a + i) = -unit;
}

void LemkeContact::build(const ContactProblem& problem) {
  const int n = number_unknowns(problem);
  M_.resize(n, n), q_.assign(n, 0.0);
  M_.set_zero();
  const size_t laws = problem.laws.size();
  const auto in_direction = [&](size_t k, int j, auto&& value) {  // Σ over the rows of unknown j of contact k
    const int row = where_[problem.laws[k].row];
    if (j == 0) return value(row);
    const double* d = D_.column(first_direction_[k] + j - 1);
    double sum = 0.0;
    for (int i = 0; i < problem.laws[k].rows - 1; ++i) sum += d[i] * value(row + 1 + i);
    return sum;
  };
  for (size_t k = 0; k < laws; ++k) {
    if (problem.laws[k].kind == Law::Kind::bilateral) continue;
    const int a = first_unknown_[k], count = directions(problem.laws[k]);
    for (int i = 0; i <= count; ++i) {
      q_[a + i] = in_direction(k, i, [&](int row) { return c_[row]; });
      for (size_t l = 0; l < laws; ++l) {
        if (problem.laws[l].kind == Law::Kind::bilateral) continue;
        for (int j = 0; j <= directions(problem.laws[l]); ++j)
          M_(a + i, first_unknown_[l] + j) = in_direction(
              k, i, [&](int row) { return in_direction(l, j, [&](int column) { return G_(row, column); }); });
      }
    }
    if (count > 0) build_cone(problem.laws[k], a, count);
  }
}

void LemkeContact::recover(const ContactProblem& problem, Vec& P) const {
  P.set_zero();
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int a = first_unknown_[k];
    P[law.row] = z_[a];
    for (int j = 0; j < directions(law); ++j)
      for (int i = 0; i < law.rows - 1; ++i) P[law.row + 1 + i] += D_(i, first_direction_[k] + j) * z_[a + 1 + j];
  }
  const int m = static_cast<int>(contact_rows_.size());
  for (size_t i = 0; i < joint_rows_.size(); ++i) {
    double sum = response_(i, m);
    for (int j = 0; j < m; ++j) sum += response_(i, j) * P[contact_rows_[j]];
    P[joint_rows_[i]] = sum;
  }
}

}  // namespace tappet
