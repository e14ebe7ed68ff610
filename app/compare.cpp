// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/compare/compare.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "commands.h"
#include "run/options.h"
#include "shared/interrupt.h"
#include "shared/model_argument.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet compare slider_crank --schemes all --dt 1e-3,1e-4,1e-5
  tappet compare rotating_ball --schemes moreau-midpoint,generalized-alpha --dt 1e-2,1e-3 --set omega=10
  tappet compare my.yaml --dt 1e-3 --reference finest
  tappet compare slider_crank --dt 1e-4 --end 0.1 --reference test/data/cases/08_slider_crank.json#unilateral_mu001_e04

Prints a table and writes DIR/compare.csv, DIR/compare.json (the reference and its checks), DIR/error.svg (error over
dt) and DIR/work.svg (error over computing time).
Distances are Euclidean norms over the coordinates. Positions are compared in L1, L2 and maximum over time. Velocities
jump, so they are compared at the end and in L1. The order is that of the L1 error of q between two step sizes dt. By
default the reference is event-driven. If that scheme cannot run the model, the reference is the model's own scheme at a
tenth of the smallest dt. The reference is checked against itself at another tolerance, and against the best scheme at a
quarter of the smallest dt. If they disagree, there is a warning.
)";

struct Arguments {
  ModelArgument model;
  std::vector<std::string> schemes, options;
  std::string out;
  tappet::CompareOptions compare;
};

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

int compare(Arguments& arguments) {
  const tappet::Model model = load_model(arguments.model);
  tappet::CompareOptions& options = arguments.compare;
  if (arguments.schemes != std::vector<std::string>{"all"}) options.schemes = arguments.schemes;
  for (const auto& [key, value] : key_values("--option", arguments.options))
    options.options.push_back({key, value, {}});
  options.stop = &interrupted();
  const bool bar = isatty(STDERR_FILENO);
  if (bar) options.progress = [](int done, int all) { fmt::print(stderr, "\r\033[K{} of {} runs", done, all); };
  const tappet::Comparison comparison = tappet::compare(model, options);
  if (bar) fmt::print(stderr, "\r\033[K");
  if (interrupted()) return exit_interrupted;
  const std::filesystem::path folder = arguments.out.empty() ? std::filesystem::path("out") / (model.name + "_compare")
                                                             : std::filesystem::path(arguments.out);
  std::filesystem::create_directories(folder);
  write(folder / "compare.csv", to_csv(comparison));
  write(folder / "compare.json", to_json(comparison));
  write_svg(error_over_dt(comparison), folder / "error.svg");
  write_svg(work_and_precision(comparison), folder / "work.svg");
  fmt::print("{}\ntable and plots in {}\n", to_table(comparison), folder.string());
  std::fflush(stdout);
  for (const std::string& doubt : doubts(comparison)) fmt::print(stderr, "warning: {}\n", doubt);
  for (const tappet::ComparedRun& run : comparison.runs)
    if (run.trouble.empty()) return exit_done;
  return exit_failed;
}

}  // namespace

void tappet::add_compare(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("compare", "Compare schemes on a model: error, order, violation, cost");
  add_model_argument(*command, arguments->model);
  command->add_option("--schemes", arguments->schemes, "Names of schemes, comma-separated, or all (default)")
      ->delimiter(',');
  command
      ->add_option("--dt", arguments->compare.dt, "Step sizes in seconds, comma-separated; default: that of the model")
      ->delimiter(',')
      ->check(positive_seconds());
  command->add_option("--end", arguments->compare.end, "End time in seconds")->check(positive_seconds());
  command->add_option("--option", arguments->options, "Option for all schemes that have it, KEY=VALUE; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  command->add_option("--reference", arguments->compare.reference,
                      "event-driven, finest, SCHEME@DT, or a case file FILE.json#set");
  command->add_option("--limit", arguments->compare.limit_s, "Longest time of a run in seconds")
      ->check(positive_seconds())
      ->capture_default_str();
  command->add_option("--threads", arguments->compare.threads, "Number of simultaneous runs; default: one per core");
  command->add_option("--out", arguments->out, "Folder for table and plots; default: out/<model>_compare")
      ->type_name("DIR");
  command->footer(examples);
  command->callback([arguments, &exit_code] { exit_code = compare(*arguments); });
}
