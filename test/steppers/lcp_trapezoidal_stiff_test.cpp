// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// lcp-trapezoidal if forces are too stiff for the step to follow them.
#include <fmt/format.h>

#include "steppers/generalized_alpha/generalized_alpha.h"
#include "steppers/lcp/lcp_trapezoidal.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using test::run;
using test::shipped;
using test::solver;
using Kind = Event::Kind;

LcpTrapezoidalOptions form(const std::string& name) { return {.form = name}; }

class StiffLcp : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(form, StiffLcp, testing::Values("I", "II"), [](const auto& info) { return info.param; });

// A compressed spring pushes sideways: −k (1 − L/l) > 0 across its line, and the exact M̃ is indefinite for large dt.
TEST(LinearlyImplicit, a_compressed_spring_keeps_the_matrix_definite_at_every_step) {
  const Mechanism system(parse_model(R"(title: compressed spring
bodies:
  bob: {type: point, mass: 1, position: [0.5, 0, 0], velocity: [0, 0.1, 0]}
forces:
  spring:
    {type: spring-damper, bodies: [ground, bob], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1e4, damping: 1, length: 1}
run: {scheme: lcp-trapezoidal, dt: 0.01, end: 1}
)",
                                     "spring.yaml"));
  Evaluator evaluate(system);
  LinearlyImplicit exact(system, evaluate, LinearlyImplicit::Jacobian::automatic, 0.5);
  Vec u_free(3);
  const State& start = system.initial();
  ASSERT_TRUE(exact.assemble(start, 0, start.q, 1e-3, u_free));
  EXPECT_FALSE(exact.definite());
  ASSERT_TRUE(exact.assemble(start, 0, start.q, 0.1, u_free));
  EXPECT_TRUE(exact.definite());
  // (10.13), (10.14): M + (dt/2 c + dt²/4 k) along the line, M across it
  EXPECT_NEAR(exact.M()(0, 0), 1 + 0.05 * 1 + 0.0025 * 1e4, 1e-9);
  EXPECT_NEAR(exact.M()(1, 1), 1.0, 1e-9);
}

// A dumbbell with ω = √(2 k/m) = 4472 rad/s, dt ω = 45, bounces between two walls. Nothing can add to its 1.25 J. In
// the state interpolated to a collision, the spring would hold (dt ω)²/16 of the energy of its vibration.
TEST_P(StiffLcp, collisions_give_no_energy_to_a_vibration_that_the_step_does_not_resolve) {
  const Mechanism system(parse_model(R"(
title: dumbbell
coordinates:
  a: {position: 0.303, velocity: -1.5}
  b: {position: 0.503, velocity: -0.5}
lagrangian: {kinetic: (a'^2 + b'^2)/2, potential: 1e7/2*(b - a - 0.2)^2}
contacts:
  low: {gap: a, e_N: 1}
  high: {gap: 1 - b, e_N: 1}
)",
                                     "dumbbell.yaml"));
  LcpTrapezoidal stepper(system, solver(), form(GetParam()));
  Evaluator evaluate(system);
  int impacts = 0;
  run(system, stepper, 0.01, 20, [&](const State& s, const StepReport&, const Impulses&) {
    EXPECT_LE(evaluate.energy(s.t, s.q, s.u).total(), 1.25 + 1e-8);
    for (const Event& e : stepper.events()) impacts += e.kind == Event::Kind::impact;
  });
  EXPECT_GT(impacts, 10);
}

// At dt = 5e-5 s, the step of the paper, the beam vibrates after its impact on the floor (0.126 s). Its energy at 0.3
// s, which the drive supplied, agrees with generalized-alpha. At 1e-3 s the linearised forces are useless, and the run
// reports this.
TEST(LcpTrapezoidal, hopper_with_an_elastic_leg_lands_or_says_that_the_step_is_too_large) {
  const Mechanism system(shipped("capobianco2021/guided_hopper"));
  Evaluator evaluate(system);
  const auto energy_at_the_end = [&](Stepper& stepper, double dt) {
    const State state = run(system, stepper, dt, 0.3).state;
    return evaluate.energy(0.3, state.q, state.u).total();
  };
  LcpTrapezoidal stepper(system, solver()), coarse(system, solver());
  GeneralizedAlpha other(system, solver(), {.rho_inf = 0});
  EXPECT_NEAR(energy_at_the_end(stepper, 5e-5) / energy_at_the_end(other, 1e-5), 1.0, 2e-3);
  EXPECT_EQ(stepper.diagnosis(), "");
  State state = system.initial();
  for (int k = 0; k < 300 && coarse.diagnosis().empty(); ++k) coarse.step(state, 1e-3);
  EXPECT_TRUE(coarse.diagnosis().starts_with("the step is too large for the forces")) << state.t;
}

}  // namespace
}  // namespace tappet
