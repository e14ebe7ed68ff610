// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/poisson_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "steppers/shared/found_laws.h"

namespace tappet {

namespace {

constexpr int most_passes = 20;
constexpr double small = 1e-9;  // relative to the velocities of a contact, or to the largest impulse

bool rubs(const Law& law) { return law.kind == Law::Kind::contact && law.rows > 1 && law.mu > 0.0; }

double largest(const Vec& x) {
  double size = 0.0;
  for (double v : x) size = std::max(size, std::abs(v));
  return size;
}

}  // namespace

void PoissonLaw::check(const ContactList& contacts) {
  for (const Contact& contact : contacts)
    if (contact.law->e_F != 0.0)
      throw ModelError(
          contacts.system().model().file, contact.place(), "contacts." + contact.name(),
          fmt::format("e_F = {}, but Poisson's impact law restores normal impulses only; expected e_F = 0, "
                      "or the option impact=newton",
                      contact.law->e_F));
  const std::string& file = contacts.system().model().file;
  each_found_law(contacts.system(), [&](const ColliderEntry& one, const ColliderEntry& other, const ContactLaw& law) {
    if (law.e_F != 0.0)
      throw ModelError(file, one.place, "colliders." + one.name,
                       fmt::format("e_F = {} between '{}' and '{}', but Poisson's impact law restores normal impulses "
                                   "only; expected e_F = 0, or the option impact=newton",
                                   law.e_F, one.name, other.name));
  });
}

SolveReport PoissonLaw::decompress(ContactSolver& solver, const ContactProblem& problem, const Vec& restored, Vec& P) {
  given_.assign(problem.size(), 0);
  for (const Law& law : problem.laws) given_[law.row] = rubs(law) && restored[law.row] > 0.0;
  SolveReport report;
  P.assign(problem.size(), 0.0);
  for (int pass = 0; pass < most_passes; ++pass) {
    pose(problem, restored);
    // For frictionless contacts: the impulse in addition to the restored one.
    for (const Law& law : problem.laws)
      if (!rubs(law)) P[law.row] -= restored[law.row];
    const SolveReport solved = solver.solve(posed_, P);
    for (const Law& law : problem.laws)
      if (!rubs(law)) P[law.row] += restored[law.row];
    report.iterations += solved.iterations, report.factorisations += solved.factorisations;
    report.status = solved.status, report.residual = solved.residual;
    report.solver = std::max(report.solver, solved.solver);
    if (!revise(problem, restored, P)) return report;
  }
  report.status = SolveStatus::not_converged;
  return report;
}

// The problem with given normal rows taken out of G and the known impulses moved to c.
void PoissonLaw::pose(const ContactProblem& problem, const Vec& restored) {
  const int n = problem.size();
  shift_.assign(n, 0.0), xi_.assign(n, 0.0);
  for (const Law& law : problem.laws)
    if (given_[law.row] || !rubs(law)) shift_[law.row] = restored[law.row];
  problem.G.multiply(shift_, xi_);
  posed_.laws = problem.laws;
  posed_.c = problem.c;
  for (int r = 0; r < n; ++r) {
    double own = 0.0;
    if (given_[r]) problem.G.diagonal_block(r, 1, &own);
    posed_.c[r] = given_[r] ? -own * restored[r] : problem.c[r] + xi_[r];
  }
  if (problem.G.form() == Delassus::Form::dense) {
    Mat& G = posed_.G.dense(n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) G(i, j) = i != j && (given_[i] || given_[j]) ? 0.0 : problem.G.dense()(i, j);
    return;
  }
  SparseColumns& G = posed_.G.sparse(n);
  G = problem.G.sparse();
  for (int j = 0; j < n; ++j)
    for (int k = G.start[j]; k < G.start[j + 1]; ++k)
      if (G.row[k] != j && (given_[j] || given_[G.row[k]])) G.value[k] = 0.0;
}

bool PoissonLaw::revise(const ContactProblem& problem, const Vec& restored, const Vec& P) {
  problem.G.multiply(P, xi_);
  const double impulse = largest(restored);
  bool changed = false;
  for (const Law& law : problem.laws) {
    if (!rubs(law) || !(restored[law.row] > 0.0)) continue;
    // Other contacts may be a million times faster if they act on light bodies.
    const double response = xi_[law.row], c = problem.c[law.row], velocity = std::max(std::abs(response), std::abs(c));
    const bool wrong =
        given_[law.row] ? response + c < -small * velocity : P[law.row] < restored[law.row] - small * impulse;
    if (wrong) given_[law.row] = !given_[law.row], changed = true;
  }
  return changed;
}

}  // namespace tappet
