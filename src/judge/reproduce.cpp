// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "files/shell_word.h"
#include "formula/parse.h"
#include "judge/contact_laws.h"
#include "judge/judge.h"
#include "record/trace.h"
#include "run/jobs.h"
#include "run/make_stepper.h"
#include "run/models.h"
#include "run/options.h"
#include "run/settings.h"
#include "run/simulate.h"

namespace tappet {

namespace {

// The formulas whose values a family of runs has to store.
std::vector<PlacedText> noted(const Reproduction& reproduction, int family) {
  std::vector<PlacedText> formulas;
  const auto in = [&](const std::vector<int>& runs) {
    return std::find(runs.begin(), runs.end(), family) != runs.end();
  };
  for (const Measure& m : reproduction.measures) {
    if (!in(m.runs)) continue;
    if (m.kind != "event" && m.kind != "events" && m.kind != "cost")
      formulas.insert(formulas.end(), m.of.begin(), m.of.end());
    if (!m.where.text.empty()) formulas.push_back(m.where);
  }
  for (const Figure& figure : reproduction.figures) {
    if (!in(figure.runs)) continue;
    formulas.push_back(figure.x);
    for (const auto& [label, formula] : figure.y) formulas.push_back(formula);
  }
  return formulas;
}

RunOptions options_of(const RunFamily& family, const RunFamily::Member& member) {
  RunOptions options{.scheme = member.scheme, .dt = member.dt, .end = member.end};
  options.record_every = family.record_every;
  options.options = member.options;
  options.keep = false;
  return options;
}

// `own_record` is the setting of the model itself.
std::string command_of(const RunFamily& family, const RunFamily::Member& member, int own_record) {
  std::string text = "tappet run " + shell_word(family.model_file.empty() ? family.model : family.model_file);
  if (!member.scheme.empty()) text += " --scheme " + member.scheme;
  if (member.dt > 0) text += fmt::format(" --dt {}", member.dt);
  if (member.end > 0) text += fmt::format(" --end {}", member.end);
  if (family.record_every != own_record) text += fmt::format(" --record {}", family.record_every);
  for (const auto& [name, value] : member.set) text += " --set " + shell_word(name + "=" + value);
  for (const Option& option : member.options) text += " --option " + shell_word(option.key + "=" + option.value);
  return text;
}

// e_N stays within its range, so an e_N of 1 cannot become larger.
void plant_errors(Model& model, const RunFamily::Member& member) {
  for_each_law(model, [&](ContactLaw& law) {
    law.e_N = std::min(1.0, law.e_N * member.e_factor);
    for (double& mu : law.mu) mu *= member.mu_factor;
  });
}

// Ends a run if it takes too long or if the caller asks for it.
class Deadline final : public RunListener {
 public:
  Deadline(double limit, const std::atomic<bool>* stop) : limit_(limit), asked_(stop) {}
  void progress(long, long, double) override {
    over_ = limit_ > 0 && thread_seconds() - start_ > limit_;
    if (over_ || (asked_ != nullptr && *asked_)) stop = true;
  }
  bool over() const { return over_; }
  std::atomic<bool> stop{false};

 private:
  const double limit_;
  const std::atomic<bool>* asked_;
  const double start_ = thread_seconds();
  bool over_ = false;
};

// One run of one reproduction that is ready to start: everything that the file asks for exists.
class Job {
 public:
  Job(const Reproduction& reproduction, int family, int member)
      : family_(reproduction.runs[family]), member_(family_.members[member]) {
    const std::vector<PlacedText> formulas = noted(reproduction, family);
    std::string wrong;
    try {
      const std::filesystem::path beside = family_.model_file;
      model_ = load(beside.empty() ? find_example(family_.model) : beside, member_.set);
      plant_errors(model_, member_);
      system_ = std::make_unique<System>(model_);
      std::vector<std::string> texts;
      for (const PlacedText& formula : formulas) texts.push_back(formula.text);
      trace_ = std::make_unique<Trace>(*system_, texts, &wrong);
      const Settings settings = settings_of(model_, options_of(family_, member_));
      require_times(settings, model_);
      cost_ = settings.end / settings.dt * (3 + system_->u_size());
      const ContactList contacts(*system_);
      make_stepper(settings.scheme, contacts, settings.options);
    } catch (const FormulaError& error) {
      for (const PlacedText& formula : formulas)
        if (formula.text == wrong) throw ModelError(reproduction.file, formula.place, "formula", error.what());
    } catch (const UsageError& error) {
      throw ModelError(reproduction.file, family_.place, family_.name, error.what());
    } catch (const ModelError& error) {
      throw ModelError(reproduction.file, family_.place, family_.name, error.what());
    }
    nothing_noted_ = formulas.empty();
  }

  double cost() const { return cost_; }
  // Jobs with the same text make the same run and store the same formulas.
  static std::string identity(const Reproduction& reproduction, int family, int member) {
    const RunFamily& runs = reproduction.runs[family];
    const RunFamily::Member& own = runs.members[member];
    std::string text = fmt::format("{} {} {} {} {} {}", command_of(runs, own, 0), own.label, own.dt, own.end,
                                   own.e_factor, own.mu_factor);
    for (const PlacedText& formula : noted(reproduction, family)) text += "\n" + formula.text;
    return text;
  }
  std::string command() const { return command_of(family_, member_, model_.run.record_every); }

  void run(const ReproduceOptions& asked) {
    RunOptions options = options_of(family_, member_);
    Deadline deadline(member_.limit_s, asked.stop);
    options.stop = member_.limit_s > 0 ? &deadline.stop : asked.stop;
    if (member_.limit_s > 0) options.listener = &deadline;
    if (nothing_noted_) options.record_every = -1;
    options.recorders = {trace_.get()};
    const double start = thread_seconds();
    try {
      result_ = simulate(model_, options);
      if (!result_.done()) trouble_ = result_.summary.message.empty() ? "interrupted" : result_.summary.message;
      if (deadline.over()) trouble_ = fmt::format("it took more than {:.3g} s", member_.limit_s);
    } catch (const std::runtime_error& error) {
      trouble_ = error.what();
    }
    seconds_ = thread_seconds() - start;
  }

  FinishedRun finished() const {
    const double dt = member_.dt > 0 ? member_.dt : model_.run.dt;
    return {member_.label, trouble_, dt, seconds_, &result_.summary, trace_.get()};
  }

 private:
  const RunFamily& family_;
  const RunFamily::Member& member_;
  Model model_;
  std::unique_ptr<System> system_;
  std::unique_ptr<Trace> trace_;
  double cost_ = 0;
  bool nothing_noted_ = false;
  Result result_;
  std::string trouble_;
  double seconds_ = 0;
};

class Batch;

// A run, and the reproductions that wait for it. Mutants of a reproduction have most runs in common with it.
struct SharedJob {
  SharedJob(const Reproduction& reproduction, int family, int member) : job(reproduction, family, member) {}
  Job job;
  std::vector<Batch*> batches;
};
using JobsByIdentity = std::map<std::string, std::shared_ptr<SharedJob>>;

// All runs of one reproduction. The run that finishes last starts the comparison.
class Batch {
 public:
  Batch(const Reproduction& reproduction, JobsByIdentity& known) : reproduction_(reproduction) {
    for (size_t f = 0; f < reproduction.runs.size(); ++f)
      for (size_t m = 0; m < reproduction.runs[f].members.size(); ++m) {
        const int family = static_cast<int>(f), member = static_cast<int>(m);
        std::shared_ptr<SharedJob>& shared = known[Job::identity(reproduction, family, member)];
        if (!shared) shared = std::make_shared<SharedJob>(reproduction, family, member);
        shared->batches.push_back(this);
        jobs_.push_back(shared);
        result_.commands.push_back(shared->job.command());
      }
    left_ = static_cast<int>(jobs_.size());
    result_.name = reproduction.name, result_.title = reproduction.title, result_.source = reproduction.source;
    result_.note = reproduction.note, result_.example = reproduction.example;
    if (!reproduction.missing.empty()) {
      result_.verdict = Verdict::missing;
      result_.outcomes.push_back(
          {.what = reproduction.title, .verdict = Verdict::missing, .note = reproduction.missing});
    }
  }

  void ran_one() {
    if (--left_ == 0) finish();
  }

  Reproduced take() { return std::move(result_); }

 private:
  void finish() {
    std::vector<std::vector<FinishedRun>> families;
    size_t next = 0;
    for (const RunFamily& family : reproduction_.runs) {
      families.emplace_back();
      for (size_t m = 0; m < family.members.size(); ++m) {
        families.back().push_back(jobs_[next++]->job.finished());
        result_.seconds += families.back().back().seconds;
        result_.run_seconds.push_back(families.back().back().seconds);
      }
    }
    judge(reproduction_, families, result_);
    jobs_.clear();
  }

  const Reproduction& reproduction_;
  std::vector<std::shared_ptr<SharedJob>> jobs_;
  std::atomic<int> left_;
  Reproduced result_;
};

}  // namespace

std::vector<Reproduced> reproduce(const std::vector<Reproduction>& reproductions, const ReproduceOptions& options) {
  JobsByIdentity known;
  std::vector<std::unique_ptr<Batch>> batches;
  for (const Reproduction& reproduction : reproductions)
    batches.push_back(std::make_unique<Batch>(reproduction, known));
  std::vector<std::shared_ptr<SharedJob>> jobs;
  for (auto& [text, job] : known) jobs.push_back(std::move(job));
  // Long runs start first, so that no core has to wait for one of them at the end.
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const auto& a, const auto& b) { return a->job.cost() > b->job.cost(); });
  std::atomic<int> done{0};
  run_jobs(static_cast<int>(jobs.size()), options.threads > 0 ? options.threads : default_threads(), [&](int k) {
    jobs[k]->job.run(options);
    for (Batch* batch : jobs[k]->batches) batch->ran_one();
    jobs[k].reset();  // the trace is kept only as long as some reproduction needs it
    if (options.progress) options.progress(++done, static_cast<int>(jobs.size()));
  });
  std::vector<Reproduced> results;
  for (const auto& batch : batches) results.push_back(batch->take());
  return results;
}

Verdict worst(const std::vector<Reproduced>& results) {
  Verdict verdict = Verdict::passed;
  for (const Reproduced& result : results) verdict = std::max(verdict, result.verdict);
  return verdict;
}

}  // namespace tappet
