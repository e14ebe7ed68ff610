// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/lemke.h"
#include "problem/contact_problem.h"
#include "solvers/options.h"

namespace tappet {

// Solves contacts by Lemke's method on the polyhedral friction cone. Joints are eliminated first (with the shortest
// impulses if they depend on each other). For each contact, with the columns of D as friction directions (Stewart,
// Trinkle 1996):
//   0 ≤ ξ_N ⊥ P_N ≥ 0,   0 ≤ Dᵀξ_F + λ e ⊥ β ≥ 0,   0 ≤ μ P_N − eᵀβ ⊥ λ ≥ 0,   P_F = D β.
// This is exact for frictionless and planar contacts. For spatial contacts D is turned until one of its directions
// opposes the slip. After a few such problems the round cone is reached. The method is dense. It does not start if the
// pivoting has more than 1500 unknowns.
class LemkeContact final : public ContactSolver {
 public:
  explicit LemkeContact(const SolverOptions& options) : options_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;

 private:
  static constexpr int most_unknowns = 1500;

  void take_rows(const ContactProblem& problem);
  void condense(const ContactProblem& problem);
  void align(const ContactProblem& problem, const Vec& P, const Vec& xi);
  int number_unknowns(const ContactProblem& problem);
  void build_cone(const Law& law, int a, int count);
  void build(const ContactProblem& problem);
  void recover(const ContactProblem& problem, Vec& P) const;
  int directions(const Law& law) const;

  SolverOptions options_;
  Lemke lemke_;
  MinimumNorm joints_;
  // response_: joint impulses per contact impulse, and their constant part
  Mat G_, reduced_, joint_block_, response_, M_;
  Vec c_, q_, z_, w_, unit_, column_, xi_, best_;
  std::vector<int> joint_rows_, contact_rows_, where_;  // where_: the index of a row among those of its kind
  Mat D_;                                               // directions of all spatial contacts, by columns, 3 rows
  std::vector<int> first_direction_, first_unknown_;
};

}  // namespace tappet
