// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Runs that are kept in memory, and forces of the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tappet/tappet.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

namespace tappet {
namespace {

using testing::HasSubstr;

const char* const ball = R"(
parameters: {m: 2, g: 9.81}
coordinates: {y: {position: 1, velocity: 0}, x: {position: 0, velocity: 1}}
lagrangian: {kinetic: m*(x'^2 + y'^2)/2, potential: m*g*y}
contacts:
  floor: {gap: y, slip: x, e_N: 0.5, mu: 0.1}
  roof: {gap: 5 - y, e_N: 0}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.7}
)";

// A mass that nothing but the program pushes.
const char* const sled = R"(
parameters: {m: 2}
coordinates: {x: {position: 0, velocity: 0}}
lagrangian: {kinetic: m*x'^2/2, potential: 0}
contacts: {wall: {gap: 1000 - x}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 1}
)";

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::path(testing::TempDir()) / ("tappet_recorded_" + name);
}

TEST(RecordedTable, keeps_its_rows_while_it_grows) {
  RecordedTable table(3);
  for (int k = 0; k < 10'000; ++k) {
    double* row = table.append();
    for (int i = 0; i < 3; ++i) row[i] = 10.0 * k + i;
  }
  table.release_spare();
  ASSERT_EQ(table.rows(), 10'000);
  for (int k = 0; k < 10'000; ++k)
    for (int i = 0; i < 3; ++i) ASSERT_EQ(table(k, i), 10.0 * k + i);
  EXPECT_EQ(table.row(7)[1], 71.0);
}

TEST(Recorded, has_the_samples_of_the_run) {
  RunOptions options;
  options.keep_all = true;
  const Result result = simulate(parse_model(ball), options);
  ASSERT_TRUE(result.recorded);
  const Recorded& recorded = *result.recorded;
  ASSERT_EQ(recorded.samples(), static_cast<long>(result.t.size()));
  for (long k = 0; k < recorded.samples(); ++k) {
    ASSERT_EQ(recorded.t(k), result.t[k]);
    for (int i = 0; i < 2; ++i) ASSERT_EQ(recorded.q(k, i), result.q[k][i]);
    ASSERT_EQ(recorded.gap(k, 0), result.q[k][0]);
  }
  double impulse = 0.0;
  for (long k = 0; k < recorded.samples(); ++k) impulse += recorded.P_N(k, 0);
  EXPECT_NEAR(impulse, 2 * (result.state.u[0] + 9.81 * 0.7), 1e-9);  // momentum
  EXPECT_EQ(recorded.P_F.columns(), 1);                              // the roof has no friction
  EXPECT_EQ(recorded.lambda_N.rows(), 0);  // this scheme does not separate forces from impacts
}

TEST(Recorded, keeps_only_what_it_is_told) {
  RunOptions options;
  options.keep = false, options.keep_all = true;
  options.hdf5.only = {"u", "roof"};
  const Result result = simulate(parse_model(ball), options);
  const Recorded& recorded = *result.recorded;
  EXPECT_EQ(recorded.q.columns(), 0);
  EXPECT_EQ(recorded.u.rows(), 701);
  EXPECT_EQ(recorded.kept_contact(0), -1);
  EXPECT_EQ(recorded.kept_contact(1), 0);
  EXPECT_EQ(recorded.gap(0, 0), 4.0);
  options.hdf5.only = {"celling"};
  EXPECT_THROW(simulate(parse_model(ball), options), UsageError);
  options.hdf5.only.clear(), options.record_every = -1;
  EXPECT_FALSE(simulate(parse_model(ball), options).recorded);
}

TEST(Recorded, saved_files_have_the_bytes_of_those_that_the_run_writes) {
  for (const char* scheme : {"moreau-midpoint", "event-driven", "half-explicit-velocity"}) {
    RunOptions options{.scheme = scheme};
    options.out = scratch("direct"), options.keep_all = true;
    options.record_every = 3;
    const Result result = simulate(parse_model(ball), options);
    save(result, scratch("saved"));
    EXPECT_EQ(contents(options.out / "summary.json"), contents(scratch("saved") / "summary.json")) << scheme;
    EXPECT_EQ(contents(options.out / "result.h5").size(), contents(scratch("saved") / "result.h5").size()) << scheme;
    struct Sum final : Recorder {
      void record(const Sample& s) override {
        for (const Vec* v : {&s.q, &s.u, &s.gap, &s.P_N, &s.P_F, &s.lambda_N, &s.Lambda_N, &s.slip_velocity})
          for (const double x : *v) sum += x * (1.0 + s.t);
      }
      double sum = 0.0;
    } again, direct;
    result.recorded->replay(again);
    RunOptions watched{.scheme = scheme, .record_every = 3};
    watched.recorders = {&direct};
    simulate(parse_model(ball), watched);
    EXPECT_EQ(again.sum, direct.sum) << scheme;
  }
  EXPECT_THROW(save(simulate(parse_model(ball)), scratch("none")), UsageError);
}

TEST(AppliedForces, push_with_every_scheme) {
  const System system(parse_model(sled));
  for (const SchemeInfo& scheme : schemes()) {
    ContactList contacts(system);
    const auto stepper = make_stepper(scheme.name, contacts);
    State state = system.initial();
    contacts.apply({3.0});
    for (int k = 0; k < 1000; ++k) stepper->step(state, 1e-3);
    // F t / m, to one step of the force, because a two-step scheme gives the velocity of the step before
    EXPECT_NEAR(state.u[0], 1.5, 1.51e-3) << scheme.name;
    EXPECT_NEAR(state.q[0], 0.75, 1.6e-3) << scheme.name;  // F t²/(2 m), to an order of dt
  }
}

TEST(AppliedForces, are_checked) {
  const System system(parse_model(sled));
  ContactList contacts(system);
  const auto message = [&](const Vec& forces) -> std::string {
    try {
      contacts.apply(forces);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message({1.0, 2.0}), HasSubstr("2 numbers; expected one for each of the 1 velocities"));
  EXPECT_THAT(message({std::numeric_limits<double>::quiet_NaN()}), HasSubstr("expected a finite number"));
  EXPECT_EQ(message({}), "");
}

TEST(Control, pushes_and_ends_a_run) {
  RunOptions options;
  options.control = [](const State& state, double, Vec& forces) {
    forces[0] = state.t < 0.4999 ? 4.0 : 0.0;
    return state.t < 0.7999;
  };
  const Result result = simulate(parse_model(sled), options);
  EXPECT_EQ(result.summary.status, RunStatus::interrupted);
  EXPECT_THAT(result.summary.message, HasSubstr("control"));
  EXPECT_NEAR(result.state.t, 0.8, 1e-12);
  EXPECT_NEAR(result.state.u[0], 4.0 * 0.5 / 2.0, 1e-9);
}

TEST(Control, a_force_that_is_not_finite_ends_the_run_and_keeps_what_was_computed) {
  RunOptions options;
  options.control = [](const State& state, double, Vec& forces) {
    forces[0] = state.t < 0.1 ? 1.0 : std::nan("");
    return true;
  };
  const Result result = simulate(parse_model(sled), options);
  EXPECT_EQ(result.summary.status, RunStatus::failed);
  EXPECT_THAT(result.summary.message, HasSubstr("the force along x"));
  EXPECT_EQ(result.t.size(), 101u);
}

TEST(StartOfTheProgram, must_fit_the_model) {
  RunOptions options;
  options.start = StartState{"", 0.0, {1.0}, {0.0, 0.0}, 0, 0};
  EXPECT_THROW(simulate(parse_model(ball), options), UsageError);
  options.start = StartState{"", 0.0, {1.0, std::nan("")}, {0.0, 0.0}, 0, 0};
  EXPECT_THROW(simulate(parse_model(ball), options), UsageError);
}

}  // namespace
}  // namespace tappet
