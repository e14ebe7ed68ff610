// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/reproduce.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "judge/mutants.h"
#include "run/models.h"
#include "run/options.h"
#include "shared/interrupt.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet reproduce --list                      lists every published table and figure that can be checked
  tappet reproduce potra-table-10-1            checks one of them
  tappet reproduce --quick                     checks those that take little time
  tappet reproduce --all --json                checks all and prints the result for scripts
  tappet reproduce mine.yaml                   checks a file of your own (docs/reproductions.md)
  tappet reproduce capobianco-fig-1 --mutants  shows which planted errors its checks find
  tappet reproduce --all --mutants --record    does the same for all (minutes) and keeps the result for --all

For every number or trait the output shows what the paper prints, our reference, the measured value, how close it must
be, and the verdict. `differs` means that a number does not come out, and the file gives the reason. `missing` means
that there is no model or scheme for it. `weak` means that the checks find none of the planted errors. The exit code is
1 if a check fails.
)";

struct Arguments {
  std::vector<std::string> names;
  bool all = false, quick = false, list = false, json = false, mutants = false, record = false;
  tappet::ReproduceOptions options;
};

int print_list(const std::vector<tappet::Reproduction>& reproductions) {
  for (const auto& r : reproductions)
    fmt::print("{:<26} {}{}{} ({})\n", r.name, r.missing.empty() ? "" : "missing: ", r.title, r.quick ? " [quick]" : "",
               r.source);
  return exit_done;
}

int reproduce(Arguments& arguments) {
  if (arguments.names.empty() && !arguments.all && !arguments.quick && !arguments.list)
    throw tappet::UsageError("reproduce: expected names, --all or --quick (`tappet reproduce --list` lists the names)");
  std::vector<tappet::Reproduction> wanted = tappet::reproductions(arguments.names);
  if (arguments.quick) std::erase_if(wanted, [](const auto& r) { return !r.quick && r.missing.empty(); });
  if (arguments.list) return print_list(wanted);
  tappet::ReproduceOptions& options = arguments.options;
  options.stop = &interrupted();
  const bool bar = isatty(STDERR_FILENO);
  if (bar) options.progress = [](int done, int all) { fmt::print(stderr, "\r\033[K{} of {} runs", done, all); };
  const auto start = std::chrono::steady_clock::now();
  auto results = tappet::reproduce(wanted, options);
  const std::filesystem::path record = tappet::reproductions_folder() / "mutants.json";
  std::vector<tappet::MutantReport> reports;
  if (arguments.mutants) {
    reports = judge_mutants(wanted, results, options);
    if (arguments.record && !interrupted()) write_mutant_record(record, reports);
  }
  const auto not_judged = mark_weak(wanted, arguments.mutants ? reports : tappet::read_mutant_record(record), results);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (bar) fmt::print(stderr, "\r\033[K");
  if (interrupted()) return exit_interrupted;
  if (arguments.json) {
    auto json = to_json(results);
    if (arguments.mutants) json["mutants"] = to_json(reports);
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    for (const auto& result : results) fmt::print("{}\n", to_text(result));
    for (const auto& report : reports) fmt::print("{}\n", to_text(report));
    if (arguments.all && !not_judged.empty())
      fmt::print("the files of these changed after their mutants were run: {}\n", fmt::join(not_judged, ", "));
    fmt::print("{}; {:.3g} s\n", summary_line(results), seconds);
  }
  return worst(results) == tappet::Verdict::failed ? exit_failed : exit_done;
}

}  // namespace

void tappet::add_reproduce(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("reproduce", "Check published tables and figures");
  command->add_option("NAME", arguments->names, "Names (see --list), or files");
  command->add_flag("--all", arguments->all, "Check all of them");
  command->add_flag("--quick", arguments->quick, "Check those that take little time");
  command->add_flag("--list", arguments->list, "List the names and run nothing");
  command->add_flag("--json", arguments->json, "Print the verdicts on standard output as JSON");
  command->add_flag(
      "--mutants", arguments->mutants,
      "Run each again with planted errors (another scheme, or e, mu or dt multiplied by a factor), and print which of "
      "these pass every check");
  command
      ->add_flag("--record", arguments->record, "With --mutants: store the result in the folder of the reproductions")
      ->needs("--mutants");
  command->add_option("--threads", arguments->options.threads, "Number of simultaneous runs; default: one per core");
  command->footer(examples);
  command->callback([arguments, &exit_code] { exit_code = reproduce(*arguments); });
}
