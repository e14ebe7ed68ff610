// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "batch/equations/equations.h"
#include "study/study.h"

namespace tappet {

// The code of a batch, the same for C++ and CUDA.
struct BatchCode {
  std::string text;
  int inputs = 0;      // the values that vary, per instance
  int outputs = 0;     // the numbers that come back, per instance
  int series = 0;      // the measures with many values; each has BatchSettings::series further numbers
  int operations = 0;  // of all formulas of the model
};

// Throws a ModelError for measures that a batch does not have. `equations` gets their formulas.
BatchCode batch_code(BatchEquations& equations, const Study& study, const std::string& scheme);

// The schemes for which there is code.
const std::vector<std::string>& batch_schemes();

}  // namespace tappet
