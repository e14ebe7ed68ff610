// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// How many heaps of rocks and rods a solver solves to 1e-8, and in which processor time (docs/solvers.md has the
// table).
//
//   bench_heaps [--kind rocks|boulders|rods] [--solver NAME] [--budget SECONDS] [--seed FIRST] [--seeds NUMBER]
//   [--without-bodies] [--compare 1,3,10]
//
// The budget is processor time too (processor_clock.cpp).
//
// With --compare, a heap that `auto` does not solve within one of these times is given to each of the single solvers
// for the same time. The table says how often one of them finds a better point, and how often that point is also better
// than what `auto` finds in twice the time.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "problem/generator/generator.h"
#include "solvers/make_solver.h"

namespace {

using namespace tappet;

struct Options {
  std::string kind = "rocks", solver = "auto";
  double budget = 10.0;
  unsigned seed = 100;
  int seeds = 5;
  int max_iterations = 0;
  bool without_bodies = false;
  std::vector<int> sizes;
  std::vector<double> friction, compare;
};

struct Result {
  double error = 0.0, seconds = 0.0;
  int factorisations = 0;
};

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Result solve(const ContactProblem& problem, const std::string& solver, double budget, int max_iterations = 0) {
  SolverOptions options;
  options.tolerance = 1e-8, options.budget_s = budget, options.max_iterations = max_iterations;
  Vec P(problem.size());
  const double start = processor_time();
  const SolveReport report = make_solver(solver, options)->solve(problem, P);
  return {residual(problem, P), processor_time() - start, report.factorisations};
}

// As a file without the bodies gives it: G alone, by columns.
ContactProblem without_bodies(const ContactProblem& problem) {
  ContactProblem bare;
  bare.laws = problem.laws, bare.c = problem.c;
  SparseColumns& columns = bare.G.sparse(problem.size());
  Vec unit(problem.size()), column(problem.size());
  columns.start.assign(1, 0);
  for (int j = 0; j < problem.size(); ++j) {
    unit[j] = 1.0;
    problem.G.multiply(unit, column);
    unit[j] = 0.0;
    for (int i = 0; i < problem.size(); ++i)
      if (column[i] != 0.0) columns.row.push_back(i), columns.value.push_back(column[i]);
    columns.start.push_back(static_cast<int>(columns.row.size()));
  }
  return bare;
}

// The best of the single solvers after this time.
Result best_single(const ContactProblem& problem, double seconds, std::string& name) {
  Result best{HUGE_VAL};
  for (const char* solver : {"prox", "apgd", "admm", "gauss-seidel", "newton"})
    if (const Result result = solve(problem, solver, seconds); result.error < best.error) best = result, name = solver;
  return best;
}

ContactProblem make_problem(const Options& options, double friction, int size, unsigned seed) {
  ContactProblem problem = generate_problem(options.kind, friction, seed, size);
  std::printf("%s friction %.2f size %3d seed %3u: %4d contacts", options.kind.c_str(), friction, size, seed,
              contacts(problem));
  return options.without_bodies ? without_bodies(problem) : problem;
}

// `auto` beside the single solvers, for one time.
class Comparison {
 public:
  explicit Comparison(double seconds) : seconds_(seconds) {}

  // Returns true if `auto` solves the problem in this time.
  bool add(const ContactProblem& problem, const Options& options) {
    ++problems_;
    const Result result = solve(problem, "auto", seconds_, options.max_iterations);
    std::printf("; %g s: e %8.2e", seconds_, result.error);
    if (result.error <= 1e-8) return ++solved_, true;
    std::string name;
    const Result single = best_single(problem, seconds_, name);
    std::printf(", %s %8.2e", name.c_str(), single.error);
    if (single.error >= result.error) return false;
    ++behind_, farthest_ = std::max(farthest_, result.error / single.error);
    const Result later = solve(problem, "auto", 2.0 * seconds_, options.max_iterations);
    std::printf(", auto in twice the time %8.2e", later.error);
    if (later.error > single.error)
      ++behind_later_, farthest_later_ = std::max(farthest_later_, later.error / single.error);
    return false;
  }

  void print() const {
    std::printf("| %g s | %d of %d | %d | %.2g | %d | %.2g |\n", seconds_, solved_, problems_, behind_, farthest_,
                behind_later_, farthest_later_);
  }

  void count_solved() { ++problems_, ++solved_; }

 private:
  double seconds_, farthest_ = 1.0, farthest_later_ = 1.0;
  int problems_ = 0, solved_ = 0, behind_ = 0, behind_later_ = 0;
};

struct Table {
  explicit Table(const Options& asked) : options(asked) {
    for (double seconds : options.compare) comparisons.emplace_back(seconds);
  }
  const Options& options;
  int problems = 0, solved = 0;
  std::vector<double> times;
  std::vector<int> factorisations;
  std::vector<Comparison> comparisons;

  void add(double friction, int size, unsigned seed) {
    const ContactProblem problem = make_problem(options, friction, size, seed);
    if (comparisons.empty()) {
      add_result(solve(problem, options.solver, options.budget, options.max_iterations));
    } else {
      bool is_solved = false;
      for (Comparison& comparison : comparisons)
        if (is_solved)
          comparison.count_solved();
        else
          is_solved = comparison.add(problem, options);
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  void add_result(const Result& result) {
    const bool is_solved = result.error <= 1e-8 && result.seconds <= options.budget;
    ++problems, solved += is_solved;
    times.push_back(result.seconds), factorisations.push_back(result.factorisations);
    std::printf(", e %8.2e, %6.2f s, %5d factorisations%s", result.error, result.seconds, result.factorisations,
                is_solved ? "" : ", not solved");
  }

  void print() {
    if (!comparisons.empty()) {
      std::printf(
          "| time | solved by auto | a single solver is ahead | by at most the factor | also of auto in twice "
          "the time | by at most the factor |\n");
      for (const Comparison& comparison : comparisons) comparison.print();
      return;
    }
    std::sort(times.begin(), times.end()), std::sort(factorisations.begin(), factorisations.end());
    std::printf("%s by %s: %d of %d solved within %g s; median %.3g s, longest %.3g s; median %d factorisations\n",
                options.kind.c_str(), options.solver.c_str(), solved, problems, options.budget, times[problems / 2],
                times.back(), factorisations[problems / 2]);
  }
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Solves heaps of rocks or rods and counts how many end at 1e-8");
  app.add_option("--kind", options.kind, "rocks, boulders or rods")
      ->check(CLI::IsMember({"rocks", "boulders", "rods"}))
      ->capture_default_str();
  app.add_option("--solver", options.solver, "one of `tappet solvers`")->capture_default_str();
  app.add_option("--budget", options.budget, "seconds per heap")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seed", options.seed, "the first seed")->capture_default_str();
  app.add_option("--seeds", options.seeds, "how many seeds for each size and friction coefficient")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--sizes", options.sizes, "rocks: their number; rods: their number on a side")->delimiter(',');
  app.add_option("--friction", options.friction, "friction coefficients")->delimiter(',');
  app.add_option("--max-iterations", options.max_iterations, "0: the default of the solver");
  app.add_flag("--without-bodies", options.without_bodies, "give the solver the matrix alone");
  app.add_option("--compare", options.compare, "seconds, ascending: give single solvers the same time as `auto`")
      ->check(CLI::PositiveNumber)
      ->delimiter(',');
  CLI11_PARSE(app, argc, argv);
  const bool rocks = options.kind != "rods";
  if (options.sizes.empty()) options.sizes = rocks ? std::vector{30, 60, 90, 120} : std::vector{5, 6, 7, 8};
  if (options.friction.empty()) options.friction = rocks ? std::vector{0.5, 0.75, 1.0} : std::vector{0.3};
  Table table{options};
  for (double friction : options.friction)
    for (int size : options.sizes)
      for (int k = 0; k < options.seeds; ++k) table.add(friction, size, options.seed + k);
  table.print();
}
