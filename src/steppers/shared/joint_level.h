// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tappet {

// The level on which a joint is held, Schoeder 2013 §2: g̈ = 0 (the drift grows quadratically), ġ = 0 (linearly), g =
// 0, or g = 0 and ġ = 0 with a second multiplier (Gear, Gupta, Leimkuhler).
enum class JointLevel { acceleration, velocity, position, ggl };

constexpr JointLevel joint_level(std::string_view name) {
  return name == "acceleration" ? JointLevel::acceleration
         : name == "velocity"   ? JointLevel::velocity
         : name == "position"   ? JointLevel::position
                                : JointLevel::ggl;
}

}  // namespace tappet
