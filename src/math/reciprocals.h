// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "math/inertia.h"

namespace tappet {

// 1/M̂_ii by velocity if the factorised M̂ is diagonal, and otherwise nothing. It solves for each velocity alone; most
// matrices that are not diagonal show it in the first column.
inline std::vector<double> reciprocals_of(const Inertia& inertia) {
  std::vector<double> reciprocals(inertia.size());
  Vec x;
  for (int b = 0; b < inertia.block_count(); ++b) {
    const auto velocities = inertia.block(b);
    const int size = static_cast<int>(velocities.size());
    for (int j = 0; j < size; ++j) {
      x.assign(size, 0.0);
      x[j] = 1.0;
      inertia.solve_block(b, x);
      reciprocals[velocities[j]] = std::exchange(x[j], 0.0);
      if (std::any_of(x.begin(), x.end(), [](double other) { return other != 0.0; })) return {};
    }
  }
  return reciprocals;
}

}  // namespace tappet
