// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "judge/measurements.h"
#include "judge/reproduce.h"

namespace tappet {

// Compares the measures with the published numbers and draws the figures. Fills outcomes, figures and verdict of
// `result`.
void judge(const Reproduction& reproduction, const FinishedFamilies& families, Reproduced& result);

}  // namespace tappet
