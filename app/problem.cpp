// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "problem/fclib.h"
#include "problem/generator/generator.h"
#include "solve.h"

namespace tappet {

namespace {

struct Arguments {
  std::string kind, out;
  double difficulty = 0.0;  // 0: halfway between easy and hard
  unsigned seed = 0;
  int size = 0;
};

int write_problem(const Arguments& arguments) {
  try {
    double difficulty = arguments.difficulty;
    for (const ProblemKind& kind : problem_kinds())
      if (kind.name == arguments.kind && difficulty == 0.0)
        difficulty = std::round(std::sqrt(kind.easy * kind.hard) * 100.0) / 100.0;
    if (difficulty == 0.0) difficulty = 1.0;
    FreeMotion motion;
    const ContactProblem problem = generate_problem(arguments.kind, difficulty, arguments.seed, arguments.size, motion);
    const std::string out = arguments.out.empty()
                                ? fmt::format("{}-{:g}-{}.hdf5", arguments.kind, difficulty, arguments.seed)
                                : arguments.out;
    write_fclib(out, problem, fmt::format("{} {:g}", arguments.kind, difficulty),
                fmt::format("tappet problem {} --difficulty {:g} --seed {} --size {}", arguments.kind, difficulty,
                            arguments.seed, arguments.size),
                &motion);
    fmt::print("{}: {} contacts, {} rows\n", out, contacts(problem), problem.size());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tappet problem: {}\n", error.what());
    return 2;
  }
}

}  // namespace

void add_problem(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("problem", "Generate a hard contact problem and write it to a file (FCLIB layout, HDF5)");
  std::string kinds = "The kinds, and the meaning of --difficulty and --size for each:";
  for (const ProblemKind& kind : problem_kinds())
    kinds += fmt::format("\n  {:8} {} ({:g} … {:g}); {} {}", kind.name, kind.difficulty, kind.easy, kind.hard,
                         kind.size, kind.unit);
  command->add_option("KIND", arguments->kind, "stack, wall, rods, arch, chain, wedge, rocks or boulders")->required();
  command->add_option("--difficulty", arguments->difficulty, "difficulty, in the unit of the kind");
  command->add_option("--seed", arguments->seed, "seed of the random numbers")->capture_default_str();
  command->add_option("--size", arguments->size, "size; 0 for the default of the kind");
  command->add_option("--out", arguments->out, "file to write (default: KIND-DIFFICULTY-SEED.hdf5)");
  command->footer(kinds + "\nExample: tappet problem stack --difficulty 1e4 --seed 3 --out stack.hdf5");
  command->callback([arguments, &exit_code] { exit_code = write_problem(*arguments); });
}

}  // namespace tappet
