// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/model_text.h"
#include "model/reading/parameter_uses.h"
#include "system/system.h"

namespace tappet {

// A system for many values of some parameters of its model. The file is read and compiled once. For other values only
// the numbers that depend on them are computed again (ParameterStage), and the system then is the one that a fresh
// reading would give, bit for bit. If the values need a fresh reading, because they change more than numbers, set()
// says so.
//
// Models that consist of formulas can be followed in this way. A model with bodies must be read again for all values.
class ParametricSystem {
 public:
  // Reads and compiles the model with these values of the parameters `varied`. Throws a ModelError.
  ParametricSystem(const ModelText& text, const Overrides& fixed, const std::vector<std::string>& varied,
                   const std::vector<double>& values);
  ParametricSystem(const ParametricSystem&) = delete;
  ParametricSystem& operator=(const ParametricSystem&) = delete;

  const System& system() const { return *system_; }

  // The stage, if the model can be followed. Formulas of others may be recorded into it until end_recording().
  const std::shared_ptr<ParameterStage>& stage() const { return stage_; }
  void end_recording();

  // Changes the system to other values. Returns false if they need a fresh reading. The system must then not be used
  // until a later call returns true.
  bool set(std::span<const double> values);

 private:
  ParameterUses uses_;
  std::optional<System> system_;
  std::shared_ptr<ParameterStage> stage_;        // null if the model cannot be followed
  std::vector<std::pair<Node, int>> constants_;  // of the graph, with their places in the stage
};

}  // namespace tappet
