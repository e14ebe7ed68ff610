// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/half_explicit/half_explicit_adaptive.h"

#include <array>

#include "steppers/half_explicit/half_explicit_velocity.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using namespace test;

TEST(HalfExplicitAdaptive, keeps_to_its_tolerance_and_counts_what_it_rejects) {
  // cases/08, bilateral, t = 0.05; dt is the longest step
  const Mechanism system(shipped("schoeder2013/slider_crank_bilateral"));
  std::vector<double> steps, errors;
  for (double tolerance : {1e-5, 1e-8}) {
    HalfExplicitAdaptive stepper(system, solver(), {.step_tolerance = tolerance});
    State state = system.initial();
    int rejected = 0, accepted = 0;
    while (state.t < 0.05 - 1e-15) rejected += stepper.step(state, std::min(1e-2, 0.05 - state.t)).rejected, ++accepted;
    EXPECT_NEAR(state.t, 0.05, 1e-15);
    EXPECT_GT(rejected, 0);
    EXPECT_LT(rejected, accepted / 5 + 5);
    steps.push_back(1.0 / accepted);
    errors.push_back(std::abs(state.q[0] - 4.809238135226954019253));
  }
  EXPECT_NEAR(std::log(steps[0] / steps[1]) / std::log(1e3), 1.0 / 3, 0.08);  // a local error of third order
  EXPECT_NEAR(order(steps, errors), 2.0, 0.3);
}

TEST(HalfExplicitAdaptive, closes_contacts_in_short_steps_and_comes_to_rest) {
  // The ball of cases/01 is at rest from t = 3 on. With the printed rule it would bounce for ever.
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  HalfExplicitAdaptive stepper(system, solver());
  State state = system.initial();
  int late = 0;
  double violation = 0;
  while (state.t < 5.0) {
    const StepReport report = stepper.step(state, 1e-2);
    if (report.impulsive) {
      EXPECT_NEAR(report.dt, 1e-3, 1e-15);
    }
    late += report.impulsive && state.t > 3.2;
    violation = std::max(violation, -state.q[0]);
  }
  EXPECT_EQ(late, 0);
  EXPECT_LT(std::abs(state.u[0]), 1e-15);
  EXPECT_LT(violation, 2.1 * 1e-3);  // a short step at the speed of the first impact
}

// Schindler 2014, Fig. 25: the journal runs around in its bearing with the sense of the spin (x), which carries y to z.
TEST(HalfExplicitAdaptive, rotor_whirls_forward) {
  const Mechanism system(shipped("schindler2014/rotor"));
  const auto coordinate = [&](const char* name) {
    const auto& names = system.q_names();
    return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const int v = coordinate("axle.v0"), w = coordinate("axle.w0"), y = coordinate("bearing.y"),
            z = coordinate("bearing.z");
  HalfExplicitAdaptive stepper(system, solver());
  Evaluator evaluate(system);
  State state = system.initial();
  double turned = 0, angle = 0, violation = 0;
  int steps = 0, impulsive = 0;
  Vec g;
  while (state.t < 0.1) {
    const StepReport report = stepper.step(state, 5e-6);
    ASSERT_TRUE(report.converged());
    ASSERT_EQ(stepper.diagnosis(), "");
    ++steps, impulsive += report.impulsive;
    const double now = std::atan2(state.q[w] - state.q[z], state.q[v] - state.q[y]);
    if (state.t > 0.04) turned += std::remainder(now - angle, 2 * M_PI) / (2 * M_PI);
    angle = now;
    evaluate.gaps(state.t, state.q, g);
    violation = std::max(violation, -g[0]);
  }
  EXPECT_GT(turned, 2.0);
  EXPECT_LT(impulsive, steps / 50);
  EXPECT_LT(violation, 1e-7);
  evaluate.joint_residuals(state.t, state.q, g);
  for (double residual : g) EXPECT_LT(std::abs(residual), 1e-7);
}

TEST(HalfExplicitVelocity, a_step_of_the_rotor_allocates_nothing) {
  const Mechanism system(shipped("schindler2014/rotor"));
  HalfExplicitVelocity stepper(system, solver());
  expect_no_allocation(system, stepper, 5e-6, 3000, 1000);
}

}  // namespace
}  // namespace tappet
