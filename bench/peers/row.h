// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <ctime>
#include <string>

// One line of the table. (C++17: Boost's matrices, which Siconos includes, do not compile as C++20.)
namespace peers {

// The processor time of this thread, since every engine works on one. Other programs on the machine do not count. (The
// clock of the process advances in ticks of 4 ms if its processor time is limited, as it is by the program that runs
// the cases.)
inline double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// The time that reading the clock adds.
inline double clock_cost() {
  static const double cost = [] {
    const double from = processor_seconds();
    for (int k = 0; k < 999; ++k) processor_seconds();
    return (processor_seconds() - from) / 1000.0;
  }();
  return cost;
}

struct Row {
  std::string test, engine, setting;
  int steps = 0;
  double us_per_step = 0.0;
  double penetration = 0.0;  // largest, m; < 0: does not apply
  std::string error;         // a name, a value and a unit
};
constexpr const char* siconos_name = "Siconos 4.4, assertions on";  // as Debian builds its kernel

// The instruction counter writes the count of a row here.
[[gnu::noinline]] inline void end_of_row() { asm volatile(""); }

inline void print(const Row& r) {
  end_of_row();
  std::printf("%s\t%s\t%s\t%d\t%.4g\t%s\t%s\n", r.test.c_str(), r.engine.c_str(), r.setting.c_str(), r.steps,
              r.us_per_step, r.penetration < 0.0 ? "" : std::to_string(1e6 * r.penetration).c_str(), r.error.c_str());
  std::fflush(stdout);
}

}  // namespace peers
