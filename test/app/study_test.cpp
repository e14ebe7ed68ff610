// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "program.h"
#include "report/page.h"
#include "run/scratch.h"

namespace {

using testing::HasSubstr;

// A mass that falls from the height h with the acceleration g.
constexpr const char* falling = R"yaml(
parameters: {m: 2, g: 10, h: 1}
coordinates: {z: {position: h, velocity: 0}}
lagrangian: {kinetic: m*z'^2/2, potential: m*g*z}
run: {scheme: moreau-midpoint, dt: 1e-2, end: 0.1}
)yaml";

struct StudyProgram : testing::Test {
  Scratch scratch;

  StudyProgram() { std::ofstream(scratch.path() / "falling.yaml") << falling; }
  Finished run(const std::vector<std::string>& arguments) const {
    return run_tappet(arguments, scratch.path().string());
  }
  Finished study() const {
    return run({"study", "falling.yaml", "--vary", "h=1,2", "--vary", "g=0:10:3", "--measure", "height=final:z",
                "--out", "falls"});
  }
};

TEST_F(StudyProgram, writes_its_page_or_says_that_there_is_none) {
  const Finished finished = study();
  ASSERT_EQ(finished.code, 0) << finished.err;
  const bool page = !tappet::study_page_template().empty();
  EXPECT_EQ(std::filesystem::exists(scratch.path() / "falls/study.html"), page);
  EXPECT_THAT(finished.out, HasSubstr(page ? "page of the study: falls/study.html" : "no page of the study"));
}

TEST_F(StudyProgram, show_carries_out_one_run_again_with_its_parameters) {
  ASSERT_EQ(study().code, 0);
  std::filesystem::remove(scratch.path() / "falling.yaml");  // study.h5 holds the model
  const Finished shown = run({"study", "falls", "--show", "5"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("report page: falls/run-5/report.html"));
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "falls/run-5/report.html"));
  std::ifstream file(scratch.path() / "falls/run-5/summary.json");
  const auto summary = nlohmann::json::parse(file);
  EXPECT_NEAR(summary["q"]["z"].get<double>(), 2 - 0.5 * 10 * 0.01, 1e-12);  // run 5: h = 2, g = 10
}

TEST_F(StudyProgram, runs_that_cannot_be_shown_are_refused) {
  ASSERT_EQ(study().code, 0);
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"study", "falls", "--show", "6"}, "expected a run of this study, 0 to 5"},
      {{"study", "falls", "--show", "-1"}, "expected the number of a run"},
      {{"study", "falls", "--show", "two"}, "expected the number of a run"},
      {{"study", "falls", "--show", "1", "--resume"}, "excludes"},
      {{"study", "nowhere", "--show", "1"}, "expected a folder that `tappet study` wrote"}};
  for (const auto& [arguments, expected] : wrong) {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.code, 2) << expected;
    EXPECT_THAT(finished.err, HasSubstr(expected));
  }
}

TEST_F(StudyProgram, as_a_batch_has_the_heights_of_the_closed_form) {
  ::setenv("TAPPET_CACHE", (scratch.path() / "cache").c_str(), 1);
  const Finished finished = run({"study", "falling.yaml", "--vary", "h=1,2", "--vary", "g=0:10:3", "--measure",
                                 "height=final:z", "--out", "falls", "--on", "cpu", "--threads", "1"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("cpu, 1 threads"));
  std::ifstream table(scratch.path() / "falls/study.csv");
  std::string line;
  std::getline(table, line);
  EXPECT_THAT(line, testing::StartsWith("run,h,g,height,status"));
  int runs = 0;
  for (double h = 0, g = 0, height = 0; std::getline(table, line); ++runs) {
    ASSERT_EQ(std::sscanf(line.c_str(), "%*d,%lf,%lf,%lf", &h, &g, &height), 3) << line;
    EXPECT_NEAR(height, h - 0.5 * g * 0.01, 1e-12) << line;
  }
  EXPECT_EQ(runs, 6);
}

TEST_F(StudyProgram, what_a_batch_cannot_do_is_refused) {
  const std::vector<std::string> study{"study",     "falling.yaml",   "--vary", "g=0:10:3",
                                       "--measure", "height=final:z", "--on",   "cpu"};
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--scheme", "event-driven"}, "event-driven has no code for batches"},
      {{"--vary", "dt=1e-3,1e-2"}, "all instances of a batch have the same times"},
      {{"--resume"}, "keeps no journal"}};
  for (const auto& [more, expected] : wrong) {
    std::vector<std::string> arguments = study;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.code, 2) << expected;
    EXPECT_THAT(finished.err, HasSubstr(expected));
  }
}

}  // namespace
