// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "steppers/generalized_alpha/forces.h"
#include "steppers/generalized_alpha/step_law.h"

namespace tappet::alpha {

// Solves the linearised problem on three levels without inverting its Jacobian, so directions may depend on each other.
// In the variables (κ̂, P, λ) the levels are only coupled by O(dt). So position, velocity and acceleration are solved
// in turn.
class Levels {
 public:
  Levels(const ContactList& contacts, std::unique_ptr<ContactSolver> solver);

  // Solves each level exactly with the contact solver.
  bool solve(const Balance& at, const Start& start, const Response& response, const StepLaw& law, Vec& dz);
  // The fixed point of the paper, (144)–(146), on the linearised balances, row by row with the newest values.
  void fixed_point(const Balance& at, const Start& start, const Response& response, const StepLaw& law, int iterations,
                   Vec& dz);
  ContactSolver* solver() { return solver_.get(); }

 private:
  void begin(const Balance& at, const Response& response, const StepLaw& law);
  void change(const Balance& at, const Start& start, const Response& response, int level, int row, double by);
  bool positions(const Balance& at, const Start& start, const Response& response);
  bool velocities(const Balance& at, const Start& start, const Response& response, const StepLaw& law);
  bool accelerations(const Balance& at, const Start& start, const Response& response);
  void close(const Balance& at, const Response& response, const StepLaw& law);

  const ContactList& contacts_;
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
