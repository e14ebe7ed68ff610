// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "study/journal.h"
#include "study/run_study.h"
#include "study/search/search.h"

namespace tappet {
namespace {

namespace fs = std::filesystem;

// A folder for one test, with model files.
class Studies : public testing::Test {
 protected:
  Studies() : folder_(fs::path(testing::TempDir()) / fmt_name()) { fs::create_directories(folder_); }
  ~Studies() override { fs::remove_all(folder_); }

  static std::string fmt_name() {
    return std::string("tappet_study_") + testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  Study study(const std::string& text) const { return parse_study(text, (folder_ / "study.yaml").string()); }
  StudyResults run(const Study& study, int threads = 2) const {
    StudyResults results(study);
    run_study(study, {.threads = threads, .journal = {}}, results);
    return results;
  }

  fs::path folder_;
};

// A point that falls from height h onto the ground and loses part of its speed there.
constexpr const char* ball = R"yaml(
parameters: {h: 1, e: 0.5, mu: 0.1, g: 10, v: 2}
coordinates: {x: {position: 0, velocity: v}, y: {position: h, velocity: 0}}
lagrangian: {kinetic: x'^2/2 + y'^2/2, potential: g*y}
contacts: {floor: {gap: y, slip: x, e_N: e, mu: mu}}
run: {scheme: event-driven, dt: 1e-2, end: 1, accumulate: close}
)yaml";

TEST_F(Studies, measures_have_the_values_of_the_closed_form) {
  write("ball.yaml", ball);
  const Study s = study(R"yaml(
model: ball.yaml
vary: {h: [0.2, 0.8], e: [0.5, 1]}
measure:
  first_impact: {event: impact}
  highest: {max: y}
  lowest_speed: {min: "y'"}
  low: {at: first, when: y < h/2}
  height_then: {at: first, when: y < h/2, of: y}
  at_01: {at: 0.1, of: y}
  strobe: {at: every, period: h/4, of: "y'", to: h/2}
)yaml");
  const StudyResults results = run(s);
  ASSERT_EQ(results.runs(), 4);
  for (long k = 0; k < 4; ++k) {
    std::vector<double> v;
    results.values(k, v);
    const double h = v[0], g = 10;
    ASSERT_EQ(results.status(k), OutcomeStatus::done);
    EXPECT_NEAR(results.measured(k, 0), std::sqrt(2 * h / g), 1e-9);
    EXPECT_NEAR(results.measured(k, 1), h, 1e-12);
    EXPECT_LE(results.measured(k, 2), -std::sqrt(2 * g * h) + 0.1);
    EXPECT_NEAR(results.measured(k, 3), std::ceil(std::sqrt(h / g) / 1e-2) * 1e-2, 1e-12);
    EXPECT_NEAR(results.measured(k, 4), h - 0.5 * g * std::pow(results.measured(k, 3), 2), 1e-9);
    EXPECT_NEAR(results.measured(k, 5), h - 0.05, 1e-9);
    ASSERT_EQ(results.series(k, 6).size(), 3u);
    EXPECT_NEAR(results.series(k, 6)[1], -g * h / 4, 1e-9);
  }
}

TEST_F(Studies, have_the_same_bits_on_any_number_of_threads) {
  const Study s = study(R"yaml(
model: slider_crank
end: 0.02
vary: {mu: {from: 0, to: 0.3, count: 7}, e_N: {uniform: [0.1, 0.9]}}
samples: 3
measure: {deepest: {max: violation}, angle: {final: theta1}}
)yaml");
  const StudyResults one = run(s, 1), three = run(s, 3);
  ASSERT_EQ(one.runs(), 21);
  for (int m : {0, 1}) EXPECT_EQ(one.column(m), three.column(m));
}

TEST_F(Studies, runs_that_fail_are_lines_with_a_reason) {
  write("ball.yaml", ball);
  const Study s = study("{model: ball.yaml, vary: {e: [0.5, 2]}, measure: {a: {final: y}}}");
  const StudyResults results = run(s);
  EXPECT_EQ(results.status(0), OutcomeStatus::done);
  EXPECT_EQ(results.status(1), OutcomeStatus::refused);
  EXPECT_TRUE(std::isnan(results.measured(1, 0)));
  EXPECT_THAT(results.messages().at(1), testing::HasSubstr("e_N"));
}

TEST_F(Studies, a_table_gives_the_values_of_each_run) {
  write("ball.yaml", ball);
  write("runs.csv", "# two runs\nh, e\n0.2, 0.5\n0.45, 0.1\n");
  const StudyResults results = run(study("{model: ball.yaml, table: runs.csv, measure: {a: {event: impact}}}"));
  ASSERT_EQ(results.runs(), 2);
  EXPECT_NEAR(results.measured(0, 0), 0.2, 1e-9);
  EXPECT_NEAR(results.measured(1, 0), 0.3, 1e-9);
}

TEST_F(Studies, a_journal_that_was_cut_off_gives_every_complete_record) {
  write("ball.yaml", ball);
  const Study s = study("{model: ball.yaml, vary: {h: {from: 0.1, to: 1, count: 20}}, measure: {a: {final: y}}}");
  StudyResults whole(s);
  const fs::path journal = folder_ / "a.journal";
  run_study(s, {.threads = 1, .journal = journal}, whole);
  const auto size = fs::file_size(journal);
  long before = 20;
  for (auto cut = size; cut > 0; cut -= std::min<std::uintmax_t>(cut, 37)) {
    fs::resize_file(journal, cut);
    StudyResults part(s);
    read_journals(s, {journal}, part);
    EXPECT_LE(part.done(), before);
    before = part.done();
    for (long k = 0; k < part.runs(); ++k)
      if (part.finished(k)) {
        EXPECT_EQ(part.measured(k, 0), whole.measured(k, 0));
      }
  }
  EXPECT_EQ(before, 0);
}

TEST_F(Studies, a_journal_of_another_study_is_refused) {
  write("ball.yaml", ball);
  const Study one = study("{model: ball.yaml, vary: {h: [1]}, measure: {a: {final: y}}}");
  const Study other = study("{model: ball.yaml, vary: {h: [2]}, measure: {a: {final: y}}}");
  const fs::path journal = folder_ / "a.journal";
  StudyResults results(one), others(other);
  run_study(one, {.threads = 1, .journal = journal}, results);
  EXPECT_THROW(read_journals(other, {journal}, others), std::runtime_error);
  EXPECT_THROW(run_study(other, {.threads = 1, .journal = journal}, others), std::runtime_error);
}

// A mass on a table that moves as a sin(ω t) lifts off if a ω² > g.
TEST_F(Studies, the_speed_of_lift_off_is_found_to_six_digits) {
  write("tappet.yaml", R"yaml(
parameters: {a: 0.01, w: 20, g: 9.81}
coordinates: {y: {position: 0, velocity: a*w}}
lagrangian: {kinetic: y'^2/2, potential: g*y}
contacts: {table: {gap: y - a*sin(w*t), e_N: 0}}
run: {scheme: event-driven, dt: 2e-5, end: 0.1}
)yaml");
  const Study s = study(R"yaml(
model: tappet.yaml
vary: {w: {uniform: [20, 50]}, a: [0.01, 0.02]}
measure: {openings: {events: opening}}
threshold: {of: openings, level: 0.5, tolerance: 1e-8}
)yaml");
  StudyResults results(s);
  const std::vector<FoundThreshold> found = find_thresholds(s, {.threads = 2, .journal = {}}, results);
  ASSERT_EQ(found.size(), 2u);
  for (const FoundThreshold& one : found) {
    ASSERT_EQ(one.trouble, "");
    const double theory = std::sqrt(9.81 / one.others[0]);
    EXPECT_NEAR(one.value(), theory, 1e-6 * theory);
  }
}

TEST_F(Studies, a_threshold_that_is_not_in_the_interval_is_said_so) {
  write("ball.yaml", ball);
  const Study s = study(
      "{model: ball.yaml, vary: {h: {uniform: [0.1, 0.2]}}, measure: {a: {max: y}}, threshold: {of: a, level: 5}}");
  StudyResults results(s);
  const auto found = find_thresholds(s, {.threads = 1, .journal = {}}, results);
  EXPECT_THAT(found[0].trouble, testing::HasSubstr("not above the level at both ends"));
}

// The interval must contain the quantile in about 95 of 100 studies. Its probability is at least that, by construction.
TEST(Quantile, the_interval_contains_the_quantile_with_the_stated_confidence) {
  std::mt19937 random(1);
  std::exponential_distribution<double> distribution(1.0);
  for (double q : {0.1, 0.5, 0.95}) {
    const double exact = -std::log(1 - q);
    int inside = 0;
    for (int study = 0; study < 1000; ++study) {
      std::vector<double> values(200);
      for (double& x : values) x = distribution(random);
      const FoundQuantile found = quantile_of(values, q, 0.95);
      inside += found.low <= exact && exact <= found.high;
    }
    EXPECT_GE(inside, 940) << q;
    EXPECT_LE(inside, 995) << q;
  }
}

TEST_F(Studies, sampling_ends_when_the_quantile_is_known) {
  write("ball.yaml", ball);
  const Study s = study(R"yaml(
model: ball.yaml
end: 0.02
vary: {h: {uniform: [1, 2]}}
measure: {a: {max: y}}
until: {of: a, quantile: 0.5, within: 0.05, most: 5000}
)yaml");
  StudyResults results(s);
  const FoundQuantile found = sample_until(s, {.threads = 2, .journal = {}}, results);
  EXPECT_TRUE(found.reached);
  EXPECT_LT(found.samples, 5000);
  EXPECT_EQ(results.runs(), found.samples);
  EXPECT_TRUE(found.low <= 1.5 && 1.5 <= found.high) << found.low << " " << found.high;
}

// The height and the way of the ball, from closed forms: at an impact with vertical speed w, e w is left, and friction
// takes μ (1 + e) w of the horizontal speed, or what is left of it.
std::pair<double, double> closed_form(double e, double mu, double t) {
  const double g = 10, h = 1;
  double x = 0, v = 2, start = std::sqrt(2 * h / g), w = g * start;
  if (t < start) return {v * t, h - 0.5 * g * t * t};
  x = v * start;
  for (;;) {
    v -= std::min(v, mu * (1 + e) * w);
    w *= e;
    const double flight = 2 * w / g;
    if (t < start + flight || flight < 1e-6)
      return {x + v * (t - start), w * (t - start) - 0.5 * g * std::pow(t - start, 2)};
    start += flight, x += v * flight;
  }
}

TEST_F(Studies, friction_and_restitution_are_recovered_from_noisy_data) {
  write("ball.yaml", ball);
  std::mt19937 random(11);
  std::normal_distribution<double> noise(0.0, 0.01);
  int covered = 0;
  const int cases = 100;
  for (int k = 0; k < cases; ++k) {
    const double e = std::uniform_real_distribution<double>(0.4, 0.7)(random);
    const double mu = std::uniform_real_distribution<double>(0.05, 0.15)(random);
    std::string table = "x,y\n";
    for (int i = 0; i <= 20; ++i) {
      const auto [x, y] = closed_form(e, mu, 0.05 * i);
      table += std::to_string(x + noise(random)) + "," + std::to_string(y + noise(random)) + "\n";
    }
    write("data.csv", table);
    const Study s = study(R"yaml(
model: ball.yaml
vary: {e: {uniform: [0.2, 0.9]}, mu: {uniform: [0, 0.3]}}
measure:
  x: {at: every, period: 0.05, of: x}
  y: {at: every, period: 0.05, of: y}
fit: {data: {x: {file: data.csv, column: x, deviation: 0.01}, y: {file: data.csv, column: y, deviation: 0.01}}}
)yaml");
    StudyResults results(s);
    const FoundFit found = fit_parameters(s, {.threads = 2, .journal = {}}, results);
    ASSERT_EQ(found.trouble, "");
    covered +=
        std::abs(found.values[0] - e) <= found.half_width[0] && std::abs(found.values[1] - mu) <= found.half_width[1];
    EXPECT_LT(found.half_width[0], 0.05);
    EXPECT_LT(found.half_width[1], 0.05);
  }
  // Both parameters at once, with a confidence of 95 % each.
  EXPECT_GE(covered, 90);
  RecordProperty("covered", covered);
  std::cout << covered << " of " << cases << " cases within the stated confidence of both parameters\n";
}

TEST_F(Studies, measures_with_many_values_have_files_with_their_names) {
  write("ball.yaml", ball);
  const Study s = study(R"yaml(
model: ball.yaml
vary: {h: [1]}
measure:
  strobe: {at: every, period: 0.1, of: y}
  "a b": {at: every, period: 0.1, of: x}
  a/b: {at: every, period: 0.1, of: x}
)yaml");
  EXPECT_EQ(series_file_name(s, 0), "study.strobe.csv");
  EXPECT_EQ(series_file_name(s, 1), "study.a_b.1.csv");
  EXPECT_EQ(series_file_name(s, 2), "study.a_b.2.csv");
}

}  // namespace
}  // namespace tappet
