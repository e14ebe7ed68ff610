// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "steppers/generalized_alpha/step_law.h"
#include "steppers/shared/acceleration_law.h"
#include "steppers/shared/factorised_mass.h"

namespace tappet::alpha {

// What is known of a state before a step is made from it.
class BeforeStep {
 public:
  BeforeStep(const ContactList& contacts, Evaluator& evaluate, ContactSolver* solver);

  // At a state that the scheme did not leave itself: accelerations and forces that satisfy balance and laws (§9).
  // Joints hold on acceleration level, and contacts that are closed and do not separate; contacts that approach are
  // left to the impact of the first step. `states`: of every contact.
  void consistent_forces(const State& state, Start& start, std::vector<StepLaw::Sets>& states, std::vector<char>& slid);

  // γ⁻ at (t₀, q₀, u₀) and e of the contacts of the set. Restitution ends if the approach is slower than what the
  // forces gain in a thousandth of a step, added up for both bodies: otherwise an accumulation of impacts would never
  // be left.
  void approach(const Start& start, const ContactSet& set, StepLaw& law);

 private:
  void kinematics(double t, const Vec& q, const Vec& u, const ContactSet& set);
  bool free_accelerations(double t, const Vec& q, const Vec& u);  // false: M is singular
  void find_closed(const State& state);
  void respond(const State& state);
  void choose_modes(const State& state, std::vector<StepLaw::Sets>& states);

  const ContactList& contacts_;
  const System& system_;
  Evaluator& evaluate_;
  ContactSolver* solver_;
  AccelerationLaw law_;
  ContactSet set_;
  std::vector<ContactMode> modes_;
  FactorisedMass M_;
  BlockRows W_;
  Vec gaps_, chi_, gamma_, a_free_, c_, lambda_;
  Mat G_, response_;
};

}  // namespace tappet::alpha
