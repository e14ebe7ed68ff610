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

// The variant of Schindler and Acary 2014, Fig. 24 and (139)–(141): half-explicit-velocity whose closings are
// forecast on q₀ ⊕ dt u₀ and met with steps of dt/10. dt is the longest step; StepReport::dt says how far it went.
// Departures from the paper:
//   It takes e = 0 where e |ġ⁻| < ½ |a| dt: as printed a rebound e v dt/2 above the penetration v dt/10 never ends.
//   The forecast can miss a closing: g_N(q₁) is tested as well, and the step repeated as an impulsive one.
//   λ⁺ acts on all contacts closed at q₀; (140) drops those that open on q₀ ⊕ dt u₀. It acts in impulsive steps too,
//   so that q₁ leaves no joint; a short step in which nothing closes yet is a smooth one.
//   With a step_tolerance smooth steps are controlled by their local error, estimated from divided differences of the
//   velocities: u: dt³/12 u‴, q: dt³/6 u″. Until three steps are known it is taken as ε^(3/2) with ε the relative
//   difference of û and u₁, of second order. Steps restart short after an impact and at most double.
class HalfExplicitAdaptive final : public HalfExplicitVelocity {
 public:
  static constexpr SchemeFacts facts{
      .name = "half-explicit-adaptive",
      .paper = "Schindler and Acary 2014, Fig. 24, (139)–(141)",
      .level = "velocity",
      .order = "2",
      .summary = "half-explicit-velocity with short steps at impacts and control of the local error",
      .forces = SchemeFacts::Forces::given};
  using Options = HalfExplicitAdaptiveOptions;
  HalfExplicitAdaptive(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  bool closing_ahead(const State& state, double dt);
  double local_error(const State& state, double dt) const;  // in units of the tolerance, of u_1_
  void remember(const State& state, double dt);             // u₀ of an accepted smooth step

  const Options options_;
  const double absolute_;
  double next_dt_ = 0.0, dt_1_ = 0.0, dt_2_ = 0.0;
  int history_ = 0;  // velocities known before u₀ since the last impact
  Vec u_before_, u_before_that_;
};

}  // namespace tappet
