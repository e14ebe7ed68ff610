// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "judge/measurements.h"
#include "judge/reproduce.h"

namespace tappet {

// Compares with what was published, and draws: fills outcomes, figures and verdict of `result`.
void judge(const Reproduction& reproduction, const FinishedFamilies& families, Reproduced& result);

}  // namespace tappet
