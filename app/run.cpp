// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "report/report.h"
#include "run/options.h"
#include "run/simulate.h"
#include "run/start.h"
#include "shared/interrupt.h"
#include "shared/model_argument.h"
#include "shared/terminal.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet run slider_crank                                   an example, with its own settings
  tappet run slider_crank --scheme moreau-jean --option theta=1 --dt 1e-5
  tappet run rotating_ball --set omega=50 --end 2 --out ball50
  tappet run my.yaml --record 10 --csv my.csv               every tenth step, also as a table
  tappet run cube_pyramid --option sleeping=1e-3            lets bodies slower than 1e-3 m/s sleep (off: none sleep)
  tappet run my.yaml --record none --json                   only the summary, for scripts
  tappet run standing_quadruped --record 10,found           every tenth step, and each contact between colliders
  tappet run my.yaml --end 1 --out first                    two runs, one after the other: the second starts from
  tappet run my.yaml --end 2 --start first --set mu=0.5     the last state of the first, with another parameter
  tappet run my.yaml --project-start                        moves the start onto joints and contacts, by at most 1e-3
  tappet run my.yaml --no-report                            numbers only, without the page

The run writes DIR/result.h5, DIR/summary.json and DIR/report.html, the page to look at. With --record none it writes
neither the result nor the report. Ctrl-C ends the run after the current step. The results so far are kept, and the exit
code is 130.
)";

struct Arguments {
  ModelArgument model;
  tappet::RunOptions options;
  std::vector<std::string> scheme_options;
  std::string record, out, csv, start;
  bool json = false, quiet = false, thumbnail = false, no_report = false, project = false;
};

// Reads "10", "none", "found", or "10,found".
void read_record(const std::string& text, tappet::RunOptions& options) {
  if (text.empty()) return;
  if (const size_t comma = text.find(','); comma != std::string::npos) {
    read_record(text.substr(0, comma), options);
    return read_record(text.substr(comma + 1), options);
  }
  if (text == "found") {
    options.record_found = true;
    return;
  }
  if (text == "none") {
    options.record_every = -1;
    return;
  }
  int every = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), every);
  if (error != std::errc() || end != text.data() + text.size() || every < 1)
    throw tappet::UsageError(
        fmt::format("--record {}: expected a whole number of steps, none, found, or both as in 10,found", text));
  options.record_every = every;
}

void read_options(const std::vector<std::string>& texts, tappet::RunOptions& options) {
  for (const auto& [key, value] : key_values("--option", texts)) options.options.push_back({key, value, {}});
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
}

// The page is only a view of the results. If it cannot be written, the results must not be lost.
void write_page(const std::filesystem::path& folder, bool thumbnail) {
  try {
    tappet::write_report(folder);
    if (thumbnail && !tappet::write_thumbnail(folder))
      fmt::print(stderr, "warning: no thumbnail: Chromium was not found, or it failed (Debian: chromium)\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "warning: no report page: {}\n", error.what());
  }
}

void print_profile(const tappet::Summary& summary) {
  if (summary.phases.empty()) return;
  fmt::print("{:<14}{:>10}{:>14}{:>8}\n", "phase", "s", "µs per step", "%");
  const double steps = std::max(1.0, static_cast<double>(summary.steps));
  for (const auto& [phase, seconds] : summary.phases)
    fmt::print("{:<14}{:>10.3f}{:>13.1f}{:>8.1f}\n", phase, seconds, 1e6 * seconds / steps,
               100 * seconds / std::max(summary.wall_s, 1e-300));
}

int run(Arguments& arguments) {
  auto& [model_argument, options, scheme_options, record, out, csv, start, json, quiet, thumbnail, no_report, project] =
      arguments;
  read_record(record, options);
  read_options(scheme_options, options);
  tappet::Model model = load_model(model_argument);
  options.out = out.empty() ? std::filesystem::path("out") / model.name : std::filesystem::path(out);
  options.csv = csv;
  options.keep = false;
  if (!start.empty()) options.start = tappet::start_of(start, model);
  if (project && options.project_start == 0) options.project_start = tappet::default_project_limit;
  Terminal terminal(quiet);
  options.listener = &terminal;
  options.stop = &interrupted();
  const tappet::Result result = simulate(std::move(model), options);
  terminal.clear();
  if (!no_report && std::filesystem::exists(options.out / "result.h5")) write_page(options.out, thumbnail);

  const tappet::Summary& summary = result.summary;
  if (!quiet) print_warnings(summary.warnings);
  if (json) {
    fmt::print("{}\n", to_json(summary).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!quiet) {
    fmt::print("{}\nresults in {}\n", brief(summary), options.out.string());
    const std::filesystem::path page = options.out / "report.html";
    if (std::filesystem::exists(page)) fmt::print("report page: {}\n", page.string());
    print_profile(summary);
  }
  if (summary.status == tappet::RunStatus::failed) {
    fmt::print(stderr, "tappet: the computation failed: {}\n", summary.message);
    return exit_failed;
  }
  if (summary.unconverged_steps > 0)
    fmt::print(stderr, "warning: {} of {} steps did not converge\n", summary.unconverged_steps, summary.steps);
  return summary.status == tappet::RunStatus::interrupted ? exit_interrupted : exit_done;
}

}  // namespace

void tappet::add_run(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("run", "Simulate a model");
  add_model_argument(*command, arguments->model);
  command->add_option("--scheme", arguments->options.scheme,
                      "Time-stepping scheme (`tappet schemes` lists them); default: that of the model");
  command->add_option("--dt", arguments->options.dt, "Step in seconds")->check(positive_seconds());
  command->add_option("--end", arguments->options.end, "End time in seconds")->check(positive_seconds());
  command->add_option("--option", arguments->scheme_options, "Option of the scheme or solver, KEY=VALUE; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--record", arguments->record,
                   "Keep every N-th step, or none; with found also each contact between colliders")
      ->type_name("N|none|found|N,found");
  command
      ->add_option("--start", arguments->start,
                   "Start from the last state (q, u, t) of the run in this folder; --end must be later than that state")
      ->type_name("DIR");
  command->add_flag("--project-start", arguments->project,
                    "Move the start onto joints and contacts and report by how much (limit: docs/model-files.md)");
  command->add_option("--out", arguments->out, "Folder for the results; default: out/<model>")->type_name("DIR");
  command->add_option("--csv", arguments->csv, "Also write the recorded steps as a table")->type_name("FILE");
  command
      ->add_option("--threads", arguments->options.threads,
                   "Number of threads, for models with many bodies; the results are the same")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--profile", arguments->options.profile, "Also show where the time goes, phase by phase");
  command->add_flag("--no-report", arguments->no_report, "Do not write report.html");
  command->add_flag("--thumbnail", arguments->thumbnail, "Also write a picture of the mechanism (needs Chromium)");
  command->add_flag("--json", arguments->json, "Print only the summary on standard output, as JSON");
  command->add_flag("--quiet", arguments->quiet, "Show neither the progress bar nor the summary line");
  command->footer(examples);
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}
