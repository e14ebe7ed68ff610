// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "model/model_text.h"
#include "report/report.h"
#include "run/options.h"
#include "run/resume/checkpoint.h"
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
  tappet run pawl_mesh --option reduction=off               takes all contacts between triangles, not only the corners
  tappet run my.yaml --record none --json                   only the summary, for scripts
  tappet run standing_quadruped --record 10,found           every tenth step, and each contact between colliders
  tappet run my.yaml --end 1 --out first                    two runs, one after the other: the second starts from
  tappet run my.yaml --end 2 --start first --set mu=0.5     the last state of the first, with another parameter
  tappet run my.yaml --project-start                        moves the start onto joints and contacts, by at most 1e-3
  tappet run my.yaml --no-report                            numbers only, without the page
  tappet run --resume out/my                                goes on with a run that was killed, from its checkpoint

The run writes DIR/result.h5, DIR/summary.json and DIR/report.html, the page to look at. With --record none it writes
neither the result nor the report. Ctrl-C ends the run after the current step. The results so far are kept, and the exit
code is 130. A run that takes more than a minute writes a checkpoint every minute. If it is stopped or killed, --resume
continues it, and the results have the same bits as if it had never stopped.
)";

struct Arguments {
  ModelArgument model;
  tappet::RunOptions options;
  std::vector<std::string> scheme_options;
  std::string record, out, csv, start, checkpoint, resume;
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

// What --resume needs to know: the arguments and the text of the model, whose file may change.
std::string described(const Arguments& arguments, const tappet::Model& model) {
  const tappet::RunOptions& options = arguments.options;
  nlohmann::ordered_json json = {
      {"program", tappet::version},
      {"model", std::filesystem::absolute(model.file).string()},
      {"set", arguments.model.set},
      {"scheme", options.scheme},
      {"dt", options.dt},
      {"end", options.end},
      {"option", arguments.scheme_options},
      {"record", arguments.record},
      {"csv", arguments.csv.empty() ? "" : std::filesystem::absolute(arguments.csv).string()},
      {"project_start", options.project_start},
      {"checkpoint", arguments.checkpoint},
      {"text", model.text}};
  if (const auto& start = options.start)
    json["start"] = {{"from", start->from},
                     {"t", start->t},
                     {"q", start->q},
                     {"u", start->u},
                     {"joint_violation", start->joint_violation},
                     {"penetration", start->penetration}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

// Sets the arguments to those of the run in the folder, and returns its model.
tappet::Model described_in(const std::filesystem::path& folder, Arguments& arguments) try {
  std::ifstream file(folder / tappet::Checkpoints::description);
  const auto json = nlohmann::json::parse(file);
  tappet::RunOptions& options = arguments.options;
  arguments.model = {json.at("model"), json.at("set")};
  options.scheme = json.at("scheme"), options.dt = json.at("dt"), options.end = json.at("end");
  arguments.scheme_options = json.at("option");
  arguments.record = json.at("record"), arguments.csv = json.at("csv");
  options.project_start = json.at("project_start");
  if (arguments.checkpoint.empty()) arguments.checkpoint = json.at("checkpoint");
  if (json.contains("start")) {
    const auto& start = json["start"];
    options.start = tappet::StartState{
        start.at("from"),       start.at("t"), start.at("q"), start.at("u"), start.at("joint_violation"),
        start.at("penetration")};
  }
  arguments.out = folder.string();
  options.resume = true;
  return tappet::ModelText(json.at("text"), json.at("model")).model(key_values("--set", arguments.model.set));
} catch (const nlohmann::json::exception&) {
  throw tappet::UsageError(fmt::format("{}: cannot be read; expected the description of a run that was not finished",
                                       (folder / tappet::Checkpoints::description).string()));
}

tappet::Model model_of_run(Arguments& arguments) {
  tappet::RunOptions& options = arguments.options;
  if (!arguments.resume.empty()) return described_in(arguments.resume, arguments);
  tappet::Model model = load_model(arguments.model);
  if (!arguments.start.empty()) options.start = tappet::start_of(arguments.start, model);
  if (arguments.project && options.project_start == 0) options.project_start = tappet::default_project_limit;
  return model;
}

// Whether there is nothing left to do for --resume.
bool is_complete(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / tappet::Checkpoints::description)) return false;
  if (std::filesystem::exists(folder / "summary.json")) return true;
  throw tappet::UsageError(
      fmt::format("--resume {}: there is no run in this folder that could be resumed; expected the folder of a run "
                  "that was stopped or killed",
                  folder.string()));
}

int run(Arguments& arguments) {
  auto& [model_argument, options, scheme_options, record, out, csv, start, checkpoint, resume, json, quiet, thumbnail,
         no_report, project] = arguments;
  if (!resume.empty() && is_complete(resume)) {
    if (!quiet) fmt::print("the run in {} is complete\n", resume);
    return exit_done;
  }
  tappet::Model model = model_of_run(arguments);
  read_record(record, options);
  read_options(scheme_options, options);
  options.out = out.empty() ? std::filesystem::path("out") / model.name : std::filesystem::path(out);
  options.csv = csv;
  options.keep = false;
  if (!checkpoint.empty()) options.checkpoint = tappet::checkpoint_rule(checkpoint);
  options.description = described(arguments, model);
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
  CLI::Option* model = add_model_argument(*command, arguments->model);
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
  command
      ->add_option("--checkpoint", arguments->checkpoint,
                   "How often the run can be resumed from: 60s (default), 5min, or a number of steps")
      ->type_name("TIME|STEPS");
  // A run that is resumed has the settings that it began with.
  CLI::Option* resume =
      command->add_option("--resume", arguments->resume, "Continue the run in this folder, which was stopped or killed")
          ->type_name("DIR");
  model->required(false)->excludes(resume);
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
  for (const char* setting :
       {"--set", "--scheme", "--dt", "--end", "--option", "--record", "--start", "--project-start", "--out", "--csv"})
    resume->excludes(command->get_option(setting));
  command->footer(examples);
  command->callback([arguments, &exit_code] {
    if (arguments->model.name.empty() && arguments->resume.empty())
      throw tappet::UsageError("run: expected MODEL, which is a model file or the name of an example, or --resume DIR");
    exit_code = run(*arguments);
  });
}
