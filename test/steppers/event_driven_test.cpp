// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "steppers/support.h"

namespace tappet {
namespace {

using nlohmann::json;
using test::shipped;
using test::solver;
using Kind = Event::Kind;

constexpr double bar = 1e-8;

json reference(const std::string& name) {
  std::ifstream file(std::string(TAPPET_TEST_DATA) + "/cases/" + name + ".json");
  return json::parse(file);
}

double number(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

struct Motion {
  std::map<double, State> at;  // by time
  std::vector<Event> events;

  std::vector<double> times(Kind kind, int contact) const {
    std::vector<double> result;
    for (const Event& e : events)
      if (e.kind == kind && e.contact == contact) result.push_back(e.t);
    return result;
  }
};

Motion move(const System& system, std::vector<double> times) {
  EventDriven stepper(system, solver(), {.accumulate = "close"});
  Motion motion;
  State state = system.initial();
  for (double t : times) {
    const StepReport report = stepper.step(state, t - state.t);
    EXPECT_TRUE(report.converged()) << t;
    EXPECT_EQ(state.t, t);
    motion.at[t] = state;
    motion.events.insert(motion.events.end(), stepper.events().begin(), stepper.events().end());
  }
  return motion;
}

void expect_times(const std::vector<double>& found, const std::vector<double>& expected, size_t most = 1000) {
  ASSERT_GE(found.size(), std::min(most, expected.size()));
  for (size_t i = 0; i < std::min(most, expected.size()); ++i) EXPECT_NEAR(found[i], expected[i], bar) << i;
}

void expect_near(const Vec& found, const json& expected, double scale = 1) {
  for (int i = 0; i < static_cast<int>(expected.size()); ++i)
    EXPECT_NEAR(found[i], number(expected[i]), bar * scale * std::max(1.0, std::abs(number(expected[i])))) << i;
}

std::vector<double> times_of(const json& samples) {
  std::vector<double> times;
  for (const json& s : samples) times.push_back(number(s["t"]));
  return times;
}

// cases/03
TEST(EventDriven, rotating_ball_follows_the_closed_form_through_impact_slip_and_accumulation) {
  const json data = reference("03_rotating_bouncing_ball");
  for (const json& set : data["sets"]) {
    SCOPED_TRACE(set["name"]);
    const System system(shipped("capobianco2021/rotating_ball", {{"omega", set["omega"]}, {"e_N", set["e_N"]}}));
    const Motion motion = move(system, times_of(set["samples"]));
    std::vector<double> impacts, sticks;
    for (const json& e : set["events"]) (e["type"] == "impact" ? impacts : sticks).push_back(number(e["t"]));
    expect_times(motion.times(Kind::impact, 0), impacts);
    expect_times(motion.times(Kind::stick, 0), sticks);
    for (const json& s : set["samples"]) {
      expect_near(motion.at.at(number(s["t"])).q, s["q"]);
      expect_near(motion.at.at(number(s["t"])).u, s["u"]);
    }
  }
}

// cases/05
TEST(EventDriven, block_slips_and_sticks_at_the_times_of_the_closed_form) {
  const json data = reference("05_block_on_table");
  const Motion motion = move(System(shipped("potra2006/sliding_block")), times_of(data["samples"]));
  size_t i = 0;
  for (const json& e : data["events"]) {
    ASSERT_LT(i, motion.events.size());
    const bool sticks = e["type"].get<std::string>().starts_with("slip->stick");
    EXPECT_EQ(motion.events[i].kind, sticks ? Kind::stick : Kind::slip);
    EXPECT_NEAR(motion.events[i++].t, number(e["t"]), bar);
  }
  EXPECT_EQ(i, motion.events.size());
  for (const json& s : data["samples"]) {
    EXPECT_NEAR(motion.at.at(number(s["t"])).q[0], number(s["x"]), bar);
    EXPECT_NEAR(motion.at.at(number(s["t"])).u[0], number(s["v"]), bar);
  }
}

// cases/06
TEST(EventDriven, double_pendulum_hits_the_wall_five_times) {
  const json data = reference("06_double_pendulum_wall");
  const Motion motion = move(System(shipped("potra2006/double_pendulum_wall")), times_of(data["samples"]));
  ASSERT_EQ(motion.events.size(), data["events"].size());
  for (size_t i = 0; i < motion.events.size(); ++i) {
    EXPECT_EQ(motion.events[i].kind, Kind::impact);
    EXPECT_EQ(motion.events[i].contact, data["events"][i]["contact"]);
    EXPECT_NEAR(motion.events[i].t, number(data["events"][i]["t"]), bar);
  }
  for (const json& s : data["samples"]) expect_near(motion.at.at(number(s["t"])).q, s["cartesian"]);
}

// cases/07: stopper, friction and damper share the load. δ = 1e6 is left out: its impacts accumulate within 1.1e-5 s,
// faster than the flights that are told apart. Of each set the first six impacts are compared.
TEST(EventDriven, two_carts_stop_where_the_exact_solution_does) {
  const json data = reference("07_two_carts_stopper");
  for (const json& set : data["sets"]) {
    SCOPED_TRACE(set["name"]);
    if (number(set["delta"]) > 1e5) continue;
    const System system(
        shipped("potra2006/two_carts",
                {{"gamma", set["gamma"]}, {"delta", set["delta"]}, {"x1_0", set["q0"][0]}, {"v0", set["v0"][0]}}));
    const Motion motion = move(system, times_of(set["samples"]));
    std::vector<double> impacts;
    for (const json& e : set["events"])
      if (e["type"] == "impact") impacts.push_back(number(e["t"]));
    expect_times(motion.times(Kind::impact, 0), impacts, 6);
    for (const json& s : set["samples"]) {
      const State& state = motion.at.at(number(s["t"]));
      expect_near(state.q, {s["x1"], s["x2"]});
      expect_near(state.u, {s["v1"], s["v2"]});
    }
  }
}

// cases/08: four contacts of which two always act together; θ₃ stays at round-off.
TEST(EventDriven, slider_crank_keeps_flat_through_accumulations) {
  const json data = reference("08_slider_crank");
  for (const auto& [name, mu, e, J2] : {std::tuple("unilateral_frictionless_e04", "0", "0.4", "5.9e-4"),
                                        std::tuple("unilateral_mu001_e04", "0.01", "0.4", "5.9e-4"),
                                        std::tuple("unilateral_frictionless_e01", "0", "0.1", "5.9e-4"),
                                        std::tuple("unilateral_mu001_e04_J2_8.9e-4", "0.01", "0.4", "8.9e-4")}) {
    SCOPED_TRACE(name);
    const System system(shipped("schindler2014/slider_crank", {{"mu", mu}, {"e_N", e}, {"J2", J2}}));
    const Motion motion = move(system, times_of(data[name]["samples"]));
    std::map<std::pair<std::string, int>, std::vector<double>> expected;
    for (const json& event : data[name]["events"])
      expected[{event["type"], event["contact"]}].push_back(number(event["t"]));
    for (int wall : {0, 1}) {
      // The last flights before an accumulation are a matter of where the series is cut.
      const auto found = motion.times(Kind::impact, 2 * wall);
      for (double t : expected[{"impact", wall}]) {
        double nearest = 1;
        for (double f : found) nearest = std::min(nearest, std::abs(f - t));
        EXPECT_LT(nearest, 4e-8) << "impact at " << t;
      }
      expect_times(found, expected[{"impact", wall}], 3);
      expect_times(motion.times(Kind::opening, 2 * wall), expected[{"open", wall}]);
    }
    for (const json& s : data[name]["samples"]) {
      const State& state = motion.at.at(number(s["t"]));
      expect_near(state.q, s["q"]);
      expect_near(state.u, s["u"]);
      EXPECT_LT(std::abs(state.q[2]), 1e-13);
    }
  }
}

// cases/10: the singular point of Painlevé's paradox, where λ_N is infinite, and the flight after it.
TEST(EventDriven, painleve_rod_detaches_at_the_singular_point) {
  const json data = reference("10_painleve_rod");
  const Motion motion = move(System(shipped("capobianco2021/painleve_rod")), {0.2, 0.8, 0.95, 1.0, 1.4});
  const auto detach = motion.times(Kind::opening, 0);
  ASSERT_EQ(detach.size(), 1u);
  EXPECT_NEAR(detach[0], number(data["t_detach"]), bar);
  const State& flight = motion.at.at(1.0);
  EXPECT_NEAR(flight.u[2], number(data["omega_detach"]), bar);
  EXPECT_NEAR(flight.u[0], number(data["u_x_detach"]), bar);
  for (const json& s : data["flight"]) {
    const double t = number(s["t"]);
    if (motion.at.contains(t)) expect_near(motion.at.at(t).q, {s["x"], s["y"], s["phi"]});
  }
}

// cases/11: stick, slip and reversal of a ball that never leaves its cylinder.
TEST(EventDriven, ball_in_cylinder_has_the_reference_events) {
  const json data = reference("11_ball_in_cylinder");
  const Motion motion = move(System(shipped("capobianco2021/ball_in_cylinder")), times_of(data["samples"]));
  std::vector<double> found, expected;
  for (const Event& e : motion.events)
    if (e.t > 0) found.push_back(e.t);
  for (const json& e : data["events"])
    if (number(e["t"]) > 0) expected.push_back(number(e["t"]));
  EXPECT_EQ(found.size(), expected.size());
  expect_times(found, expected);
  for (const json& s : data["samples"]) {
    expect_near(motion.at.at(number(s["t"])).q, s["q"]);
    expect_near(motion.at.at(number(s["t"])).u, s["u"]);
  }
}

// cases/12
TEST(EventDriven, rigid_bodies_tumble_roll_and_bounce_as_in_closed_form) {
  const json data = reference("12_rigid_body_3d");
  for (const json& set : data["torque_free"]) {
    SCOPED_TRACE(set["name"]);
    Overrides values;
    for (int i = 0; i < 3; ++i) {
      values.push_back({"I" + std::to_string(i + 1), set["I"][i]});
      values.push_back({"Omega" + std::to_string(i + 1), set["Omega0"][i]});
    }
    const Motion motion = move(System(shipped("rigid/tumbling_body", values)), times_of(set["samples"]));
    for (const json& s : set["samples"]) {
      const State& state = motion.at.at(number(s["t"]));
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(state.u[3 + i], number(s["Omega_body"][i]), bar);
      double same = 0;
      for (int i = 0; i < 4; ++i) same += state.q[3 + i] * number(s["quaternion"][i]);
      EXPECT_NEAR(std::abs(same), 1, 1e-14);
    }
  }
  const json bowling = data["bowling"]["sets"][0];
  const Motion roll = move(System(shipped("rigid/bowling_ball")), times_of(bowling["samples"]));
  expect_times(roll.times(Kind::stick, 0), {number(bowling["roll_time"])});
  for (const json& s : bowling["samples"]) {
    expect_near(roll.at.at(number(s["t"])).q, s["x"]);
    expect_near(roll.at.at(number(s["t"])).u, s["v"]);
  }
}

TEST(EventDriven, stops_where_impacts_accumulate_and_names_contact_and_time) {
  const System system(shipped("acary2012/bouncing_ball"));
  EventDriven stepper(system, solver());
  State state = system.initial();
  StepReport report = stepper.step(state, 4);
  EXPECT_NEAR(report.dt, 3, 1e-7);
  report = stepper.step(state, 1);
  EXPECT_EQ(report.dt, 0);
  ASSERT_FALSE(stepper.events().empty());
  EXPECT_EQ(stepper.events().back().kind, Kind::accumulation);
  EXPECT_EQ(stepper.events().back().contact, 0);
  EXPECT_NEAR(stepper.events().back().t, 3, bar);
}

}  // namespace
}  // namespace tappet
