// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Runs at the same time on one constant system. Under the thread sanitizer (make test PRESET=tsan) they also show that
// nothing is written that another run reads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "run/hdf5_reading.h"
#include "run/scratch.h"
#include "run/simulate.h"
#include "support/paths.h"

namespace tappet {
namespace {

// Balls that fall on each other with a block on top, and a block beside them that falls asleep.
std::string pile(const std::string& count) {
  return fmt::format(R"(
parameters: {{R: 0.05}}
bodies:
  ball: {{type: rigid, mass: 0.5, inertia: [5e-4, 5e-4, 5e-4], position: [-0.2, -0.2, 0.06],
         grid: {{count: {}, spacing: 2.2*R, jitter: 0.09*R, seed: 3}}}}
  block: {{type: rigid, mass: 1, inertia: [2e-3, 2e-3, 2e-3], position: [0.1, 0.1, 0.8], spin: [1, 2, 0]}}
  aside: {{type: rigid, mass: 1, inertia: [2e-3, 2e-3, 2e-3], position: [1, 1, 0.05]}}
colliders:
  ball: {{type: sphere, body: ball, radius: R, mu: 0.3}}
  block: {{type: box, body: block, size: [0.1, 0.1, 0.1], mu: 0.3}}
  aside: {{type: box, body: aside, size: [0.1, 0.1, 0.1], mu: 0.3}}
  box: {{type: container, body: ground, size: [4, 4, 4], center: [0, 0, 2], mu: 0.3}}
contacts:
  lid: {{type: sphere-plane, bodies: [block, ground], radius: 0.05, point: [0, 0, 3], normal: [0, 0, -1]}}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
run: {{scheme: lcp-euler, stabilisation: 1, dt: 2e-3, end: 0.4, tolerance: 1e-6,
      sleeping: {{speed: 0.01, after: 0.05}}}}
)",
                     count);
}

Model slider_crank() { return load(test::shipped_models() + "/schindler2014/slider_crank.yaml"); }

void expect_same_motion(const Result& one, const Result& other) {
  ASSERT_TRUE(one.done() && other.done()) << other.summary.message;
  ASSERT_EQ(one.t, other.t);
  for (size_t k = 0; k < one.t.size(); ++k) {
    ASSERT_EQ(one.q[k], other.q[k]) << "t = " << one.t[k];
    ASSERT_EQ(one.u[k], other.u[k]) << "t = " << one.t[k];
  }
  EXPECT_EQ(one.summary.steps, other.summary.steps);
  EXPECT_EQ(one.summary.max_found, other.summary.max_found);
  EXPECT_EQ(one.summary.max_asleep, other.summary.max_asleep);
  EXPECT_EQ(one.summary.violation.max, other.summary.violation.max);
  EXPECT_EQ(one.summary.violation.name, other.summary.violation.name);
}

// Each run of the list alone, one after the other, and then all of them at the same time on the same system.
void expect_the_same_at_once(const System& system, const std::vector<RunOptions>& runs) {
  std::vector<Result> alone, at_once(runs.size());
  for (const RunOptions& options : runs) alone.push_back(simulate(system, options));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < runs.size(); ++i) threads.emplace_back([&, i] { at_once[i] = simulate(system, runs[i]); });
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < runs.size(); ++i) expect_same_motion(alone[i], at_once[i]);
}

TEST(concurrency, runs_with_found_contacts_share_one_system) {
  const System system(parse_model(pile("[4, 4, 3]"), "pile.yaml"));
  const Result alone = simulate(system);
  ASSERT_GT(alone.summary.max_found, 50);  // something happens
  ASSERT_GT(alone.summary.max_asleep, 0);
  expect_the_same_at_once(system, {{.profile = true}, {.profile = true}, {.scheme = "moreau-jean"}});
}

TEST(concurrency, each_run_has_its_own_threads_and_profile) {
  const System system(parse_model(pile("[7, 7, 5]"), "pile.yaml"));  // enough for loops on several threads
  expect_the_same_at_once(system, {{.end = 0.15, .threads = 2, .profile = true},
                                   {.end = 0.15, .threads = 3, .profile = true},
                                   {.end = 0.15, .threads = 1}});
}

TEST(concurrency, runs_of_formulas_with_different_schemes_share_one_system) {
  const System system(slider_crank());
  expect_the_same_at_once(system, {{.scheme = "moreau-jean", .end = 0.1},
                                   {.scheme = "moreau-jean", .dt = 2e-5, .end = 0.1},
                                   {.scheme = "combined-projection", .end = 0.1},
                                   {.scheme = "generalized-alpha", .end = 0.1}});
}

// The recording threads of both runs evaluate and write while the runs go on and measure their phases.
TEST(concurrency, recording_beside_the_run_gives_the_numbers_of_recording_within_it) {
  const Scratch scratch;
  const System system(parse_model(pile("[4, 4, 3]"), "pile.yaml"));
  struct Columns final : Recorder {
    std::vector<double> found, penetration, kinetic;
    void record(const Sample& s) override {
      found.push_back(s.found), penetration.push_back(s.penetration), kinetic.push_back(s.kinetic);
    }
  } within;
  simulate(system, {.recorders = {&within}});  // recorders of the caller are called on this thread
  std::vector<std::thread> threads;
  for (const char* name : {"a", "b"})
    threads.emplace_back([&, name] { simulate(system, {.out = scratch.path() / name, .profile = true}); });
  for (std::thread& thread : threads) thread.join();
  for (const char* name : {"a", "b"}) {
    const Hdf5Reading file(scratch.path() / name / "result.h5");
    EXPECT_EQ(file.numbers("found/count"), within.found);
    EXPECT_EQ(file.numbers("found/penetration"), within.penetration);
    EXPECT_EQ(file.numbers("energy/kinetic"), within.kinetic);
  }
  EXPECT_GT(*std::max_element(within.found.begin(), within.found.end()), 10);
}

TEST(concurrency, a_profile_of_one_run_holds_its_own_time_only) {
  const System system(parse_model(pile("[4, 4, 3]"), "pile.yaml"));
  std::thread other([&] { simulate(system); });
  const auto start = std::chrono::steady_clock::now();
  const Result profiled = simulate(system, {.profile = true});
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  other.join();
  double sum = 0.0;
  for (const auto& [name, seconds] : profiled.summary.phases) sum += seconds;
  EXPECT_GE(sum, 0.99 * profiled.summary.wall_s);  // no time is lost to the other run,
  EXPECT_LE(sum, all);                             // and none is counted twice
}

}  // namespace
}  // namespace tappet
