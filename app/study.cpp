// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "shared/interrupt.h"
#include "shared/model_argument.h"
#include "shared/study_files.h"
#include "shared/study_output.h"
#include "shared/terminal.h"
#include "study/command_text.h"
#include "study/page/show_run.h"
#include "study/page/study_page.h"
#include "study/search/carry_out.h"
#include "study/slurm/slurm.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet study study.yaml                                    a study that a file describes (docs/studies.md)
  tappet study slider_crank --vary mu=0:0.3:31 --measure deepest=max:violation
  tappet study slider_crank --vary mu=0.01,0.1 --vary e=0:1:11 --measure loss=final:energy --end 0.1
  tappet study bouncing_ball --vary e_N=uniform:0.4:0.9 --samples 1000 --measure height=max:y --end 2
  tappet study study.yaml --resume                           continues a study that was stopped or killed
  tappet study out/slider_crank_study --show 17              carries out run 17 again and writes its report page

Values of --vary: first:last:count, log:first:last:count, a list a,b,c, uniform:low:high or normal:mean:deviation.
A measure is KIND:FORMULA, or a map as in a file: --measure "end={at: first, when: y < 0}".

The study writes DIR/study.h5, DIR/study.csv, DIR/study.yaml and DIR/study.html, the page to look at. Runs that fail are
lines of the table, with the reason.
With --on slurm the runs are divided into the tasks of a job array, and the command waits for them.
With --on gpu or --on cpu the runs are a batch (`tappet batch --help`); what a batch cannot do is refused.
Ctrl-C ends the study; what is done is kept, and --resume continues. The exit code is 130 then, and 1 if no run
succeeds.
)";

struct Arguments {
  std::string name, out;
  tappet::StudyText text;
  std::vector<std::string> set, options;
  int threads = 0;
  std::string on = "local", task;
  tappet::SlurmOptions slurm;
  bool resume = false, fresh = false, json = false, quiet = false;
  long show = -1;  // the number of the run that is carried out again; −1: none
};

namespace fs = std::filesystem;

tappet::Study study_of(const Arguments& arguments) {
  if (!arguments.text.empty()) {
    tappet::StudyText text = arguments.text;
    // A path must mean the same in the file that is kept with the results.
    text.model = fs::is_regular_file(arguments.name) ? fs::absolute(arguments.name).string() : arguments.name;
    text.set = key_values("--set", arguments.set), text.options = key_values("--option", arguments.options);
    tappet::Study study = tappet::parse_study(to_text(text), "command line");
    study.name = fs::path(study.model).stem().string() + "_study";  // of its folder and its page
    return study;
  }
  if (!arguments.set.empty() || !arguments.options.empty())
    throw tappet::UsageError(
        "--set and --option belong to a study with --vary; expected `set:` and `options:` in the file");
  if (!arguments.name.ends_with(".yaml") || !fs::exists(arguments.name))
    throw tappet::UsageError(
        fmt::format("{}: expected the file of a study, or a model with --vary and --measure", arguments.name));
  return tappet::load_study(arguments.name);
}

std::string whole_number(const std::string& text) {
  if (!text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos) return {};
  return fmt::format("found {}; expected the number of a run, from 0", text);
}

void remove_journals(const fs::path& folder) {
  for (const fs::path& journal : tappet::journals_in(folder)) fs::remove(journal);
  fs::remove_all(folder / "parts");
  fs::remove_all(folder / "logs");
}

// Looks at what earlier runs of the command left in the folder.
void prepare_folder(const Arguments& arguments, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw tappet::UsageError(fmt::format("cannot create folder {}: {}", folder.string(), error.message()));
  if (arguments.fresh) remove_journals(folder);
  if (!tappet::journals_in(folder).empty() && !arguments.resume)
    throw tappet::UsageError(fmt::format(
        "{} holds an unfinished study; expected --resume, which continues it, or --fresh, which starts again",
        folder.string()));
}

// Carries out the study. Returns what searches found, as JSON.
nlohmann::ordered_json carry_out(const tappet::Study& study, const tappet::StudyOptions& options,
                                 tappet::StudyResults& results, bool quiet) {
  const tappet::FoundBySearch found = tappet::carry_out(study, options, results);
  if (quiet) return to_json(found);
  if (study.threshold) print_thresholds(study, found.thresholds);
  if (found.fit) print_fit(study, *found.fit);
  if (found.optimum) print_optimum(study, *found.optimum);
  if (const auto& q = found.quantile)
    fmt::print("quantile {:g} of {}: {:.8g}, between {:.8g} and {:.8g} with confidence {:g}, {} samples{}\n",
               study.until->quantile, study.measures[study.until->measure].name, q->value, q->low, q->high,
               study.until->confidence, q->samples, q->reached ? "" : "; not as well known as asked for");
  return to_json(found);
}

void read_task(const std::string& text, tappet::StudyOptions& options) {
  if (std::sscanf(text.c_str(), "%ld:%ld", &options.first, &options.end) != 2)
    throw tappet::UsageError(fmt::format("--task {}: expected FIRST:END, two numbers of runs", text));
}

// Submits the study. Its tasks read it from a file that stays where it is.
void carry_out_on_slurm(Arguments& arguments, const tappet::Study& study, const fs::path& folder,
                        const tappet::StudyOptions& options, tappet::StudyResults& results) {
  if (study.until || study.chooses_values())
    throw tappet::UsageError(
        "--on slurm: `threshold:`, `until:`, `fit:`, `minimise:` and `maximise:` choose each run from those before; "
        "expected --on local");
  const fs::path file = arguments.text.empty() ? fs::absolute(arguments.name) : fs::absolute(folder / "study.yaml");
  arguments.slurm.command = {fs::read_symlink("/proc/self/exe").string(),
                             "study",
                             file.string(),
                             "--out",
                             fs::absolute(folder).string(),
                             "--quiet",
                             "--threads",
                             "1"};
  if (!arguments.quiet) arguments.slurm.message = [](const std::string& text) { fmt::print(stderr, "{}\n", text); };
  run_on_slurm(study, folder, options, arguments.slurm, results);
}

bool is_batch(const Arguments& arguments) { return arguments.on == "cpu" || arguments.on == "gpu"; }

void carry_out_as_batch(const Arguments& arguments, const tappet::Study& study, const tappet::StudyOptions& options,
                        tappet::StudyResults& results, bool quiet) {
  const tappet::BatchReport report = tappet::Batch(study).run(
      {.on = arguments.on, .threads = options.threads, .stop = options.stop, .progress = options.progress}, results);
  if (!quiet && !interrupted()) print_report(report);
}

int stopped(const Arguments& arguments, const tappet::StudyResults& results) {
  fmt::print(stderr, "stopped after {} of {} runs{}\n", results.done(), results.runs(),
             is_batch(arguments)       ? "; what is done is written"
             : arguments.on == "slurm" ? "; `--resume` continues. Tasks that were submitted go on"
                                       : "; `--resume` continues");
  return exit_interrupted;
}

// Carries out one run of a study again.
int show(const Arguments& arguments) {
  Terminal terminal(arguments.quiet);
  const tappet::Summary summary = tappet::show_run(arguments.name, arguments.show, &terminal, &interrupted());
  terminal.clear();
  const fs::path folder = tappet::shown_folder(arguments.name, arguments.show);
  if (!arguments.quiet) {
    for (const std::string& warning : summary.warnings) fmt::print(stderr, "warning: {}\n", warning);
    fmt::print("{}\nresults in {}\nreport page: {}\n", brief(summary), folder.string(),
               (folder / "report.html").string());
  }
  if (summary.status == tappet::RunStatus::failed) {
    fmt::print(stderr, "tappet: the computation failed: {}\n", summary.message);
    return exit_failed;
  }
  return summary.status == tappet::RunStatus::interrupted ? exit_interrupted : exit_done;
}

int study(Arguments& arguments) {
  if (arguments.show >= 0) return show(arguments);
  if (arguments.resume && is_batch(arguments))
    throw tappet::UsageError(fmt::format(
        "--resume: a study with --on {} keeps no journal that it could continue; expected --on local or --on slurm",
        arguments.on));
  const tappet::Study study = study_of(arguments);
  const fs::path folder = arguments.out.empty() ? fs::path("out") / study.name : fs::path(arguments.out);
  const bool quiet = arguments.quiet || arguments.json;
  StudyProgress progress(quiet);
  tappet::StudyOptions options;
  options.threads = arguments.threads, options.stop = &interrupted();
  options.progress = progress.listener();
  tappet::StudyResults results(study);
  if (!arguments.task.empty()) {
    read_task(arguments.task, options);
    run_task(study, folder, options, results);
    return interrupted() ? exit_interrupted : exit_done;
  }
  prepare_folder(arguments, folder);
  write_text(folder / "study.yaml", study.text);
  if (results.runs() > 0) read_journals(study, tappet::journals_in(folder), results);
  nlohmann::ordered_json found;
  try {
    if (arguments.on == "slurm") {
      carry_out_on_slurm(arguments, study, folder, options, results);
    } else if (is_batch(arguments)) {
      carry_out_as_batch(arguments, study, options, results, quiet);
    } else {
      options.journal = folder / "study.journal";
      found = carry_out(study, options, results, quiet);
    }
  } catch (const tappet::StudyStopped&) {
  }
  progress.clear();
  write_results(results, folder);
  if (interrupted()) {
    write_page(results, found, folder, true);
    return stopped(arguments, results);
  }
  remove_journals(folder);
  if (!arguments.quiet) print_summary(results, found, arguments.json, folder);
  write_page(results, found, folder, quiet);
  return results.count(tappet::OutcomeStatus::done) > 0 ? exit_done : exit_failed;
}

}  // namespace

void tappet::add_study(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("study", "Run a model many times with different parameters");
  command->add_option("STUDY", arguments->name, "File of a study, or a model with --vary, or a folder with --show")
      ->required();
  StudyText& text = arguments->text;
  command->add_option("--vary", text.vary, "Values of a parameter, NAME=VALUES; repeatable")
      ->type_name("NAME=VALUES")
      ->expected(1)
      ->take_all();
  command->add_option("--measure", text.measure, "What is measured, NAME=KIND:FORMULA; repeatable")
      ->type_name("NAME=MEASURE")
      ->expected(1)
      ->take_all();
  command->add_option("--samples", text.samples, "Number of samples of random parameters");
  command->add_option("--sampling", text.sampling, "random, latin-hypercube or sobol");
  command->add_option("--seed", text.seed, "Seed of random parameters");
  command->add_option("--scheme", text.scheme, "Time-stepping scheme; default: that of the model");
  command->add_option("--dt", text.dt, "Step in seconds")->check(positive_seconds());
  command->add_option("--end", text.end, "End time in seconds")->check(positive_seconds());
  command->add_option("--set", arguments->set, "Value of a parameter in all runs, NAME=VALUE; repeatable")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command->add_option("--option", arguments->options, "Option of the scheme or solver, KEY=VALUE; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  command->add_option("--out", arguments->out, "Folder of the results; default: out/<name>")->type_name("DIR");
  command->add_option("--threads", arguments->threads, "Number of simultaneous runs; default: one per core");
  command
      ->add_option("--on", arguments->on,
                   "Where runs are carried out: local, slurm for a cluster, cpu or gpu for a batch")
      ->check(CLI::IsMember({"local", "slurm", "cpu", "gpu"}));
  command
      ->add_option("--slurm", arguments->slurm.arguments,
                   "Further argument of sbatch, such as --partition=long; repeatable")
      ->type_name("ARGUMENT")
      ->expected(1)
      ->take_all();
  command->add_option("--task-seconds", arguments->slurm.task_seconds, "How long a task on the cluster is to take")
      ->check(positive_seconds());
  command->add_option("--task", arguments->task, "Carry out these runs as a task of a cluster, FIRST:END")->group("");
  CLI::Option* resume = command->add_flag("--resume", arguments->resume, "Continue a study that was stopped or killed");
  command->add_flag("--fresh", arguments->fresh, "Start again, even if the folder holds an unfinished study")
      ->excludes(resume);
  CLI::Option* show =
      command->add_option("--show", arguments->show, "Carry out one run of a study again; STUDY is its folder")
          ->type_name("RUN")
          ->check(CLI::Validator(whole_number, "RUN"));
  for (CLI::Option* option : command->get_options())
    if (option != show && option->get_name() != "STUDY" && option->get_name() != "--help") show->excludes(option);
  command->add_flag("--json", arguments->json, "Print the summary as JSON")->excludes(show);
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->footer(examples);
  command->callback([arguments, &exit_code] { exit_code = study(*arguments); });
}
