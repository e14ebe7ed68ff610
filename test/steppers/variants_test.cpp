// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Variants that the papers describe beside their schemes: rules of activation, Newton's method on prox equations, the
// reach of an impact, stabilisation.
#include "model/model.h"
#include "steppers/generalized_alpha/generalized_alpha.h"
#include "steppers/ggl/ggl_unified.h"
#include "steppers/half_explicit/half_explicit_velocity.h"
#include "steppers/lcp/lcp_trapezoidal.h"
#include "steppers/projection/combined_projection.h"
#include "steppers/projection/direct_projection.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using namespace test;

// Acary 2012, Remark 4: (63) and (64) "yield the cycling in the activation of constraints without any convergence".
TEST(Forecast, implicit_activation_goes_round_from_the_first_impact_on_and_the_others_do_not) {
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  for (const char* forecast : {"explicit", "free", "newton", "implicit"}) {
    DirectProjectionOptions options;
    options.forecast = forecast;
    DirectProjection stepper(system, solver(), options);
    int before_the_impact = 0, after = 0;
    run(system, stepper, 0.047, 9.4, [&](const State& state, const StepReport& report, const Impulses&) {
      (state.t < 0.94 ? before_the_impact : after) += !report.converged();  // it hits at 1 s
    });
    const bool rejected = options.forecast == "newton" || options.forecast == "implicit";
    EXPECT_EQ(before_the_impact, 0) << forecast;
    EXPECT_EQ(after > 100, rejected) << forecast << ": " << after;
    EXPECT_EQ(after == 0, !rejected) << forecast << ": " << after;
  }
}

TEST(Forecast, implicit_activation_refuses_the_coupled_form_and_allocates_nothing) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  DirectProjectionOptions options;
  options.forecast = "implicit", options.coupling = "coupled";
  EXPECT_THROW(DirectProjection(system, solver(), options), std::invalid_argument);
  for (const char* forecast : {"newton", "implicit"}) {
    options.forecast = forecast, options.coupling = "decoupled";
    DirectProjection stepper(system, solver(), options);
    expect_no_allocation(system, stepper, 1e-4, 500, 600);
  }
}

// Table 2 of the paper prints a Newton tolerance of 1e-10; taken as absolute it is reached sooner.
TEST(NewtonMeasure, an_absolute_residual_takes_fewer_iterations_than_a_relative_one) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  std::vector<double> means;
  for (const char* measure : {"relative", "absolute"}) {
    CombinedProjection::Options options;
    options.newton_measure = measure, options.first_iterate = "start", options.first_set = "empty";
    CombinedProjection stepper(system, solver(), options);
    double sum = 0;
    run(system, stepper, 1e-5, 0.01,
        [&](const State&, const StepReport& report, const Impulses&) { sum += report.newton; });
    means.push_back(sum / 1000);
  }
  EXPECT_LT(means[1], 0.7 * means[0]);
}

TEST(ProxNewton, finds_the_motion_of_the_complementarity_problem_whatever_its_parameter) {
  const Mechanism system(shipped("schindler2014/slider_crank", {{"mu", "0"}, {"e_N", "0.1"}}));
  GglUnified usual(system, solver());
  const auto expected = run(system, usual, 1e-5, 0.06);
  for (const double r : {0.01, 1.0, 100.0}) {
    GglUnifiedOptions options;
    options.newton = "prox", options.prox_parameter = r;
    GglUnified stepper(system, solver(), options);
    const auto result = run(system, stepper, 1e-5, 0.06);
    EXPECT_EQ(result.unconverged, 0) << r;
    EXPECT_LT(result.violation, 1e-14) << r;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.state.q[i], expected.state.q[i], 1e-10) << r;
  }
}

TEST(ProxNewton, refuses_friction_and_allocates_nothing) {
  GglUnifiedOptions options;
  options.newton = "prox";
  const Mechanism rough(shipped("schindler2014/slider_crank"));
  EXPECT_THROW(GglUnified(rough, solver(), options), std::invalid_argument);
  const Mechanism smooth(shipped("schindler2014/slider_crank", {{"mu", "0"}}));
  GglUnified stepper(smooth, solver(), options);
  expect_no_allocation(smooth, stepper, 1e-4, 500, 600);
}

const char* const two_balls = R"(title: Two balls
bodies:
  a: {type: point, mass: 1, position: [0, 0, 0.5]}
  b: {type: point, mass: 1, position: [1, 0, 0]}
contacts:
  floor_a: {type: point-plane, bodies: [a, ground], normal: [0, 0, 1], e_N: 0.5}
  floor_b: {type: point-plane, bodies: [b, ground], normal: [0, 0, 1], e_N: 0.5}
forces:
  gravity: {type: gravity, acceleration: [0, 0, -9.81]}
run: {dt: 1e-3, end: 0.4}
)";

// Schindler and Acary 2014, after (76): an impact occurs in the whole rigidly connected component of its source. A ball
// that rests elsewhere keeps its force m g.
TEST(RigidComponent, an_impact_silences_the_forces_of_its_own_component_only) {
  const Mechanism system(parse_model(two_balls, "two_balls.yaml"));
  const int resting = system.named_contacts()[1].row;
  for (const char* reach : {"everywhere", "component"}) {
    HalfExplicitVelocityOptions options;
    options.impulsive = reach;
    HalfExplicitVelocity stepper(system, solver(), options);
    double least_force = INFINITY, largest_impulse = 0, blow = 0;
    const auto result = run(system, stepper, 1e-3, 0.4, [&](const State&, const StepReport&, const Impulses& impulses) {
      least_force = std::min(least_force, impulses.lambda[resting]);
      largest_impulse = std::max(largest_impulse, impulses.Lambda[resting]);
      blow = std::max(blow, impulses.Lambda[system.named_contacts()[0].row]);
    });
    const bool everywhere = options.impulsive == "everywhere";
    EXPECT_EQ(result.impulsive, 1) << reach;
    EXPECT_NEAR(least_force, everywhere ? 0.0 : 9.81, 1e-9) << reach;
    EXPECT_NEAR(largest_impulse, everywhere ? 9.81e-3 : 0.0, 1e-9) << reach;
    EXPECT_NEAR(blow, 1.5 * std::sqrt(2 * 9.81 * 0.5), 0.0148) << reach;  // m (1 + e) (v + g dt) at most
  }
}

TEST(RigidComponent, a_mechanism_that_is_one_component_moves_as_before) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  HalfExplicitVelocityOptions options;
  HalfExplicitVelocity usual(system, solver(), options);
  options.impulsive = "component";
  HalfExplicitVelocity by_component(system, solver(), options);
  const auto a = run(system, usual, 1e-4, 0.05);
  const auto b = run(system, by_component, 1e-4, 0.05);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.state.q[i], b.state.q[i], 1e-10);
  expect_no_allocation(system, by_component, 1e-4, 400, 600);
}

// Potra 2006, §9.3: constraints are satisfied to O(h²), "and if constraint stabilization is introduced, even O(h³)".
TEST(Stabilisation, joint_errors_of_the_double_pendulum_become_of_third_order) {
  const Mechanism system(shipped("potra2006/double_pendulum_wall"));
  const std::vector<double> steps{1.0 / 64, 1.0 / 256};
  for (const double part : {0.0, 0.3, 1.0}) {
    std::vector<double> errors;
    for (const double dt : steps) {
      LcpTrapezoidalOptions options;
      options.stabilisation = part;
      LcpTrapezoidal stepper(system, solver(), options);
      Evaluator evaluate(system);
      Vec residuals;
      double worst = 0;
      const auto result = run(system, stepper, dt, 2.5, [&](const State& state, const StepReport&, const Impulses&) {
        evaluate.joint_residuals(state.t, state.q, residuals);
        for (const double r : residuals) worst = std::max(worst, std::abs(r));
      });
      EXPECT_EQ(result.unconverged, 0);
      errors.push_back(worst);
    }
    EXPECT_NEAR(order(steps, errors), part > 0 ? 3.0 : 2.0, 0.15) << part;
  }
}

TEST(Stabilisation, a_step_allocates_nothing) {
  const Mechanism system(shipped("potra2006/double_pendulum_wall"));
  LcpTrapezoidalOptions options;
  options.stabilisation = 1;
  LcpTrapezoidal stepper(system, solver(), options);
  expect_no_allocation(system, stepper, 1e-3, 50, 100);  // before the first impact
}

// The step of the guided hopper that ends at 0.18075 s has no solution with the foot closed or open all along: Newton
// and the iteration by levels went back and forth between the two until their iterations were used up, 200 in all.
TEST(BackAndForth, the_hopper_gives_up_a_step_without_solution_early_and_halves_it) {
  const Mechanism system(shipped("capobianco2021/guided_hopper"));
  GeneralizedAlphaOptions options;
  options.rho_inf = 0;
  GeneralizedAlpha stepper(system, solver(), options);
  int most = 0;
  const auto result = run(system, stepper, 5e-5, 0.2, [&](const State&, const StepReport& report, const Impulses&) {
    most = std::max(most, report.newton);
  });
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_LT(most, 100);
}

}  // namespace
}  // namespace tappet
