// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/iterative/gauss_seidel.h"

#include <algorithm>
#include <cmath>

#include "solvers/iterative/local.h"
#include "solvers/support.h"

namespace tappet {

SolveReport GaussSeidel::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    const int sweeps = options_.max_iterations > 0 ? options_.max_iterations : default_sweeps;
    return sweep(problem, sweeps, options_.tolerance, P, xi_);
  });
}

void GaussSeidel::take_blocks(const ContactProblem& problem) {
  block_.clear();
  int total = 0;
  for (const Law& law : problem.laws) block_.push_back(total), total += law.rows * law.rows;
  blocks_.resize(total);
  for (size_t k = 0; k < problem.laws.size(); ++k)
    problem.G.diagonal_block(problem.laws[k].row, problem.laws[k].rows, blocks_.data() + block_[k]);
  if (problem.G.form() == Delassus::Form::factored) {
    part_.clear();
    for (int k = 0; const Law& law : problem.laws) {
      while (problem.G.W().block(k).row + problem.G.W().block(k).rows <= law.row) ++k;
      part_.push_back(k);
    }
  }
}

SolveReport GaussSeidel::sweep(const ContactProblem& problem, int sweeps, double tolerance, Vec& P, Vec& xi) {
  take_blocks(problem);
  respond(problem, P, xi);
  SolveReport report{SolveStatus::not_converged, 0, residual(problem, P, xi)};
  best_ = P;
  const Deadline deadline(options_.budget_s);
  // If the problem is sparse, the residual costs as much as a sweep. So it is computed after 1, 2, 3, 4, 6, 9, …
  // sweeps.
  int next_look = 1;
  while (report.residual > tolerance && report.iterations < sweeps) {
    const double change = one_sweep(problem, P, xi);
    ++report.iterations;
    if (report.iterations < next_look && report.iterations < sweeps && change > 0.0) continue;
    next_look += 1 + std::min(next_look / 2, 50);
    respond(problem, P, xi);
    const double e = residual(problem, P, xi);
    if (!std::isfinite(e)) break;
    if (e < report.residual) report.residual = e, best_ = P;
    if (change == 0.0 || (report.iterations > 50 && deadline.passed())) break;
  }
  P = best_;
  respond(problem, P, xi);
  report.status = report.residual <= tolerance ? SolveStatus::converged : SolveStatus::not_converged;
  return report;
}

// Solves law k alone, with ξ at the present P. dP is the change of its impulse. Returns the largest change, as a
// velocity.
double GaussSeidel::solve_law(const Law& law, const double* block, const double* xi, double* P, double* dP) {
  const int rows = law.rows;
  double *c = dP + rows, *P_new = c + rows, *copy = P_new + rows, largest = 0.0;
  for (int i = 0; i < rows; ++i) {
    c[i] = xi[i];
    for (int j = 0; j < rows; ++j) c[i] -= block[j * rows + i] * P[j];
  }
  if (law.kind == Law::Kind::contact) {
    solve_contact(rows, law.mu, block, rows, c, P_new);
  } else {
    std::copy(block, block + rows * rows, copy);
    solve_joint(rows, copy, c, P_new);
  }
  for (int i = 0; i < rows; ++i) {
    dP[i] = P_new[i] - P[i];
    largest = std::max(largest, std::abs(dP[i]) * block[i * rows + i]);
    P[i] = P_new[i];
  }
  return largest;
}

// Returns the largest change of an impulse, as a velocity.
double GaussSeidel::one_sweep(const ContactProblem& problem, Vec& P, Vec& xi) {
  const Delassus& G = problem.G;
  const bool factored = G.form() == Delassus::Form::factored;
  if (factored) {
    velocity_.assign(G.velocities(), 0.0);
    G.Y().multiply_transposed(P, velocity_);
  }
  double largest = 0.0;
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    const int rows = law.rows;
    scratch_.resize(rows * (rows + 3));
    double* dP = scratch_.data();
    if (factored) row_velocity(G, part_[k], law, velocity_, problem.c, xi.data() + law.row);
    const double change = solve_law(law, blocks_.data() + block_[k], xi.data() + law.row, P.data() + law.row, dP);
    largest = std::max(largest, change);
    if (factored)
      add_velocity(G, part_[k], law, dP, velocity_);
    else
      add_response(G, law.row, rows, dP, xi);
  }
  return largest;
}

}  // namespace tappet
