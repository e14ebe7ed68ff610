// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "run/hdf5_reading.h"
#include "run/scratch.h"
#include "support/paths.h"

namespace {

using testing::HasSubstr;

constexpr const char* falling = R"(title: A mass falls
parameters: {m: 2, g: 10}
coordinates:
  z: {position: 0.05, velocity: 0}
lagrangian: {kinetic: m*z'^2/2, potential: m*g*z}
contacts:
  floor: {gap: z, e_N: 0, mu: 0}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.2}
)";

struct App : testing::Test {
  Scratch scratch;
  std::filesystem::path folder = scratch.path();
  std::string model = write("falling.yaml", falling);

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  Finished run(const std::vector<std::string>& arguments) const { return run_tappet(arguments, folder.string()); }
};

TEST_F(App, version_and_help_succeed) {
  const Finished version = run({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("tappet ", 0), 0u) << version.out;
  for (const char* command : {"run", "check", "schemes", "solvers", "models", "elements", "report", "view", "solve"}) {
    const Finished help = run({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.out, HasSubstr("Example")) << command;
  }
  EXPECT_THAT(run({"--help"}).out, HasSubstr("Examples:"));
}

// q = 0.05 − g t²/2 before the first impact.
TEST_F(App, gradient_prints_derivatives_and_names_what_has_none) {
  const Finished found = run({"gradient", model, "--of", "z at 0.05", "--wrt", "g,z"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("-0.00125"));
  EXPECT_THAT(found.out, HasSubstr("nearest miss: none"));
  const Finished none = run({"gradient", model, "--of", "z at 0.1", "--wrt", "g"});  // the impact is at 0.1 s
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.out, HasSubstr("no derivative: at t = 0.1 s"));
  const Finished scheme = run({"gradient", model, "--of", "z at 0.05", "--wrt", "g", "--scheme", "moreau-midpoint"});
  EXPECT_EQ(scheme.code, 2);
  EXPECT_THAT(scheme.err, HasSubstr("does not locate impacts"));
  const Finished name = run({"gradient", model, "--of", "z at 0.05", "--wrt", "gg"});
  EXPECT_EQ(name.code, 2);
  EXPECT_THAT(name.err, HasSubstr("no parameter or coordinate 'gg'"));
}

// A mass on a spring, driven beside its resonance: the orbit x = F/(k − ω²) cos(ω t) needs no impact.
TEST_F(App, orbit_finds_the_forced_motion_and_follows_it) {
  const std::string driven = write("driven.yaml", R"(title: A driven mass
parameters: {k: 1, c: 0.2, omega: 2, s: 5}
coordinates: {x: {position: 0, velocity: 0}}
lagrangian: {kinetic: x'^2/2, potential: k*x^2/2}
forces: {x: cos(omega*t) - c*x'}
contacts: {stop: {gap: s - x, e_N: 0.5}}
run: {scheme: event-driven, dt: 0.1, end: 10}
)");
  const Finished found = run({"orbit", driven, "--period", "2*pi/omega", "--settle", "0"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("3.14159265358979 s, stable"));
  EXPECT_THAT(found.out, HasSubstr("-0.32751"));  // 3/(3² + 0.4²) of a force 1, against it
  const Finished branch = run({"orbit", driven, "--period", "2*pi/omega", "--settle", "0", "--over", "omega=2:3",
                               "--csv", "branch.csv", "--svg", "branch.svg"});
  EXPECT_EQ(branch.code, 0) << branch.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "branch.csv"));
  EXPECT_TRUE(std::filesystem::exists(folder / "branch.svg"));
  const Finished wrong = run({"orbit", driven});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("expected either --period"));
}

TEST_F(App, a_step_that_is_none_is_refused_in_words) {
  for (const char* dt : {"0", "-1", "nan", "inf", "1e-3x"})
    for (const char* command : {"run", "compare"}) {
      const Finished finished = run({command, model, "--dt", dt});
      EXPECT_EQ(finished.code, 2) << dt;
      EXPECT_THAT(finished.err, HasSubstr("--dt"));
      EXPECT_THAT(finished.err, HasSubstr("expected a positive number of seconds")) << finished.err;
      EXPECT_THAT(finished.err, testing::Not(HasSubstr("308")));
    }
}

TEST_F(App, a_missing_run_section_is_named_with_file_and_key) {
  const std::string text = falling;
  const std::string without = write("without.yaml", text.substr(0, text.find("run:")));
  for (const char* command : {"run", "compare"}) {
    const Finished finished = run({command, without});
    EXPECT_EQ(finished.code, 2);
    EXPECT_THAT(finished.err,
                HasSubstr("without.yaml:1:1: run: missing; expected `run: {scheme: .., dt: .., end: ..}`"));
  }
  EXPECT_EQ(run({"run", without, "--dt", "1e-3", "--end", "0.1"}).code, 0);
  EXPECT_EQ(run({"check", without}).code, 0);
  const std::string no_end = write("no_end.yaml", text.substr(0, text.find(", end: 0.2")) + "}\n");
  EXPECT_THAT(run({"run", no_end}).err, HasSubstr("no_end.yaml:8:1: run.end: missing; expected a positive end time"));
}

TEST_F(App, continues_a_run_and_leaves_the_page_out) {
  ASSERT_EQ(run({"run", model, "--end", "0.1", "--out", "first", "--no-report"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "first/result.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder / "first/report.html"));
  const Finished second = run({"run", model, "--start", "first", "--json"});
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/falling/report.html"));
  const auto summary = nlohmann::json::parse(second.out);
  EXPECT_EQ(summary["steps"], 100);
  EXPECT_EQ(summary["time"], 0.2);
  const Finished wrong = run({"run", model, "--start", "nowhere"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("nowhere/summary.json"));
}

TEST_F(App, moves_a_start_onto_its_contacts_when_told_to) {
  std::string text = falling;
  text.replace(text.find("position: 0.05"), 14, "position: -1e-6");
  const std::string low = write("low.yaml", text);
  const Finished refused = run({"run", low});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--project-start"));
  const Finished moved = run({"run", low, "--project-start"});
  EXPECT_EQ(moved.code, 0) << moved.err;
  EXPECT_THAT(moved.err, HasSubstr("positions moved by at most 1e-06 (z)"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/low/report.html"));  // it reads the model again
}

TEST_F(App, check_prints_energies_by_part) {
  const Finished check = run({"check", model});
  EXPECT_EQ(check.code, 0);
  EXPECT_THAT(check.out, HasSubstr("energies at the start"));
  EXPECT_THAT(check.out, testing::ContainsRegex("potential +m\\*g\\*z +1 J"));
}

TEST_F(App, records_found_contacts_from_the_command_line) {
  const Finished finished = run({"run", "block_on_slope", "--record", "5,found", "--end", "0.02"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  const Hdf5Reading h5(folder / "out/block_on_slope/result.h5");
  EXPECT_EQ(h5.numbers("t").size(), 5u);
  EXPECT_EQ(h5.numbers("found/contacts/offset").size(), 5u);
  EXPECT_THAT(run({"run", model, "--record", "found"}).err, HasSubstr("the model has no colliders"));
}

TEST_F(App, wrong_usage_is_exit_code_2_with_a_word_of_help) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> wrong = {
      {{}, "subcommand"},
      {{"walk"}, "walk"},
      {{"run"}, "MODEL"},
      {{"run", model, "--dt", "fast"}, "--dt"},
      {{"run", model, "--dt", "-1"}, "--dt"},
      {{"run", model, "--end", "0"}, "--end"},
      {{"run", model, "--record", "often"}, "--record"},
      {{"run", model, "--record", "0"}, "--record"},
      {{"run", model, "--set", "m"}, "NAME=VALUE"},
      {{"run", model, "--set", "mm=1"}, "mm"},
      {{"run", model, "--option", "theta"}, "--option"},
      {{"run", model, "--option", "theta=1"}, "theta"},
      {{"run", model, "--scheme", "moreau-midpont"}, "moreau-midpoint"},
      {{"run", model, "--frobnicate"}, "frobnicate"},
      {{"run", "no_such_model"}, "no_such_model"},
      {{"run", (folder).string()}, folder.c_str()},
      {{"check", "no_such_model"}, "no_such_model"},
  };
  for (const auto& [arguments, word] : wrong) {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.code, 2) << word << "\n" << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(word));
    EXPECT_EQ(finished.out, "");
  }
}

TEST_F(App, a_wrong_model_is_exit_code_2_and_says_where) {
  const std::string broken = write("broken.yaml", "title: x\ncoordinates:\n  z: {positon: 1}\n");
  for (const char* command : {"run", "check"}) {
    const Finished finished = run({command, broken});
    EXPECT_EQ(finished.code, 2);
    EXPECT_THAT(finished.err, HasSubstr("broken.yaml:3:"));
    EXPECT_THAT(finished.err, HasSubstr("positon"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_F(App, import_leaves_no_file_behind_if_the_model_is_refused) {
  const std::string robot = write("robot.urdf", R"(<robot name="block"><link name="block">
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>)");
  const std::vector<std::string> arguments{"import", robot, "-o", (folder / "robot.yaml").string()};
  std::vector<std::string> nowhere = arguments;
  nowhere.insert(nowhere.end(), {"--position", "inf", "0", "0"});
  const Finished refused = run(nowhere);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, testing::AllOf(HasSubstr("robot.yaml:"), HasSubstr("position: [inf, 0, 0]"),
                                          HasSubstr("is not written, because this model is refused")));
  EXPECT_FALSE(std::filesystem::exists(folder / "robot.yaml"));
  EXPECT_EQ(run(arguments).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "robot.yaml"));
  EXPECT_THAT(run(arguments).err, HasSubstr("exists already"));
}

TEST_F(App, every_broken_model_is_refused_with_its_place) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tappet::test::data() + "/broken")) {
    if (!entry.is_regular_file()) continue;
    const Finished finished = run({"run", entry.path().string()});
    EXPECT_EQ(finished.code, 2) << entry.path();
    EXPECT_THAT(finished.err, testing::ContainsRegex("[.]yaml:[0-9]+:[0-9]+: ")) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 40);
}

TEST_F(App, a_wrong_scheme_or_option_in_the_model_says_where) {
  std::string text = falling;
  text.replace(text.find("moreau-midpoint"), 15, "moreau-midpont");
  EXPECT_THAT(run({"run", write("wrong.yaml", text)}).err, HasSubstr("wrong.yaml:8:"));
  text = falling;
  text.replace(text.find("dt: 1e-3"), 8, "tolerence: 1, dt: 1e-3");
  const Finished finished = run({"run", write("wrong.yaml", text)});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("wrong.yaml:8:"));
  EXPECT_THAT(finished.err, HasSubstr("tolerance"));
}

TEST_F(App, run_writes_its_results_and_one_line) {
  const Finished finished = run({"run", model});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("falling, moreau-midpoint: 200 steps"));
  EXPECT_EQ(finished.err, "");  // no progress bar, because this is not a terminal
  EXPECT_EQ(Hdf5Reading(folder / "out/falling/result.h5").numbers("t").size(), 201u);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/falling/summary.json"));
}

TEST_F(App, json_prints_the_summary_and_nothing_else) {
  const Finished finished = run({"run", model, "--json", "--out", "here", "--set", "g=20", "--record", "none"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const auto json = nlohmann::json::parse(finished.out);
  EXPECT_EQ(json["steps"], 200);
  EXPECT_NEAR(json["energy"]["initial"].get<double>(), 2 * 20 * 0.05, 1e-15);
  EXPECT_FALSE(std::filesystem::exists(folder / "here/result.h5"));
}

TEST_F(App, quiet_says_nothing) {
  const Finished finished = run({"run", model, "--quiet"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.out + finished.err, "");
}

TEST_F(App, csv_holds_every_recorded_step) {
  ASSERT_EQ(run({"run", model, "--csv", "motion.csv", "--record", "50"}).code, 0);
  std::ifstream stream(folder / "motion.csv");
  int lines = 0;
  for (std::string line; std::getline(stream, line);) ++lines;
  EXPECT_EQ(lines, 1 + 5);
}

TEST_F(App, a_folder_that_cannot_be_written_is_exit_code_2) {
  write("file", "");
  const Finished finished = run({"run", model, "--out", "file"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("file"));
  EXPECT_EQ(run({"run", model, "--csv", "no/such/folder.csv"}).code, 2);
}

TEST_F(App, a_computation_that_fails_is_exit_code_1_and_says_where) {
  const std::string exploding = write("exploding.yaml", R"(coordinates:
  x: {position: 1, velocity: 10}
lagrangian: {kinetic: x'^2/2, potential: -50*x^2}
run: {scheme: moreau-midpoint, dt: 1e-2, end: 100}
)");
  const Finished finished = run({"run", exploding});
  EXPECT_EQ(finished.code, 1);
  for (const char* word : {"t = ", "step", "moreau-midpoint", "too large"}) EXPECT_THAT(finished.err, HasSubstr(word));
  EXPECT_GT(Hdf5Reading(folder / "out/exploding/result.h5").numbers("t").size(), 1u);
}

// The run is long enough to be interrupted in the middle.
TEST_F(App, ctrl_c_ends_cleanly_with_readable_results) {
  Program program({"run", model, "--dt", "1e-6", "--end", "1000", "--record", "1000", "--out", "here"},
                  folder.string());
  for (int k = 0; k < 500 && !std::filesystem::exists(folder / "here/result.h5"); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.signal(SIGINT);
  const Finished finished = program.wait();
  EXPECT_EQ(finished.code, 130) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("interrupted"));
  const auto t = Hdf5Reading(folder / "here/result.h5").numbers("t");
  ASSERT_GT(t.size(), 1u);
  std::ifstream stream(folder / "here/summary.json");
  const auto json = nlohmann::json::parse(stream);
  EXPECT_EQ(json["status"], "interrupted");
  EXPECT_EQ(json["time"].get<double>(), t.back());
}

TEST_F(App, check_says_what_was_understood) {
  const Finished finished = run({"check", model, "--set", "m=3"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  for (const char* word : {"A mass falls", "coordinates (1)", "z", "floor", "gap 0.05", "moreau-midpoint", "joints (0"})
    EXPECT_THAT(finished.out, HasSubstr(word));
}

TEST_F(App, schemes_solvers_and_models_are_listed) {
  const Finished schemes = run({"schemes"});
  EXPECT_EQ(schemes.code, 0);
  for (const char* word : {"moreau-explicit", "moreau-midpoint", "moreau-jean", "theta", "Acary 2012", "tolerance"})
    EXPECT_THAT(schemes.out, HasSubstr(word));
  EXPECT_TRUE(nlohmann::json::parse(run({"schemes", "--json"}).out).contains("schemes"));
  EXPECT_THAT(run({"solvers"}).out, HasSubstr("auto"));
  const Finished models = run({"models"});
  EXPECT_EQ(models.code, 0) << models.err;
  EXPECT_THAT(models.out, HasSubstr("first_model"));
}

TEST_F(App, elements_are_listed_with_their_keys) {
  const Finished elements = run({"elements"});
  EXPECT_EQ(elements.code, 0);
  for (const char* word : {"planar", "revolute", "sphere-plane", "gravity", "required", "e_N", "contensou",
                           "colliders:", "the turn of B relative to A, right-handed", "counts from the start pose"})
    EXPECT_THAT(elements.out, HasSubstr(word));
}

TEST_F(App, check_lists_forces_and_colliders_with_their_keys) {
  const std::string folder = tappet::test::data() + "/elements/";
  const Finished box = run({"check", folder + "colliders/box.yaml"});
  EXPECT_THAT(box.out, HasSubstr("colliders (2):"));
  EXPECT_THAT(box.out, HasSubstr("box of a, mu 0.3"));
  EXPECT_THAT(box.out, HasSubstr("gravity on all bodies: acceleration [0, 0, -9.81]"));
  const Finished spring = run({"check", folder + "forces/torsional-spring-damper.yaml"});
  EXPECT_THAT(spring.out, HasSubstr("torsional-spring-damper on [a, b]: stiffness 10, damping 1, angle 0.2"));
  const Finished force = run({"check", folder + "forces/force.yaml"});
  EXPECT_THAT(force.out, HasSubstr("force on a: a formula of the state"));
}

TEST_F(App, models_are_looked_for_where_TAPPET_MODELS_says) {
  setenv("TAPPET_MODELS", folder.c_str(), 1);
  const Finished models = run({"models"}), by_name = run({"run", "falling", "--quiet"}), near = run({"run", "fallin"});
  unsetenv("TAPPET_MODELS");
  EXPECT_THAT(models.out, HasSubstr("A mass falls"));
  EXPECT_EQ(by_name.code, 0) << by_name.err;
  EXPECT_EQ(near.code, 2);
  EXPECT_THAT(near.err, HasSubstr("falling"));
}

}  // namespace
