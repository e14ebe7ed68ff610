// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Schoeder 2013, Fig. 6: how a joint drifts, by the level it is held on.
#include "steppers/ggl_decoupled.h"
#include "steppers/ggl_unified.h"
#include "steppers/support.h"

namespace tappet {
namespace {

// The largest |g| of the slot in each quarter of the run.
template <class Scheme>
std::array<double, 4> drift(const char* level, double dt, double end) {
  const System system(test::shipped("schoeder2013/slider_crank_bilateral"));
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

// At dt = 1e-4 the parabola would reach the length of the crank within half a second; a tenth of the step keeps it small.
TEST(JointLevel, acceleration_level_drifts_quadratically) {
  const auto g = drift<GglDecoupled>("acceleration", 1e-5, 0.5);
  for (int k = 1; k < 4; ++k) EXPECT_NEAR(g[k] / g[0], (k + 1) * (k + 1), 0.1 * (k + 1) * (k + 1)) << k;
}

// A scheme symmetric in time makes no error of the velocities that grows, and the parabola is gone.
TEST(JointLevel, acceleration_level_drifts_linearly_where_the_scheme_is_symmetric_in_time) {
  const auto g = drift<GglUnified>("acceleration", 1e-4, 5);
  for (int k = 1; k < 4; ++k) EXPECT_NEAR(g[k] / g[0], k + 1, 0.05 * (k + 1)) << k;
}

// Quadratic joints and a constant mass matrix: the midpoint rule conserves the energy, and is of second order.
TEST(JointLevel, position_level_conserves_the_energy_of_the_natural_slider_crank) {
  const System system(test::shipped("schoeder2013/slider_crank_natural"));
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
  const System system(test::shipped("schoeder2013/slider_crank_natural"));
  const double theta1 = 4.809238135226954019253;
  std::vector<double> steps{1e-4, 5e-5, 2.5e-5}, errors;
  for (double dt : steps) {
    GglUnified stepper(system, test::solver(), {.joint_level = "position"});
    const auto result = test::run(system, stepper, dt, 0.05);
    errors.push_back(std::abs(std::remainder(std::atan2(result.state.q[1], result.state.q[0]) - theta1, 2 * M_PI)));
  }
  EXPECT_NEAR(test::order(steps, errors), 2.0, 0.05);
}

}  // namespace
}  // namespace tappet
