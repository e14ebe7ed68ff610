// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/lcp/lcp_trapezoidal.h"

#include <fmt/format.h>

#include <algorithm>

#include "steppers/cases.h"
#include "steppers/closed_forms.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using namespace test;

LcpTrapezoidalOptions form(const std::string& name) { return {.form = name}; }
LcpTrapezoidalOptions unlocated(const std::string& name) {
  return {.form = name, .collisions = "grid", .stick_slip = "grid", .take_off = "grid"};
}

struct EventLog {
  std::vector<Event> events;
  Observer observe(const Stepper& stepper) {
    return [this, &stepper](const State&, const StepReport&, const Impulses&) {
      events.insert(events.end(), stepper.events().begin(), stepper.events().end());
    };
  }
  int count(Kind kind) const {
    return static_cast<int>(
        std::count_if(events.begin(), events.end(), [&](const Event& e) { return e.kind == kind; }));
  }
};

class LcpForms : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(form, LcpForms, testing::Values("I", "II"), [](const auto& info) { return info.param; });

struct PendulumErrors {
  double E, joint_1, joint_2;
};
PendulumErrors double_pendulum(const std::string& name, int k) {
  const Mechanism system(shipped("potra2006/double_pendulum_wall"));
  LcpTrapezoidal stepper(system, solver(), form(name));
  const auto result = run(system, stepper, std::ldexp(1.0, -k), 2.5);
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_EQ(result.violation, 0.0);
  const auto q_T = reference("06_double_pendulum_wall")["q_T_cartesian"];
  const Vec& q = result.state.q;
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += std::pow(q[i] - number(q_T[i]), 2);
  // The paper tabulates −Θ.
  return {std::sqrt(sum), 1 - q[0] * q[0] - q[1] * q[1], 1 - std::pow(q[0] - q[2], 2) - std::pow(q[1] - q[3], 2)};
}

TEST(LcpTrapezoidal, table_10_1_comes_out_with_form_two) {
  const PendulumErrors printed[] = {{2.38e-3, 1.27e-3, 3.18e-3}, {6.14e-4, 3.14e-4, 8.29e-4},
                                    {1.54e-4, 7.82e-5, 2.14e-4}, {3.95e-5, 1.95e-5, 5.48e-5},
                                    {1.01e-5, 4.88e-6, 1.37e-5}, {2.42e-6, 1.22e-6, 3.44e-6},
                                    {6.15e-7, 3.05e-7, 8.60e-7}};
  for (int k = 5; k <= 11; ++k) {
    SCOPED_TRACE(k);
    const PendulumErrors error = double_pendulum("II", k), &expected = printed[k - 5];
    EXPECT_NEAR(error.E, expected.E, 0.06 * expected.E);
    EXPECT_NEAR(std::abs(error.joint_1), expected.joint_1, 0.01 * expected.joint_1);
    EXPECT_NEAR(std::abs(error.joint_2), expected.joint_2, 0.01 * expected.joint_2);
  }
}

TEST(LcpTrapezoidal, form_one_is_of_first_order_with_nonlinear_joints) {
  EXPECT_NEAR(double_pendulum("I", 9).E / double_pendulum("I", 10).E, 2.0, 0.1);
}

double block_error(const LcpTrapezoidalOptions& options, int k, double end = 2.0) {
  const Mechanism system(shipped("potra2006/sliding_block"));
  LcpTrapezoidal stepper(system, solver(), options);
  const auto result = run(system, stepper, std::ldexp(1.0, -k), end);
  EXPECT_EQ(result.unconverged, 0);
  return std::abs(result.state.q[0] - 3.004348569726865226929652);  // cases/05 at t = 2
}

TEST(LcpTrapezoidal, tables_10_2_and_10_3_come_out_without_stick_slip_location) {
  // The last row of Table 10.2 is printed as 3.959e-8. The errata give the value of (6.12).
  const double one[] = {5.197e-5, 1.025e-5, 2.555e-6, 6.551e-7, 1.549e-7, 4.409e-8};
  const double two[] = {8.023e-5, 2.310e-5, 5.619e-6, 1.395e-6, 3.652e-7, 8.246e-8};
  for (int k = 5; k <= 10; ++k) {
    SCOPED_TRACE(k);
    EXPECT_NEAR(block_error(unlocated("I"), k), one[k - 5], 0.01 * one[k - 5]);
    EXPECT_NEAR(block_error(unlocated("II"), k), two[k - 5], 0.01 * two[k - 5]);
  }
}

TEST_P(LcpForms, located_stick_slip_is_of_second_order_on_the_block) {
  const double ratio = std::pow(block_error(form(GetParam()), 5) / block_error(form(GetParam()), 10), 1.0 / 5);
  EXPECT_GT(ratio, 3.8);
  EXPECT_LT(ratio, 4.2);
}

TEST_P(LcpForms, stick_and_slip_of_the_block_happen_at_their_times_to_second_order) {
  const auto expected = reference("05_block_on_table")["events"];
  std::vector<double> steps{0.02, 0.005}, errors;
  for (double dt : steps) {
    const Mechanism system(shipped("potra2006/sliding_block"));
    LcpTrapezoidal stepper(system, solver(), form(GetParam()));
    EventLog log;
    run(system, stepper, dt, 10.0, log.observe(stepper));
    ASSERT_EQ(log.events.size(), expected.size() - 1);  // it starts to slip at t = 0
    double error = 0;
    for (size_t i = 0; i < log.events.size(); ++i) {
      const bool sticks = expected[i + 1]["type"] == "slip->stick";
      EXPECT_EQ(log.events[i].kind, sticks ? Kind::stick : Kind::slip);
      error = std::max(error, std::abs(log.events[i].t - number(expected[i + 1]["t"])));
    }
    errors.push_back(error);
  }
  EXPECT_LT(errors.back(), 1e-4);
  EXPECT_GT(order(steps, errors), 1.8);
}

TEST(LcpTrapezoidal, velocity_alternates_in_stick_with_form_two_and_is_zero_with_form_one) {
  for (const std::string name : {"I", "II"}) {
    const Mechanism system(shipped("potra2006/sliding_block"));
    LcpTrapezoidal stepper(system, solver(), unlocated(name));
    double last = 0;
    run(system, stepper, 0.01, 2.9, [&](const State& s, const StepReport&, const Impulses&) {
      if (s.t < 0.36) return;  // it sticks from 0.3386 to 2.9463
      if (name == "I") {
        EXPECT_EQ(s.u[0], 0.0);
      } else if (last != 0.0) {
        EXPECT_NEAR(s.u[0], -last, 1e-12);
      }
      last = s.u[0];
    });
    EXPECT_EQ(std::abs(last) > 1e-4, name == "II");
  }
}

TEST_P(LcpForms, two_carts_are_stable_and_gain_no_energy_at_any_stiffness) {
  const std::vector<std::pair<Overrides, double>> sets{
      {{{"delta", "1e2"}}, 4},
      {{{"delta", "1e3"}}, 4},
      {{{"delta", "1e6"}}, 4},
      {{{"gamma", "1e2"}, {"delta", "10"}, {"x1_0", "0.2"}, {"v0", "-3"}}, 2},
      {{{"gamma", "1e4"}, {"delta", "10"}, {"x1_0", "0.2"}, {"v0", "-3"}}, 2},
      {{{"gamma", "1e6"}, {"delta", "10"}, {"x1_0", "0.2"}, {"v0", "-3"}}, 2}};
  for (const auto& [set, end] : sets)
    for (const auto& options : {form(GetParam()), unlocated(GetParam())}) {
      const Mechanism system(shipped("potra2006/two_carts", set));
      LcpTrapezoidal stepper(system, solver(), options);
      Evaluator evaluate(system);
      const double start = evaluate.energy(0, system.initial().q, system.initial().u).total();
      double largest = 0;
      const auto result = run(system, stepper, 0.01, end, [&](const State& s, const StepReport&, const Impulses&) {
        largest = std::max(largest, evaluate.energy(s.t, s.q, s.u).total());
      });
      EXPECT_EQ(result.unconverged, 0);
      EXPECT_LE(largest, start * (1 + 1e-12));
    }
}

TEST_P(LcpForms, two_carts_with_events_located_follow_the_reference_in_the_stiff_limit) {
  const auto samples = reference("07_two_carts_stopper")["sets"][2]["samples"];
  const Mechanism system(shipped("potra2006/two_carts", {{"delta", "1e6"}}));
  LcpTrapezoidal stepper(system, solver(), form(GetParam()));
  Evaluator evaluate(system);
  size_t next = 0, compared = 0;
  const auto result = run(system, stepper, 0.01, 4.0, [&](const State& s, const StepReport&, const Impulses&) {
    while (next < samples.size() && number(samples[next]["t"]) < s.t - 1e-9) ++next;
    if (next == samples.size() || std::abs(number(samples[next]["t"]) - s.t) > 1e-9) return;
    EXPECT_NEAR(s.q[0], number(samples[next]["x1"]), 1e-3) << s.t;
    ++compared;
  });
  EXPECT_GE(compared, 4u);
  EXPECT_NEAR(evaluate.energy(4, result.state.q, result.state.u).total(), 0.030, 5e-4);
}

TEST_P(LcpForms, bouncing_ball_passes_the_accumulation_and_says_so) {
  const auto impacts = reference("01_bouncing_ball")["sets"][0]["first_impacts"];
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  for (double dt : {0.01, 0.03}) {  // impacts on and off the grid
    LcpTrapezoidal stepper(system, solver(), form(GetParam()));
    EventLog log;
    const auto result = run(system, stepper, dt, 4.2, log.observe(stepper));
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_EQ(log.count(Kind::accumulation), 1);
    EXPECT_NEAR(result.state.q[0], 0.0, 1e-14);
    EXPECT_NEAR(result.state.u[0], 0.0, 1e-14);
    int n = 0;
    for (const Event& event : log.events)
      if (event.kind == Kind::impact) {
        EXPECT_NEAR(event.t, number(impacts[n++]["t"]), 1e-12);
      }
    EXPECT_GE(n, 5);
  }
}

TEST_P(LcpForms, rotating_ball_follows_the_closed_form_through_impact_slip_and_stick) {
  const auto sets = reference("03_rotating_bouncing_ball")["sets"];
  for (int set : {0, 1}) {
    const Mechanism system(
        shipped("capobianco2021/rotating_ball", {{"omega", sets[set]["omega"].get<std::string>()}, {"e_N", "0"}}));
    LcpTrapezoidal stepper(system, solver(), form(GetParam()));
    EventLog log;
    const auto result = run(system, stepper, 0.01, 1.0, log.observe(stepper));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.state.u[i], number(sets[set]["u_final"][i]), 1e-12);
    ASSERT_EQ(log.events.size(), sets[set]["events"].size());
    for (size_t i = 0; i < log.events.size(); ++i)
      EXPECT_NEAR(log.events[i].t, number(sets[set]["events"][i]["t"]), 1e-12);
  }
}

TEST_P(LcpForms, poisson_and_newton_agree_on_a_ball_that_bounces_and_spins) {
  const Mechanism system(shipped("capobianco2021/rotating_ball", {{"omega", "50"}, {"e_N", "0.5"}}));
  LcpTrapezoidal poisson(system, solver(), form(GetParam()));
  LcpTrapezoidalOptions options = form(GetParam());
  options.impact = "newton";
  LcpTrapezoidal newton(system, solver(), options);
  const auto a = run(system, poisson, 0.01, 1.0), b = run(system, newton, 0.01, 1.0);
  EXPECT_EQ(a.impulsive, 2);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.state.u[i], b.state.u[i], 1e-11);
}

// cases/03, ω = 50, e_N = 0.5: slip ends in the third impact, the accumulation at 1.285 s.
TEST_P(LcpForms, rotating_ball_with_restitution_follows_the_closed_form) {
  const auto set = reference("03_rotating_bouncing_ball")["sets"][2];
  const Mechanism system(shipped("capobianco2021/rotating_ball", {{"omega", "50"}, {"e_N", "0.5"}}));
  LcpTrapezoidal stepper(system, solver(), form(GetParam()));
  const auto result = run(system, stepper, 0.01, 2.0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(result.state.q[i], number(set["samples"].back()["q"][i]), 1e-11);
    EXPECT_NEAR(result.state.u[i], number(set["u_final"][i]), 1e-12);
  }
}

// cases/12: a ball that slides and spins on a plane rolls from roll_time on.
double roll_time(const json& set, int directions) {
  Overrides parameters{{"vx", set["v0"][0]},
                       {"vy", set["v0"][1]},
                       {"omega_x", set["omega0"][0]},
                       {"omega_y", set["omega0"][1]},
                       {"omega_z", set["omega0"][2]}};
  for (const char* name : {"m", "R", "mu"}) parameters.emplace_back(name, set[name]);
  const Mechanism system(shipped("rigid/bowling_ball", parameters));
  LcpTrapezoidal stepper(system, solver(), {.directions = directions});
  EventLog log;
  const auto result = run(system, stepper, 1e-3, 2.5, log.observe(stepper));  // it turns by 0.03 rad per step
  for (int i : {0, 1}) EXPECT_NEAR(result.state.u[i], number(set["v_roll"][i]), 2e-4);
  EXPECT_GE(log.count(Kind::stick), 1);
  return log.events.empty() ? 0.0 : log.events.back().t;
}

TEST(LcpTrapezoidal, friction_in_space_is_exact_along_an_edge_of_the_cone_and_converges_in_their_number) {
  const auto sets = reference("12_rigid_body_3d")["bowling"]["sets"];
  EXPECT_NEAR(roll_time(sets[1], 8), number(sets[1]["roll_time"]), 5e-5);  // slip along (−1, 1)
  const double exact = number(sets[0]["roll_time"]);
  const double coarse = std::abs(roll_time(sets[0], 8) - exact), fine = std::abs(roll_time(sets[0], 32) - exact);
  EXPECT_LT(coarse, 0.09 * exact);
  EXPECT_LT(fine, 0.01 * exact);
}

TEST_P(LcpForms, a_contact_that_sticks_on_a_turning_surface_is_found_sticking_once) {
  const Mechanism system(shipped("acary2012/pendulum_in_ring"));
  LcpTrapezoidal stepper(system, solver(), form(GetParam()));
  EventLog log;
  run(system, stepper, 1e-3, 1.0, log.observe(stepper));
  EXPECT_EQ(log.count(Kind::impact), 1);
  EXPECT_EQ(log.count(Kind::stick), 1);
}

TEST(LcpTrapezoidal, painleve_rod_reaches_the_paradox_in_second_order_and_passes_it) {
  const auto sample = reference("10_painleve_rod")["samples_contact"][4];  // t = 0.5
  std::vector<double> steps{0.01, 0.0025}, errors;
  for (double dt : steps) {
    const Mechanism system(shipped("capobianco2021/painleve_rod"));
    LcpTrapezoidal stepper(system, solver());
    errors.push_back(std::abs(run(system, stepper, dt, 0.5).state.u[2] - number(sample["omega"])));
    LcpTrapezoidal further(system, solver());
    const auto result = run(system, further, dt, 1.2);
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_TRUE(std::isfinite(result.state.u[2]));
    EXPECT_GT(result.state.q[1], 0.8);  // it has left the floor
  }
  EXPECT_LT(errors.back(), 2e-4);  // the sample's time is good to 4e-5 s
}

// A quarter of the period T = 4 K(sin θ₀/2) √(l/g) after its release a pendulum hangs down at speed 2 √(g/l) sin θ₀/2.
TEST_P(LcpForms, pendulum_is_of_second_order_with_one_linear_solve_a_step) {
  const Mechanism system(parse_model(R"(title: pendulum
parameters: {g: 9.81, l: 1}
coordinates: {theta: {position: 2}}
lagrangian: {kinetic: l^2*theta'^2/2, potential: -g*l*cos(theta)}
run: {scheme: lcp-trapezoidal, dt: 0.01, end: 1}
)",
                                     "pendulum.yaml"));
  const double quarter = std::comp_ellint_1(std::sin(1.0)) / std::sqrt(9.81),
               speed = -2 * std::sqrt(9.81) * std::sin(1.0);
  std::vector<double> steps, errors;
  for (int n : {64, 256}) {
    LcpTrapezoidal stepper(system, solver(), form(GetParam()));
    const auto result =
        run(system, stepper, quarter / n, quarter, [](const State&, const StepReport& r, const Impulses&) {
          EXPECT_EQ(r.newton, 0);
          EXPECT_EQ(r.solve.iterations, 0);
        });
    steps.push_back(quarter / n);
    errors.push_back(std::hypot(result.state.q[0], result.state.u[0] - speed));
  }
  EXPECT_GT(order(steps, errors), 1.9);
}

TEST(LcpTrapezoidal, tumbling_body_is_of_second_order) {
  const Mechanism system(shipped("rigid/tumbling_body", {{"Omega1", "1.2"}, {"Omega3", "1.5"}}));
  std::vector<double> steps{1e-2, 1e-3}, errors;
  for (double dt : steps) {
    LcpTrapezoidal stepper(system, solver());
    errors.push_back(tumbling_error(run(system, stepper, dt, 1.0).state.q));
  }
  EXPECT_NEAR(order(steps, errors), 2.0, 0.1);
}

TEST_P(LcpForms, a_linear_oscillator_keeps_its_energy) {
  const Mechanism system(shipped("acary2012/linear_oscillator", {{"c", "0"}, {"k", "1"}, {"u0", "0"}}));
  LcpTrapezoidal stepper(system, solver(), form(GetParam()));
  Evaluator evaluate(system);
  const double before = evaluate.energy(0, system.initial().q, system.initial().u).total();
  const auto result = run(system, stepper, 1e-2, 1.5);  // before the first impact at π/2
  EXPECT_NEAR(evaluate.energy(1.5, result.state.q, result.state.u).total(), before, 1e-12);
}

TEST_P(LcpForms, a_step_allocates_nothing) {
  for (const char* model : {"potra2006/sliding_block", "potra2006/double_pendulum_wall", "potra2006/two_carts",
                            "schindler2014/slider_crank", "schoeder2013/slider_crank_bilateral_bodies"}) {
    SCOPED_TRACE(model);
    const Mechanism system(shipped(model));
    LcpTrapezoidal stepper(system, solver(), form(GetParam()));
    expect_no_allocation(system, stepper, 2e-4, 1000, 600);
  }
}

TEST(LcpTrapezoidal, tangential_restitution_is_refused_under_poissons_law) {
  const Mechanism system(shipped("schindler2014/slider_crank", {{"e_F", "0.1"}}));
  EXPECT_THROW(LcpTrapezoidal(system, solver()), ModelError);
}

// Forty links between revolute joints: eighty rows of joints, eliminated sparsely.
TEST(LcpTrapezoidal, a_chain_of_forty_links_swings_and_meets_a_wall_with_its_joints_closed) {
  std::string text = "title: chain\nbodies:\n", joints = "joints:\n";
  for (int i = 0; i < 40; ++i) {
    text +=
        fmt::format("  link{}: {{type: planar, mass: 1, inertia: 1/12, position: [{}, 0], angle: 0}}\n", i, i + 0.5);
    joints += fmt::format("  pin{}: {{type: revolute, bodies: [{}, link{}], at: [{}, 0]}}\n", i,
                          i ? fmt::format("link{}", i - 1) : "ground", i, i);
  }
  text += joints + R"(contacts:
  wall: {type: point-plane, bodies: [link39, ground], at: [0.5, 0], normal: [0, 1], point: [0, -2], mu: 0.5, e_N: 0.5}
forces:
  gravity: {type: gravity, acceleration: [0, -9.81, 0]}
run: {scheme: lcp-trapezoidal, dt: 0.01, end: 1}
)";
  const Mechanism system(parse_model(text, "chain.yaml"));
  LcpTrapezoidal stepper(system, solver());
  const auto result = run(system, stepper, 0.005, 1.0);
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_GT(result.impulsive, 0);
  EXPECT_LT(result.violation, 1e-3);
  Evaluator evaluate(system);
  Vec g;
  evaluate.joint_residuals(1.0, result.state.q, g);
  for (double x : g) EXPECT_LT(std::abs(x), 1e-3);
}

// A mass on a table that moves by 0.1 sin(11 t): its force g − 12.1 sin(11 t) vanishes once.
TEST(LcpTrapezoidal, one_opening_is_listed_once) {
  const Mechanism system(parse_model(R"(
parameters: {w: 11}
coordinates: {y: {position: 0, velocity: 0.1*w}}
lagrangian: {kinetic: y'^2/2, potential: 9.81*y}
contacts: {table: {gap: 'y - 0.1*sin(w*t)'}}
)",
                                     "table.yaml"));
  for (const double dt : {7e-4, 3e-4}) {  // with these it was found a second time, an instant later
    LcpTrapezoidal stepper(system, test::solver());
    State state = system.initial();
    std::vector<double> openings;
    while (state.t < 0.2) {
      stepper.step(state, dt);
      for (const Event& event : stepper.events())
        if (event.kind == Event::Kind::opening) openings.push_back(event.t);
    }
    ASSERT_EQ(openings.size(), 1u) << dt;
    EXPECT_NEAR(openings[0], std::asin(9.81 / 12.1) / 11, 1e-6);
  }
}

}  // namespace
}  // namespace tappet
