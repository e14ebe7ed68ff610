// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/batch.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace tappet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A folder for one test, with model files. Compiled code is kept in it, too, so that no test finds that of another run.
class Batches : public testing::Test {
 protected:
  Batches() : folder_(fs::path(testing::TempDir()) / name()) {
    fs::create_directories(folder_);
    ::setenv("TAPPET_CACHE", (folder_ / "cache").c_str(), 1);
  }
  ~Batches() override { fs::remove_all(folder_); }

  static std::string name() {
    return std::string("tappet_batch_") + testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }
  Study study(const std::string& text) const { return parse_study(text, (folder_ / "study.yaml").string()); }
  static std::string refusal(const Study& study) {
    try {
      const Batch batch(study);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing was refused";
  }

  // The largest difference of each measure between a batch and the runs of the engine.
  struct Difference {
    std::vector<double> largest;
    BatchReport report;
    long unconverged = 0;
  };
  static Difference difference(const Study& study) {
    const Batch batch(study);
    StudyResults results(study);
    Difference found{std::vector<double>(study.measures.size()), batch.run({.threads = 2}, results)};
    StudyWorker engine(study);
    std::vector<double> values;
    for (long run = 0; run < results.runs(); ++run) {
      study.plan.values(run, values);
      const StudyOutcome expected = engine.run(values);
      EXPECT_EQ(results.status(run), expected.status) << "run " << run;
      found.unconverged += results.unconverged(run);
      for (size_t m = 0; m < found.largest.size(); ++m) {
        const double d = std::abs(results.measured(run, static_cast<int>(m)) - expected.measured[m]);
        if (!(d <= found.largest[m])) found.largest[m] = d;
      }
    }
    return found;
  }

  fs::path folder_;
};

// 64 slider-cranks in which every number is different, over 2000 steps.
std::string slider_crank(const std::string& scheme) {
  std::string vary;
  const std::pair<const char*, double> numbers[] = {{"l1", 0.153},  {"l2", 0.306},  {"a", 0.05},     {"b", 0.025},
                                                    {"c", 1e-3},    {"m1", 0.038},  {"m2", 0.038},   {"m3", 0.076},
                                                    {"J1", 7.4e-5}, {"J2", 5.9e-4}, {"J3", 2.7e-6},  {"g", 9.81},
                                                    {"e_N", 0.4},   {"mu", 0.01},   {"omega1", 150}, {"omega2", -75}};
  for (const auto& [name, value] : numbers)
    vary += fmt::format("  {}: {{uniform: [{}, {}]}}\n", name, std::min(0.97 * value, 1.03 * value),
                        std::max(0.97 * value, 1.03 * value));
  return fmt::format(
      "model: slider_crank\nscheme: {}\ndt: 1e-5\nend: 0.02\nsamples: 64\nvary:\n{}"
      "measure:\n  q1: {{final: theta1}}\n  q2: {{final: theta2}}\n  q3: {{final: theta3}}\n"
      "  u1: {{final: \"theta1'\"}}\n  u2: {{final: \"theta2'\"}}\n  u3: {{final: \"theta3'\"}}\n",
      scheme, vary);
}

void expect_equal_motion(const std::vector<double>& d) {
  for (int i = 0; i < 3; ++i) EXPECT_LE(d[i], 1e-13) << "position " << i;
  for (int i = 3; i < 6; ++i) EXPECT_LE(d[i], 1e-11) << "velocity " << i;
}

class BatchesByScheme : public Batches, public testing::WithParamInterface<const char*> {};

TEST_P(BatchesByScheme, have_the_motions_of_the_engine) {
  const Difference found = difference(study(slider_crank(GetParam())));
  expect_equal_motion(found.largest);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(found.report.on_the_host, 0);
  EXPECT_EQ(found.report.steps, 64 * 2000);
}
INSTANTIATE_TEST_SUITE_P(schemes, BatchesByScheme,
                         testing::Values("moreau-midpoint", "moreau-explicit", "half-explicit-velocity",
                                         "explicit-velocity"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Three contacts that jam, stick and come loose.
TEST_F(Batches, woodpeckers_stick_and_slide_as_those_of_the_engine) {
  const Difference found = difference(study(R"yaml(
model: woodpecker
scheme: moreau-midpoint
dt: 1e-5
end: 0.16
vary: {mu: {uniform: [0.295, 0.315]}, w_S: {uniform: [16.5, 18]}}
samples: 32
measure: {y: {final: y}, phi_S: {final: phi_S}, low: {min: "y'"}, jam: {sum: lower.P_N}}
)yaml"));
  EXPECT_LE(found.largest[0], 1e-11);
  EXPECT_LE(found.largest[1], 1e-10);
  EXPECT_LE(found.largest[2], 1e-8);
  EXPECT_LE(found.largest[3], 1e-8);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(found.report.on_the_host, 0);
}

// Two contacts at once; with friction their rows depend on each other if both stick.
TEST_F(Batches, blocks_rock_and_come_to_rest_on_two_corners) {
  const Difference found = difference(study(R"yaml(
model: rocking_block
scheme: moreau-midpoint
dt: 1e-3
end: 4
vary: {mu: [0, 0.2, 0.8], theta0: {uniform: [0.05, 0.2]}, e: [0, 0.3]}
samples: 6
measure: {y: {final: y}, turn: {final: theta}, slip: {final: x}, deepest: {max: violation}}
)yaml"));
  for (const double d : found.largest) EXPECT_LE(d, 1e-9);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(found.report.on_the_host, 0);
}

// The closed form of the ball: it falls from rest at 1 with acceleration 2, so it hits the ground at t = 1 with the
// velocity -2 and leaves it with 2e. The time of rest is 1 + 2e/(1 - e).
TEST_F(Batches, bouncing_balls_come_to_rest) {
  const Study s = study(R"yaml(
model: bouncing_ball
scheme: moreau-midpoint
dt: 1e-4
end: 4
vary: {e: {uniform: [0.1, 0.5]}}
samples: 40
measure:
  hit: {at: first, when: ground.P_N > 0}
  rebound: {max: "q'"}
  rest: {final: q}
  speed: {final: "q'"}
  at_1: {at: 0.5, of: q}
  mean: {mean: ground.P_N, from: 3.9}
  hits: {count: ground.P_N, to: 1.1}
)yaml");
  const Batch batch(s);
  StudyResults results(s);
  const BatchReport report = batch.run({.threads = 1}, results);
  EXPECT_EQ(report.on_the_host, 0);
  std::vector<double> values;
  for (long run = 0; run < results.runs(); ++run) {
    s.plan.values(run, values);
    EXPECT_NEAR(results.measured(run, 0), 1.0, 2e-4);
    EXPECT_NEAR(results.measured(run, 1), 2 * values[0], 1e-3);
    EXPECT_NEAR(results.measured(run, 2), 0.0, 1e-4);
    EXPECT_NEAR(results.measured(run, 3), 0.0, 1e-12);
    EXPECT_NEAR(results.measured(run, 4), 0.75, 1e-9);
    EXPECT_NEAR(results.measured(run, 5), 2e-4, 1e-9);  // the impulse of the weight in a step
    EXPECT_EQ(results.measured(run, 6), 1);
  }
}

TEST_F(Batches, measures_are_those_of_a_study) {
  const Difference found = difference(study(R"yaml(
model: slider_crank
scheme: moreau-midpoint
dt: 1e-4
end: 0.03
vary: {mu: {uniform: [0, 0.2]}, c: {uniform: [5e-4, 2e-3]}}
samples: 20
measure:
  a: {max: violation}
  b: {min: corner1.gap}
  c: {mean: energy, from: 0.01, to: 0.02}
  d: {sum: corner2.P_N + abs(corner2.P_F)}
  e: {count: closed}
  f: {first: corner3.P_N}
  g: {last: closed}
  h: {growth: energy, where: 0.5 - closed}
  i: {at: 0.0123456, of: x_s}
  j: {at: first, when: theta1 > 1}
  k: {at: last, when: closed > 0, of: "theta3'"}
  l: {final: kinetic - potential + dt + mu, where: x_s - 0.3}
  m: {max: corner1.gap_velocity + corner4.slip_velocity}
record: 3
)yaml"));
  for (size_t m = 0; m < found.largest.size(); ++m) EXPECT_LE(found.largest[m], 1e-8) << "measure " << m;
}

// Joints are eliminated in the generated code.
TEST_F(Batches, joints_hold) {
  const Difference found = difference(study(R"yaml(
model: slider_crank_bilateral_cartesian
scheme: moreau-midpoint
dt: 1e-4
end: 0.05
vary: {g: {uniform: [9, 10]}}
samples: 5
measure: {a: {final: energy}, b: {min: energy}}
)yaml"));
  for (const double d : found.largest) EXPECT_LE(d, 1e-9);
  EXPECT_EQ(found.report.on_the_host, 0);
}

// A point that falls from 1 to about 0.5. The logarithm has no value below k.
constexpr const char* pit = R"yaml(
parameters: {k: -1, e: 0.5}
coordinates: {y: {position: 1, velocity: 0}}
lagrangian: {kinetic: y'^2/2, potential: y}
forces: {y: 0.01*log(y - k)}
contacts: {floor: {gap: y, e_N: e}}
run: {scheme: moreau-midpoint, dt: 1e-2, end: 1}
)yaml";

TEST_F(Batches, an_instance_that_fails_does_not_disturb_the_others) {
  write("pit.yaml", pit);
  const std::string rest = "\nmeasure: {y: {final: y}, e: {final: energy}}\n";
  const Study with = study("model: pit.yaml\nvary: {k: [-2, -1, -0.5, 0.6, 0.7, -3]}" + rest);
  const Study without = study("model: pit.yaml\nvary: {k: [-2, -1, -0.5, -3]}" + rest);
  StudyResults a(with), b(without);
  const BatchReport report = Batch(with).run({.threads = 1}, a);
  Batch(without).run({.threads = 1}, b);
  EXPECT_EQ(report.on_the_host, 2);
  const long same[] = {0, 1, 2, 5};
  for (int i = 0; i < 4; ++i)
    for (int m = 0; m < 2; ++m) EXPECT_EQ(a.measured(same[i], m), b.measured(i, m));
  for (const long run : {3L, 4L}) {
    EXPECT_EQ(a.status(run), OutcomeStatus::failed);
    EXPECT_THAT(a.messages().at(run), HasSubstr("not finite"));
  }
}

TEST_F(Batches, laws_out_of_their_range_are_refused_as_in_a_study) {
  write("pit.yaml", pit);
  const Study s = study("model: pit.yaml\nvary: {e: [0.5, 1.5]}\nmeasure: {y: {final: y}}\n");
  StudyResults results(s);
  Batch(s).run({.threads = 1}, results);
  EXPECT_EQ(results.status(0), OutcomeStatus::done);
  EXPECT_EQ(results.status(1), OutcomeStatus::refused);
  EXPECT_THAT(results.messages().at(1), HasSubstr("e_N"));
}

TEST_F(Batches, refuse_what_they_cannot_do) {
  const auto of = [&](const std::string& model, const std::string& rest) {
    return refusal(study("model: " + model + "\nmeasure: {t: {final: t}}\n" + rest));
  };
  EXPECT_THAT(of("slider_crank", "scheme: event-driven\nvary: {mu: [0.1]}\n"),
              HasSubstr("event-driven has no code for batches; expected one of: moreau-midpoint"));
  EXPECT_THAT(of("slider_crank", "scheme: moreau-midpoint\nvary: {dt: [1e-4]}\n"), HasSubstr("the same times"));
  EXPECT_THAT(of("slider_crank", "scheme: moreau-midpoint\nend: 10*mu\nvary: {mu: [0.1]}\n"),
              HasSubstr("'10*mu' depends on a parameter that varies"));
  EXPECT_THAT(of("slider_crank", "scheme: moreau-midpoint\noptions: {impact: poisson}\nvary: {mu: [0.1]}\n"),
              HasSubstr("a batch does not have the option impact=poisson"));
  EXPECT_THAT(of("sphere_pile", "scheme: moreau-midpoint\nend: 1e-3\nvary: {mu: [0.1]}\n"),
              HasSubstr("found during the run"));
  EXPECT_THAT(refusal(study("model: slider_crank\nscheme: moreau-midpoint\nvary: {mu: [0.1]}\n"
                            "measure: {s: {at: every, period: 0.1, of: theta1}}\n")),
              HasSubstr("it has many values"));
  EXPECT_THAT(refusal(study("model: slider_crank\nscheme: moreau-midpoint\nvary: {mu: [0.1]}\n"
                            "measure: {s: {final: last.theta1}}\n")),
              HasSubstr("in a batch: unknown name"));
}

TEST_F(Batches, code_for_a_gpu_compiles) {
  const Batch batch(study(slider_crank("moreau-midpoint")));
  try {
    EXPECT_GT(compile_for_gpu(batch.code(), "sm_90").size(), 1000u);
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("NVRTC, the compiler library of CUDA, was not found"));
    GTEST_SKIP() << error.what();
  }
}

TEST_F(Batches, a_missing_gpu_is_a_clear_message) {
  const Study s = study(slider_crank("moreau-midpoint"));
  StudyResults results(s);
  if (void* driver = ::dlopen("libcuda.so.1", RTLD_NOW)) {
    ::dlclose(driver);
    GTEST_SKIP() << "this machine has a driver";
  }
  try {
    Batch(s).run({.on = "gpu"}, results);
    FAIL() << "expected a UsageError";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a machine with a GPU and its driver; --on cpu needs no GPU"));
  }
}

}  // namespace
}  // namespace tappet
