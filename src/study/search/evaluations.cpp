// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/search/evaluations.h"

#include <algorithm>
#include <atomic>

#include "run/jobs.h"

namespace tappet {

Evaluations::Evaluations(const Study& study, const StudyOptions& options, StudyResults& results)
    : study_(study), options_(options), results_(results) {
  const int threads = options.threads > 0 ? options.threads : default_threads();
  for (int k = 0; k < threads; ++k) workers_.push_back(std::make_unique<StudyWorker>(study));
  if (options.journal.empty()) return;
  read_journal(options.journal, study.fingerprint(), [&](long run, StudyOutcome&& outcome) {
    if (run < 0 || run >= static_cast<long>(most_runs)) return;
    if (run >= static_cast<long>(known_.size())) known_.resize(run + 1);
    known_[run] = std::move(outcome);
  });
  journal_ = std::make_unique<Journal>(options.journal, study.fingerprint());
}

long Evaluations::evaluate(const std::vector<std::vector<double>>& values) {
  const long first = results_.runs();
  const int count = static_cast<int>(values.size());
  std::vector<StudyOutcome> outcomes(count);
  std::atomic<int> next = 0;
  const int threads = std::min<int>(count, static_cast<int>(workers_.size()));
  run_jobs(threads, threads, [&](int thread) {
    for (int k; (k = next++) < count;) {
      const long run = first + k;
      const bool known = run < static_cast<long>(known_.size()) && known_[run].status != OutcomeStatus::missing;
      outcomes[k] = known ? known_[run] : workers_[thread]->run(values[k], options_.stop);
      if (!known && journal_ && outcomes[k].status != OutcomeStatus::interrupted) journal_->append(run, outcomes[k]);
    }
  });
  if (journal_) journal_->flush();
  for (int k = 0; k < count; ++k) {
    if (outcomes[k].status == OutcomeStatus::interrupted) throw StudyStopped{};
    results_.add(values[k], std::move(outcomes[k]));
  }
  if (options_.progress) options_.progress(results_.runs(), 0, results_.runs() - results_.count(OutcomeStatus::done));
  return first;
}

}  // namespace tappet
