// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "record/trace.h"
#include "study/study.h"
#include "system/parametric/parametric_system.h"

namespace tappet {

// The model of a study, compiled together with the formulas of its measures and of its times. One run after the other
// may use it, with other values of the parameters.
class PreparedModel {
 public:
  // Throws a ModelError with the place in the model or in the study.
  PreparedModel(const Study& study, const ModelText& text, const std::vector<std::string>& varied,
                const std::vector<double>& values);

  // Changes the parameters. Returns false if these values need a new PreparedModel.
  bool set(const std::vector<double>& values);

  const System& system() const { return system_.system(); }
  Trace& trace() { return *trace_; }
  const Trace& trace() const { return *trace_; }
  // The value of a formula of parameters; `otherwise` if it is not given.
  double time(const StudyFormula& formula, double otherwise) const;
  // The same, which must be positive; 0 if it is not given. Throws a ModelError.
  double positive_time(const StudyFormula& formula) const;

 private:
  void compile_measures();
  void compile_time(const StudyFormula& formula);

  const Study& study_;
  ParametricSystem system_;
  std::unique_ptr<Trace> trace_;
  std::map<const StudyFormula*, StagedNumber> times_;
};

// The value of a formula of the parameters of a model, which must be positive; 0 if it is not given. Throws a
// ModelError.
double positive_time_of(const Study& study, const StudyFormula& formula, const Model& model);

// Whether a measure is about events, and not about samples.
inline bool is_event(const StudyMeasure& m) { return m.kind == "event" || m.kind == "events"; }

// The formula of a trace that says whether the condition `when` holds.
std::string condition(const StudyMeasure& m);

}  // namespace tappet
