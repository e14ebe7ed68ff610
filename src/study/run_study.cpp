// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/run_study.h"

#include <chrono>
#include <memory>
#include <mutex>

#include "run/jobs.h"
#include "study/journal.h"

namespace tappet {

namespace {

using Clock = std::chrono::steady_clock;

// Hands out the runs that are missing, and takes their outcomes.
class Queue {
 public:
  Queue(const StudyOptions& options, StudyResults& results, Journal* journal)
      : options_(options), results_(results), journal_(journal), next_(options.first) {
    end_ = options.end < 0 ? results.runs() : options.end;
    for (long run = options.first; run < end_; ++run) finished_ += results.finished(run);
  }

  long next() {  // −1 if none is left
    const std::lock_guard lock(mutex_);
    if (stopped()) return -1;
    while (next_ < end_ && results_.finished(next_)) ++next_;
    return next_ < end_ ? next_++ : -1;
  }

  void take(long run, StudyOutcome&& outcome) {
    if (outcome.status == OutcomeStatus::interrupted) return;
    if (journal_) journal_->append(run, outcome);
    const std::lock_guard lock(mutex_);
    failed_ += outcome.status != OutcomeStatus::done;
    ++finished_;
    results_.set(run, std::move(outcome));
    const auto now = Clock::now();
    if (!options_.progress || (now - shown_ < std::chrono::milliseconds(100) && finished_ < end_ - options_.first))
      return;
    shown_ = now;
    options_.progress(finished_, end_ - options_.first, failed_);
  }

  bool stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }

 private:
  const StudyOptions& options_;
  StudyResults& results_;
  Journal* journal_;
  std::mutex mutex_;
  long next_, end_ = 0, finished_ = 0, failed_ = 0;
  Clock::time_point shown_{};
};

void work(const Study& study, Queue& queue, const std::atomic<bool>* stop) {
  StudyWorker worker(study);
  std::vector<double> values;
  for (long run; (run = queue.next()) >= 0;) {
    study.plan.values(run, values);
    queue.take(run, worker.run(values, stop));
  }
}

}  // namespace

void run_study(const Study& study, const StudyOptions& options, StudyResults& results) {
  const StudyWorker check(study);  // refuses wrong measures before anything is written
  std::unique_ptr<Journal> journal;
  if (!options.journal.empty()) journal = std::make_unique<Journal>(options.journal, study.fingerprint());
  Queue queue(options, results, journal.get());
  const int threads = options.threads > 0 ? options.threads : default_threads();
  run_jobs(threads, threads, [&](int) { work(study, queue, options.stop); });
  if (journal) journal->flush();
}

void read_journals(const Study& study, const std::vector<std::filesystem::path>& files, StudyResults& results) {
  for (const std::filesystem::path& file : files)
    read_journal(file, study.fingerprint(), [&](long run, StudyOutcome&& outcome) {
      if (run >= 0 && run < results.runs() && !results.finished(run)) results.set(run, std::move(outcome));
    });
}

}  // namespace tappet
