// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "study/worker.h"

namespace tappet {

// The outcomes of all runs of a study. What runs do not have, because they are missing or failed, is NaN.
class StudyResults {
 public:
  // The values of the axes for every run follow from the plan, or are given one by one (searches choose them).
  explicit StudyResults(const Study& study);

  void set(long run, StudyOutcome&& outcome);
  long add(const std::vector<double>& values, StudyOutcome&& outcome);  // another run, behind the others

  void cut(long runs);  // drops all later runs

  const Study& study() const { return study_; }
  long runs() const { return static_cast<long>(status_.size()); }
  long done() const { return done_; }  // runs that ended, also those that failed
  long count(OutcomeStatus status) const;
  OutcomeStatus status(long run) const { return status_[run]; }
  bool finished(long run) const {
    return status_[run] != OutcomeStatus::missing && status_[run] != OutcomeStatus::interrupted;
  }
  void values(long run, std::vector<double>& out) const;
  double measured(long run, int measure) const { return measured_[run * measures_ + measure]; }
  const std::vector<double>& series(long run, int measure) const { return series_[measure][run]; }
  long steps(long run) const { return steps_[run]; }
  long unconverged(long run) const { return unconverged_[run]; }
  double iterations(long run) const { return iterations_[run]; }
  const std::map<long, std::string>& messages() const { return messages_; }  // of runs that failed

  std::vector<double> column(int measure) const;  // of all runs
  std::vector<double> parameter(int axis) const;  // of all runs

 private:
  const Study& study_;
  const long measures_;
  long done_ = 0;
  std::vector<OutcomeStatus> status_;
  std::vector<double> measured_;                          // run by run
  std::vector<std::vector<std::vector<double>>> series_;  // by measure, then run; empty for measures with one value
  std::vector<long> steps_, unconverged_;
  std::vector<double> iterations_;
  std::map<long, std::string> messages_;
  std::vector<std::vector<double>> chosen_;  // values of runs that are not in the plan
};

// These write beside the file and then rename, so a file with the final name is always complete. They throw a
// std::runtime_error.
void write_study_hdf5(const StudyResults& results, const std::filesystem::path& file);
void write_study_csv(const StudyResults& results, const std::filesystem::path& file);
// The values of measures with many values, one per line. The file of a measure has its name in it: study.strobe.csv.
// Characters that do not suit a file are replaced by _, and its number is added if another measure then has that name.
std::string series_file_name(const Study& study, int measure);
void write_series_csv(const StudyResults& results, int measure, const std::filesystem::path& file);

}  // namespace tappet
