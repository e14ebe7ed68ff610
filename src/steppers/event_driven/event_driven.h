// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "steppers/event_driven/impacts.h"
#include "steppers/event_driven/nearby.h"
#include "steppers/event_driven/observer.h"
#include "steppers/event_driven/segment.h"
#include "steppers/event_driven/time_switches.h"
#include "steppers/remarks.h"
#include "steppers/shared/left_state.h"
#include "steppers/stepper.h"

namespace tappet {

struct EventDrivenOptions {
  double relative = 1e-12, absolute = 1e-14;
  std::string method = "auto", impact = "newton", accumulate = "stop";
  double flight = 1e-8;

  template <class V>
  void describe(V& v) {
    v.optional("relative", relative, Range{1e-14, 1e-2}, "relative tolerance of the integration between events");
    v.optional("absolute", absolute, Range{1e-30, 1e-2}, "absolute tolerance of positions and velocities, SI units");
    v.choice(
        "method", method, {"auto", "adams", "bdf", "gauss"},
        "Adams, backward differentiation, or a change to that if forces are stiff; gauss: collocation of order 16, "
        "to round-off");
    describe_impact(v, impact);
    v.choice("accumulate", accumulate, {"stop", "close"}, "if impacts accumulate: stop there, or close the contact");
    v.optional("flight", flight, Range{1e-12, 1},
               "impacts accumulate if flights are shorter than this (s) and get shorter");
  }
};

// The reference scheme: the motion is integrated between located events (Acary 2012 §1, Schindler 2014 §2.2).
//   between:  q̇ = B u,  M u̇ = h + W λ,  joints and closed contacts on acceleration level (events::Balance)
//   events:   an open gap closes; λ_N of a closed contact becomes zero; μ λ_N − ‖λ_F‖ of a sticking contact becomes
//             zero; the slip velocity of a sliding contact becomes zero; the contact law, which is solved after every
//             step if contacts depend on each other and forces are not unique, has another solution; a switch of a
//             formula (max, abs, sign, …) is reached, up to which its branch is held
//   at them:  impacts by Newton's or Poisson's law for all closed contacts at once; then the phases of the contacts by
//             the contact law on acceleration level, or by the same law a moment later if it is undecided; then the
//             branches of switches by the side to which the motion leads, or a value between the two branches if both
//             lead back (Filippov 1988: it slides)
// Constraints are projected at events and at the end of steps. Near Painlevé's paradox, where G with friction is nearly
// singular, time is stretched by that determinant, so that the singular point is reached. There the contact opens.
//
// Contacts between colliders are searched for as far as the motion needs them (events::Nearby). Phases, forces and
// accumulations follow a contact as long as it is in the list. If a closed contact leaves the list, because other
// features of the two bodies touch from now on, impacts and phases are determined anew.
class EventDriven final : public Stepper, public Remarks {
 public:
  static constexpr SchemeFacts facts{.name = "event-driven",
                                     .paper = "the reference; Acary 2012 §1, Schindler and Acary 2014 §2.2",
                                     .level = "acceleration between located events, impacts on velocity",
                                     .order = "that of CVODE (adaptive)",
                                     .summary = "integrates between located events; dt is the time between outputs",
                                     .forces = SchemeFacts::Forces::given,
                                     .follows_found_contacts = true};
  using Options = EventDrivenOptions;
  EventDriven(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;
  bool settle(long step) override;
  bool locates_events() const override { return true; }
  std::string diagnosis() const override { return diagnosis_; }
  std::vector<std::string> remarks() const override;

  // From the next step on, which must begin a new motion, this observer is told what happens; null: nobody is.
  void tell(events::Observer* observer);

 private:
  bool history(Archive& a) override;
  std::string contact_words(int contact) const;
  void renew_segment();
  void begin(const State& state);
  void begin_instant();
  void integrate(StepReport& report);
  void leave(State& state, const StepReport& report);
  void follow_contacts(bool& lost);      // everything by contact or row, to the list of the last search
  bool look_around(StepReport& report);  // searches for contacts; false: the motion ends here
  bool interrupted(StepReport& report);
  bool locate_other_features();
  int short_contact();  // a contact that closes and opens again within the last step; −1: there is none
  void note_approaching();
  void check_gaps();
  void go_back();  // to the start of the last step of the integration, which is then shorter
  void start_segment();
  bool after_step();  // true: a new segment must begin
  void take_forces();
  static constexpr long steps_between_looks = 10'000;
  bool makes_no_progress();
  bool too_many_events();  // at one instant, or in the step

  // Events. These return false if the motion ends here.
  bool handle_events(StepReport& report);
  bool strike(int contact, StepReport& report);
  bool pass_time_switch(StepReport& report);
  bool go_on(bool impulsive, StepReport& report);
  bool close_accumulated();
  void advance_shortly(double dt);
  void turn_slip();
  void begin_telling(events::Instant::Cause cause);
  void end_telling();
  void leave_paradox();
  void depart();
  // Impacts, branches of switches and phases at now_; true: there was an impact. gaps_before: if a formula has
  // switched, the gaps before it did.
  bool settle(const Vec* gaps_before = nullptr);
  bool positions_jump(const Vec& gaps_before);
  static void fail(StepReport& report) { report.solve.status = SolveStatus::not_converged; }

  events::Nearby nearby_;
  const ContactList& contacts_;  // those of nearby_
  const System& system_;
  const Options options_;
  Impulses own_impulses_;
  Impulses& sums_;  // of the step, by row of contacts_
  ContactMemory memory_;
  Vec spare_;
  SolveReport worst_;  // of the contact problems of a step
  VelocityLaw impact_law_;
  events::Balance balance_;
  events::Kinematics kinematics_;
  events::EventLog log_;
  events::Phases phases_;
  events::Switches switches_;
  events::TimeSwitches time_switches_;
  events::Impacts impacts_;
  events::Accumulations accumulations_;
  events::Segment segment_;
  State now_, step_start_;         // step_start_: of the last step of the integration
  std::vector<char> approaching_;  // by contact: it was open and its gap was shrinking at step_start_
  events::Observer* observer_ = nullptr;
  events::Instant instant_;  // what the observer is told when it is over
  bool telling_ = false;
  LeftState left_;
  double t_target_ = 0;
  bool alive_ = true;     // the motion goes on
  bool stopped_ = false;  // it ended, with this event:
  Event stop_;
  std::string diagnosis_;
  int at_once_ = 0;  // events at t_last_event_
  double t_last_event_ = 0, t_last_look_ = 0;
  double t_other_features_ = -INFINITY;  // when locate_other_features() last found some
  long integrated_ = 0;                  // steps of the integration since the motion settled
  Vec lambda_, lambda_before_;           // forces at t_lambda_, and at the step before
  double t_lambda_ = 0;
};

}  // namespace tappet
