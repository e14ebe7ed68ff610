// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/generalized_alpha.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using test::run;
using test::shipped;
using test::solver;

GeneralizedAlphaOptions damped() {
  GeneralizedAlphaOptions options;
  options.rho_inf = 0;
  return options;
}

double joint_violation(const Mechanism& system, const State& s) {
  Evaluator evaluate(system);
  Vec g;
  evaluate.joint_residuals(s.t, s.q, g);
  return g.empty() ? 0.0 : g.eigen().lpNorm<Eigen::Infinity>();
}

// Capobianco 2021 §10.5, Fig. 6: percussions inside the friction cone at every step, phases of stick and of slip.
TEST(GeneralizedAlphaFlexible, guided_hopper_hops_with_percussions_inside_the_cone) {
  const Mechanism system(shipped("capobianco2021/guided_hopper"));
  GeneralizedAlpha stepper(system, solver(), damped());
  const int foot = system.named_contacts()[0].row;
  int inside = 0, on_the_cone = 0, in_flight = 0, landings = 0, newton = 0, most = 0;
  double outside = 0, joints = 0, highest = 0;
  const auto result = run(system, stepper, 5e-5, 0.6, [&](const State& s, const StepReport& report, const Impulses& i) {
    const double P_N = i.P[foot], P_F = std::abs(i.P[foot + 1]);
    outside = std::max(outside, P_F - 0.2 * P_N);
    joints = std::max(joints, joint_violation(system, s));
    newton += report.newton, most = std::max(most, report.newton);
    landings += report.impulsive;
    in_flight += P_N <= 0;
    if (P_N > 0) (P_F < 0.2 * P_N * (1 - 1e-9) ? inside : on_the_cone) += 1;
    if (s.t > 0.3) highest = std::max(highest, s.q[0]);
  });
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_LE(outside, 1e-12);
  EXPECT_LE(joints, 1e-10);
  EXPECT_LE(result.violation, 1e-10);
  EXPECT_GT(inside, 20);
  EXPECT_GT(on_the_cone, 200);
  EXPECT_GT(in_flight, 4000);
  EXPECT_GE(landings, 2);
  EXPECT_GT(highest, 0.35);
  EXPECT_LE(newton / 12000.0, 1.23 + 1);  // the paper's average and one
  EXPECT_LE(most, 16);                    // as many as one attempt may take, also when the foot takes off
}

// The knee as formulas of the control points, and as a driven hinge on the beam's turning node.
TEST(GeneralizedAlphaFlexible, a_hinge_on_a_node_does_what_the_formulas_of_the_hinge_do) {
  const Mechanism formulas(shipped("capobianco2021/guided_hopper")),
      bodies(shipped("capobianco2021/guided_hopper_bodies"));
  GeneralizedAlpha first(formulas, solver(), damped()), second(bodies, solver(), damped());
  const auto a = run(formulas, first, 5e-5, 0.14), b = run(bodies, second, 5e-5, 0.14);
  EXPECT_NEAR(a.state.q[0], b.state.q[1], 1e-7);                                   // height of the body
  for (int i = 1; i <= 8; ++i) EXPECT_NEAR(a.state.q[i], b.state.q[5 + i], 1e-7);  // control points of the beam
}

// cases/09: the impulse of the first node, release when the wave is back, the mean force in between.
TEST(GeneralizedAlphaFlexible, elastic_bar_rebounds_when_its_wave_returns) {
  for (auto [N, impulse] : {std::pair{"50", 1.414763504e-3}, std::pair{"1000", 7.0738175e-5}}) {
    const Mechanism system(shipped("acary2012/elastic_bar", {{"N", N}}));
    GeneralizedAlpha stepper(system, solver());
    double first = 0, total = 0, release = 0;
    const auto result = run(system, stepper, 2e-6, 6e-4, [&](const State& s, const StepReport&, const Impulses& i) {
      if (s.t < 3e-6) first = i.Lambda[0];
      total += i.P[0];
      if (i.P[0] > 0) release = s.t;
    });
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_LE(result.violation, 1e-12);
    EXPECT_NEAR(first, impulse, 1e-3 * impulse);
    EXPECT_NEAR(release, 3.854496446637726e-4, 1e-5);
    EXPECT_NEAR(total / 0.4900884539600077, 1.0, 0.02);
  }
}

// cases/06, five impacts and two joints.
TEST(GeneralizedAlphaFlexible, double_pendulum_on_a_wall_follows_the_reference) {
  const Mechanism system(shipped("potra2006/double_pendulum_wall"));
  GeneralizedAlpha stepper(system, solver());
  double joints = 0;
  const auto result = run(system, stepper, 1e-4, 2.5, [&](const State& s, const StepReport&, const Impulses&) {
    joints = std::max(joints, joint_violation(system, s));
  });
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_LE(joints, 1e-10);
  EXPECT_LE(result.violation, 1e-10);
  EXPECT_NEAR(result.state.q[0], 0.021946257563808046, 1e-4);
  EXPECT_NEAR(result.state.q[2], 0.023851309509372674, 1e-4);
}

}  // namespace
}  // namespace tappet
