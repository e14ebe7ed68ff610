// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Acary 2012 and Schoeder 2013: schemes that hold positions and velocities.
#include <random>

#include "steppers/closed_forms.h"
#include "steppers/ggl/ggl_decoupled.h"
#include "steppers/ggl/ggl_unified.h"
#include "steppers/moreau/moreau_midpoint.h"
#include "steppers/position/position_trapezoidal.h"
#include "steppers/position/schatzman_paoli.h"
#include "steppers/projection/combined_projection.h"
#include "steppers/projection/direct_projection.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using namespace test;

struct PositionScheme : Scheme {
  bool restitution = true;  // it knows Newton's impact law
  bool positions = true;    // it leaves no penetration
};

template <class S>
std::unique_ptr<Stepper> make(const Mechanism& system, const typename S::Options& options = {}) {
  return std::make_unique<S>(system, solver(), options);
}

const std::vector<PositionScheme> schemes{
    {"schatzman_paoli", [](const Mechanism& s) { return make<SchatzmanPaoli>(s); }, true, false},
    {"position_trapezoidal", [](const Mechanism& s) { return make<PositionTrapezoidal>(s); }, false, true},
    {"direct_projection", [](const Mechanism& s) { return make<DirectProjection>(s); }},
    {"direct_projection_coupled",
     [](const Mechanism& s) { return make<DirectProjection>(s, {{.coupling = "coupled"}}); }},
    {"direct_projection_kinetic",
     [](const Mechanism& s) { return make<DirectProjection>(s, {{.metric = "kinetic"}}); }},
    {"combined_projection", [](const Mechanism& s) { return make<CombinedProjection>(s); }},
    {"combined_projection_coupled",
     [](const Mechanism& s) { return make<CombinedProjection>(s, {{.coupling = "coupled"}}); }},
    {"combined_projection_kinetic",
     [](const Mechanism& s) { return make<CombinedProjection>(s, {{.metric = "kinetic"}}); }},
    {"ggl_decoupled", [](const Mechanism& s) { return make<GglDecoupled>(s); }},
    {"ggl_unified", [](const Mechanism& s) { return make<GglUnified>(s); }},
};

class Projection : public testing::TestWithParam<PositionScheme> {};
INSTANTIATE_TEST_SUITE_P(all, Projection, testing::ValuesIn(schemes), [](const auto& info) { return info.param.name; });

std::vector<PositionScheme> with_impacts() {
  std::vector<PositionScheme> some;
  for (const PositionScheme& scheme : schemes)
    if (scheme.restitution) some.push_back(scheme);
  return some;
}
class ProjectionWithImpacts : public testing::TestWithParam<PositionScheme> {};
INSTANTIATE_TEST_SUITE_P(all, ProjectionWithImpacts, testing::ValuesIn(with_impacts()),
                         [](const auto& info) { return info.param.name; });

// Acary's Fig. 2, (a); steps that let no impact fall on the time grid.
TEST_P(ProjectionWithImpacts, bouncing_ball_passes_the_accumulation_with_order_one_in_the_mean) {
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  std::vector<double> steps{0.97e-2, 0.97e-3, 0.97e-4}, first, second;
  for (double dt : steps) {
    const auto stepper = GetParam().make(system);
    double l1 = 0, l2 = 0;
    const auto result = run(system, *stepper, dt, 4.0, [&](const State& s, const StepReport&, const Impulses&) {
      const double error = std::abs(s.q[0] - exact_ball(s.t));
      l1 += dt * error, l2 += dt * error * error;
    });
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_LE(result.violation, GetParam().positions ? 1e-14 : 2.1 * dt);
    first.push_back(l1), second.push_back(std::sqrt(l2));
  }
  EXPECT_NEAR(order(steps, first), 1.0, 0.15);
  EXPECT_NEAR(order(steps, second), 1.0, 0.15);
}

// cases/02, undamped: k = m = 1, e = 0.9, at t = 20; Fig. 2, (b).
TEST_P(ProjectionWithImpacts, linear_oscillator_converges_with_order_one) {
  const Mechanism system(shipped("acary2012/linear_oscillator", {{"c", "0"}, {"k", "1"}, {"e", "0.9"}, {"u0", "0"}}));
  auto exact = [](double t) {  // q between impacts at (2 n − 1) π/2: amplitude 0.9ⁿ
    double amplitude = 1;
    for (double s = t + M_PI / 2; s > M_PI; s -= M_PI) amplitude *= 0.9;
    return amplitude * std::abs(std::cos(t));
  };
  std::vector<double> steps{1e-2, 1e-3, 1e-4}, errors;
  for (double dt : steps) {
    const auto stepper = GetParam().make(system);
    double error = 0;
    const auto result = run(system, *stepper, dt, 20.0, [&](const State& s, const StepReport&, const Impulses&) {
      error += dt * std::abs(s.q[0] - exact(s.t));
    });
    EXPECT_EQ(result.unconverged, 0);
    errors.push_back(error);
  }
  EXPECT_GT(order(steps, errors), 0.8);
}

TEST_P(Projection, conserves_momentum_in_free_flight) {
  const Mechanism system(shipped("capobianco2021/rotating_ball", {{"omega", "50"}}));
  const auto stepper = GetParam().make(system);
  const auto result = run(system, *stepper, 1e-3, 0.4);
  EXPECT_NEAR(result.state.u[0], system.initial().u[0], 1e-12);
  EXPECT_NEAR(result.state.u[2], system.initial().u[2], 1e-12);
}

TEST_P(Projection, rotating_ball_ends_rolling_at_the_closed_form) {
  const Mechanism system(shipped("capobianco2021/rotating_ball", {{"omega", "50"}, {"e_N", "0"}}));
  const auto stepper = GetParam().make(system);
  const auto result = run(system, *stepper, 1e-4, 1.0);
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_NEAR(result.state.u[0], -1.428571428571428, 2e-2);
  EXPECT_NEAR(result.state.u[2], 14.28571428571428, 2e-1);
}

TEST_P(Projection, a_step_allocates_nothing) {
  for (const char* model :
       {"acary2012/bouncing_ball", "schindler2014/slider_crank", "schoeder2013/slider_crank_bilateral"}) {
    SCOPED_TRACE(model);
    const Mechanism system(shipped(model));
    const auto stepper = GetParam().make(system);
    expect_no_allocation(system, *stepper, 1e-4, 500, 600);
  }
}

TEST_P(Projection, joints_stay_closed_on_minimal_and_on_maximal_coordinates) {
  for (const char* model : {"schoeder2013/slider_crank_bilateral", "schoeder2013/slider_crank_bilateral_bodies"}) {
    SCOPED_TRACE(model);
    const Mechanism system(shipped(model));
    const auto stepper = GetParam().make(system);
    Evaluator evaluate(system);
    Vec g;
    double worst = 0;
    const auto result = run(system, *stepper, 1e-4, 0.1, [&](const State& s, const StepReport&, const Impulses&) {
      evaluate.joint_residuals(s.t, s.q, g);
      for (double x : g) worst = std::max(worst, std::abs(x));
    });
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_LT(worst, 2e-12);
  }
}

// Acary's Fig. 4 and 5. The amplitudes at h = 0.047 are 2 h f/3·{2, 1, 1}: 0.1253, 0.0627, 0.0627 m/s.
TEST(DirectProjection, ball_chatters_with_the_explicit_forecast_and_not_with_the_free_one) {
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  const double h = 0.047;
  auto speed_at_rest = [&](const DirectProjectionOptions& options) {
    DirectProjection stepper(system, solver(), options);
    double speed = 0;
    run(system, stepper, h, 9.4, [&](const State& s, const StepReport&, const Impulses&) {
      if (s.t > 6) speed = std::max(speed, std::abs(s.u[0]));
    });
    return speed;
  };
  EXPECT_NEAR(speed_at_rest({.gamma = 0}), 8.0 / 3 * h, 1e-6);
  EXPECT_NEAR(speed_at_rest({.gamma = 1}), 4.0 / 3 * h, 1e-6);
  EXPECT_NEAR(speed_at_rest({.gamma = 2}), 4.0 / 3 * h, 1e-6);
  EXPECT_LT(speed_at_rest({.forecast = "free"}), 1e-10);
}

TEST(DirectProjection, multiplier_shrinks_with_the_step) {  // Fig. 3
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  std::vector<double> steps{0.97e-2, 0.97e-3, 0.97e-4}, largest;
  for (double dt : steps) {
    DirectProjection stepper(system, solver());
    double tau = 0;
    run(system, stepper, dt, 4.0,
        [&](const State&, const StepReport&, const Impulses&) { tau = std::max(tau, stepper.largest_tau()); });
    largest.push_back(tau);
  }
  EXPECT_NEAR(order(steps, largest), 1.0, 0.3);
}

TEST(DirectProjection, adds_energy_to_an_elastic_ball) {  // Fig. 7
  const Mechanism system(shipped("acary2012/bouncing_ball", {{"e", "1"}}));
  DirectProjection stepper(system, solver());
  const auto result = run(system, stepper, 0.047, 20.0);
  Evaluator evaluate(system);
  EXPECT_GT(evaluate.energy(20, result.state.q, result.state.u).total(), 1.02 * 2.0);
}

double speed_at_the_end(const Mechanism& system, Stepper& stepper, double dt, double end, int* unconverged = nullptr) {
  double speed = 0;
  const auto result = run(system, stepper, dt, end, [&](const State& s, const StepReport&, const Impulses&) {
    if (s.t >= end - 0.2 - 1e-9)
      for (double u : s.u) speed = std::max(speed, std::abs(u));
  });
  if (unconverged) *unconverged += result.unconverged;
  return speed;
}

TEST(RockingBlock, rests_with_the_combined_scheme_and_chatters_with_the_direct_one) {  // Fig. 9
  const Mechanism system(shipped("acary2012/rocking_block"));
  CombinedProjection combined(system, solver());
  EXPECT_LT(speed_at_the_end(system, combined, 1e-2, 2.0), 1e-10);
  for (double gamma : {0.0, 1.0, 2.0}) {
    DirectProjection direct(system, solver(), {.gamma = gamma});
    EXPECT_GT(speed_at_the_end(system, direct, 1e-2, 2.0), 0.05);
  }
  DirectProjection free(system, solver(), {.forecast = "free"});
  EXPECT_LT(speed_at_the_end(system, free, 1e-2, 4.0), 1e-10);
}

// With gamma = 0 several cycles live side by side, and the start decides. A block that lands flat keeps both corners in
// phase and repeats −4/3, 2/3, −1/3 g h, as the ball of Fig. 4.
TEST(RockingBlock, flat_on_the_ground_chatters_as_the_ball_does) {
  const double h = 1e-2, g = 9.81;
  const Mechanism system(shipped("acary2012/rocking_block", {{"theta0", "0"}, {"omega0", "0"}}));
  DirectProjection direct(system, solver(), {.gamma = 0.0});
  EXPECT_NEAR(speed_at_the_end(system, direct, h, 4.0), 4.0 / 3 * g * h, 1e-6);
}

TEST(RockingBlock, two_hundred_random_blocks_come_without_an_unconverged_step) {
  std::mt19937 random(7);
  auto between = [&](double low, double high) {
    return std::to_string(std::uniform_real_distribution<>(low, high)(random));
  };
  int unconverged = 0;
  for (int k = 0; k < 200; ++k) {
    const Mechanism system(shipped("acary2012/rocking_block", {{"l", between(0.5, 2)},
                                                               {"L", between(0.5, 2)},
                                                               {"y0", between(1.5, 2.5)},
                                                               {"theta0", between(-0.6, 0.6)},
                                                               {"omega0", between(-2, 2)},
                                                               {"e", between(0, 0.9)},
                                                               {"mu", k % 2 ? between(0.05, 1) : "0"}}));
    CombinedProjection stepper(system, solver());
    const auto result = run(system, stepper, 1e-2, 3.0);
    unconverged += result.unconverged;
    EXPECT_LT(result.violation, 1e-12) << k;
  }
  EXPECT_EQ(unconverged, 0);
}

TEST(SliderAndRoller, friction_holds_the_roller_only_where_the_slider_comes_to_rest) {
  const Mechanism system(shipped("acary2012/slider_and_roller"));
  CombinedProjection combined(system, solver());
  EXPECT_LT(speed_at_the_end(system, combined, 1e-2, 3.0), 1e-10);
  DirectProjection direct(system, solver());
  const auto two = run(system, direct, 1e-2, 2.0);
  DirectProjection again(system, solver());
  const auto four = run(system, again, 1e-2, 4.0);
  EXPECT_NEAR((four.state.q[1] - two.state.q[1]) / 2, 0.10, 0.02);  // rad/s
}

TEST(PendulumInRing, stays_in_the_ring_with_the_combined_scheme) {
  const Mechanism system(shipped("acary2012/pendulum_in_ring"));
  for (const char* coupling : {"decoupled", "coupled"}) {
    CombinedProjection stepper(system, solver(), {{.coupling = coupling}});
    const auto result = run(system, stepper, 5e-4, 3.0);
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_LT(result.violation, 1e-14);
  }
}

// Acary's Table 3, Algorithms 1 and 2 at h = 1e-4, T = 0.2 s.
TEST(SliderCrank, projected_schemes_need_the_index_sets_of_table_3_and_do_not_penetrate) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  double sets = 0;
  CombinedProjection combined(system, solver(), {{}, "empty"});
  const auto b = run(system, combined, 1e-4, 0.2,
                     [&](const State&, const StepReport& r, const Impulses&) { sets += r.index_sets; });
  EXPECT_NEAR(sets / 2000, 1.18, 0.03 * 1.18);
  EXPECT_LT(b.violation, 1e-10);
  EXPECT_EQ(b.unconverged, 0);
  DirectProjection direct(system, solver());
  const auto a = run(system, direct, 1e-4, 0.2);
  EXPECT_LT(a.violation, 1e-10);
  EXPECT_EQ(a.unconverged, 0);
}

TEST(SliderCrank, coupled_and_decoupled_forms_give_the_same_motion) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  CombinedProjection a(system, solver(), {{}, "empty"}), b(system, solver(), {{.coupling = "coupled"}});
  DirectProjection c(system, solver()), d(system, solver(), {{.coupling = "coupled"}});
  const auto qa = run(system, a, 1e-4, 0.05).state.q, qb = run(system, b, 1e-4, 0.05).state.q;
  const auto qc = run(system, c, 1e-4, 0.05).state.q, qd = run(system, d, 1e-4, 0.05).state.q;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(qa[i], qb[i], 1e-8);
    EXPECT_NEAR(qc[i], qd[i], 1e-8);
  }
}

// Schoeder 2013, Fig. 9 and 10, e = 0.1, dt = 1e-5; the energy at 0.1 s is that of cases/08.
TEST(GglUnified, holds_gaps_and_energy_of_the_slider_crank) {
  const Mechanism system(shipped("schindler2014/slider_crank", {{"mu", "0"}, {"e_N", "0.1"}}));
  Evaluator evaluate(system);
  const double E0 = evaluate.energy(0, system.initial().q, system.initial().u).total();
  auto largest_rise = [&](Stepper& stepper, double& E, double& violation) {
    double rise = 0;
    E = E0;
    const auto result = run(system, stepper, 1e-5, 0.1, [&](const State& s, const StepReport&, const Impulses&) {
      const double now = evaluate.energy(s.t, s.q, s.u).total();
      rise = std::max(rise, (now - E) / E0);
      E = now;
    });
    violation = result.violation;
    EXPECT_EQ(result.unconverged, 0);
    return rise;
  };
  double E, violation;
  GglUnified unified(system, solver());
  EXPECT_LT(largest_rise(unified, E, violation), 5e-8);
  EXPECT_NEAR(E, 7.307891684749724, 1e-4);
  EXPECT_LT(violation, 1e-10);
  GglDecoupled decoupled(system, solver());
  EXPECT_GT(largest_rise(decoupled, E, violation), 1e-6);  // 2e-5 within 4 s
  EXPECT_LT(violation, 1e-10);
  MoreauMidpoint midpoint(system, solver());
  largest_rise(midpoint, E, violation);
  EXPECT_NEAR(violation, 4e-5, 1e-5);
}

// A ball slides without friction on a plane that is tangent to a cylinder below it. Where the ball is, both gaps are
// within round-off of each other, but they are both zero only above the line where plane and cylinder touch. With I
// from ∅ the fall of a step closes both contacts, and the cylinder slows the ball down a little.
TEST(CombinedProjection, contacts_that_continue_each_other_do_not_pull_a_body_to_their_seam) {
  const Mechanism system(parse_model(R"yaml(
bodies:
  ball: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [-0.02, 0, 0.1], velocity: [0.1, 0, 0]}
contacts:
  flat: {type: sphere-plane, bodies: [ball, ground], radius: 0.1, point: [0, 0, 0], normal: [0, 0, 1]}
  round: {type: sphere-on-cylinder, bodies: [ball, ground], radii: [0.1, 1], axis_point: [0, 0, -1], axis: [0, 1, 0]}
forces: {gravity: {type: gravity, acceleration: [0, 0, -10]}}
)yaml",
                                     "seam.yaml"));
  for (const auto& [first_set, error] : {std::pair("pressed", 1e-14), std::pair("empty", 2e-4)}) {
    CombinedProjection stepper(system, solver(), {{}, first_set});
    double worst = 0.0;
    const auto result = run(system, stepper, 1e-3, 0.4, [&](const State& s, const StepReport&, const Impulses&) {
      worst = std::max(worst, std::abs(s.q[0] - (-0.02 + 0.1 * s.t)));
    });
    EXPECT_EQ(result.unconverged, 0) << first_set;
    EXPECT_LT(result.violation, 1e-15) << first_set;
    EXPECT_LT(worst, error) << first_set;
  }
}

// The contacts that were pressed are those that the passes from ∅ find, also where impacts open and close contacts.
TEST(CombinedProjection, starts_with_the_pressed_contacts_and_finds_the_same_motion) {
  for (const char* model : {"acary2012/rocking_block", "acary2012/slider_and_roller", "acary2012/pendulum_in_ring"}) {
    const Mechanism system(shipped(model));
    CombinedProjection pressed(system, solver()), empty(system, solver(), {{}, "empty"});
    double passes[2] = {};
    const auto count = [](double& sum) {
      return [&sum](const State&, const StepReport& report, const Impulses&) { sum += report.index_sets; };
    };
    const auto a = run(system, pressed, 1e-3, 1.0, count(passes[0]));
    const auto b = run(system, empty, 1e-3, 1.0, count(passes[1]));
    for (int i = 0; i < a.state.q.size(); ++i) EXPECT_NEAR(a.state.q[i], b.state.q[i], 1e-9) << model << i;
    EXPECT_LT(passes[0], passes[1]) << model;
  }
}

// A block on four corners: its twelve rows depend on each other, so a solution from zero costs a factorisation. At rest
// the impulses of the previous step are still right in most steps.
TEST(CombinedProjection, starts_from_the_impulses_of_the_previous_step) {
  const System system(shipped("many/block_on_slope"));
  ContactList contacts(system);
  CombinedProjection stepper(contacts, solver());
  State state = system.initial();
  int without = 0;
  for (int k = 0; k < 100; ++k) {
    contacts.find(state, 1e-3);
    const StepReport report = stepper.step(state, 1e-3);
    ASSERT_TRUE(report.converged());
    EXPECT_LE(report.solve.residual, 1e-13);
    without += report.solve.factorisations == 0;
  }
  EXPECT_GT(without, 50);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(state.q[i], system.initial().q[i], 1e-14);
}

// At rest on the ground with a remainder of velocity: index 3 turns it over in every step, Fig. 11.
TEST(PositionTrapezoidal, velocity_alternates_at_a_closed_contact) {
  const Mechanism system(shipped("acary2012/bouncing_ball", {{"q0", "0"}, {"u0", "-0.005"}}));
  PositionTrapezoidal stepper(system, solver());
  State state = system.initial();
  for (int k = 0; k < 100; ++k) {
    stepper.step(state, 0.01);
    EXPECT_NEAR(state.u[0], k % 2 ? -0.005 : 0.005, 1e-12);
    EXPECT_NEAR(state.q[0], 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace tappet
