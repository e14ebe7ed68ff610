// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/iterative/prox.h"

#include <algorithm>
#include <cmath>

#include "solvers/iterative/spectrum.h"
#include "solvers/support.h"

namespace tappet {

SolveReport Prox::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    const int limit = options_.max_iterations > 0 ? options_.max_iterations : 100'000;
    choose_steps(problem);
    respond(problem, P, xi_);
    best_ = P;
    SolveReport report{SolveStatus::not_converged, 0, residual(problem, P, xi_)};
    const Deadline deadline(options_.budget_s);
    double relax = 1.0, reference = report.residual;
    while (report.residual > options_.tolerance && report.iterations < limit) {
      advance(problem, relax, P, xi_);
      ++report.iterations;
      if (report.iterations > 10 && report.iterations % 10 != 0) continue;
      respond(problem, P, xi_);
      const double e = residual(problem, P, xi_);
      if (!std::isfinite(e) || e > 1e3 * reference) {  // the step was too long
        relax *= 0.5;
        P = best_;
        respond(problem, P, xi_);
        if (relax < 1e-6) break;
      }
      if (e < report.residual) report.residual = e, best_ = P;
      if (report.iterations > 50 && deadline.passed()) break;
    }
    P = best_;
    report.status = report.residual <= options_.tolerance ? SolveStatus::converged : SolveStatus::not_converged;
    return report;
  });
}

void Prox::choose_steps(const ContactProblem& problem) {
  step_.resize(static_cast<int>(problem.laws.size()));
  part_.assign(problem.laws.size(), 0);
  for (int k = 0, part = 0; k < step_.size(); ++k) {
    const Law& law = problem.laws[k];
    block_.resize(law.rows * law.rows);
    problem.G.diagonal_block(law.row, law.rows, block_.data());
    double bound = 0.0;  // a bound of the largest eigenvalue: the largest sum of |row|
    for (int i = 0; i < law.rows; ++i) {
      double sum = 0.0;
      for (int j = 0; j < law.rows; ++j) sum += std::abs(block_[j * law.rows + i]);
      bound = std::max(bound, sum);
    }
    step_[k] = bound > 0.0 ? 1.0 / bound : 0.0;
    if (problem.G.form() == Delassus::Form::factored) {
      while (problem.G.W().block(part).row + problem.G.W().block(part).rows <= law.row) ++part;
      part_[k] = part;
    }
  }
  if (order_ == Order::gauss_seidel) return;
  const double largest = largest_eigenvalue(problem, step_, power_, velocity_);
  for (double& r : step_) r *= largest > 0.0 ? 1.0 / largest : 1.0;
}

namespace {

// Projects the normal impulse on P_N ≥ 0, then friction on the disc of radius μ P_N.
void limit_friction(const Law& law, double* P) {
  P[0] = std::max(0.0, P[0]);
  double norm = 0.0;
  for (int i = 1; i < law.rows; ++i) norm += P[i] * P[i];
  norm = std::sqrt(norm);
  if (norm > law.mu * P[0])
    for (int i = 1; i < law.rows; ++i) P[i] *= law.mu * P[0] / norm;
}

}  // namespace

void Prox::advance(const ContactProblem& problem, double relax, Vec& P, Vec& xi) {
  const Delassus& G = problem.G;
  const bool sequential = order_ == Order::gauss_seidel, factored = G.form() == Delassus::Form::factored;
  if (sequential && factored) {
    velocity_.assign(G.velocities(), 0.0);
    G.Y().multiply_transposed(P, velocity_);
  }
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    const double r = relax * step_[k];
    double* P_k = P.data() + law.row;
    double* xi_k = xi.data() + law.row;
    if (sequential && factored) row_velocity(G, part_[k], law, velocity_, problem.c, xi_k);
    block_.resize(law.rows);
    for (int i = 0; i < law.rows; ++i) block_[i] = P_k[i], P_k[i] -= r * xi_k[i];
    if (law.kind == Law::Kind::contact) limit_friction(law, P_k);
    if (!sequential) continue;
    for (int i = 0; i < law.rows; ++i) block_[i] = P_k[i] - block_[i];
    if (factored)
      add_velocity(G, part_[k], law, block_.data(), velocity_);
    else
      add_response(G, law.row, law.rows, block_.data(), xi);
  }
  if (!sequential) respond(problem, P, xi);
}

}  // namespace tappet
