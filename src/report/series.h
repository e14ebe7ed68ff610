// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "record/hdf5/result_file.h"
#include "system/system.h"

namespace tappet {

// One curve of the page: a number of a data set of the result file.
struct Series {
  std::string name, unit, group;  // groups: docs/report-format.md
  int contact = -1;
  std::string data;
  int component = 0;
  int mean = 0;  // of an impulse: the force as a weighted mean over so many recorded steps; 0: the number itself
};

// Everything worth a curve. Of systems with more coordinates than a person looks at, some, evenly spread; of many
// contacts those listed in `contacts`. Forces that a scheme does not tell apart (zero throughout) are left out. Where
// impulses alternate from step to step, forces are shown as means over several steps, and their names say so.
std::vector<Series> series_of(const System& system, const ResultFile& result, const std::vector<int>& contacts,
                              bool alternating);

// Forces from the impulses P of recorded steps of length dt, each sample as a mean over about `steps` of them with
// weights that fall linearly to both sides: a step without impulse and the double one after it leave an error of
// 1/steps² only.
std::vector<double> mean_forces(const std::vector<double>& P, const std::vector<double>& dt, int steps);

}  // namespace tappet
