// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "steppers/generalized_alpha/step_law.h"
#include "steppers/shared/acceleration_law.h"

namespace tappet::alpha {

// The linearised three-level problem in the variables (κ̂, P, λ), in which the levels are coupled by O(dt) only. It
// holds them, the kinematics (g, ξ, γ̇) that belong to them, and the step δz that led there.
class LevelVariables {
 public:
  enum Level { position, velocity, acceleration };
  explicit LevelVariables(const ContactList& contacts) : contacts_(contacts) {}

  void begin(const Trial& trial);                // at the trial point, which must last until the step is found
  void change(Level level, int row, double by);  // κ̂, P or λ of a row; the others of (κ̂, P, λ) are held
  void take_A();                                 // which contacts are closed on the level of positions (130)
  void close();                                  // which contacts carry forces, and which of them slide and where to
  double kinematic(Level level, int row) const;  // g, ξ or γ̇
  const Vec& of(Level level) const { return level == position ? kappa : level == velocity ? P : lambda; }

  Vec kappa, P, lambda;  // by rows [joints | involved]
  Vec kinematics, dz;    // in the order of z
  std::vector<char> in_A, in_B;
  std::vector<ContactMode> modes;  // by involved contact

 private:
  const ContactList& contacts_;
  const Trial* trial_ = nullptr;
  Vec xi_offset_;
};

// Solves the linearised three-level problem without inverting its Jacobian, so that directions may depend on each
// other: position, velocity, acceleration in turn, each exactly, by the contact solver.
class Levels {
 public:
  Levels(const ContactList& contacts, ContactSolver* solver);

  bool solve(const Trial& trial, Vec& dz);

 private:
  bool positions(const Trial& trial);
  bool velocities(const Trial& trial);
  bool accelerations(const Trial& trial);
  void choose_velocity_rows(const Trial& trial);
  SolveReport solve_problem() { return problem_.c.empty() ? SolveReport{} : solver_->solve(problem_, unknown_); }

  const ContactList& contacts_;
  const System& system_;
  ContactSolver* solver_;
  LevelVariables at_levels_;
  AccelerationLaw law_;
  ContactProblem problem_;
  Vec unknown_, c_;
  std::vector<int> rows_;
  Mat G_;
};

// The fixed point of the paper, (144)–(146), on the linearised balances, row by row with the newest values.
class FixedPoint {
 public:
  explicit FixedPoint(const ContactList& contacts) : contacts_(contacts), at_levels_(contacts) {}

  void solve(const Trial& trial, int iterations, Vec& dz);

 private:
  using Level = LevelVariables::Level;
  double sweep(const Trial& trial);  // how far it moved, in units of velocity over dt
  void contact(const Trial& trial, const Contact& contact, int c, int first);
  void update(const Trial& trial, Level level, int row, double value);
  void project(const Trial& trial, Level level, const Contact& contact, int first, double bound);

  const ContactList& contacts_;
  LevelVariables at_levels_;
  double moved_ = 0.0;
};

}  // namespace tappet::alpha
