// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "problem/contact_problem.h"
#include "steppers/generalized_alpha_law.h"

namespace tappet::alpha {

// Forces on acceleration level: γ̇ = G λ + c with γ̇_N ≥ 0 ⊥ λ_N ≥ 0; −γ̇_F ∈ N_C(λ_F) where the contact sticks,
// λ_F = −μ λ_N d where it slides along d. Rows [joints | contacts of the set] of which only some take part.
class Forces {
 public:
  enum class Mode { none, stick, slip };
  Forces(const System& system, ContactSolver* solver);

  // mode and direction (three numbers each) by contact of the set; G and c over all rows of [joints | set].
  SolveReport solve(const ContactSet& set, const std::vector<Mode>& mode, const Vec& direction, const Mat& G,
                    const Vec& c, Vec& lambda);

 private:
  const System& system_;
  ContactSolver* solver_;
  ContactProblem problem_;
  std::vector<int> first_;        // reduced unknown → row
  std::vector<int> along_;        // its contact where it slides, −1
  std::vector<int> friction_;     // how many friction rows that contact has
  Vec lambda_;
};

// Solves the linearised three-level problem without inverting its Jacobian, so that directions may depend on each
// other. In the variables (κ̂, P, λ) the levels are coupled by O(dt) only: position, velocity, acceleration are
// solved in turn.
class Levels {
 public:
  Levels(const System& system, std::unique_ptr<ContactSolver> solver);

  // By the contact solver, each level exactly.
  bool solve(const Balance& at, const Start& start, const Response& response, const Law& law, Vec& dz);
  // The paper's fixed point (144)–(146) on the linearised balances, row by row with the newest values.
  void fixed_point(const Balance& at, const Start& start, const Response& response, const Law& law, int iterations,
                   Vec& dz);
  ContactSolver* solver() { return solver_.get(); }

 private:
  void begin(const Balance& at, const Response& response, const Law& law);
  void change(const Balance& at, const Start& start, const Response& response, int level, int row, double by);
  bool positions(const Balance& at, const Start& start, const Response& response);
  bool velocities(const Balance& at, const Start& start, const Response& response, const Law& law);
  bool accelerations(const Balance& at, const Start& start, const Response& response);
  void close(const Balance& at, const Response& response, const Law& law);

  const System& system_;
  std::unique_ptr<ContactSolver> solver_;
  Forces forces_;
  ContactProblem problem_;
  Vec kinematics_, dz_, kappa_, P_, lambda_, unknown_, c_, xi_offset_, direction_;
  std::vector<int> rows_;
  std::vector<char> in_A_, in_B_;
  std::vector<Forces::Mode> mode_;
  Mat G_;
};

}  // namespace tappet::alpha
