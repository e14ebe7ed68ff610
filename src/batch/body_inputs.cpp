// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/body_inputs.h"

#include <algorithm>

namespace tappet {

namespace {

constexpr long looked_at = 64;  // instances

Model first_model(const Study& study, const StudyWorker& worker, KeptParameters& kept) {
  std::vector<double> values;
  study.plan.values(0, values);
  return ModelText(study.model_text, study.model_file).model(worker.overrides(values), kept);
}

}  // namespace

BodyInputs::BodyInputs(const Study& study, const StudyWorker& worker)
    : worker_(worker),
      system_(first_model(study, worker, kept_)),
      numbers_(body_numbers(system_, kept_.times)),
      varies_(numbers_.values.size(), false) {
  const ModelText text(study.model_text, study.model_file);
  const long runs = study.plan.runs();
  std::vector<double> values;
  for (long k = 0; k < std::min(runs, looked_at); ++k) {
    study.plan.values(runs <= looked_at ? k : k * (runs / looked_at), values);
    try {
      const BodyNumbers other = numbers_of(text, values);
      if (other.forms != numbers_.forms || other.values.size() != numbers_.values.size()) continue;
      for (size_t i = 0; i < varies_.size(); ++i)
        if (other.values[i] != numbers_.values[i]) varies_[i] = true;
    } catch (const ModelError&) {  // the engine says what is wrong with this instance
    }
  }
}

BodyNumbers BodyInputs::numbers_of(const ModelText& text, const std::vector<double>& values) const {
  KeptParameters kept;  // none, but formulas of t are read
  const System system(text.model(worker_.overrides(values), kept));
  return body_numbers(system, kept.times);
}

bool BodyInputs::add(const ModelText& text, const std::vector<double>& values, std::vector<double>& to) const try {
  const BodyNumbers own = numbers_of(text, values);
  if (own.forms != numbers_.forms || own.values.size() != numbers_.values.size()) return false;
  for (size_t i = 0; i < varies_.size(); ++i)
    if (!varies_[i] && own.values[i] != numbers_.values[i]) return false;
  for (size_t i = 0; i < varies_.size(); ++i)
    if (varies_[i]) to.push_back(own.values[i]);
  return true;
} catch (const ModelError&) {  // the engine says what is wrong with this instance
  return false;
}

}  // namespace tappet
