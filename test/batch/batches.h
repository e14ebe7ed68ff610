// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "batch/batch.h"

namespace tappet {

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

  // The suite is part of the name: two suites with parameters have tests of the same name, which may run side by side.
  static std::string name() {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = fmt::format("tappet_batch_{}_{}", test->test_suite_name(), test->name());
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
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

// The tolerance of the contact problems of a test. Contacts of ggl-unified have rows of gaps beside those of
// velocities. With the usual tolerance of 1e-12 the engine accepts some solutions with gaps of -8e-13 m, which the
// exact solver of a batch does not leave. The bars of these tests are finer than that.
inline std::string contact_tolerance(const std::string& scheme) {
  return scheme == "ggl-unified" ? "options: {tolerance: 1e-14}\n" : "";
}

// 64 slider-cranks in which every number is different, over 2000 steps.
inline std::string slider_crank(const std::string& scheme) {
  std::string vary;
  const std::pair<const char*, double> numbers[] = {{"l1", 0.153},  {"l2", 0.306},  {"a", 0.05},     {"b", 0.025},
                                                    {"c", 1e-3},    {"m1", 0.038},  {"m2", 0.038},   {"m3", 0.076},
                                                    {"J1", 7.4e-5}, {"J2", 5.9e-4}, {"J3", 2.7e-6},  {"g", 9.81},
                                                    {"e_N", 0.4},   {"mu", 0.01},   {"omega1", 150}, {"omega2", -75}};
  for (const auto& [name, value] : numbers)
    vary += fmt::format("  {}: {{uniform: [{}, {}]}}\n", name, std::min(0.97 * value, 1.03 * value),
                        std::max(0.97 * value, 1.03 * value));
  return fmt::format(
      "model: slider_crank\nscheme: {}\n{}dt: 1e-5\nend: 0.02\nsamples: 64\nvary:\n{}"
      "measure:\n  q1: {{final: theta1}}\n  q2: {{final: theta2}}\n  q3: {{final: theta3}}\n"
      "  u1: {{final: \"theta1'\"}}\n  u2: {{final: \"theta2'\"}}\n  u3: {{final: \"theta3'\"}}\n",
      scheme, contact_tolerance(scheme), vary);
}

inline void expect_equal_motion(const std::vector<double>& d) {
  for (int i = 0; i < 3; ++i) EXPECT_LE(d[i], 1e-13) << "position " << i;
  for (int i = 3; i < 6; ++i) EXPECT_LE(d[i], 1e-11) << "velocity " << i;
}

}  // namespace tappet
