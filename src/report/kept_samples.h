// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tappet {

// The samples of a long run that a page shows.
struct KeptSamples {
  std::vector<long> samples;  // ascending, including the first and the last
  long stride = 1;            // every stride-th is kept
  long reach = 0;             // and all samples this close to a marked one
  bool all_marked = true;     // otherwise only some of the marked ones have room

  std::string note(long recorded) const;  // in words; "" if all are kept
};

// Keeps at most about `most` of `recorded` samples. Half of the room is for an even spread, half for the neighbourhood
// of the marked samples.
KeptSamples keep_samples(long recorded, const std::vector<long>& marked, long most);

}  // namespace tappet
