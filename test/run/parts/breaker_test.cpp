// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The circuit breaker of Acary 2012 with schemes that leave no penetration: a mechanism with clearance in every joint.
#include <gtest/gtest.h>

#include "model/model.h"
#include "run/simulate.h"
#include "support/paths.h"

namespace tappet {
namespace {

// With a clearance of 0.01 mm and steps of 2 µs, neither form of the iteration converges in two of the first 150 steps.
// Half steps do.
TEST(CircuitBreaker, a_step_that_does_not_converge_is_halved_and_nothing_penetrates) {
  for (const char* halvings : {"0", "5"}) {
    Model model = load(test::shipped_models() + "/acary2012/circuit_breaker.yaml", {{"c", "1e-5"}});
    model.run.scheme = "combined-projection", model.run.dt = 2e-6, model.run.end = 3e-4, model.run.record_every = 50;
    model.run.options = {{"metric", "kinetic", {}}, {"halvings", halvings, {}}};
    const Result result = simulate(model);
    ASSERT_TRUE(result.done()) << result.summary.message;
    if (*halvings == '0') {
      EXPECT_GE(result.summary.unconverged_steps, 1);
      continue;
    }
    EXPECT_EQ(result.summary.unconverged_steps, 0);
    EXPECT_LE(result.summary.violation.max, 1e-11);
  }
}

// Newton's index sets go round in circles in many steps, because most contacts depend on each other. Each of these
// steps takes more than 16 iterations, unless the levels come first.
TEST(CircuitBreaker, generalized_alpha_begins_with_the_levels_where_newton_fails) {
  Model model = load(test::shipped_models() + "/acary2012/circuit_breaker.yaml");
  model.run.scheme = "generalized-alpha", model.run.dt = 1e-6, model.run.end = 8e-4, model.run.record_every = 50;
  model.run.options.clear();
  const Result result = simulate(model);
  ASSERT_TRUE(result.done()) << result.summary.message;
  EXPECT_EQ(result.summary.unconverged_steps, 0);
  EXPECT_LE(result.summary.violation.max, 1e-12);
  EXPECT_LE(result.summary.mean_iterations, 7.0);
}

}  // namespace
}  // namespace tappet
