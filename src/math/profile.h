// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <string_view>

namespace tappet {

// Where the time of a run goes. If a phase lies within another one, its time counts only for the inner phase.
enum class Phase { other, broad_phase, narrow_phase, evaluate, assemble, solve, record };
inline constexpr int phases = 7;
constexpr std::string_view name(Phase phase) {
  constexpr std::string_view names[phases] = {"other",    "broad phase", "narrow phase", "evaluate",
                                              "assemble", "solve",       "record"};
  return names[static_cast<int>(phase)];
}

// The seconds that one thread spends in each phase. A profile belongs to one run (Execution) and is used by one thread
// only.
struct Profile {
  using Clock = std::chrono::steady_clock;
  std::array<double, phases> seconds{};
  Phase phase = Phase::other;
  Clock::time_point since = Clock::now();

  void enter(Phase next) {
    const auto now = Clock::now();
    seconds[static_cast<int>(phase)] += std::chrono::duration<double>(now - since).count();
    phase = next, since = now;
  }
};

}  // namespace tappet
