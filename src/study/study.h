// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/element.h>
#include <tappet/state.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "study/plan/axis.h"

namespace tappet {

// A study: one model that is run many times with different parameters, and what is measured in each run. A file
// describes it (docs/studies.md).

// A formula with its place in the file. Formulas of times may use the parameters of the model.
struct StudyFormula {
  std::string text;
  Place place;
  bool given() const { return !text.empty(); }
};

// What is measured in a run. `kind` is one of
//   final max min mean sum count first last growth   a reduction over time (judge/measure.h)
//   event events                                      the time of an event of this kind, or the number of them
//   at                                                the value of `of` at the time `at`
//   at_first at_last                                  the value of `of` (the time, if there is none) at the first or
//                                                     last sample at which the condition `when` holds
//   every                                             many values: `of` at from, from + period, …, or at each sample
//                                                     at which `when` begins to hold
struct StudyMeasure {
  std::string name, kind;
  std::vector<StudyFormula> of;  // event and events: the kinds of events
  StudyFormula where, when, at, from, to, period;
  std::string contact;  // of event, events; empty: any
  int number = 1;       // of event: which one, from 1
  Place place;

  bool many() const { return kind == "every"; }
};

// The search for the value of a parameter at which a measure crosses a level. The parameter is the one with `uniform`;
// the search is made for every combination of the others.
struct Threshold {
  int measure = 0;  // index into Study::measures
  double level = 0;
  double tolerance = 1e-6;           // of the parameter, relative to its range
  std::string method = "automatic";  // or bisection
  Place place;
};

// Random samples are added until a quantile of a measure is known well enough.
struct Until {
  int measure = 0;  // index into Study::measures
  double quantile = 0.5, within = 0, confidence = 0.95;
  long most = 0;
  Place place;
};

// Measured data to which parameters are fitted. A target is a measure with its measured value, or with a list of values
// if the measure has many, and with the standard deviation of their errors.
struct FitTarget {
  int measure = 0;  // index into Study::measures
  std::vector<double> values;
  double deviation = 0;  // 0: not known; it is then estimated from the residuals
};
struct Fit {
  std::vector<FitTarget> targets;
  std::string method = "trust-region";  // or nelder-mead
  int most_runs = 500;
  double tolerance = 1e-6;  // of the parameters, relative to their ranges
  Place place;

  int numbers() const {  // measured, in all
    int count = 0;
    for (const FitTarget& target : targets) count += static_cast<int>(target.values.size());
    return count;
  }
  bool deviations_known() const {
    for (const FitTarget& target : targets)
      if (target.deviation == 0) return false;
    return true;
  }
};

// The search for the parameters with which a measure is smallest or largest.
struct Optimum {
  int measure = 0;       // index into Study::measures
  bool largest = false;  // otherwise the smallest
  std::string method = "automatic";
  int most_runs = 500;
  double tolerance = 1e-6;  // of the parameters, relative to their ranges
  Place place;
};

struct Study {
  std::string name, file, text, title;
  std::string model;       // as the file names it
  std::string model_file;  // the path
  std::string model_text;
  ElementTypes types;  // of the program that made the study
  std::string scheme;
  Place scheme_place;
  StudyFormula dt, end;  // if they are not given, those of the model
  std::vector<Option> options;
  std::vector<std::pair<std::string, std::string>> set;  // parameters that are the same in all runs
  int record_every = 1;
  Plan plan;
  std::vector<StudyMeasure> measures;
  std::optional<Threshold> threshold;
  std::optional<Until> until;
  std::optional<Fit> fit;
  std::optional<Optimum> optimum;

  // Whether a search chooses the values of the runs.
  bool chooses_values() const { return threshold || fit || optimum; }

  // A number that changes with everything that changes the results: study, model and version of the program.
  std::string fingerprint() const;
};

// A model that a program has read already. The text of a study then has no `model:`.
struct GivenModel {
  std::string name, file, text;
  std::vector<std::pair<std::string, std::string>> set;  // the parameters with which it was read
  ElementTypes types;                                    // of the program
};

// These throw a ModelError with file, line and column, or a UsageError if a file cannot be read.
Study parse_study(const std::string& text, const std::string& file, const GivenModel* given = nullptr);
Study load_study(const std::filesystem::path& file);

constexpr double most_runs = 1e7;  // of one study

}  // namespace tappet
