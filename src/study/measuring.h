// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "record/summary.h"
#include "study/prepared_model.h"

namespace tappet {

// What a measure gives for the run that the model has just made.
double one_value(const StudyMeasure& m, const PreparedModel& model, const Summary& summary);
std::vector<double> many_values(const StudyMeasure& m, const PreparedModel& model);

}  // namespace tappet
