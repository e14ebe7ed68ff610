// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "steppers/event_driven/balance.h"
#include "steppers/shared/acceleration_law.h"

namespace tappet::events {

// What the contact law on acceleration level says at a state.
struct Decision {
  explicit Decision(size_t contacts) : phases(contacts), share(contacts), open_question(contacts), leaves(contacts) {}

  std::vector<ContactPhase> phases;
  std::vector<double> share;        // by contact: its own part of the normal accelerations; 0 if undecided or open
  std::vector<char> open_question;  // by contact
  // by contact: its normal or, at rest, slip acceleration, relative to those that act in it
  std::vector<double> leaves;
  Vec a;
  bool decided = true;  // no question is open

  // For questions of contacts that are open: each takes the first answer there is. Later ones may belong to later
  // events.
  void take_answers(const Decision& later, const std::vector<int>& contacts);
};

// The contact law on acceleration level, from whose forces and accelerations the phases of contacts follow.
class PhaseLaw {
 public:
  static constexpr double significant =
      1e-7;  // relative to the accelerations in a row; above the residual of the solver

  PhaseLaw(const ContactList& contacts, Balance& balance, ContactSolver& solver, SolveReport& worst);

  // Candidates are contacts that may be closed; `resting` are those of them without slip velocity. `phases` and
  // `carried` (the largest normal force since the contact closed) are those up to this state.
  Decision decide(const State& state, const std::vector<int>& candidates, const std::vector<char>& resting,
                  const std::vector<ContactPhase>& phases, const std::vector<double>& carried);

 private:
  void set_modes(const std::vector<char>& resting, const std::vector<ContactPhase>& phases, Decision& result);
  void pose();
  void measure_scales(const std::vector<char>& resting, const std::vector<double>& carried);
  void accelerate(Decision& result);
  void conclude(Decision& result);
  bool conclude_normal(int r, int contact, Decision& result);  // false: it opens
  void conclude_friction(const Law& law, int contact, Decision& result);
  void close_questions(Decision& result);

  const ContactList& contacts_;
  const System& system_;
  Balance& balance_;
  ContactSolver& solver_;
  SolveReport& worst_;
  AccelerationLaw law_;
  std::vector<ContactMode> modes_;
  std::vector<Vec> response_;  // accelerations by unit forces
  Vec c_, scale_, xi_;         // accelerations without forces; those that meet in the row of an unknown; their sum
  Vec had_;                    // by row: the force up to this state
  std::vector<int> firm_;      // rows that are certainly at rest
};

}  // namespace tappet::events
