// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tappet {

// Component `axis` (0 … 19) of point `index` of the sequence of Sobol', as a fraction of 2³². Points 0 … 2ᵏ − 1 have
// one component in each of the 2ᵏ intervals of equal length.
std::uint32_t sobol_bits(int axis, std::uint32_t index);

}  // namespace tappet
