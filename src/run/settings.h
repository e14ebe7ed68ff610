// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "run/simulate.h"

namespace tappet {

// The settings of a run: those that were asked for, otherwise those of the model.
struct Settings {
  std::string scheme;
  double dt = 0, end = 0;
  int record_every = 1;  // 0: nothing is recorded
  SleepingRule sleeping;
  bool reduce_contacts = true;
  std::vector<Option> options;
  std::vector<std::string> warnings;  // about options with an old name
};

// Throws if the scheme or one of the options does not exist (make_stepper.h).
Settings settings_of(const Model& model, const RunOptions& asked);

// Throws ModelError if neither the model nor the caller gave dt or the end.
void require_times(const Settings& settings, const Model& model);

// JSON, with the parameters of the model after --set.
std::string to_text(const Settings& settings, const Model& model);
// What a result holds in addition to the numbers.
RunHeader header_of(const Settings& settings, const Model& model);

}  // namespace tappet
