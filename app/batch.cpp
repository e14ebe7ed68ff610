// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/batch.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "commands.h"
#include "run/simulate.h"
#include "shared/interrupt.h"
#include "shared/model_argument.h"
#include "shared/study_files.h"
#include "shared/study_output.h"
#include "study/command_text.h"
#include "study/worker.h"
#include "system/state_names.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet batch slider_crank --scheme moreau-midpoint --vary mu=0:0.3 --count 100000 --measure deepest=max:violation
  tappet batch slider_crank --scheme moreau-midpoint --vary c=5e-4:15e-4 --vary mu=0:0.1 --count 1e6 --on gpu
  tappet batch study.yaml                                    the runs of a study (docs/studies.md) as a batch

A batch generates code from the formulas of the model, compiles it, and carries out all runs at once: on a processor
with vectors (--on cpu, needs a C++ compiler), or on a GPU (--on gpu, needs the driver and NVRTC).
Values of --vary: low:high for random values between two numbers, or as in `tappet study`.
Without --measure the last position and velocity of each coordinate are measured.
The results are those of a study: DIR/study.h5, DIR/study.csv, DIR/study.yaml and the page DIR/study.html.
)";

namespace fs = std::filesystem;

struct Arguments {
  std::string name, out, count, on = "cpu", code, inputs;
  tappet::StudyText text;
  std::vector<std::string> set, options;
  std::vector<long> trajectories;
  int threads = 0;
  bool json = false, quiet = false;
};

// 1e6 is a number of samples too.
std::string whole(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 1) || value != std::round(value))
    throw tappet::UsageError(fmt::format("--count {}: expected a whole number of instances, from 1", text));
  return fmt::format("{:.0f}", value);
}

// In a batch low:high means random values between the two.
std::string axis(const std::string& text) {
  const size_t at = text.find('='), first = text.find(':', at);
  const bool two =
      at != std::string::npos && first != std::string::npos && text.find(':', first + 1) == std::string::npos;
  return two ? text.substr(0, at + 1) + "uniform:" + text.substr(at + 1) : text;
}

void measure_all(tappet::StudyText& text) {
  const tappet::Model model = load_model({text.model, {}});
  const auto add = [&](std::string name, const char* end, const char* prime) {
    const std::string formula = name + prime;
    std::replace(name.begin(), name.end(), '.', '_');
    text.measure.push_back(fmt::format("{}{}=final:{}", name, end, formula));
  };
  const std::vector<std::string> positions = tappet::q_names(model);
  for (const std::string& name : positions) add(name, "", "");
  for (const std::string& name : tappet::u_names(model)) {  // the rate of a position has its name
    const bool rate = std::find(positions.begin(), positions.end(), name) != positions.end();
    add(name, rate ? "_rate" : "", rate ? "'" : "");
  }
}

tappet::Study study_of(const Arguments& arguments) {
  tappet::StudyText text = arguments.text;
  if (text.vary.empty()) {
    if (!arguments.name.ends_with(".yaml") || !fs::exists(arguments.name))
      throw tappet::UsageError(
          fmt::format("{}: expected the file of a study, or a model with --vary and --count", arguments.name));
    return tappet::load_study(arguments.name);
  }
  text.model = fs::is_regular_file(arguments.name) ? fs::absolute(arguments.name).string() : arguments.name;
  text.set = key_values("--set", arguments.set), text.options = key_values("--option", arguments.options);
  for (std::string& one : text.vary) one = axis(one);
  if (!arguments.count.empty()) text.samples = whole(arguments.count);
  if (text.measure.empty()) measure_all(text);
  tappet::Study study = tappet::parse_study(to_text(text), "command line");
  study.name = fs::path(study.model).stem().string() + "_batch";  // of its folder and its page
  return study;
}

// The whole motion of some instances, each in a folder like that of `tappet run`. The engine computes them again, with
// everything that it records.
void write_trajectories(const tappet::Study& study, const std::vector<long>& instances, const fs::path& folder) {
  const tappet::StudyWorker worker(study);
  const tappet::ModelText text(study.model_text, study.model_file);
  std::vector<double> values;
  for (const long instance : instances) {
    study.plan.values(instance, values);
    const tappet::Model model = text.model(worker.overrides(values));
    tappet::RunOptions options = worker.options(values, model);
    options.out = folder / fmt::format("trajectory_{}", instance);
    options.record_every = 0;
    options.stop = &interrupted();
    tappet::simulate(model, options);
  }
}

void require_instances(const Arguments& arguments, const tappet::Study& study) {
  for (const long instance : arguments.trajectories)
    if (instance < 0 || instance >= study.plan.runs())
      throw tappet::UsageError(fmt::format("--trajectory {}: expected the number of an instance, from 0 to {}",
                                           instance, study.plan.runs() - 1));
}

int batch(const Arguments& arguments) {
  const tappet::Study study = study_of(arguments);
  require_instances(arguments, study);
  const tappet::Batch batch(study);
  if (!arguments.code.empty()) write_text(arguments.code, batch.code().text);
  if (!arguments.inputs.empty()) {
    std::ostringstream text;
    batch.write_inputs(text);
    write_text(arguments.inputs, text.str());
  }
  const fs::path folder = arguments.out.empty() ? fs::path("out") / study.name : fs::path(arguments.out);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw tappet::UsageError(fmt::format("cannot create folder {}: {}", folder.string(), error.message()));
  const bool quiet = arguments.quiet || arguments.json;
  StudyProgress progress(quiet);
  tappet::StudyResults results(study);
  const tappet::BatchReport report = batch.run(
      {.on = arguments.on, .threads = arguments.threads, .stop = &interrupted(), .progress = progress.listener()},
      results);
  progress.clear();
  write_text(folder / "study.yaml", study.text);
  write_results(results, folder);
  if (interrupted()) {
    fmt::print(stderr, "stopped after {} of {} instances\n", results.done(), results.runs());
    return exit_interrupted;
  }
  write_trajectories(study, arguments.trajectories, folder);
  if (!quiet) print_report(report);
  if (!arguments.quiet) print_summary(results, {}, arguments.json, folder);
  write_page(results, {}, folder, quiet);
  return results.count(tappet::OutcomeStatus::done) > 0 ? exit_done : exit_failed;
}

}  // namespace

void tappet::add_batch(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("batch", "Run very many instances of a model at once, by generated code");
  command->add_option("MODEL", arguments->name, "Model with --vary, or file of a study")->required();
  StudyText& text = arguments->text;
  const auto several = [&](const char* name, std::vector<std::string>& list, const char* meaning, const char* type) {
    command->add_option(name, list, meaning)->type_name(type)->expected(1)->take_all();
  };
  several("--vary", text.vary, "Values of a parameter, NAME=LOW:HIGH or as in a study; repeatable", "NAME=VALUES");
  several("--measure", text.measure, "What is measured, NAME=KIND:FORMULA; repeatable", "NAME=MEASURE");
  several("--set", arguments->set, "Value of a parameter in all instances, NAME=VALUE; repeatable", "NAME=VALUE");
  several("--option", arguments->options, "Option of the scheme or solver, KEY=VALUE; repeatable", "KEY=VALUE");
  command->add_option("--count", arguments->count, "Number of instances with random parameters, such as 1e6");
  command->add_option("--sampling", text.sampling, "random, latin-hypercube or sobol");
  command->add_option("--seed", text.seed, "Seed of random parameters");
  command->add_option("--scheme", text.scheme, "Time-stepping scheme; default: that of the model");
  command->add_option("--dt", text.dt, "Step in seconds")->check(positive_seconds());
  command->add_option("--end", text.end, "End time in seconds")->check(positive_seconds());
  command->add_option("--on", arguments->on, "Where the code runs: cpu or gpu")->check(CLI::IsMember({"cpu", "gpu"}));
  command->add_option("--threads", arguments->threads, "Number of threads with --on cpu; default: one per core");
  command->add_option("--out", arguments->out, "Folder of the results; default: out/<name>")->type_name("DIR");
  command->add_option("--trajectory", arguments->trajectories, "Instances whose whole motion is written, such as 0,17")
      ->delimiter(',')
      ->type_name("LIST");
  command->add_option("--code", arguments->code, "Write the generated code into this file, too")->type_name("FILE");
  command->add_option("--inputs", arguments->inputs, "Write what the code gets into this file (bench/gpu/driver.cu)")
      ->type_name("FILE");
  command->add_flag("--json", arguments->json, "Print the summary as JSON");
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->footer(examples);
  command->callback([arguments, &exit_code] { exit_code = batch(*arguments); });
}
