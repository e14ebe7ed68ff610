// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "study/search/search.h"

// Fits with exact derivatives of the motion, and without.
namespace tappet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A ball that is thrown forwards. At an impact with vertical speed w, e w is left, and friction takes μ (1 + e) w of
// the horizontal speed.
struct Thrown {
  double x, y;
  Thrown(double e, double mu, double t) {
    const double g = 10;
    double v = 3, start = std::sqrt(2 / g), w = g * start;
    if (t < start) {
      x = v * t, y = 1 - 0.5 * g * t * t;
      return;
    }
    x = v * start;
    for (;;) {
      v -= mu * (1 + e) * w, w *= e;
      if (t < start + 2 * w / g) break;
      x += v * 2 * w / g, start += 2 * w / g;
    }
    x += v * (t - start), y = (w - 0.5 * g * (t - start)) * (t - start);
  }
};

class Fits : public testing::Test {
 protected:
  Fits() : folder_(fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::create_directories(folder_);
    write("ball.yaml", R"yaml(
parameters: {e: 0.5, mu: 0.1, g: 10}
coordinates: {x: {position: 0, velocity: 3}, y: {position: 1, velocity: 0}}
lagrangian: {kinetic: x'^2/2 + y'^2/2, potential: g*y}
contacts: {floor: {gap: y, slip: x, e_N: e, mu: mu}}
run: {scheme: event-driven, dt: 1e-2, end: 1.2, accumulate: close}
)yaml");
    std::string table = "x,y\n";
    for (int i = 0; i <= 24; ++i) {
      const Thrown right(0.63, 0.07, 0.05 * i);
      table += std::to_string(right.x) + "," + std::to_string(right.y) + "\n";  // six decimals
    }
    write("data.csv", table);
  }
  ~Fits() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  FoundFit fit(const std::string& more, const std::string& method) const {
    const Study study = parse_study(R"yaml(
model: ball.yaml
vary: {e: {uniform: [0.4, 0.8]}, mu: {uniform: [0, 0.2]}}
measure:
  x: {at: every, period: 0.05, of: x}
  y: {at: every, period: 0.05, of: y}
)yaml" + more + R"yaml(
fit:
  data: {x: {file: data.csv, column: x, deviation: 1e-3}, y: {file: data.csv, column: y, deviation: 1e-3}}
)yaml" + method,
                                    (folder_ / "study.yaml").string());
    StudyResults results(study);
    return fit_parameters(study, {.threads = 1, .journal = {}}, results);
  }

  fs::path folder_;
};

TEST_F(Fits, with_derivatives_need_far_fewer_runs_and_have_the_same_answer) {
  const FoundFit with = fit("", ""), without = fit("", "  method: trust-region");
  EXPECT_EQ(with.method, "gauss-newton");
  EXPECT_EQ(with.without_slopes, "");
  EXPECT_EQ(with.trouble, "");
  EXPECT_EQ(without.method, "trust-region");
  EXPECT_NEAR(with.values[0], 0.63, 1e-5);
  EXPECT_NEAR(with.values[1], 0.07, 1e-5);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(with.values[i], without.values[i], 1e-5);
    EXPECT_NEAR(with.half_width[i] / without.half_width[i], 1, 1e-2);
  }
  EXPECT_LT(4 * with.runs, without.runs);
  EXPECT_LT(2 * (with.runs + with.slopes), without.runs);
  RecordProperty("runs", with.runs), RecordProperty("slopes", with.slopes), RecordProperty("without", without.runs);
}

TEST_F(Fits, without_located_impacts_use_no_derivatives_and_say_so) {
  const FoundFit found = fit("scheme: moreau-midpoint", "");
  EXPECT_EQ(found.method, "trust-region");
  EXPECT_THAT(found.without_slopes, HasSubstr("moreau-midpoint does not locate impacts"));
  EXPECT_EQ(found.slopes, 0);
}

TEST_F(Fits, of_values_between_the_samples_use_no_derivatives_and_say_so) {
  const FoundFit found = fit("dt: 0.03", "");
  EXPECT_EQ(found.method, "trust-region");
  EXPECT_THAT(found.without_slopes, HasSubstr("the times of 'x'"));
}

TEST_F(Fits, by_gauss_newton_are_refused_if_there_are_no_derivatives) {
  try {
    fit("scheme: moreau-midpoint", "  method: gauss-newton");
    FAIL() << "nothing was thrown";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("moreau-midpoint does not locate impacts"));
  }
}

}  // namespace
}  // namespace tappet
