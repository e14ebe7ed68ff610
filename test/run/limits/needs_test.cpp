// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/needs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <tappet/error.h>

#include <cmath>

#include "run/scratch.h"
#include "run/simulate.h"

namespace tappet {
namespace {

using testing::HasSubstr;

constexpr const char* ball = R"(
parameters: {{m: {}, g: {}}}
coordinates: {{y: {{position: {}, velocity: 0}}}}
lagrangian: {{kinetic: m*y'^2/2, potential: m*g*y}}
contacts: {{floor: {{gap: y, e_N: 0.5}}}}
run: {{scheme: moreau-midpoint, dt: 1e-3, end: 3}}
)";

Model ball_with(double m, double g, double height = 1) {
  return parse_model(fmt::format(fmt::runtime(ball), m, g, height), "ball.yaml");
}

class Listening : public RunListener {
 public:
  void warning(const std::string& message) override { warnings.push_back(message); }
  bool goes_on() override { return warnings.empty(); }
  std::vector<std::string> warnings;
};

// The kinetic energy overflows although every position and velocity is finite.
TEST(Needs, a_run_whose_energy_is_not_finite_has_failed) {
  for (const double g : {1e160, 1e200, 1e308}) {
    const Result result = simulate(ball_with(1, g));
    EXPECT_EQ(result.summary.status, RunStatus::failed) << g;
    EXPECT_FALSE(result.summary.message.empty());
  }
  for (const char* scheme : {"moreau-explicit", "moreau-midpoint", "half-explicit-velocity"}) {
    const Summary summary = simulate(ball_with(1, 1e200), {.scheme = scheme}).summary;
    EXPECT_EQ(summary.status, RunStatus::failed) << scheme;
    EXPECT_THAT(summary.message, HasSubstr("the forces allow any dt")) << scheme;
  }
  const Result heavy = simulate(ball_with(1e304, 1e3, 100));
  EXPECT_EQ(heavy.summary.status, RunStatus::failed);
  EXPECT_THAT(heavy.summary.message, HasSubstr("the energy at the start is not finite"));
  EXPECT_EQ(simulate(ball_with(1e200, 9.81)).summary.status, RunStatus::done);
}

TEST(Needs, a_run_that_would_fill_the_disk_is_refused_before_it_writes) {
  const Scratch scratch;
  try {
    simulate(ball_with(1, 9.81), {.dt = 1e-12, .end = 300, .out = scratch.path() / "out", .keep = false});
    FAIL() << "3e14 samples were not refused";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("PB"));
    EXPECT_THAT(error.what(), HasSubstr("--record"));
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "out"));
}

TEST(Needs, a_run_that_would_fill_the_memory_is_refused) {
  try {
    simulate(ball_with(1, 9.81), {.dt = 1e-12, .end = 3});
    FAIL() << "3e12 samples were not refused";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("memory"));
  }
}

TEST(Needs, steps_that_will_take_days_are_announced) {
  Listening listening;
  const Result result = simulate(ball_with(1, 9.81), {.dt = 1e-12, .record_every = -1, .listener = &listening});
  EXPECT_EQ(result.summary.status, RunStatus::interrupted);
  ASSERT_EQ(listening.warnings.size(), 1u);
  EXPECT_THAT(listening.warnings[0], HasSubstr("3e+12 steps of 1e-12 s lie ahead"));
}

TEST(Needs, samples_are_counted_by_what_is_recorded) {
  Layout layout;
  layout.q_size = 10, layout.u_size = 9;
  const double all = bytes_per_sample(layout, {}), positions = bytes_per_sample(layout, {"q"});
  EXPECT_EQ(all - positions, 8 * (9 + 4));
  EXPECT_EQ(bytes_per_sample(layout, {"q", "u"}) - positions, 8 * 9);
}

TEST(Needs, sizes_and_durations_are_printed_in_units_that_people_use) {
  EXPECT_EQ(size_text(12), "12 B");
  EXPECT_EQ(size_text(4.2e12), "4.2 TB");
  EXPECT_EQ(duration_text(12), "12 s");
  EXPECT_EQ(duration_text(600), "10 min");
  EXPECT_EQ(duration_text(11 * 86400), "11 days");
  EXPECT_EQ(duration_text(4 * 365.25 * 86400), "4 years");
}

}  // namespace
}  // namespace tappet
