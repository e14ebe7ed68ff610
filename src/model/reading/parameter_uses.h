// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "formula/stage/parameter_stage.h"

namespace tappet {

struct Model;

// Records, while a model is read, which of its numbers follow from parameters that vary, and where they go. With other
// values of these parameters the numbers can then be set without reading the file again. A number whose use is not
// recorded here is held: the file must be read again if it changes.
class ParameterUses {
 public:
  ParameterUses(std::vector<std::string> varied, std::vector<double> values);

  const std::shared_ptr<ParameterStage>& stage() const { return stage_; }
  int index_of(const std::string& parameter) const;  // among those that vary; −1 if it does not

  // How a part of the model is set from the stage. It returns false if the file would be refused with these numbers.
  using Set = std::function<bool(Model& model, const ParameterStage& stage)>;
  void add(Set set) { sets_.push_back(std::move(set)); }
  // A single number of the model. Nothing is recorded if it depends on no parameter that varies.
  void add(StagedNumber number, std::function<double&(Model&)> where);

  // Sets all recorded numbers. The graph of the formulas is not among them.
  bool set(Model& model) const;

 private:
  std::vector<std::string> varied_;
  std::shared_ptr<ParameterStage> stage_;
  std::vector<Set> sets_;
};

}  // namespace tappet
