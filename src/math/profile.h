// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <string_view>

namespace tappet {

// Where the time of a run goes. A phase within another takes its time from that one.
enum class Phase { other, broad_phase, narrow_phase, evaluate, assemble, solve, record };
inline constexpr int phases = 7;
constexpr std::string_view name(Phase phase) {
  constexpr std::string_view names[phases] = {"other",    "broad phase", "narrow phase", "evaluate",
                                              "assemble", "solve",       "record"};
  return names[static_cast<int>(phase)];
}

struct Profile {
  std::array<double, phases> seconds{};

  // The profile of the program, where one is being made: nothing but this pointer is looked at where none is.
  static inline Profile* current = nullptr;
  Phase phase = Phase::other;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();

  void enter(Phase next) {
    const auto now = std::chrono::steady_clock::now();
    seconds[static_cast<int>(phase)] += std::chrono::duration<double>(now - since).count();
    phase = next, since = now;
  }
};

// From here to the end of the scope.
class InPhase {
 public:
  explicit InPhase(Phase phase) : profile_(Profile::current) {
    if (profile_) outer_ = profile_->phase, profile_->enter(phase);
  }
  ~InPhase() {
    if (profile_) profile_->enter(outer_);
  }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  Profile* profile_;
  Phase outer_ = Phase::other;
};

}  // namespace tappet
