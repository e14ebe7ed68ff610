// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "study/journal.h"
#include "study/run_study.h"

namespace tappet {

// The runs of a search, in the order in which the search asks for them. A search depends on nothing but their outcomes,
// so if it is started again, it asks for the same runs, and those that the journal holds are not computed again.
class Evaluations {
 public:
  Evaluations(const Study& study, const StudyOptions& options, StudyResults& results);

  // The outcomes for each of these values, computed on several threads. Returns the number of the first run among the
  // results. Throws StudyStopped if the study is to stop.
  long evaluate(const std::vector<std::vector<double>>& values);

 private:
  const Study& study_;
  const StudyOptions& options_;
  StudyResults& results_;
  std::vector<StudyOutcome> known_;  // by number of the run
  std::unique_ptr<Journal> journal_;
  std::vector<std::unique_ptr<StudyWorker>> workers_;
};

}  // namespace tappet
