// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "record/result_source.h"
#include "system/system.h"

namespace tappet {

// One curve of the page, which is one number of a data set of a run.
struct Series {
  std::string name, unit, group;  // groups: docs/report-format.md
  int contact = -1;
  std::string data;
  int component = 0;
  // for an impulse: the force as a weighted mean over this number of recorded steps; 0: the number itself
  int mean = 0;
};

// Everything worth a curve. If there are more coordinates than a person can look at, some are chosen, evenly spread. If
// there are many contacts, those listed in `contacts` are chosen. Forces that a scheme does not separate (zero
// throughout) are left out. If impulses alternate from step to step, forces are shown as means over several steps, and
// their names say so.
std::vector<Series> series_of(const System& system, const ResultSource& result, const std::vector<int>& contacts,
                              bool alternating);

// Computes forces from the impulses P of recorded steps of length dt. Each sample is a mean over about `steps` of them,
// with weights that decrease linearly to both sides. A step without impulse, followed by a step with a double impulse,
// then leaves an error of only 1/steps².
std::vector<double> mean_forces(const std::vector<double>& P, const std::vector<double>& dt, int steps);

}  // namespace tappet
