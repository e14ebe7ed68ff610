// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/generalized_alpha.h"

#include <algorithm>
#include <map>

#include "steppers/support.h"

namespace tappet {
namespace {

using test::run;
using test::shipped;
using test::solver;

GeneralizedAlphaOptions with_rho(double rho) {
  GeneralizedAlphaOptions options;
  options.rho_inf = rho;
  return options;
}

struct Ball {
  double Lambda_N = 0, Lambda_F = 0, lambda_sliding = 0, lambda_rolling = 0, stick_at = 0, newton = 0;
};
Ball ball(const char* omega, double dt) {
  const Mechanism system(shipped("capobianco2021/rotating_ball", {{"omega", omega}}));
  GeneralizedAlpha stepper(system, solver());
  Ball seen;
  int newton = 0;
  const auto result = run(system, stepper, dt, 1.5, [&](const State& s, const StepReport& report, const Impulses& i) {
    newton += report.newton;
    seen.Lambda_N = std::max(seen.Lambda_N, i.Lambda[0]);
    if (std::abs(i.Lambda[1]) > std::abs(seen.Lambda_F)) seen.Lambda_F = i.Lambda[1];
    if (std::abs(s.t - 0.6) < dt / 2) seen.lambda_sliding = i.lambda[1];
    if (std::abs(s.t - 1.0) < dt / 2) seen.lambda_rolling = i.lambda[1];
    for (const Event& event : stepper.events())
      if (event.kind == Event::Kind::stick) seen.stick_at = s.t;
  });
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_LE(result.violation, 1e-12);
  seen.newton = newton / (1.5 / dt);
  return seen;
}

// Capobianco 2021 §10.1 and cases/03. In the impact step Λ_N carries the weight of the step as well.
TEST(GeneralizedAlpha, rotating_ball_separates_impulse_and_force_and_finds_rolling) {
  for (double dt : {2e-3, 1e-4}) {
    const double g = 9.81, weight = g * dt;
    const Ball fast = ball("50", dt), slow = ball("10", dt);
    EXPECT_NEAR(fast.Lambda_N, 4.202142310774351, weight);
    EXPECT_NEAR(fast.Lambda_F, -0.8404284621548701, 0.2 * weight);
    EXPECT_NEAR(fast.lambda_sliding, -1.962, 1e-12);
    EXPECT_NEAR(fast.lambda_rolling, 0.0, 1e-12);
    EXPECT_NEAR(fast.stick_at, 0.72811999417504, 1.5 * dt);
    EXPECT_NEAR(slow.Lambda_F, -0.2857142857142857, 1e-12);
    EXPECT_NEAR(slow.lambda_sliding, 0.0, 1e-12);
    EXPECT_LE(fast.newton, 1.01);
    EXPECT_LE(slow.newton, 1.01);
  }
}

TEST(GeneralizedAlpha, bouncing_ball_comes_to_rest_after_its_accumulation_of_impacts) {
  const Mechanism system(shipped("capobianco2021/rotating_ball", {{"omega", "0"}, {"e_N", "0.5"}}));
  GeneralizedAlpha stepper(system, solver());
  const auto result = run(system, stepper, 2e-3, 3.0);
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_LE(result.violation, 1e-12);
  EXPECT_NEAR(result.state.q[1], 0.1, 1e-12);
  EXPECT_NEAR(result.state.u[1], 0.0, 1e-12);
}

// cases/14: at rest from t = 1.36085 with four sticking directions on three coordinates.
TEST(GeneralizedAlpha, ball_in_a_corner_comes_to_rest_on_dependent_directions) {
  const Mechanism system(shipped("capobianco2021/ball_in_corner"));
  GeneralizedAlpha stepper(system, solver());
  double rest = 0;
  const auto result = run(system, stepper, 1e-4, 2.0, [&](const State& s, const StepReport&, const Impulses&) {
    if (s.u.eigen().norm() > 1e-3) rest = s.t;
  });
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_LE(result.violation, 1e-10);
  EXPECT_NEAR(rest, 1.36085, 5e-3);
  EXPECT_LT(result.state.u.eigen().norm(), 1e-10);
  EXPECT_EQ(stepper.step(const_cast<State&>(result.state), 1e-4).closed, 2);
}

// cases/11 at t = 0.5, in the first slide; at 4 s, after several changes between slip and stick.
TEST(GeneralizedAlpha, ball_in_a_cylinder_never_penetrates_and_converges_to_the_reference) {
  const Mechanism system(shipped("capobianco2021/ball_in_cylinder"));
  std::vector<double> steps{1e-2, 2.5e-3}, errors;
  for (double dt : steps) {
    GeneralizedAlpha stepper(system, solver());
    const auto result = run(system, stepper, dt, 4.0, [&](const State& s, const StepReport&, const Impulses&) {
      if (std::abs(s.t - 0.5) < dt / 2) errors.push_back(std::abs(s.q[0] + 0.31795393927293664));
    });
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_LE(result.violation, 1e-12);
    EXPECT_NEAR(result.state.q[0], -0.2964885399321574, 0.2 * dt);
  }
  EXPECT_GT(test::order(steps, errors), 1.9);
}

// cases/10: contact ends, or jams, at t = 0.81455. Both are solutions, and both are reported.
TEST(GeneralizedAlpha, painleve_rod_passes_the_paradox_at_every_step_size) {
  const Mechanism system(shipped("capobianco2021/painleve_rod"));
  for (double rho : {0.5, 0.9})
    for (double dt : {2e-4, 4e-4, 8e-4, 1e-3, 2.5e-3, 5e-3}) {
      GeneralizedAlpha stepper(system, solver(), with_rho(rho));
      double end = 0, omega = 0;
      const auto result = run(system, stepper, dt, 1.2, [&](const State& s, const StepReport&, const Impulses&) {
        if (std::abs(s.t - 0.8) < dt / 2) omega = s.u[2];
        for (const Event& event : stepper.events())
          if (end == 0 && (event.kind == Event::Kind::opening || event.kind == Event::Kind::branch)) end = event.t;
      });
      EXPECT_EQ(result.unconverged, 0);
      EXPECT_LE(result.violation, 1e-10);
      EXPECT_NEAR(end, 0.814549658669685, dt) << rho << " " << dt;
      EXPECT_NEAR(omega, 2.4480520187, 40 * dt) << rho << " " << dt;
      EXPECT_TRUE(std::abs(result.state.u[2] - 3.76) < 0.1 || std::abs(result.state.u[2] - 8.77) < 0.12)
          << result.state.u[2];
    }
}

// cases/15.
TEST(GeneralizedAlpha, tippe_top_inverts_on_time) {
  const Mechanism system(shipped("capobianco2021/tippe_top"));
  const auto tilt = [](const Vec& q) { return std::acos(1 - 2 * (q[4] * q[4] + q[5] * q[5])); };
  GeneralizedAlpha stepper(system, solver());
  Evaluator evaluate(system);
  Vec gaps;
  double touch = 0, gap = 0, approach = 0;  // of the stem; the touch is located on the last free step's gap
  std::map<long, double> theta;
  const auto result = run(system, stepper, 1e-3, 2.0, [&](const State& s, const StepReport&, const Impulses& i) {
    evaluate.gaps(s.t, s.q, gaps);
    if (touch == 0 && i.P[4] > 0) touch = s.t - 1e-3 + gap / approach;
    approach = (gap - gaps[1]) / 1e-3, gap = gaps[1];
    theta[std::lround(s.t * 1e3)] = tilt(s.q);
  });
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_LE(result.violation, 1e-12);
  EXPECT_NEAR(touch, 1.3710438343393667, 3e-3);
  EXPECT_NEAR(theta[500], 0.51802, 2e-3);
  EXPECT_NEAR(theta[1000], 1.57261, 1e-2);
  EXPECT_NEAR(theta[2000], 3.00022, 3e-2);
}

// cases/08, friction, θ₃ ≡ 0.
TEST(GeneralizedAlpha, slider_crank_follows_the_reference_without_penetration) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  GeneralizedAlpha stepper(system, solver());
  const auto result = run(system, stepper, 1e-4, 0.05);
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_LE(result.violation, 1e-12);
  EXPECT_NEAR(result.state.q[0], 4.793554299730095, 1e-3);
}

TEST(GeneralizedAlpha, every_strategy_finds_the_same_motion) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  std::vector<Vec> ends;
  for (const char* strategy : {"newton", "levels", "fixed-point"}) {
    GeneralizedAlphaOptions options;
    options.strategy = strategy;
    GeneralizedAlpha stepper(system, solver(), options);
    const auto result = run(system, stepper, 1e-4, 0.02);
    EXPECT_EQ(result.unconverged, 0) << strategy;
    ends.push_back(result.state.q);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(ends[1][i], ends[0][i], 1e-9);
    EXPECT_NEAR(ends[2][i], ends[0][i], 1e-9);
  }
}

// cases/15. An extrapolated first iterate takes fewer iterations. Solutions are still not further from those with a
// tolerance that is a thousand times tighter, because errors just below the tolerance are reduced once more.
TEST(GeneralizedAlpha, an_extrapolated_first_iterate_saves_iterations_and_is_as_accurate) {
  const Mechanism system(shipped("capobianco2021/tippe_top"));
  std::map<std::string, int> newton;
  std::map<std::string, Vec> end;
  for (const std::string run_name : {"start", "extrapolated", "tight"}) {
    GeneralizedAlphaOptions options;
    options.first_iterate = run_name == "extrapolated" ? "extrapolated" : "start";
    if (run_name == "tight") options.tolerance = 1e-12;
    GeneralizedAlpha stepper(system, solver(), options);
    const auto result = run(system, stepper, 1e-3, 0.5, [&](const State&, const StepReport& report, const Impulses&) {
      newton[run_name] += report.newton;
    });
    EXPECT_EQ(result.unconverged, 0);
    const Vec& q = end[run_name] = result.state.q;
    EXPECT_NEAR(std::acos(1 - 2 * (q[4] * q[4] + q[5] * q[5])), 0.51802, 2e-3);
  }
  const auto error = [&](const std::string& name) { return (end[name].eigen() - end["tight"].eigen()).norm(); };
  EXPECT_LT(error("extrapolated"), error("start"));
  EXPECT_LT(newton["extrapolated"], newton["start"]);
}

TEST(GeneralizedAlpha, allocates_nothing_after_the_first_step) {
  for (const char* model : {"capobianco2021/rotating_ball", "schindler2014/slider_crank", "capobianco2021/tippe_top"})
    for (const char* first : {"start", "extrapolated"}) {
      const Mechanism system(shipped(model));
      GeneralizedAlphaOptions options;
      options.first_iterate = first;
      GeneralizedAlpha stepper(system, solver(), options);
      test::expect_no_allocation(system, stepper, 1e-4, 1, 1000);
    }
}

}  // namespace
}  // namespace tappet
