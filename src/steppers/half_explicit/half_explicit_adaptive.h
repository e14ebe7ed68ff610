// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/half_explicit/half_explicit_velocity.h"

namespace tappet {

struct HalfExplicitAdaptiveOptions {
  double fraction = 10.0;           // dt/fraction in impulsive steps
  double step_tolerance = 0.0;      // local error relative to the velocities; 0: no control, as printed
  double absolute_tolerance = 0.0;  // added to it, in SI units; 0: the number of step_tolerance
  std::string impact = "newton";

  template <class V>
  void describe(V& v) {
    v.optional("fraction", fraction, Range{1, 1e6},
               "steps in which a contact closes have the length dt divided by this number");
    v.optional("step_tolerance", step_tolerance, Range{0, 1},
               "largest local error of a smooth step, relative; 0: the step is always dt");
    v.optional("absolute_tolerance", absolute_tolerance, Range{0, 1e6},
               "the same in m, rad, m/s, rad/s for values near zero; 0: the number of step_tolerance");
    describe_impact(v, impact);
  }
};

// The variant of Schindler and Acary 2014, Fig. 24 and (139)–(141). It is half-explicit-velocity, but it forecasts
// closings at q₀ ⊕ dt u₀ and takes steps of dt/10 there. dt is the longest step. StepReport::dt is the length of the
// step taken. Departures from the paper:
//   It takes e = 0 if e |ġ⁻| < ½ |a| dt. As printed, a rebound e v dt/2 above the penetration v dt/10 never ends.
//   The forecast can miss a closing. So g_N(q₁) is tested as well, and the step is repeated as an impulsive one.
//   λ⁺ acts on all contacts closed at q₀; (140) drops those that open at q₀ ⊕ dt u₀. It also acts in impulsive steps,
//   so that q₁ fulfils the joints. A short step in which nothing closes yet is a smooth one.
//   With a step_tolerance smooth steps are controlled by their local error, estimated from divided differences of the
//   velocities: dt³/12 u‴ for u and dt³/6 u″ for q. Until three steps are known, it is taken as ε^(3/2), where ε is the
//   relative difference of û and u₁, of second order. After an impact steps start short again and at most double.
class HalfExplicitAdaptive final : public HalfExplicitVelocity {
 public:
  static constexpr SchemeFacts facts{
      .name = "half-explicit-adaptive",
      .paper = "Schindler and Acary 2014, Fig. 24, (139)–(141)",
      .level = "velocity",
      .order = "2",
      .summary = "half-explicit-velocity with short steps at impacts and control of the local error",
      .forces = SchemeFacts::Forces::given,
      .follows_found_contacts = true};
  using Options = HalfExplicitAdaptiveOptions;
  HalfExplicitAdaptive(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  bool history(Archive& a) override {
    a(next_dt_, dt_1_, dt_2_, history_, u_before_, u_before_that_);
    return ForecastingTrapezoid::history(a);
  }
  StepReport short_step(State& state, double h);
  bool closing_ahead(const State& state, double dt);
  double local_error(const State& state, double dt) const;  // of u_1_, in units of the tolerance
  void remember(const State& state, double dt);             // u₀ of an accepted smooth step

  const Options options_;
  const double absolute_;
  double next_dt_ = 0.0, dt_1_ = 0.0, dt_2_ = 0.0;
  int history_ = 0;  // the number of velocities known before u₀ since the last impact
  Vec u_before_, u_before_that_;
};

}  // namespace tappet
