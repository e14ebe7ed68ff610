// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// compare, reproduce and gallery, as a user starts them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "program.h"
#include "run/scratch.h"

namespace {

using testing::HasSubstr;

struct JudgeApp : testing::Test {
  Scratch scratch;
  std::filesystem::path folder = scratch.path();

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  // The ball reaches the ground with 2 m/s (closed form).
  std::string ball(const std::string& published) const {
    return write("ball.yaml",
                 "title: A ball\nsource: closed form\nruns: {ball: {model: bouncing_ball, dt: 1e-3, end: 0.999}}\n"
                 "checks: [{what: speed, run: ball, final: \"abs(q')\", published: " +
                     published + ", quote: it hits with " + published + " m/s, within: 1 %}]\n");
  }
  Finished run(const std::vector<std::string>& arguments) const { return run_tappet(arguments, folder.string()); }
};

TEST_F(JudgeApp, compare_prints_a_table_and_writes_csv_and_plots) {
  const Finished f = run({"compare", "rotating_ball", "--schemes", "moreau-midpoint,half-explicit-acceleration", "--dt",
                          "1e-2,1e-3", "--set", "omega=10"});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(f.out, HasSubstr("event-driven"));
  EXPECT_THAT(f.out, HasSubstr("moreau-midpoint"));
  EXPECT_THAT(f.out, HasSubstr("not compared:\n  half-explicit-acceleration"));
  for (const char* file : {"compare.csv", "error.svg", "work.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder / "out/rotating_ball_compare" / file)) << file;
}

TEST_F(JudgeApp, reproduce_exits_with_1_where_a_number_does_not_come_out) {
  EXPECT_EQ(run({"reproduce", ball("2")}).code, 0);
  const Finished f = run({"reproduce", ball("3")});
  EXPECT_EQ(f.code, 1);
  EXPECT_THAT(f.out, HasSubstr("FAILED"));
  const Finished json = run({"reproduce", ball("3"), "--json"});
  EXPECT_EQ(json.code, 1);
  const auto data = nlohmann::json::parse(json.out);
  EXPECT_FALSE(data["passed"].get<bool>());
  EXPECT_EQ(data["reproductions"][0]["rows"][0]["verdict"], "failed");
}

TEST_F(JudgeApp, reproduce_names_the_mutants_that_survive) {
  const Finished f = run({"reproduce", ball("2"), "--mutants"});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(f.out, HasSubstr("mutants survive"));
  EXPECT_THAT(f.out, HasSubstr("survives: moreau-jean → moreau-midpoint"));
  const auto data = nlohmann::json::parse(run({"reproduce", ball("2"), "--mutants", "--json"}).out);
  EXPECT_EQ(data["mutants"][0]["name"], "ball");
  EXPECT_GT(data["mutants"][0]["mutants"].size(), 5u);
}

// A model beside the reproduction is used. A model of the same name in the current folder is not. The printed command
// repeats the run.
TEST_F(JudgeApp, reproduce_looks_for_models_beside_its_file_and_never_in_the_current_folder) {
  const auto model = [](const std::string& g) {
    return "coordinates: {z: {position: 1, velocity: 0}}\nlagrangian: {kinetic: z'^2/2, potential: " + g +
           "*z}\nrun: {scheme: moreau-midpoint, dt: 1e-2, end: 0.1, record: 3}\n";
  };
  std::filesystem::create_directories(folder / "sub");
  write("sub/mine.yaml", model("10"));
  write("mine.yaml", model("20"));
  write("bouncing_ball", model("20"));
  write("other.yaml", model("20"));
  const auto fall = [](const std::string& name, const char* drop) {
    return "title: A fall\nsource: closed form\nruns: {fall: {model: " + name +
           ", record: 2}}\nchecks: [{what: height, run: fall, final: z, reference: " + drop +
           ", origin: closed form, within: 1e-9}]\n";
  };
  const Finished f = run({"reproduce", write("sub/fall.yaml", fall("mine.yaml", "0.95")), "--json"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  const auto commands = nlohmann::json::parse(f.out)["reproductions"][0]["commands"];
  const std::string command = commands[0];
  EXPECT_THAT(command, HasSubstr("sub/mine.yaml"));
  EXPECT_THAT(command, HasSubstr("--record 2"));
  const Finished other = run({"reproduce", write("sub/fall.yaml", fall("other.yaml", "0.9"))});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("no model 'other.yaml'"));
  EXPECT_EQ(run({"reproduce", ball("2")}).code, 0);  // bouncing_ball is the example, not the file here
}

TEST_F(JudgeApp, reproduce_lists_what_is_there_and_nothing_is_missing) {
  const Finished f = run({"reproduce", "--list"});
  EXPECT_EQ(f.code, 0);
  for (const char* name : {"acary-table-3", "potra-table-10-1", "capobianco-fig-5", "potra-pawl"})
    EXPECT_THAT(f.out, HasSubstr(name));
  EXPECT_EQ(f.out.find("missing:"), std::string::npos) << f.out;
}

TEST_F(JudgeApp, wrong_usage_is_exit_code_2) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> wrong = {
      {{"reproduce"}, "--all"},
      {{"reproduce", "acary-table-33"}, "acary-table-3"},
      {{"reproduce", "acary-table-3", "--record"}, "--mutants"},
      {{"reproduce", write("bad.yaml", "title: a\nsource: b\nchekcs: []\n")}, "bad.yaml:3:1"},
      {{"compare", "bouncing_ball", "--schemes", "moreau-jena"}, "moreau-jean"},
      {{"compare", "bouncing_ball", "--dt", "fast"}, "--dt"},
      {{"compare", "bouncing_ball", "--reference", "none.json"}, "none.json"},
      {{"gallery"}, "DIR"},
  };
  for (const auto& [arguments, word] : wrong) {
    const Finished f = run(arguments);
    EXPECT_EQ(f.code, 2) << word;
    EXPECT_THAT(f.err, HasSubstr(word));
  }
  for (const char* command : {"compare", "reproduce", "gallery"})
    EXPECT_THAT(run({command, "--help"}).out, HasSubstr("Example")) << command;
}

}  // namespace
