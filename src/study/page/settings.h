// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "model/model_text.h"
#include "run/simulate.h"
#include "study/study.h"

namespace tappet {

// What all runs of a study have in common, except the text of the model: model, scheme, step, end, options, parameters.
nlohmann::ordered_json study_settings(const Study& study);

// One run of a study as the file study.h5 holds it.
struct StoredRun {
  Model model;
  RunOptions options;
  std::string status;
};
// Throws a UsageError if there is no such file or no such run, and a ModelError if the model is wrong for the
// parameters of this run.
StoredRun stored_run(const std::filesystem::path& folder, long run);

}  // namespace tappet
