// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/lcp/lcp_euler.h"

#include "steppers/closed_forms.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using namespace test;

struct Variant {
  std::string name;
  LcpEulerOptions options;
};
const std::vector<Variant> variants{{"implicit", {}},
                                    {"explicit", {.forces = "explicit"}},
                                    {"stabilised", {.stabilisation = 1.0}},
                                    {"newton", {.impact = "newton"}}};

class LcpEulerVariants : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(variant, LcpEulerVariants, testing::ValuesIn(variants),
                         [](const auto& info) { return info.param.name; });

TEST_P(LcpEulerVariants, bouncing_ball_passes_the_accumulation_with_order_one) {
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  std::vector<double> steps{1e-2, 1e-3, 1e-4}, errors;
  for (double dt : steps) {
    LcpEuler stepper(system, solver(), GetParam().options);
    double error = 0;
    const auto result = run(system, stepper, dt, 4.0, [&](const State& s, const StepReport&, const Impulses&) {
      error += dt * std::abs(s.q[0] - exact_ball(s.t));
    });
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_NEAR(result.state.u[0], 0.0, 1e-12);
    errors.push_back(error);
  }
  EXPECT_GT(order(steps, errors), 0.85);
  EXPECT_LT(order(steps, errors), 1.2);
}

TEST_P(LcpEulerVariants, rotating_ball_ends_rolling_at_the_closed_form) {
  for (auto [omega, ux, uphi] : {std::tuple{"50", -1.428571428571428, 14.28571428571428},
                                 std::tuple{"10", -0.2857142857142857, 2.857142857142857}}) {
    const Mechanism system(shipped("capobianco2021/rotating_ball", {{"omega", omega}, {"e_N", "0"}}));
    LcpEuler stepper(system, solver(), GetParam().options);
    const auto result = run(system, stepper, 1e-3, 1.0);
    EXPECT_NEAR(result.state.u[0], ux, 1e-10);
    EXPECT_NEAR(result.state.u[1], 0.0, 1e-12);
    EXPECT_NEAR(result.state.u[2], uphi, 1e-9);
  }
}

TEST_P(LcpEulerVariants, a_step_allocates_nothing) {
  for (const char* model : {"acary2012/bouncing_ball", "potra2006/two_carts", "schindler2014/slider_crank",
                            "schoeder2013/slider_crank_bilateral_bodies"}) {
    SCOPED_TRACE(model);
    const Mechanism system(shipped(model));
    LcpEuler stepper(system, solver(), GetParam().options);
    expect_no_allocation(system, stepper, 2e-4, 500, 600);
  }
}

TEST(LcpEuler, two_carts_are_stable_in_the_stiff_limit_and_lose_energy_in_every_step) {
  for (const Overrides& set : {Overrides{{"delta", "1e6"}}, Overrides{{"gamma", "1e6"}, {"delta", "10"}}}) {
    const Mechanism system(shipped("potra2006/two_carts", set));
    LcpEuler stepper(system, solver());
    Evaluator evaluate(system);
    double last = evaluate.energy(0, system.initial().q, system.initial().u).total();
    const double start = last;
    run(system, stepper, 0.01, 4.0, [&](const State& s, const StepReport&, const Impulses&) {
      const double energy = evaluate.energy(s.t, s.q, s.u).total();
      EXPECT_LE(energy, last + 1e-12 * start);
      last = energy;
    });
    EXPECT_LT(last, 0.2 * start);
  }
}

double joint_error(const LcpEulerOptions& options, double dt) {
  const Mechanism system(shipped("potra2006/double_pendulum_wall"));
  LcpEuler stepper(system, solver(), options);
  const Vec q = run(system, stepper, dt, 2.5).state.q;
  return std::max(std::abs(q[0] * q[0] + q[1] * q[1] - 1),
                  std::abs(std::pow(q[0] - q[2], 2) + std::pow(q[1] - q[3], 2) - 1));
}

TEST(LcpEuler, stabilisation_stops_the_drift_of_joints) {
  const double dt = 1.0 / 256;
  EXPECT_LT(joint_error({.stabilisation = 1.0}, dt), 0.02 * joint_error({}, dt));
  EXPECT_NEAR(joint_error({}, dt) / joint_error({}, dt / 2), 2.0, 0.3);
}

TEST(LcpEuler, pendulum_is_of_first_order) {
  const Mechanism system(shipped("potra2006/double_pendulum_wall"));
  // cases/06, t = 0.5, before the first impact
  std::vector<double> steps{1e-2, 1e-3, 1e-4}, errors;
  for (double dt : steps) {
    LcpEuler stepper(system, solver());
    const auto result = run(system, stepper, dt, 0.5);
    Evaluator evaluate(system);
    const double start = evaluate.energy(0, system.initial().q, system.initial().u).total();
    errors.push_back(std::abs(evaluate.energy(0.5, result.state.q, result.state.u).total() - start));
  }
  EXPECT_NEAR(order(steps, errors), 1.0, 0.15);
}

}  // namespace
}  // namespace tappet
