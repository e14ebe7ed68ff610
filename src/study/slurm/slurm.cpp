// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/slurm/slurm.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <thread>

#include "files/shell_word.h"
#include "study/slurm/shell.h"

namespace tappet {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The names of all journals with their sizes. They change whenever a task has written something.
std::map<fs::path, std::uintmax_t> sizes_of(const fs::path& folder) {
  std::map<fs::path, std::uintmax_t> sizes;
  for (const fs::path& file : journals_in(folder)) {
    std::error_code ignored;
    sizes[file] = fs::file_size(file, ignored);
  }
  return sizes;
}

// One study on the cluster, from submission to its end.
class Submission {
 public:
  Submission(const Study& study, const fs::path& folder, const StudyOptions& options, const SlurmOptions& slurm,
             StudyResults& results)
      : study_(study),
        folder_(fs::absolute(folder)),
        options_(options),
        slurm_(slurm),
        results_(results),
        // A job id may be given to another job after a crash of Slurm. This name is not given again.
        name_("tappet-" + study.fingerprint()) {
    fs::create_directories(folder_ / "parts");
    fs::create_directories(folder_ / "logs");
  }

  void run() {
    read_new();
    double per_run = 0;
    long before = -1;
    for (int useless = 0; missing() > 0 && !stopped();) {
      if (alive() == 0) {
        useless = results_.done() > before ? 0 : useless + 1;
        if (useless > most_useless) fail_vanished();
        before = results_.done();
        if (per_run == 0) per_run = seconds_of_one_run();
        if (missing() == 0 || stopped()) break;
        submit(per_run);
      }
      follow();
    }
  }

 private:
  static constexpr int most_useless = 2;

  bool stopped() const { return options_.stop && *options_.stop; }
  long missing() const { return results_.runs() - results_.done(); }
  void say(const std::string& text) const {
    if (slurm_.message) slurm_.message(text);
  }

  void read_new() {
    auto sizes = sizes_of(folder_);
    if (sizes == sizes_) return;
    std::vector<fs::path> changed;
    for (const auto& [file, size] : sizes)
      if (const auto known = sizes_.find(file); known == sizes_.end() || known->second != size) changed.push_back(file);
    read_journals(study_, changed, results_);
    sizes_ = std::move(sizes);
    if (options_.progress)
      options_.progress(results_.done(), results_.runs(), results_.done() - results_.count(OutcomeStatus::done));
  }

  // The number of tasks of this study that Slurm knows and that have not ended; −1 if it does not answer.
  int ask_alive() const {
    const Finished asked =
        run_program({"squeue", "--noheader", "--array", "--name=" + name_, "--format=%T",
                     "--states=PENDING,RUNNING,COMPLETING,CONFIGURING,SUSPENDED,REQUEUED,STAGE_OUT"});
    if (asked.code != 0) return -1;
    return static_cast<int>(std::count(asked.output.begin(), asked.output.end(), '\n'));
  }

  // A client that gets no answer says nothing about the jobs: ask again.
  int alive() {
    for (const auto start = Clock::now();;) {
      const int count = ask_alive();
      if (count >= 0 || stopped()) return std::max(count, 0);
      if (seconds_since(start) > 600) throw std::runtime_error("Slurm does not answer for ten minutes (squeue)");
      read_new();
      if (missing() == 0) return 0;
      wait();
    }
  }

  void wait() const {
    const auto start = Clock::now();
    while (seconds_since(start) < slurm_.poll_seconds && !stopped())
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }

  // Follows the tasks until none is left, or every run is done.
  void follow() {
    for (;;) {
      wait();
      if (stopped()) return;
      const bool none_left = alive() == 0;
      read_new();
      if (none_left || missing() == 0) return;
    }
  }

  // Carries out one or a few of the missing runs here. They count, too.
  double seconds_of_one_run() {
    StudyOptions few = options_;
    few.threads = 1, few.progress = {};
    few.journal = folder_ / "parts" / fmt::format("here-{}.journal", ::getpid());
    const auto start = Clock::now();
    long done = 0;
    for (const RunRange& range : missing_ranges(results_, 16)) {
      few.first = range.first, few.end = range.first + 1;
      while (results_.finished(few.first)) ++few.first, ++few.end;
      run_study(study_, few, results_);
      ++done;
      if (seconds_since(start) > 1.0 || stopped()) break;
    }
    return seconds_since(start) / std::max(1.0, static_cast<double>(done));
  }

  // At most as many tasks as an array may have, and no more than about one per `task_seconds` of work.
  int most_tasks(double per_run) const {
    long limit = 1000;
    const Finished config = run_program({"scontrol", "show", "config"});
    if (const auto at = config.output.find("MaxArraySize"); at != std::string::npos)
      limit = std::min(limit, std::atol(config.output.c_str() + config.output.find('=', at) + 1) - 1);
    const double work = per_run * static_cast<double>(missing());
    const double wanted = std::ceil(work / slurm_.task_seconds);
    return static_cast<int>(
        std::max(1.0, std::min({wanted, static_cast<double>(limit), static_cast<double>(missing())})));
  }

  void submit(double per_run) {
    const std::vector<RunRange> ranges = missing_ranges(results_, most_tasks(per_run));
    const fs::path list = folder_ / "parts" / fmt::format("tasks-{}-{}.txt", ::getpid(), ++submissions_);
    std::ofstream lines(list);
    for (const RunRange& range : ranges) lines << range.first << ' ' << range.end << '\n';
    lines.close();
    if (!lines) throw std::runtime_error(fmt::format("cannot write {}", list.string()));
    std::string command;
    for (const std::string& word : slurm_.command) command += shell_word(word) + " ";
    const std::string script = fmt::format(
        "#!/bin/bash\nread -r first end < <(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" {})\nexec {}--task "
        "\"$first:$end\"\n",
        shell_word(list.string()), command);
    std::vector<std::string> arguments{"sbatch",
                                       "--parsable",
                                       "--job-name=" + name_,
                                       fmt::format("--array=0-{}", ranges.size() - 1),
                                       "--requeue",
                                       "--open-mode=append",
                                       "--signal=B:TERM@60",
                                       "--chdir=" + fs::current_path().string(),
                                       "--output=" + (folder_ / "logs" / "%A_%a.txt").string()};
    arguments.insert(arguments.end(), slurm_.arguments.begin(), slurm_.arguments.end());
    for (int attempt = 1;; ++attempt) {
      const Finished submitted = run_program(arguments, script);
      if (submitted.code == 0) {
        say(fmt::format("job {}: {} tasks for {} runs", first_line(submitted.output), ranges.size(), missing()));
        return;
      }
      const std::string why = first_line(submitted.errors);
      if (attempt == 1) say(fmt::format("sbatch: {}; trying again", why));
      if (attempt == most_attempts || submitted.code == -1 || stopped())
        throw std::runtime_error(
            fmt::format("Slurm did not accept the tasks: {}", why.empty() ? "sbatch was not found" : why));
      for (int k = 0; k < std::min(attempt, 15) && !stopped(); ++k) wait();
    }
  }
  static constexpr int most_attempts = 20;

  [[noreturn]] void fail_vanished() const {
    throw std::runtime_error(fmt::format(
        "{} tasks in a row ended without a result; {} of {} runs are missing. The output of the tasks is in {}",
        most_useless + 1, missing(), results_.runs(), (folder_ / "logs").string()));
  }

  const Study& study_;
  const fs::path folder_;
  const StudyOptions& options_;
  const SlurmOptions& slurm_;
  StudyResults& results_;
  const std::string name_;
  std::map<fs::path, std::uintmax_t> sizes_;
  int submissions_ = 0;
};

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

}  // namespace

std::vector<fs::path> journals_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::path& place : {folder, folder / "parts"})
    for (const auto& entry : fs::directory_iterator(place, ignored))
      if (entry.path().extension() == ".journal") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<RunRange> missing_ranges(const StudyResults& results, int most) {
  std::vector<RunRange> ranges;
  const long missing = results.runs() - results.done();
  const long each = (missing + most - 1) / std::max(most, 1);
  long count = 0;
  for (long run = 0; run < results.runs(); ++run) {
    if (results.finished(run)) continue;
    if (count % each == 0) ranges.push_back({run, run + 1});
    ranges.back().end = run + 1;
    ++count;
  }
  return ranges;
}

void run_task(const Study& study, const fs::path& folder, const StudyOptions& options, StudyResults& results) {
  read_journals(study, journals_in(folder), results);
  StudyOptions own = options;
  own.journal = folder / "parts" /
                fmt::format("task-{}-{}-{}-{}.journal", options.first, environment("SLURM_JOB_ID", "local"),
                            environment("SLURM_RESTART_COUNT", "0"), ::getpid());
  run_study(study, own, results);
}

void run_on_slurm(const Study& study, const fs::path& folder, const StudyOptions& options, const SlurmOptions& slurm,
                  StudyResults& results) {
  Submission(study, folder, options, slurm, results).run();
}

}  // namespace tappet
