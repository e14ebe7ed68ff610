// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "steppers/generalized_alpha/before_step.h"
#include "steppers/generalized_alpha/levels.h"
#include "steppers/generalized_alpha/newton.h"
#include "steppers/projection/extrapolation.h"
#include "steppers/stepper.h"

namespace tappet::alpha {

// Solves the equations of one step for its unknowns. The strategies are tried in this order: semismooth Newton (143);
// if it jumps back and forth, Newton with the contacts held that were closed before; level by level with the contact
// solver; Newton with new contacts held; Newton from open contacts. Where many contacts depend on each other, Newton's
// index sets may go round in circles in most steps. After a step that only the levels solved, they are therefore tried
// first for a while, which becomes longer each time.
class StepSolver {
 public:
  // Their numbers are those in SolveReport::solver. The caller halves the step if none of the others succeeds.
  enum Strategy { newton, levels, fixed_point, held, opened, halved };

  StepSolver(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
             const GeneralizedAlphaOptions& options);

  // Everything by contact and by row goes to the present list. `memory` belongs to the list before.
  void follow_contacts(const ContactMemory& memory);

  // A state that the scheme did not leave itself (BeforeStep::consistent_forces).
  void restart(const State& state, Start& start, std::vector<StepLaw::Sets>& states);

  void begin(const Start& start);  // the contacts that take part, and the first guess
  // states: of every contact at the start. Steps that friction forces a contact to leave fail down to smallest_dt, so
  // that they are halved first.
  bool solve(const Start& start, const std::vector<StepLaw::Sets>& states, double smallest_dt, StepReport& report,
             std::vector<Event>& events);

  void archive(Archive& a) {
    a(law.slid, response, smooth_a_, smooth_lambda_, unfinished_, levels_first_, levels_pause_);
    if (a.settles()) solver_->forget();
  }

  // After a step; `smooth` means that no contact changed its state. The next first guess may extrapolate such steps.
  void learn(const Start& start, bool smooth);

  double error() const { return error_; }  // of the last trial point, 1: the tolerance
  Unknowns x;
  Balance balance;
  Response response;
  StepLaw law;

 private:
  bool iterate(const Start& start, Strategy strategy, int most, StepReport& report);
  static bool holds_joints(Strategy strategy);
  bool evaluate(const Start& start);  // at x; true: converged
  bool is_well_solved(const Start& start) const;
  void find_direction(const Start& start, Strategy strategy, bool kept);  // kept: with earlier derivatives
  bool paradox(double share) const;
  void forget_smooth_steps() { smooth_a_.forget(), smooth_lambda_.forget(); }
  bool leave(const Start& start, StepReport& report, std::vector<Event>& events);
  bool iterate_opened(const Start& start, StepReport& report);
  bool iterate_levels(const Start& start, int most, StepReport& report);
  // Newton with contacts held: those that were closed before the step, or those that were not.
  bool iterate_held(const Start& start, const std::vector<StepLaw::Sets>& states, bool closed_before,
                    StepReport& report);

  const ContactList& contacts_;
  const GeneralizedAlphaOptions options_;
  std::unique_ptr<ContactSolver> solver_;
  BeforeStep before_;
  Newton newton_;
  Levels levels_;
  FixedPoint fixed_point_;
  Unknowns guess_, closed_, solved_;
  Extrapolation smooth_a_, smooth_lambda_;
  Vec dz_, spare_;
  double error_ = 0;
  int levels_first_ = 0;     // the steps to come that begin with the levels
  int levels_pause_ = 1;     // the number of them after the next step that only the levels solve
  int unfinished_ = 0;       // the steps to come that end at the tolerance (is_well_solved)
  bool alternated_ = false;  // the last iteration jumped back and forth between two points
};

}  // namespace tappet::alpha
