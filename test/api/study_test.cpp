// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Studies in the public interface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tappet/tappet.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace tappet {
namespace {

using testing::Each;
using testing::HasSubstr;

const char* const drop = R"(
parameters: {h: 1, e: 0.5, g: 10}
coordinates: {y: {position: h, velocity: 0}}
lagrangian: {kinetic: y'^2/2, potential: g*y}
contacts: {floor: {gap: y, e_N: e}}
run: {scheme: event-driven, dt: 1e-2, end: 1, accumulate: close}
)";

TEST(RunStudy, gives_arrays_with_one_entry_per_run) {
  const Model model = parse_model(drop, "drop.yaml", {{"g", 5}});
  const StudyResult result =
      run_study(model, "{vary: {h: [0.1, 0.4], e: [0.5, 0.9]}, measure: {hit: {event: impact}}}");
  ASSERT_EQ(result.runs(), 4);
  EXPECT_THAT(result.status, Each("done"));
  for (long run = 0; run < 4; ++run)  // t = √(2h/g), and g is that of the model
    EXPECT_NEAR(result.measure("hit").values[run], std::sqrt(2 * result.parameter("h").values[run] / 5), 1e-12);
  EXPECT_GT(result.steps[0], 0);
  EXPECT_TRUE(result.found.empty());
}

TEST(RunStudy, gives_measures_with_many_values_run_by_run) {
  const StudyResult result =
      run_study(parse_model(drop), "{vary: {h: [0.5, 1]}, measure: {y: {at: every, period: 0.1, to: 0.3, of: y}}}");
  ASSERT_EQ(result.measure("y").series.size(), 2u);
  EXPECT_TRUE(result.measure("y").values.empty());
  const std::vector<double>& y = result.measure("y").series[1];
  for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(y[k], 1 - 5 * 0.01 * double(k * k), 1e-12);
}

TEST(RunStudy, reads_a_file_and_tells_what_a_search_found) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "tappet_api_study";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "drop.yaml") << drop;
  std::ofstream(folder / "study.yaml") << R"(
model: drop.yaml
vary: {h: {uniform: [0.1, 2]}}
measure: {hit: {event: impact}}
threshold: {of: hit, level: 0.4, tolerance: 1e-9}
)";
  const StudyResult result = run_study(folder / "study.yaml");
  EXPECT_THAT(result.found, HasSubstr("\"thresholds\""));
  EXPECT_NEAR(result.parameter("h").values.back(), 0.8, 1e-6);
  std::filesystem::remove_all(folder);
}

TEST(RunStudy, refuses_wrong_studies_with_their_place) {
  const Model model = parse_model(drop);
  const auto message = [&](const std::string& text) -> std::string {
    try {
      run_study(model, text);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("{vary: {nothing: [1]}, measure: {hit: {event: impact}}}"), HasSubstr("study:1:"));
  EXPECT_THAT(message("{model: drop, vary: {h: [1]}, measure: {hit: {event: impact}}}"),
              HasSubstr("given by the program"));
  EXPECT_THAT(message("{vary: {h: [1]}, measure: {y: {max: nothing}}}"), HasSubstr("nothing"));
  EXPECT_THROW(run_study("nowhere.yaml"), UsageError);
  const StudyResult result = run_study(model, "{vary: {h: [1, -1]}, measure: {hit: {event: impact}}}");
  EXPECT_EQ(result.status[1], "refused");
  EXPECT_THAT(result.messages[1], HasSubstr("gap"));
  EXPECT_THROW(result.measure("hitt"), UsageError);
}

TEST(RunStudy, ends_if_the_program_says_so) {
  StudyOptions options;
  options.progress = [](long, long) { return false; };
  options.threads = 1;
  const StudyResult result = run_study(
      parse_model(drop), "{vary: {h: {from: 0.1, to: 1, count: 2000}}, measure: {hit: {event: impact}}}", options);
  EXPECT_EQ(result.runs(), 2000);
  EXPECT_GT(std::count(result.status.begin(), result.status.end(), "missing"), 1000);
}

}  // namespace
}  // namespace tappet
