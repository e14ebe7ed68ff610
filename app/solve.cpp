// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solve.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "problem/fclib.h"
#include "solvers/make_solver.h"

namespace tappet {

namespace {

struct Arguments {
  std::string file, solver = "auto";
  SolverOptions options;
  bool json = false;
};

int solve(const Arguments& arguments) {
  ContactProblem problem;
  std::unique_ptr<ContactSolver> solver;
  try {
    problem = read_fclib(arguments.file);
    solver = make_solver(arguments.solver, arguments.options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tappet solve: {}\n", error.what());
    return 2;
  }
  Vec P(problem.size());
  const auto start = std::chrono::steady_clock::now();
  const SolveReport report = solver->solve(problem, P);
  const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (arguments.json) {
    const nlohmann::ordered_json result{{"status", name(report.status)},
                                        {"solver", arguments.solver},
                                        {"iterations", report.iterations},
                                        {"error", report.residual},
                                        {"time_s", time},
                                        {"factorisations", report.factorisations},
                                        {"islands", report.islands},
                                        {"contacts", contacts(problem)},
                                        {"rows", problem.size()}};
    fmt::print("{}\n", result.dump());
  } else {
    fmt::print("{}: {} · solver {} · {} iterations · error {:.2e} · {:.3g} s\n", arguments.file, name(report.status),
               arguments.solver, report.iterations, report.residual, time);
  }
  if (report.status == SolveStatus::bad_input) {
    fmt::print(stderr, "tappet solve: {}: {}\n", arguments.file, fault(problem));
    return 2;
  }
  return report.status == SolveStatus::converged ? 0 : 1;
}

}  // namespace

void add_solve(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("solve", "Solve one contact problem from a file (FCLIB layout, HDF5)");
  command->add_option("PROBLEM", arguments->file, "problem file, .hdf5")->required();
  command->add_option("--solver", arguments->solver, "one of `tappet solvers`")->capture_default_str();
  command->add_option("--tolerance", arguments->options.tolerance, "error at which the problem counts as solved")
      ->capture_default_str();
  command->add_option("--max-iterations", arguments->options.max_iterations,
                      "largest number of iterations; 0 for the default of the solver");
  command->add_option("--budget", arguments->options.budget_s, "seconds after which auto starts no new attempt")
      ->capture_default_str();
  command->add_option("--seed", arguments->options.seed, "of the random weights with which path starts again")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "print the result as JSON");
  command->footer("Example: tappet solve test/data/problems/Rover-4.hdf5 --tolerance 1e-8 --json");
  command->callback([arguments, &exit_code] { exit_code = solve(*arguments); });
}

}  // namespace tappet
