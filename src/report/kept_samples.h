// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tappet {

// Which samples of a long run a page shows.
struct KeptSamples {
  std::vector<long> samples;  // ascending; the first and the last among them
  long stride = 1;            // every stride-th is kept
  long reach = 0;             // and all this close to a marked one
  bool all_marked = true;     // else only some of the marked ones found room

  std::string note(long recorded) const;  // in words; "" where all are kept
};

// At most about `most` of `recorded` samples: half of the room for an even spread, half for what surrounds the marked.
KeptSamples keep_samples(long recorded, const std::vector<long>& marked, long most);

}  // namespace tappet
