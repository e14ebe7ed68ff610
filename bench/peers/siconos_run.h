// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SiconosKernel.hpp>
#include <functional>

#include "row.h"

// Measures only the steps of the kernel of Siconos.
namespace peers {

struct Run {
  int steps = 0;
  double seconds = 0.0;
  double us() const { return 1e6 * seconds / steps; }
};

// Instructions are counted in this function only.
[[gnu::noinline]] inline void timed_step(Simulation& simulation) {
  simulation.advanceToEvent();
  simulation.processEvents();
}

inline Run run(Simulation& simulation, int steps, const std::function<void()>& watch) {
  Run r;
  for (; r.steps < steps && simulation.hasNextEvent(); ++r.steps) {
    const double from = processor_seconds();
    timed_step(simulation);
    r.seconds += processor_seconds() - from - clock_cost();
    watch();
  }
  return r;
}

inline auto every(double h) { return std::make_shared<TimeDiscretisation>(0.0, h); }

}  // namespace peers
