// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "problem/contact_problem.h"
#include "steppers/event_driven/balance.h"
#include "steppers/event_driven/ode.h"
#include "steppers/shared/left_state.h"
#include "steppers/shared/velocity_law.h"
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
    v.choice("method", method, {"auto", "adams", "bdf"},
             "Adams, backward differentiation, or a change to that if forces are stiff");
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
class EventDriven final : public Stepper, private events::Motion {
 public:
  static constexpr SchemeFacts facts{.name = "event-driven",
                                     .paper = "the reference; Acary 2012 §1, Schindler and Acary 2014 §2.2",
                                     .level = "acceleration between located events, impacts on velocity",
                                     .order = "that of CVODE (adaptive)",
                                     .summary = "integrates between located events; dt is the time between outputs",
                                     .forces = SchemeFacts::Forces::given};
  using Options = EventDrivenOptions;
  EventDriven(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;
  bool locates_events() const override { return true; }
  std::string diagnosis() const override { return diagnosis_; }

 private:
  static constexpr double closed_gap = 1e-10;  // m; contacts with a smaller gap take part in an impact
  // m/s; slower slip takes the direction of its acceleration and not that of round-off
  static constexpr double fast = 1e-8;

  static constexpr double significant =
      1e-7;  // relative to the accelerations at a contact; above the residual of the solver

  enum class Watch { gap, normal, friction, slip, begun, target, paradox, branch, above, sliding, band };
  struct Watched {
    Watch what;
    int contact;  // or switch
  };
  struct Branch {        // of a switch of formulas; its b is in the balance
    bool on = false;     // whether the switch function stays zero
    bool fired = false;  // whether it has just become zero
    bool freed = false;  // whether it has just left a stretch of sliding
    // the largest values so far of σ, of the rate that decides, and of dσ/dt
    double scale = 1e-3, rate_scale = 0, first_scale = 0;
    double band() const { return 1e-9 * scale; }  // a smaller σ counts as zero
  };
  struct Bounces {  // of one contact
    int count = 0;
    double last = 0, flight = 0;
  };
  struct Decision {  // of the contact law on acceleration level
    std::vector<events::ContactPhase> phases;
    std::vector<double> share;  // by contact: its own part of the normal accelerations; 0 if undecided or open
    Vec a;
    std::vector<char> open_question;  // by contact
    // by contact: its normal or, at rest, slip acceleration, relative to those that act in it
    std::vector<double> leaves;
    bool decided = true;
  };

  struct Posed {                // the contact law on acceleration level as a contact problem
    std::vector<int> rows;      // of the balance
    std::vector<Vec> response;  // accelerations by unit forces
    Vec scale, xi;              // the size of the accelerations in a row, and their sum
  };

  void rate(const double* y, double* rate) override;
  void watch(const double* y, double* values) override;
  void unpack(const double* y, State& state) const;

  std::unique_ptr<events::Ode> integrator(bool stiff);
  void begin(const State& state);
  void start_segment();
  bool after_step();                     // returns true if a new segment must begin
  bool handle_root(StepReport& report);  // returns false if the motion ends here
  bool impact(StepReport& report);
  bool accumulations();
  double next_flight(int contact);
  void close(const std::vector<int>& contacts);  // sets their normal velocities to zero
  void advance_shortly(double dt);
  void leave_paradox();
  void measure(const State& state);  // gaps, rates and their tolerances, of all contacts
  double slip_speed(int contact) const;
  bool touches(int contact) const;  // whether it is closed and at rest along the normal
  void decide();                    // determines phases_ at now_ and lists their events
  Decision choose();                // the same without adopting the result
  // Determines impacts, branches of switches and phases at now_. Returns true if there was an impact. If a formula has
  // switched, `gaps_before` holds the gaps before it.
  bool settle(StepReport& report, const Vec* gaps_before = nullptr);
  // Functions of switches.cpp.
  void begin_switches();
  void begin_whole_numbers();
  void watch_switches();
  void take_fired(const Watched& watched);
  bool update_branches();  // returns true if one has changed; gaps may then close in other directions
  bool place_on_switch(int i);
  void note_scales();
  bool joints_jump() const;  // whether the velocities do not fulfil the joints
  bool positions_jump(const Vec& gaps_before);
  bool slides(int i) const;
  // Functions of time_switches.cpp. t_switch_ is the next time at which a function of time of an element switches.
  void look_for_time_switch();
  bool pass_time_switch(StepReport& report);
  // The contact law at a state with these candidates. `resting` are those without slip velocity.
  Decision decide_at(const State& state, const std::vector<int>& candidates, const std::vector<char>& resting);
  void pose(const std::vector<char>& resting, Decision& result, Posed& posed);
  void conclude(const Posed& posed, Decision& result);
  void adopt(const Decision& decision);
  // If forces are not unique, no single force tells when a phase ends. The contact law does, which is solved after
  // every step.
  bool locate_departure();  // returns true if now_ is the instant of the departure
  double departure(const State& state);
  double project(State& state);  // onto joints and closed contacts; returns the largest residual before
  void announce(const std::vector<events::ContactPhase>& before);
  void note(Event::Kind kind, int contact, double t, int place = -1);
  bool announced(int contact, Event::Kind kind) const;

  const ContactList& contacts_;
  const System& system_;
  const Options options_;
  VelocityLaw impact_law_;
  ContactProblem problem_;
  events::Balance balance_;
  std::unique_ptr<events::Ode> ode_;
  State now_;
  State probe_;  // in rate and watch
  State probe_ahead_;
  State origin_;  // the start of the segment; the displacement from it is integrated, so small hops have full precision
  bool indeterminate_ = false;
  double tau_verified_ = 0;
  bool stopped_ = false, stretched_ = false, stiff_ = false;
  double t_target_ = 0, t_lambda_ = 0;
  double t_switch_ = 0, t_scanned_ = 0;
  int next_time_switch_ = -1;
  int noted_switch_ = -1;  // the last switch of a function of time, which may lie in the previous step
  double noted_switch_time_ = 0;
  std::vector<Branch> switches_;
  Vec sigma_, sigma_dot_, sigma_rate_;
  bool joints_may_jump_ = false;
  std::string diagnosis_;
  std::vector<events::ContactPhase> phases_;
  std::vector<char> armed_;
  std::vector<char> left_;  // open contacts in flight; a hop ends when the gap closes, even if it was very low
  Vec carried_;             // by contact: its largest normal force since it closed
  std::vector<Watched> watched_;
  std::vector<int> reversing_;  // contacts whose slip velocity has just become zero
  std::vector<Bounces> bounces_;
  LeftState left_at_;
  ContactSet set_;
  BlockRows W_all_;
  Vec chi_all_, gamma_all_, tolerance_all_, gaps_, probe_gaps_, lambda_, lambda_before_, y_, w_, q_dot_, P_;
  Vec rate_, rate_before_;  // dy/dτ near Painlevé's paradox, at the last two points
  double tau_ = 0, tau_before_ = 0;
  Event stop_;
  size_t first_event_ = 0;  // the first event of this instant
  SolveReport worst_;
};

}  // namespace tappet
