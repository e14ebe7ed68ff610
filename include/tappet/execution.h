// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string_view>
#include <type_traits>

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

// How a computation is carried out: the number of threads for its loops, and whether the time of its phases is
// measured. A run owns one and passes it to everything that computes for it. Runs at the same time have one each and do
// not disturb each other. Results have the same bits on any number of threads.
class Execution {
 public:
  explicit Execution(int threads, bool profiled = false);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // One thread and no profile. It is constant, so everyone may use it.
  static const Execution serial;

  int threads() const { return threads_; }
  Profile* profile() const { return profile_.get(); }  // null if the time is not measured

  using Range = void (*)(void* context, int first, int last);
  void ranges(int size, int grain, Range range, void* context) const;  // see parallel_for

 private:
  struct Arena;
  constexpr Execution() = default;

  int threads_ = 1;
  std::unique_ptr<Profile> profile_;
  std::unique_ptr<Arena> arena_;  // null if there is one thread
};

// Calls f(first, last) over 0 … size − 1 in pieces of about `grain`, on several threads if this is worthwhile. Every
// index must be independent of the others. The result then has the same bits on any number of threads. A loop within a
// piece of another loop runs on the thread of that piece.
template <class F>
void parallel_for(const Execution& execution, int size, int grain, F&& f) {
  if (size <= grain || execution.threads() == 1) {
    if (size > 0) f(0, size);
    return;
  }
  using Function = std::remove_reference_t<F>;
  execution.ranges(
      size, grain, [](void* context, int first, int last) { (*static_cast<Function*>(context))(first, last); },
      const_cast<void*>(static_cast<const void*>(&f)));
}

// Assigns the time from here to the end of the scope to a phase, if the execution measures time.
class InPhase {
 public:
  InPhase(const Execution& execution, Phase phase) : profile_(execution.profile()) {
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
