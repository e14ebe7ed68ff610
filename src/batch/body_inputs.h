// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "batch/equations/body_numbers.h"
#include "model/model_text.h"
#include "study/study.h"
#include "study/worker.h"

namespace tappet {

// The numbers of a model of bodies that the instances of a batch do not share. Which ones these are is seen from some
// instances. An instance that differs from the others in another number, or in its form, has no inputs and is left to
// the engine.
class BodyInputs {
 public:
  BodyInputs(const Study& study, const StudyWorker& worker);  // throws a ModelError that says what a batch cannot do

  const System& system() const { return system_; }  // of the first instance
  const std::vector<KeptParameters::TimeFormula>& times() const { return kept_.times; }
  const BodyNumbers& numbers() const { return numbers_; }
  const std::vector<bool>& varies() const { return varies_; }

  // Appends the inputs of an instance. Returns false if it has none.
  bool add(const ModelText& text, const std::vector<double>& values, std::vector<double>& to) const;

 private:
  BodyNumbers numbers_of(const ModelText& text, const std::vector<double>& values) const;

  const StudyWorker& worker_;
  KeptParameters kept_;  // of the first instance
  System system_;
  BodyNumbers numbers_;
  std::vector<bool> varies_;
};

}  // namespace tappet
