// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/closed_forms.h"
#include "steppers/moreau/moreau_explicit.h"
#include "steppers/moreau/moreau_jean.h"
#include "steppers/moreau/moreau_midpoint.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using namespace test;

const std::vector<Scheme> schemes{
    {"explicit", [](const Mechanism& s) { return std::make_unique<MoreauExplicit>(s, solver()); }},
    {"midpoint", [](const Mechanism& s) { return std::make_unique<MoreauMidpoint>(s, solver()); }},
    {"jean", [](const Mechanism& s) { return std::make_unique<MoreauJean>(s, solver()); }},
};

class Moreau : public testing::TestWithParam<Scheme> {};
INSTANTIATE_TEST_SUITE_P(all, Moreau, testing::ValuesIn(schemes), [](const auto& info) { return info.param.name; });

TEST_P(Moreau, bouncing_ball_passes_the_accumulation_with_order_one) {
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  std::vector<double> steps{1e-2, 1e-3, 1e-4, 1e-5}, errors;
  for (double dt : steps) {
    const auto stepper = GetParam().make(system);
    double error = 0;
    const auto result = run(system, *stepper, dt, 4.0, [&](const State& s, const StepReport&, const Impulses&) {
      error += dt * std::abs(s.q[0] - exact_ball(s.t));
    });
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_LT(std::abs(result.state.u[0]), 2.1 * dt);
    errors.push_back(error);
  }
  EXPECT_GT(order(steps, errors), 0.9);
  EXPECT_LT(order(steps, errors), 1.1);
}

// cases/03: ω = 50 slides through the impact and rolls from t = 0.728; ω = 10 sticks at once.
TEST_P(Moreau, rotating_ball_ends_rolling_at_the_closed_form) {
  for (auto [omega, ux, uphi] : {std::tuple{"50", -1.428571428571428, 14.28571428571428},
                                 std::tuple{"10", -0.2857142857142857, 2.857142857142857}}) {
    const Mechanism system(shipped("capobianco2021/rotating_ball", {{"omega", omega}, {"e_N", "0"}}));
    double largest_N = 0, its_F = 0;
    const auto stepper = GetParam().make(system);
    const auto result = run(system, *stepper, 1e-4, 1.0, [&](const State&, const StepReport&, const Impulses& i) {
      if (i.P[0] > largest_N) largest_N = i.P[0], its_F = i.P[1];
    });
    EXPECT_NEAR(result.state.u[0], ux, 1e-8);
    EXPECT_NEAR(result.state.u[1], 0.0, 1e-12);
    EXPECT_NEAR(result.state.u[2], uphi, 1e-7);
    EXPECT_NEAR(largest_N, 4.202142310774350, 1e-3 * 4.2);
    EXPECT_NEAR(its_F, omega == std::string("50") ? -0.8404284621548701 : -0.2857142857142857, 1e-3);
  }
}

TEST_P(Moreau, a_step_allocates_nothing) {
  for (const char* model : {"acary2012/bouncing_ball", "schindler2014/slider_crank",
                            "schindler2014/slider_crank_bodies", "schoeder2013/slider_crank_bilateral"}) {
    SCOPED_TRACE(model);
    const Mechanism system(shipped(model));
    const auto stepper = GetParam().make(system);
    expect_no_allocation(system, *stepper, 1e-4, 400, 600);
  }
}

TEST_P(Moreau, bilateral_slider_crank_converges_to_the_reference) {
  // cases/08, bilateral, t = 0.01
  const Mechanism system(shipped("schoeder2013/slider_crank_bilateral"));
  std::vector<double> steps{1e-5, 1e-6}, errors;
  for (double dt : steps) {
    const auto stepper = GetParam().make(system);
    const auto result = run(system, *stepper, dt, 0.01);
    errors.push_back(std::abs(result.state.q[0] - 0.948018901615741952287));
  }
  EXPECT_GT(order(steps, errors), 0.9);
  EXPECT_LT(errors.back(), 1e-3);
}

// The nine coordinates once as formulas, once as planar bodies with joints: the same scheme, the same steps.
TEST_P(Moreau, slider_crank_of_formulas_and_of_bodies_move_alike) {
  const Mechanism formulas(shipped("schoeder2013/slider_crank_bilateral_cartesian"));
  const Mechanism bodies(shipped("schoeder2013/slider_crank_bilateral_bodies"));
  ASSERT_EQ(formulas.q_names(), bodies.q_names());
  const auto a = GetParam().make(formulas), b = GetParam().make(bodies);
  const auto x = run(formulas, *a, 1e-4, 0.1), y = run(bodies, *b, 1e-4, 0.1);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(x.state.q[i], y.state.q[i], 1e-9) << formulas.q_names()[i];
}

// Minimal and nine coordinates are different discretisations of one motion: they meet as dt falls.
TEST_P(Moreau, slider_crank_in_minimal_and_in_nine_coordinates_converge_to_each_other) {
  const Mechanism minimal(shipped("schoeder2013/slider_crank_bilateral"));
  const Mechanism bodies(shipped("schoeder2013/slider_crank_bilateral_bodies"));
  std::vector<double> steps{1e-4, 1e-5}, errors;
  for (double dt : steps) {
    const auto a = GetParam().make(minimal), b = GetParam().make(bodies);
    errors.push_back(std::abs(run(minimal, *a, dt, 0.01).state.q[0] - run(bodies, *b, dt, 0.01).state.q[2]));
  }
  EXPECT_GT(order(steps, errors), 0.9);
}

TEST(MoreauJean, tumbling_body_is_second_order_and_keeps_its_quaternion) {
  const Mechanism system(shipped("rigid/tumbling_body", {{"Omega1", "1.2"}, {"Omega3", "1.5"}}));
  std::vector<double> steps{1e-2, 1e-3}, errors;
  for (double dt : steps) {
    MoreauJean stepper(system, solver());
    double norm_error = 0;
    const auto result = run(system, stepper, dt, 1.0, [&](const State& s, const StepReport&, const Impulses&) {
      double n = 0;
      for (int i = 3; i < 7; ++i) n += s.q[i] * s.q[i];
      norm_error = std::max(norm_error, std::abs(std::sqrt(n) - 1.0));
    });
    EXPECT_LT(norm_error, 1e-14);
    errors.push_back(tumbling_error(result.state.q));
  }
  EXPECT_NEAR(order(steps, errors), 2.0, 0.05);
}

TEST(MoreauJean, theta_one_half_keeps_the_energy_of_a_linear_oscillator) {
  const Mechanism system(shipped("acary2012/linear_oscillator", {{"c", "0"}, {"k", "1"}, {"u0", "0"}}));
  MoreauJean stepper(system, solver());
  Evaluator evaluate(system);
  const double before = evaluate.energy(0, system.initial().q, system.initial().u).total();
  const auto result = run(system, stepper, 1e-2, 1.5);  // before the first impact at π/2
  EXPECT_NEAR(evaluate.energy(1.5, result.state.q, result.state.u).total(), before, 1e-12);
}

// Acary 2012, Table 3: violation and Newton iterations of the Moreau–Jean scheme over 0.2 s.
TEST(MoreauJean, slider_crank_reproduces_the_published_counts) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  MoreauJean::Options options;
  options.form = "table3";
  for (auto [dt, violation, newton] : {std::tuple{1e-4, 1.324e-4, 2.95}, std::tuple{1e-5, 1.234e-5, 1.99}}) {
    MoreauJean stepper(system, solver(), options);
    double iterations = 0;
    const auto result = run(system, stepper, dt, 0.2, [&](const State&, const StepReport& report, const Impulses&) {
      iterations += report.newton * dt / 0.2;
    });
    EXPECT_NEAR(result.violation, violation, 0.03 * violation);
    EXPECT_NEAR(iterations, newton, 0.02 * newton);
    EXPECT_EQ(result.unconverged, 0);
  }
}

TEST(MoreauJean, slider_crank_penetrates_by_about_the_step) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  for (double dt : {1e-4, 1e-5}) {
    MoreauJean stepper(system, solver());
    const auto result = run(system, stepper, dt, 0.2);
    EXPECT_GT(result.violation / dt, 0.6);
    EXPECT_LT(result.violation / dt, 1.5);
  }
}

TEST(MoreauMidpoint, conserves_momentum_in_free_flight) {
  const Mechanism system(shipped("capobianco2021/rotating_ball"));
  MoreauMidpoint stepper(system, solver());
  const auto result = run(system, stepper, 1e-3, 0.4);
  EXPECT_EQ(result.state.u[0], system.initial().u[0]);
  EXPECT_EQ(result.state.u[2], system.initial().u[2]);
}

// An oscillator of 1000 rad/s: the midpoint rule is velocity Verlet, which is stable for dt < 2e-3 s. The explicit
// Euler method gains energy at every step, and at this step it does so at once.
TEST(MoreauStability, an_unstable_step_is_named_with_a_stable_one) {
  const Mechanism system(parse_model(R"(
coordinates: {x: {position: 1, velocity: 0}}
lagrangian: {kinetic: x'^2/2, potential: 1e6*x^2/2}
contacts: {far: {gap: x + 1e300}}
)",
                                     "test"));
  for (const Scheme& scheme : {schemes[0], schemes[1]}) {
    const auto stepper = scheme.make(system);
    State state = system.initial();
    for (int k = 0; k < 3000 && stepper->diagnosis().empty(); ++k) stepper->step(state, 3e-3);
    const std::string why = stepper->diagnosis();
    EXPECT_NE(why.find("limit 0.002 s"), std::string::npos) << scheme.name << ": " << why;
    EXPECT_LT(std::abs(state.u[0]), 1e100) << scheme.name;
  }
  const auto stable = schemes[1].make(system);
  State state = system.initial();
  for (int k = 0; k < 3000; ++k) stable->step(state, 1.9e-3);
  EXPECT_EQ(stable->diagnosis(), "");
}

}  // namespace
}  // namespace tappet
