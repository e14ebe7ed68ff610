// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "run/reproduce.h"
#include "run/summary.h"
#include "run/trace.h"

namespace tappet {

// What a run of a reproduction left behind.
struct FinishedRun {
  std::string label;    // within its family
  std::string trouble;  // why it did not reach its end; empty: it did
  double dt = 0;
  double seconds = 0;  // processor time
  const Summary* summary = nullptr;
  const Trace* trace = nullptr;
};
using FinishedFamilies = std::vector<std::vector<FinishedRun>>;  // as in Reproduction::runs

// Measures, compares with what was published, draws: fills outcomes, figures and verdict of `result`.
void judge(const Reproduction& reproduction, const FinishedFamilies& families, Reproduced& result);

}  // namespace tappet
