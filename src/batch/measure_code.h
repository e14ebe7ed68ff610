// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "batch/equations/equations.h"
#include "formula/parse.h"
#include "study/study.h"

namespace tappet {

// The measures of a study as code: the formulas they need of each sample, and the class `Measures`.
class MeasureCode {
 public:
  MeasureCode(BatchEquations& equations, const Study& study);  // throws a ModelError

  const std::vector<Node>& quantities() const { return quantities_; }
  const std::vector<Node>& times() const { return times_; }                  // formulas of the parameters
  const std::map<int, std::string>& inputs() const { return step_inputs_; }  // numbers of the step, by slot
  int series() const { return series_; }                                     // the number of measures with many values
  std::string text() const;

 private:
  Scope scope_of_samples();
  Scope scope_of_parameters() const;
  Node parsed(const StudyFormula& formula, const std::string& text, const Scope& scope);
  int quantity(const StudyFormula& formula, const std::string& text);
  int time(const StudyFormula& formula);
  void add(const StudyMeasure& measure);
  void add_strobe(const StudyMeasure& measure, int i);

  BatchEquations& e_;
  const Study& study_;
  std::map<int, std::string> step_inputs_;
  Scope samples_, parameters_;
  std::vector<Node> quantities_, times_;
  std::string members_, start_, see_, values_;
  int count_ = 0, series_ = 0;
};

}  // namespace tappet
