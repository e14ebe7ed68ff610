// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run/hdf5_reading.h"
#include "run/options.h"
#include "run/scratch.h"

namespace tappet {
namespace {

// A mass that falls 0.05 m and stays (e_N = 0): it hits at t = 0.1 for g = 10.
constexpr const char* falling = R"(
title: A mass falls
parameters: {m: 2, g: 10}
coordinates:
  z: {position: 0.05, velocity: 0}
lagrangian: {kinetic: m*z'^2/2, potential: m*g*z}
contacts:
  floor: {gap: z, e_N: 0, mu: 0}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.2}
)";

// x'' = 100 x grows without a bound. Its steps are short enough, so that it is not the scheme that is unstable.
constexpr const char* exploding = R"(
coordinates:
  x: {position: 1, velocity: 10}
lagrangian: {kinetic: x'^2/2, potential: -50*x^2}
run: {scheme: moreau-midpoint, dt: 1e-2, end: 100}
)";

Model falling_mass() { return parse_model(falling, "falling.yaml"); }

struct Simulate : testing::Test {
  Scratch scratch;
};

TEST_F(Simulate, takes_exactly_the_steps_asked_for) {
  const Result result = simulate(falling_mass(), {.dt = 0.1 / 3, .end = 0.1});
  EXPECT_EQ(result.summary.steps, 3);
  EXPECT_EQ(result.state.t, 0.1);
  ASSERT_EQ(result.t.size(), 4u);
  EXPECT_EQ(result.t[2], 2 * (0.1 / 3));
}

TEST_F(Simulate, the_last_step_is_clipped_to_the_end) {
  const Result result = simulate(falling_mass(), {.dt = 0.03, .end = 0.05});
  EXPECT_EQ(result.summary.steps, 2);
  EXPECT_EQ(result.state.t, 0.05);
  // Free fall: the midpoint rule is exact on it.
  EXPECT_NEAR(result.state.q[0], 0.05 - 5 * 0.05 * 0.05, 1e-15);
  EXPECT_NEAR(result.state.u[0], -0.5, 1e-15);
}

TEST_F(Simulate, a_mass_that_fell_rests_and_its_floor_carries_it) {
  const auto out = scratch.path() / "out";
  const Result result = simulate(falling_mass(), {.out = out});
  EXPECT_NEAR(result.state.u[0], 0.0, 1e-12);
  EXPECT_EQ(result.summary.unconverged_steps, 0);
  EXPECT_EQ(result.summary.impulsive_steps, 1);
  EXPECT_EQ(result.summary.violation.name, "floor");
  EXPECT_LE(result.summary.violation.max, 1e-3);  // dt times the velocity of the impact
  const Hdf5Reading h5(out / "result.h5");
  const auto P_N = h5.numbers("contacts/floor/P_N"), t = h5.numbers("t");
  ASSERT_EQ(P_N.size(), 201u);
  EXPECT_EQ(P_N[50], 0.0);
  EXPECT_NEAR(P_N[150], 2 * 10 * 1e-3, 1e-12);  // m g dt
  double total = 0;
  for (const double P : P_N) total += P;
  EXPECT_NEAR(total, 2 * 10 * 0.2, 1e-12);  // m g T: all momentum gravity gave
  EXPECT_EQ(t[200], 0.2);
  EXPECT_EQ(h5.text("model/text"), falling);
}

TEST_F(Simulate, the_same_model_gives_the_same_bits_twice) {
  const Result one = simulate(falling_mass()), two = simulate(falling_mass());
  EXPECT_EQ(one.t, two.t);
  EXPECT_EQ(one.q, two.q);
  EXPECT_EQ(one.u, two.u);
}

TEST_F(Simulate, every_nth_step_and_the_last_one_are_recorded) {
  const Result result = simulate(falling_mass(), {.dt = 0.01, .end = 0.1, .record_every = 4});
  EXPECT_EQ(result.t, (std::vector<double>{0.0, 0.04, 0.08, 0.1}));
}

TEST_F(Simulate, only_what_was_asked_for_is_recorded) {
  std::string text = falling;
  text.replace(text.find("end: 0.2"), 8, "end: 0.2, record: {every: 2, only: [q, floor]}");
  simulate(parse_model(text, "falling.yaml"), {.out = scratch.path()});
  const Hdf5Reading h5(scratch.path() / "result.h5");
  EXPECT_EQ(h5.numbers("t").size(), 101u);
  EXPECT_EQ(h5.numbers("contacts/floor/gap").size(), 101u);
  EXPECT_TRUE(h5.has("q"));
  for (const char* absent : {"u", "energy"}) EXPECT_FALSE(h5.has(absent)) << absent;
  text.replace(text.find("[q, floor]"), 10, "[q, flor]");
  EXPECT_THROW(simulate(parse_model(text, "falling.yaml"), {.out = scratch.path()}), UsageError);
}

TEST_F(Simulate, recording_nothing_leaves_the_summary_and_no_results_of_an_earlier_run) {
  const auto out = scratch.path() / "out";
  simulate(falling_mass(), {.out = out});
  const Result result = simulate(falling_mass(), {.record_every = -1, .out = out});
  EXPECT_TRUE(result.t.empty());
  EXPECT_FALSE(std::filesystem::exists(out / "result.h5"));
  EXPECT_TRUE(std::filesystem::exists(out / "summary.json"));
}

TEST_F(Simulate, summary_json_gives_the_final_state_back_exactly) {
  const auto out = scratch.path() / "out";
  const Result result = simulate(falling_mass(), {.dt = 1.1e-3, .end = 0.07, .out = out});
  std::ifstream stream(out / "summary.json");
  const auto json = nlohmann::json::parse(stream);
  EXPECT_EQ(json["q"]["z"].get<double>(), result.state.q[0]);
  EXPECT_EQ(json["u"].begin()->get<double>(), result.state.u[0]);
  EXPECT_EQ(json["model"], "falling");
  EXPECT_EQ(json["scheme"], "moreau-midpoint");
  EXPECT_EQ(json["steps"], 64);
  for (const char* key : {"dt", "end", "wall_s", "us_per_step", "energy", "violation", "joint_violation",
                          "impulsive_steps", "iterations", "residual", "unconverged_steps"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_NEAR(json["energy"]["initial"].get<double>(), 2 * 10 * 0.05, 1e-15);
  EXPECT_NEAR(json["energy"]["total"].get<double>(), 1.0, 1e-12);
}

// A compressed spring makes the exact matrix indefinite at large steps. (10.13), (10.14) are then used.
TEST_F(Simulate, results_tell_how_each_force_was_differentiated) {
  const Model model = parse_model(R"(title: compressed spring
bodies:
  bob: {type: point, mass: 1, position: [0.5, 0, 0], velocity: [0, 0.1, 0]}
forces:
  spring:
    {type: spring-damper, bodies: [ground, bob], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1e4, damping: 1, length: 1}
  weight: {type: gravity, acceleration: [0, 0, -9.81]}
run: {scheme: lcp-trapezoidal, dt: 0.05, end: 1}
)",
                                  "spring.yaml");
  for (const char* scheme : {"lcp-trapezoidal", "lcp-euler"}) {
    const Result result = simulate(model, {.scheme = scheme, .out = scratch.path()});
    std::ifstream file(scratch.path() / "summary.json");
    const auto listed = nlohmann::json::parse(file)["force_derivatives"];
    ASSERT_EQ(listed.size(), 2u);
    EXPECT_EQ(listed[0]["force"], "spring");
    EXPECT_GT(listed[0]["definite"], 0);
    EXPECT_TRUE(listed[0]["choice"].get<std::string>().ends_with("along its lines, (10.13), (10.14)"));
    EXPECT_EQ(listed[1]["force"], "weight");
    const Hdf5Reading h5(scratch.path() / "result.h5");
    EXPECT_EQ(h5.texts("force_derivatives/force"), (std::vector<std::string>{"spring", "weight"}));
    EXPECT_EQ(h5.texts("force_derivatives/choice")[0], listed[0]["choice"]);
    EXPECT_EQ(h5.numbers("force_derivatives/definite")[0], listed[0]["definite"]);
  }
  simulate(model, {.scheme = "lcp-euler", .options = {{"forces", "explicit", {}}}, .out = scratch.path()});
  std::ifstream file(scratch.path() / "summary.json");
  EXPECT_EQ(nlohmann::json::parse(file)["force_derivatives"][0]["choice"], "none");
}

TEST_F(Simulate, schemes_that_locate_events_list_them_by_one_set_of_names) {
  for (const char* scheme : {"event-driven", "lcp-trapezoidal"}) {
    simulate(falling_mass(), {.scheme = scheme, .out = scratch.path()});
    std::ifstream file(scratch.path() / "summary.json");
    const auto summary = nlohmann::json::parse(file);
    ASSERT_EQ(summary["event_count"], 1) << scheme;
    EXPECT_EQ(summary["events"][0]["kind"], "impact");
    EXPECT_EQ(summary["events"][0]["contact"], "floor");
    EXPECT_NEAR(summary["events"][0]["t"].get<double>(), 0.1, 1e-9);
    const Hdf5Reading h5(scratch.path() / "result.h5");
    EXPECT_EQ(h5.texts("events/kind"), (std::vector<std::string>{"impact"}));
    EXPECT_EQ(h5.numbers("events/t")[0], summary["events"][0]["t"].get<double>());
    const Result before = simulate(falling_mass(), {.scheme = scheme, .end = 0.05, .out = scratch.path()});
    std::ifstream again(scratch.path() / "summary.json");
    EXPECT_EQ(nlohmann::json::parse(again)["events"], nlohmann::json::array());
  }
}

TEST_F(Simulate, a_state_that_explodes_stops_the_run_and_keeps_what_was_finite) {
  const auto out = scratch.path() / "out";
  const Result result = simulate(parse_model(exploding, "exploding.yaml"), {.out = out});
  EXPECT_EQ(result.summary.status, RunStatus::failed);
  for (const char* word : {"x", "t =", "step", "moreau-midpoint", "too large"})
    EXPECT_NE(result.summary.message.find(word), std::string::npos) << result.summary.message;
  EXPECT_TRUE(std::isfinite(result.state.q[0]));
  for (const double x : Hdf5Reading(out / "result.h5").numbers("q")) EXPECT_TRUE(std::isfinite(x));
}

TEST_F(Simulate, a_stop_ends_the_run_after_the_present_step_with_its_results) {
  const std::atomic<bool> stop = true;
  const auto out = scratch.path() / "out";
  const Result result = simulate(falling_mass(), {.out = out, .stop = &stop});
  EXPECT_EQ(result.summary.status, RunStatus::interrupted);
  EXPECT_EQ(result.summary.steps, 1);
  EXPECT_EQ(Hdf5Reading(out / "result.h5").numbers("t").size(), 2u);
}

TEST_F(Simulate, unknown_schemes_and_options_are_refused_with_the_nearest_name) {
  const auto message = [](const RunOptions& options) -> std::string {
    try {
      simulate(falling_mass(), options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({.scheme = "moreau-midpont"}).find("moreau-midpoint"), std::string::npos);
  EXPECT_NE(message({.scheme = "moreau-jean", .options = {{"tetha", "1", {}}}}).find("theta"), std::string::npos);
  EXPECT_NE(message({.scheme = "moreau-jean", .options = {{"theta", "2", {}}}}).find("0 to 1"), std::string::npos);
  EXPECT_NE(message({.options = {{"theta", "1", {}}}}).find("theta"), std::string::npos);
  EXPECT_NE(message({.options = {{"solver", "newtn", {}}}}).find("newton"), std::string::npos);
}

TEST_F(Simulate, options_of_the_models_own_scheme_do_not_trouble_another_scheme) {
  std::string text = falling;
  text.replace(text.find("run: {scheme: moreau-midpoint,"), 30, "run: {scheme: moreau-jean, theta: 1,");
  const Model model = parse_model(text, "falling.yaml");
  EXPECT_TRUE(simulate(model).done());
  EXPECT_TRUE(simulate(model, {.scheme = "moreau-midpoint"}).done());
}

TEST_F(Simulate, an_option_by_its_old_name_works_and_warns) {
  const auto run = [](const char* key) {
    return simulate(falling_mass(), {.scheme = "generalized-alpha", .options = {{key, "1e-3", {}}}});
  };
  const Result old = run("violation_tolerance"), now = run("force_tolerance");
  EXPECT_EQ(old.q, now.q);
  EXPECT_TRUE(now.summary.warnings.empty());
  ASSERT_EQ(old.summary.warnings.size(), 1u);
  EXPECT_NE(old.summary.warnings[0].find("force_tolerance"), std::string::npos) << old.summary.warnings[0];
}

TEST_F(Simulate, a_folder_that_cannot_be_made_is_named) {
  const auto file = scratch.path() / "file";
  std::ofstream(file) << "not a folder";
  try {
    simulate(falling_mass(), {.out = file});
    FAIL() << "wrote into a file";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tappet
