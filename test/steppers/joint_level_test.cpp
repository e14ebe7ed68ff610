// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Schoeder 2013, Fig. 6: the drift of a joint, depending on the level on which it is held.
#include <fmt/format.h>

#include "steppers/ggl/ggl_decoupled.h"
#include "steppers/ggl/ggl_unified.h"
#include "steppers/support.h"

namespace tappet {
namespace {

// The largest |g| of the slot in each quarter of the run.
template <class Scheme>
std::array<double, 4> drift(const char* level, double dt, double end) {
  const Mechanism system(test::shipped("schoeder2013/slider_crank_bilateral"));
  Scheme stepper(system, test::solver(), {.joint_level = level});
  Evaluator evaluate(system);
  Vec g;
  std::array<double, 4> largest{};
  const auto result = test::run(system, stepper, dt, end, [&](const State& s, const StepReport&, const Impulses&) {
    evaluate.joint_residuals(s.t, s.q, g);
    double& quarter = largest[std::min(3, static_cast<int>(4 * s.t / end))];
    quarter = std::max(quarter, std::abs(g[0]));
  });
  EXPECT_EQ(result.unconverged, 0);
  return largest;
}

TEST(JointLevel, velocity_level_drifts_linearly) {
  const auto g = drift<GglUnified>("velocity", 1e-4, 5);
  for (int k = 1; k < 4; ++k) EXPECT_NEAR(g[k] / g[0], k + 1, 0.2 * (k + 1)) << k;
}

TEST(JointLevel, position_level_and_ggl_do_not_drift) {
  for (const char* level : {"position", "ggl"}) {
    for (double g : drift<GglUnified>(level, 1e-4, 5)) EXPECT_LT(g, 1e-14) << level;
    for (double g : drift<GglDecoupled>(level, 1e-4, 1)) EXPECT_LT(g, 1e-14) << level;
  }
}

// At dt = 1e-4 the parabola would reach the length of the crank within half a second. A tenth of the step keeps it
// small.
TEST(JointLevel, acceleration_level_drifts_quadratically) {
  const auto g = drift<GglDecoupled>("acceleration", 1e-5, 0.5);
  for (int k = 1; k < 4; ++k) EXPECT_NEAR(g[k] / g[0], (k + 1) * (k + 1), 0.1 * (k + 1) * (k + 1)) << k;
}

// A scheme that is symmetric in time makes no growing error of the velocities, so there is no parabola.
TEST(JointLevel, acceleration_level_drifts_linearly_where_the_scheme_is_symmetric_in_time) {
  const auto g = drift<GglUnified>("acceleration", 1e-4, 5);
  for (int k = 1; k < 4; ++k) EXPECT_NEAR(g[k] / g[0], k + 1, 0.05 * (k + 1)) << k;
}

// Quadratic joints and a constant mass matrix: the midpoint rule conserves the energy, and is of second order.
TEST(JointLevel, position_level_conserves_the_energy_of_the_natural_slider_crank) {
  const Mechanism system(test::shipped("schoeder2013/slider_crank_natural"));
  GglUnified stepper(system, test::solver(), {.joint_level = "position"});
  Evaluator evaluate(system);
  Vec g;
  const State& start = system.initial();
  const double E_0 = evaluate.energy(0, start.q, start.u).total();
  test::run(system, stepper, 1e-4, 1, [&](const State& s, const StepReport& report, const Impulses&) {
    EXPECT_TRUE(report.converged());
    EXPECT_NEAR(evaluate.energy(s.t, s.q, s.u).total() / E_0, 1.0, 1e-10);
    evaluate.joint_residuals(s.t, s.q, g);
    EXPECT_LT(std::max(std::abs(g[0]), std::abs(g[1])), 1e-14);
  });
}

// cases/08, bilateral, t = 0.05: the crank angle.
TEST(JointLevel, natural_slider_crank_converges_to_the_reference_with_order_two) {
  const Mechanism system(test::shipped("schoeder2013/slider_crank_natural"));
  const double theta1 = 4.809238135226954019253;
  std::vector<double> steps{1e-4, 5e-5, 2.5e-5}, errors;
  for (double dt : steps) {
    GglUnified stepper(system, test::solver(), {.joint_level = "position"});
    const auto result = test::run(system, stepper, dt, 0.05);
    errors.push_back(std::abs(std::remainder(std::atan2(result.state.q[1], result.state.q[0]) - theta1, 2 * M_PI)));
  }
  EXPECT_NEAR(test::order(steps, errors), 2.0, 0.05);
}

// Links of 1 m and 1 kg along x. Gravity pulls along x as well, or across. The pin number `twice` is there a second
// time.
Model chain(int links, const char* gravity, int twice = -1) {
  std::string bodies, joints;
  for (int k = 0; k < links; ++k) {
    bodies += fmt::format("  link{}: {{type: planar, mass: 1, inertia: 1/12, position: [{}, 0]}}\n", k, k + 0.5);
    const std::string upper = k ? fmt::format("link{}", k - 1) : "ground";
    for (const char* name : {"pin", "second"})
      if (*name == 'p' || k == twice)
        joints += fmt::format("  {}{}: {{type: revolute, bodies: [{}, link{}], at: [{}, 0]}}\n", name, k, upper, k, k);
  }
  return parse_model(fmt::format("title: chain\nbodies:\n{}joints:\n{}forces: {{gravity: {{type: gravity, "
                                 "acceleration: {}}}}}\nrun: {{scheme: ggl-unified, dt: 1e-3, end: 1}}\n",
                                 bodies, joints, gravity),
                     "chain.yaml");
}

// More rows than a dense matrix is used for.
TEST(JointLevel, every_pin_of_a_hanging_chain_carries_what_hangs_below_it) {
  constexpr int links = 40;
  constexpr double dt = 1e-3, g = 10.0;
  const Mechanism system(chain(links, "[10, 0]"));
  GglUnified stepper(system, test::solver(), {.joint_level = "position"});
  State state = system.initial();
  for (int step = 0; step < 5; ++step) {
    ASSERT_TRUE(stepper.step(state, dt).converged());
    for (int k = 0; k < links; ++k) {
      EXPECT_NEAR(std::abs(stepper.impulses().P[2 * k]), dt * g * (links - k), 1e-12) << k;
      EXPECT_NEAR(stepper.impulses().P[2 * k + 1], 0.0, 1e-12) << k;
    }
  }
}

TEST(JointLevel, two_pins_in_the_same_place_of_a_long_chain_share_the_load) {
  constexpr int links = 40, twice = 20;
  constexpr double dt = 1e-3, g = 10.0;
  const Mechanism system(chain(links, "[10, 0]", twice));
  GglUnified stepper(system, test::solver(), {.joint_level = "position"});
  State state = system.initial();
  ASSERT_TRUE(stepper.step(state, dt).converged());
  for (int k : {twice, twice + 1})
    EXPECT_NEAR(std::abs(stepper.impulses().P[2 * k]), dt * g * (links - twice) / 2, 1e-6) << k;
}

TEST(JointLevel, a_long_chain_let_go_keeps_its_pins_and_its_energy) {
  constexpr int links = 40;
  const Mechanism system(chain(links, "[0, -10]"));
  GglUnified stepper(system, test::solver(), {.joint_level = "position"});
  Evaluator evaluate(system);
  Vec g;
  const auto result = test::run(system, stepper, 1e-3, 0.05, [&](const State& s, const StepReport&, const Impulses&) {
    evaluate.joint_residuals(s.t, s.q, g);
    for (double x : g) EXPECT_LT(std::abs(x), 1e-13);
    // of m g L/2, what would become of it
    EXPECT_LT(std::abs(evaluate.energy(s.t, s.q, s.u).total()), 1e-9 * links * 10.0 * links / 2);
  });
  EXPECT_EQ(result.unconverged, 0);
}

}  // namespace
}  // namespace tappet
