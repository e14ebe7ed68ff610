// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/os.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>

#include "judge/plot.h"
#include "problem/fclib.h"
#include "solve.h"
#include "solvers/make_solver.h"

namespace tappet {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct Arguments {
  std::string folder, csv, svg;
  std::vector<std::string> solvers;
  SolverOptions options{.budget_s = 10.0};
};

struct Run {
  double time = never;  // the time of a run that converged
  SolveReport report;
};

struct Table {
  std::vector<std::string> problems, solvers;
  std::vector<std::vector<Run>> runs;  // indexed by problem, then by solver

  double best(size_t problem) const {
    double time = never;
    for (const Run& run : runs[problem]) time = std::min(time, run.time);
    return time;
  }
  // The share of the problems that solver s solves within `factor` times the best time.
  double share(size_t s, double factor) const {
    size_t count = 0;
    for (size_t p = 0; p < problems.size(); ++p)
      count += runs[p][s].time < never && runs[p][s].time <= factor * best(p);
    return static_cast<double>(count) / static_cast<double>(problems.size());
  }
};

Run measure(const ContactProblem& problem, const std::string& name, const SolverOptions& options) {
  Run run;
  Vec P(problem.size());
  double total = 0.0;
  for (int repeat = 0; repeat < 10 && (repeat == 0 || total < 0.05); ++repeat) {
    auto solver = make_solver(name, options);
    P.assign(problem.size(), 0.0);
    const auto start = std::chrono::steady_clock::now();
    run.report = solver->solve(problem, P);
    const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    total += time;
    if (run.report.status != SolveStatus::converged) break;
    run.time = std::min(run.time, time);
  }
  return run;
}

void print(const Table& table) {
  fmt::print("{:28}", "time in ms (factor over best)");
  for (const auto& solver : table.solvers) fmt::print(" {:>18}", solver);
  fmt::print("\n");
  for (size_t p = 0; p < table.problems.size(); ++p) {
    fmt::print("{:28}", table.problems[p]);
    for (const Run& run : table.runs[p])
      fmt::print(" {:>18}", run.time < never ? fmt::format("{:.3g} ({:.3g})", run.time * 1e3, run.time / table.best(p))
                                             : fmt::format("- e={:.0e}", run.report.residual));
    fmt::print("\n");
  }
  for (double factor : {1.0, 2.0, 5.0, 10.0, 100.0, never}) {
    fmt::print("{:28}", factor < never ? fmt::format("solved within {:g} x best", factor) : std::string("solved"));
    for (size_t s = 0; s < table.solvers.size(); ++s) fmt::print(" {:>17.0f}%", 100.0 * table.share(s, factor));
    fmt::print("\n");
  }
}

void write_csv(const Table& table, const std::string& path) {
  auto file = fmt::output_file(path);
  file.print("problem,solver,status,time_s,iterations,factorisations,error\n");
  for (size_t p = 0; p < table.problems.size(); ++p)
    for (size_t s = 0; s < table.solvers.size(); ++s) {
      const Run& run = table.runs[p][s];
      file.print("{},{},{},{},{},{},{:.3e}\n", table.problems[p], table.solvers[s], name(run.report.status),
                 run.time < never ? fmt::format("{:.6g}", run.time) : "", run.report.iterations,
                 run.report.factorisations, run.report.residual);
    }
}

// The share of solved problems over the factor to the best time, on a logarithmic axis from 1 to 1000.
Plot performance_profile(const Table& table) {
  constexpr double most = 1000;
  Plot plot{"",
            {"time divided by that of the fastest solver", true, 1.0, most},
            {"problems solved, %", false, 0.0, 100.0},
            {}};
  for (size_t s = 0; s < table.solvers.size(); ++s) {
    std::vector<double> factors;
    for (size_t p = 0; p < table.problems.size(); ++p)
      if (table.runs[p][s].time < never) factors.push_back(table.runs[p][s].time / table.best(p));
    std::sort(factors.begin(), factors.end());
    Curve curve{table.solvers[s], {}, {}, false, s == 0 ? 3.0 : 1.5};
    double share = 0.0;
    const auto place = [&](double factor) { curve.x.push_back(factor), curve.y.push_back(share); };
    for (double factor : factors) {
      if (factor > most) break;
      place(factor);
      share += 100.0 / static_cast<double>(table.problems.size());
      place(factor);
    }
    place(most);
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

int profile(const Arguments& arguments) {
  try {
    Table table;
    table.solvers = arguments.solvers;
    if (table.solvers.empty())
      for (const SolverEntry& entry : solver_names()) table.solvers.emplace_back(entry.name);
    for (const auto& solver : table.solvers) make_solver(solver, arguments.options);
    std::vector<std::filesystem::path> files;
    if (!std::filesystem::is_directory(arguments.folder))
      throw std::invalid_argument(fmt::format("{}: no such folder", arguments.folder));
    for (const auto& entry : std::filesystem::directory_iterator(arguments.folder))
      if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
    if (files.empty()) throw std::invalid_argument(fmt::format("{}: holds no .hdf5 file", arguments.folder));
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      const ContactProblem problem = read_fclib(file.string());
      table.problems.push_back(file.stem().string());
      table.runs.emplace_back();
      for (const auto& solver : table.solvers) {
        fmt::print(stderr, "\r{} of {}: {} by {}\033[K", table.problems.size(), files.size(), table.problems.back(),
                   solver);
        table.runs.back().push_back(measure(problem, solver, arguments.options));
      }
    }
    fmt::print(stderr, "\r\033[K");
    print(table);
    if (!arguments.csv.empty()) write_csv(table, arguments.csv);
    if (!arguments.svg.empty()) write_svg(performance_profile(table), arguments.svg);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tappet profile: {}\n", error.what());
    return 2;
  }
}

}  // namespace

void add_profile(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("profile", "Run the solvers over all contact problems of a folder");
  command->add_option("FOLDER", arguments->folder, "folder of problem files (.hdf5)")->required();
  command->add_option("--solvers", arguments->solvers, "comma-separated; default: all")->delimiter(',');
  command->add_option("--tolerance", arguments->options.tolerance, "error at which a problem counts as solved")
      ->capture_default_str();
  command->add_option("--budget", arguments->options.budget_s, "longest time of a solver on one problem, in seconds")
      ->capture_default_str();
  command->add_option("--csv", arguments->csv, "write every run to this file");
  command->add_option("--svg", arguments->svg, "write the performance profile to this file");
  command->footer("Example: tappet profile test/data/problems --solvers auto,gauss-seidel,apgd --svg profile.svg");
  command->callback([arguments, &exit_code] { exit_code = profile(*arguments); });
}

}  // namespace tappet
