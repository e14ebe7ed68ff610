// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solvers/make_solver.h"
#include "steppers/stepper.h"
#include "support/allocations.h"
#include "support/mechanism.h"
#include "support/paths.h"
#include "system/evaluator.h"

namespace tappet::test {

inline Model shipped(const std::string& path, const Overrides& set = {}) {
  return load(test::shipped_models() + "/" + path + ".yaml", set);
}

inline std::unique_ptr<ContactSolver> solver() { return make_solver("auto", {}); }

// A scheme as the parameter of a test.
struct Scheme {
  std::string name;
  std::function<std::unique_ptr<Stepper>(const Mechanism&)> make;
};
inline void PrintTo(const Scheme& scheme, std::ostream* out) { *out << scheme.name; }

// What a run left behind.
struct Run {
  State state;
  int unconverged = 0, impulsive = 0;
  double violation = 0;  // largest −g_N
};

using Observer = std::function<void(const State&, const StepReport&, const Impulses&)>;

inline Run run(const Mechanism& system, Stepper& stepper, double dt, double end, const Observer& observe = {}) {
  Run result{system.initial()};
  Evaluator evaluate(system);
  Vec gaps;
  const long steps = std::lround(end / dt);
  for (long k = 0; k < steps; ++k) {
    const StepReport report = stepper.step(result.state, dt);
    result.state.t = (k + 1) * dt;
    result.unconverged += !report.converged();
    result.impulsive += report.impulsive;
    evaluate.gaps(result.state.t, result.state.q, gaps);
    for (double g : gaps) result.violation = std::max(result.violation, -g);
    if (observe) observe(result.state, report, stepper.impulses());
  }
  return result;
}

// The slope of log error over log dt between the first and the last point.
inline double order(const std::vector<double>& dt, const std::vector<double>& error) {
  return std::log(error.front() / error.back()) / std::log(dt.front() / dt.back());
}

// Steps until memory has been seen once, then demands that `steps` more ask for none.
inline void expect_no_allocation(const Mechanism& system, Stepper& stepper, double dt, int warm_up, int steps) {
  State state = system.initial();
  for (int k = 0; k < warm_up; ++k) stepper.step(state, dt);
  const long before = allocations();
  for (int k = 0; k < steps; ++k) stepper.step(state, dt);
  EXPECT_EQ(allocations() - before, 0);
}

}  // namespace tappet::test
