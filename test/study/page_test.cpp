// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>

#include "record/hdf5/result_file.h"
#include "run/scratch.h"
#include "study/page/page_data.h"
#include "study/page/settings.h"
#include "study/page/study_page.h"
#include "study/run_study.h"
#include "support/unpacked.h"

namespace tappet {
namespace {

using Json = nlohmann::ordered_json;

// The numbers of an array as docs/report-format.md describes them.
std::vector<double> numbers(const std::string& data, const Json& ref) {
  const std::size_t at = ref["at"], n = ref["n"], size = ref["type"] == "f64" ? 8 : ref["type"] == "f32" ? 4 : 1;
  std::vector<double> values;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t bits = 0;
    for (std::size_t plane = 0; plane < size; ++plane)
      bits |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(data[at + plane * n + i])) << (8 * plane);
    last += static_cast<std::uint32_t>(bits);
    values.push_back(size == 8   ? std::bit_cast<double>(bits)
                     : size == 4 ? static_cast<double>(std::bit_cast<float>(last))
                                 : static_cast<double>(bits));
  }
  return values;
}

// A mass that falls from the height h: after the time t it is at h − g t²/2.
constexpr const char* falling = R"yaml(
parameters: {m: 2, g: 10, h: 1}
coordinates: {z: {position: h, velocity: 0}}
lagrangian: {kinetic: m*z'^2/2, potential: m*g*z}
run: {scheme: moreau-midpoint, dt: 1e-2, end: 0.1}
)yaml";

class StudyPage : public testing::Test {
 protected:
  StudyPage() { std::ofstream(scratch.path() / "falling.yaml") << falling; }
  Study study(const std::string& text) const {
    return parse_study("model: falling.yaml\n" + text, (scratch.path() / "study.yaml").string());
  }
  static StudyResults run(const Study& study) {
    StudyResults results(study);
    run_study(study, {.threads = 1, .journal = {}}, results);
    return results;
  }

  Scratch scratch;
};

constexpr const char* grid = R"yaml(
title: "</script><script>alert(1)</script>"
vary: {h: [1, 2, 3], g: [0, 10]}
measure:
  height: {final: z}
  heights: {at: every, period: 0.05, of: z}
)yaml";

TEST_F(StudyPage, parameters_of_a_grid_follow_from_the_number_of_the_run) {
  const Study s = study(grid);
  const StudyResults results = run(s);
  StudyPageData page(results, {});
  const Json json = page.json({});
  const std::string data = unpacked(page.arrays().packed());
  ASSERT_EQ(json["parameters"].size(), 2u);
  for (int axis = 0; axis < 2; ++axis) {
    const Json& parameter = json["parameters"][axis];
    const std::vector<double> values = numbers(data, parameter["data"]);
    const long stride = parameter["stride"];
    for (long k = 0; k < 6; ++k) {
      std::vector<double> exact;
      results.values(k, exact);
      EXPECT_EQ(values[k / stride % static_cast<long>(values.size())], exact[axis]) << k;
    }
  }
}

TEST_F(StudyPage, measures_have_the_values_of_the_closed_form) {
  const Study s = study(grid);
  const StudyResults results = run(s);
  StudyPageData page(results, {});
  const Json json = page.json({});
  const std::string data = unpacked(page.arrays().packed());
  const auto last = numbers(data, json["measures"][0]["data"]), counts = numbers(data, json["measures"][1]["counts"]),
             all = numbers(data, json["measures"][1]["data"]);
  EXPECT_EQ(counts, std::vector<double>(6, 3.0));
  for (int k = 0; k < 6; ++k) {
    const double h = 1 + k / 2, g = k % 2 ? 10 : 0;
    EXPECT_NEAR(last[k], h - g * 0.005, 1e-6);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(all[3 * k + i], h - 0.5 * g * std::pow(0.05 * i, 2), 1e-6);
  }
  EXPECT_EQ(numbers(data, json["status"]), std::vector<double>(6, 1.0));
  EXPECT_EQ(json["counts"]["done"], 6);
}

TEST_F(StudyPage, failed_runs_have_their_message) {
  const Study s = study("vary: {m: [1, 0]}\nmeasure: {height: {final: z}}\n");
  const StudyResults results = run(s);
  StudyPageData page(results, {});
  const Json json = page.json({});
  const std::string data = unpacked(page.arrays().packed());
  ASSERT_EQ(json["messages"]["texts"].size(), 1u);
  EXPECT_NE(json["messages"]["texts"][0], "");
  EXPECT_EQ(numbers(data, json["messages"]["runs"]), std::vector<double>{1});
  EXPECT_TRUE(std::isnan(numbers(data, json["measures"][0]["data"])[1]));
}

TEST_F(StudyPage, beyond_its_limits_it_holds_a_part_of_the_runs_with_their_numbers) {
  const Study s = study(
      "samples: 200\nvary: {h: {uniform: [1, 2]}}\nmeasure: {height: {final: z}, all: {at: every, period: 0.01, of: "
      "z}}\n");
  const StudyResults results = run(s);
  StudyPageData page(results, {.numbers = 100, .series = 150, .exact_runs = 10});
  const Json json = page.json({});
  const std::string data = unpacked(page.arrays().packed());
  const auto runs = numbers(data, json["run"]), height = numbers(data, json["measures"][0]["data"]);
  EXPECT_GT(runs.size(), 25u);
  EXPECT_LT(runs.size(), 80u);  // 50 on average
  ASSERT_EQ(runs.size(), height.size());
  const auto h = numbers(data, json["parameters"][0]["data"]);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<double> exact;
    results.values(static_cast<long>(runs[i]), exact);
    EXPECT_EQ(h[i], static_cast<double>(static_cast<float>(exact[0])));
    EXPECT_NEAR(height[i], exact[0] - 0.05, 1e-6);
  }
  EXPECT_EQ(json["parameters"][0]["exact"], false);
  const Json& all = json["measures"][1];
  EXPECT_LE(all["kept"].get<long>(), 160);
  EXPECT_EQ(all["all"].get<long>(), 11 * static_cast<long>(runs.size()));
  EXPECT_NEAR(numbers(data, all["data"])[all["most"].get<long>() - 1], height[0], 1e-6) << "the last value is kept";
}

TEST_F(StudyPage, the_file_is_one_page_and_no_text_ends_its_elements) {
  if (study_page_template().empty()) GTEST_SKIP() << "built without pages";
  const Study s = study(grid);
  const StudyResults results = run(s);
  const auto file = scratch.path() / "study.html";
  ASSERT_TRUE(write_study_page(results, {}, file));
  std::ifstream stream(file);
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  const std::string open = "id=\"tappet-run\">";
  const std::size_t from = page.find(open) + open.size();
  const Json json = Json::parse(page.substr(from, page.find("</script>", from) - from));
  EXPECT_EQ(json["title"], "</script><script>alert(1)</script>");
  EXPECT_EQ(json["folder"], scratch.path().string());
}

TEST_F(StudyPage, a_stored_run_has_the_parameters_and_settings_of_its_study) {
  const Study s = study(R"yaml(
end: h/10
options: {theta: 0.75}
scheme: moreau-jean
set: {m: 3}
vary: {h: [1, 2, 3], dt: [0.01, 0.02]}
measure: {height: {final: z}}
)yaml");
  const StudyResults results = run(s);
  write_study_hdf5(results, scratch.path() / "study.h5");
  for (long k = 0; k < 6; ++k) {
    StoredRun stored = stored_run(scratch.path(), k);
    EXPECT_EQ(stored.options.dt, k % 2 ? 0.02 : 0.01);
    EXPECT_NEAR(stored.options.end, (1 + k / 2) / 10.0, 1e-15);
    EXPECT_EQ(stored.options.scheme, "moreau-jean");
    EXPECT_EQ(stored.status, "done");
    const Result result = simulate(std::move(stored.model), stored.options);
    EXPECT_EQ(result.summary.steps, results.steps(k));
    EXPECT_EQ(result.q.back()[0], results.measured(k, 0)) << "the same bits as in the study";
  }
}

TEST_F(StudyPage, runs_that_a_study_does_not_have_are_refused) {
  EXPECT_THROW(stored_run(scratch.path(), 0), UsageError);
  const Study s = study(grid);
  write_study_hdf5(run(s), scratch.path() / "study.h5");
  EXPECT_NO_THROW(stored_run(scratch.path(), 5));
  try {
    stored_run(scratch.path(), 6);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("--show 6: expected a run of this study, 0 to 5"));
  }
}

}  // namespace
}  // namespace tappet
