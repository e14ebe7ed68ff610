// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "study/search/search.h"

// Thresholds and best parameters, by exact derivatives of the motion where they exist.
namespace tappet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A throw at an angle, and where it lands: the ball stays where it strikes the floor.
constexpr const char* thrown = R"yaml(
parameters: {a: 0.5, v: 5, g: 10, h: 0.1, mu: 50, e: 0}
coordinates: {x: {position: 0, velocity: v*cos(a)}, y: {position: h, velocity: v*sin(a)}}
lagrangian: {kinetic: x'^2/2 + y'^2/2, potential: g*y}
contacts: {floor: {gap: y, slip: x, e_N: e, mu: mu}}
run: {scheme: event-driven, dt: 1e-2, end: 2, accumulate: close}
)yaml";

double flight(double a, double v) {
  const double up = v * std::sin(a);
  return (up + std::sqrt(up * up + 2 * 10 * 0.1)) / 10;
}
double range(double a, double v) { return v * std::cos(a) * flight(a, v); }

class Searches : public testing::Test {
 protected:
  Searches() : folder_(fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "throw.yaml") << thrown;
  }
  ~Searches() override { fs::remove_all(folder_); }
  Study study(const std::string& text) const {
    return parse_study("{model: throw.yaml, " + text.substr(1), (folder_ / "study.yaml").string());
  }
  struct Threshold {
    FoundThreshold found;
    long runs;
  };
  Threshold threshold(const std::string& text) const {
    const Study s = study(text);
    StudyResults results(s);
    return {find_thresholds(s, {.threads = 1, .journal = {}}, results)[0], results.runs()};
  }
  FoundOptimum optimum(const std::string& text) const {
    const Study s = study(text);
    StudyResults results(s);
    return find_optimum(s, {.threads = 1, .journal = {}}, results);
  }

  fs::path folder_;
};

TEST_F(Searches, a_threshold_of_a_smooth_measure_is_found_in_a_few_runs) {
  const std::string question =
      "{vary: {a: {uniform: [0.1, 0.75]}}, measure: {far: {final: x}}, threshold: {of: far, level: 1.7, tolerance: "
      "1e-10";
  const Threshold with = threshold(question + "}}"), without = threshold(question + ", method: bisection}}");
  for (const Threshold& one : {with, without}) {
    ASSERT_EQ(one.found.trouble, "");
    EXPECT_NEAR(range(one.found.value(), 5), 1.7, 1e-9);
    EXPECT_LE(one.found.high - one.found.low, 1e-10 * 0.65);
  }
  EXPECT_EQ(without.found.slopes, 0);
  EXPECT_GT(with.found.slopes, 0);
  EXPECT_LE(with.runs, 12);
  EXPECT_GE(without.runs, 36);
}

TEST_F(Searches, a_threshold_of_the_time_of_an_event_is_found_in_a_few_runs) {
  const Threshold found = threshold(
      "{vary: {v: {uniform: [4, 20]}}, measure: {when: {event: impact}}, threshold: {of: when, level: 0.9, tolerance: "
      "1e-10}}");
  ASSERT_EQ(found.found.trouble, "");
  EXPECT_NEAR(flight(0.5, found.found.value()), 0.9, 1e-9);
  EXPECT_GT(found.found.slopes, 0);
  EXPECT_LE(found.runs, 10);
}

// The measure jumps where the throw reaches the wall: derivatives do not lead there, but the interval halves.
TEST_F(Searches, a_threshold_at_a_jump_of_the_measure_is_found_by_halving) {
  std::string model = thrown;
  model.replace(model.find("contacts: {"), 11, "contacts: {wall: {gap: 2 - x, e_N: 1}, ");
  std::ofstream(folder_ / "throw.yaml") << model;
  const Threshold found = threshold(
      "{vary: {v: {uniform: [3, 6]}}, measure: {back: {final: \"if(x' < -1e-9, 1, 0) + v/100\"}}, end: 0.4, threshold: "
      "{of: "
      "back, level: 0.5, tolerance: 1e-7}}");
  ASSERT_EQ(found.found.trouble, "");
  EXPECT_NEAR(found.found.value(), 2 / (0.4 * std::cos(0.5)), 1e-6);
}

TEST_F(Searches, the_widest_throw_is_found_with_derivatives) {
  const FoundOptimum found =
      optimum("{vary: {a: {uniform: [0.1, 1.4]}}, measure: {far: {final: x}}, maximise: {of: far}}");
  EXPECT_EQ(found.method, "slopes");
  EXPECT_EQ(found.without_slopes, "");
  EXPECT_EQ(found.trouble, "");
  EXPECT_NEAR(found.values[0], std::atan(5 / std::sqrt(25 + 2 * 10 * 0.1)), 1e-6);
  EXPECT_NEAR(found.measured, 0.5 * std::sqrt(25 + 2 * 10 * 0.1), 1e-8);
  EXPECT_LE(found.runs, 15);
}

TEST_F(Searches, parameters_that_reach_a_target_are_found_with_derivatives) {
  const FoundOptimum found = optimum(
      "{vary: {a: {uniform: [0.1, 1.4]}, v: {uniform: [2, 9]}}, end: 0.4, measure: {miss: {final: (x - 1.2)^2 + (y - "
      "0.5)^2}}, minimise: {of: miss, tolerance: 1e-9}}");
  EXPECT_EQ(found.without_slopes, "");
  // x = v cos(a) t, y = h + v sin(a) t − g t²/2
  const double across = 1.2 / 0.4, up = (0.4 + 5 * 0.16) / 0.4;
  EXPECT_NEAR(found.values[0], std::atan2(up, across), 1e-5);
  EXPECT_NEAR(found.values[1], std::hypot(up, across), 1e-4);
  EXPECT_LT(found.measured, 1e-9);
}

TEST_F(Searches, a_best_place_at_a_bound_is_found) {
  const FoundOptimum found = optimum("{vary: {v: {uniform: [2, 4]}}, measure: {far: {final: x}}, maximise: {of: far}}");
  EXPECT_EQ(found.values[0], 4);
  EXPECT_EQ(found.without_slopes, "");
}

TEST_F(Searches, a_best_place_at_a_kink_is_found_without_derivatives_and_said_so) {
  const FoundOptimum found = optimum(
      "{vary: {v: {uniform: [3, 6]}}, end: 0.3, measure: {miss: {final: abs(x - 1.25)}}, minimise: {of: miss}}");
  EXPECT_NEAR(found.values[0], 1.25 / (0.3 * std::cos(0.5)), 1e-4);
  EXPECT_NE(found.without_slopes, "");
}

TEST_F(Searches, other_schemes_search_without_derivatives_and_say_so) {
  const FoundOptimum found = optimum(
      "{scheme: moreau-midpoint, vary: {a: {uniform: [0.1, 1.4]}}, measure: {far: {final: x}}, maximise: {of: far}}");
  EXPECT_EQ(found.method, "trust-region");
  EXPECT_THAT(found.without_slopes, HasSubstr("moreau-midpoint does not locate impacts"));
  EXPECT_NEAR(found.measured, 0.5 * std::sqrt(27), 0.1);
  EXPECT_THROW(optimum("{scheme: moreau-midpoint, vary: {a: {uniform: [0.1, 1.4]}}, measure: {far: {final: x}}, "
                       "maximise: {of: far, method: slopes}}"),
               ModelError);
}

TEST_F(Searches, wrong_questions_are_refused_with_their_place) {
  const auto message = [&](const std::string& text) -> std::string {
    try {
      study(text);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_THAT(message("{vary: {a: [0.1, 1]}, measure: {far: {final: x}}, maximise: {of: far}}"),
              HasSubstr("with `maximise:` every parameter has bounds"));
  EXPECT_THAT(message("{vary: {a: {uniform: [0.1, 1]}}, measure: {far: {final: x}}, minimise: {of: fa}}"),
              HasSubstr("far"));
  EXPECT_THAT(
      message("{vary: {a: {uniform: [0.1, 1]}}, measure: {far: {final: x}}, minimise: {of: far}, maximise: {of: "
              "far}}"),
      HasSubstr("expected only one of"));
  EXPECT_THAT(
      message("{vary: {a: {uniform: [0.1, 1]}}, measure: {far: {final: x}}, minimise: {of: far, method: newton}}"),
      HasSubstr("one of automatic, slopes, trust-region, nelder-mead"));
}

}  // namespace
}  // namespace tappet
