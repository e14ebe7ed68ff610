// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The models of models/basics against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "run/models.h"
#include "run/simulate.h"
#include "support/mechanism.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

Model basic(const std::string& name, const Overrides& set = {}) { return load(find_model(name), set); }

// The point leaves the dome where v² = g R cos θ: with energy, at c = cos θ = 2/3 cos θ₀. From there v_x = c √(g R c).
TEST(Basics, a_point_leaves_the_dome_at_two_thirds_of_its_height) {
  for (const auto& [scheme, dt, tolerance] : {std::tuple{"event-driven", 1e-2, 1e-8}, {"moreau-jean", 1e-4, 3e-3}}) {
    const Result result = simulate(basic("off_the_dome"), {.scheme = scheme, .dt = dt, .end = 1.0});
    ASSERT_TRUE(result.done()) << result.summary.message;
    const double c = 2.0 / 3.0 * std::cos(M_PI / 18);
    EXPECT_NEAR(result.state.u[0], c * std::sqrt(9.81 * c), tolerance) << scheme;
    EXPECT_NEAR(result.summary.energy.total(), 9.81 * std::cos(M_PI / 18), 10 * tolerance) << scheme;
  }
}

// At rest the motor carries the weight: k_p φ = m g l/2 sin φ has φ = 0 as its only solution while k_p > m g l/2.
TEST(Basics, the_controlled_pendulum_comes_to_rest_upright) {
  const State state = simulate(basic("controlled_pendulum"), {.end = 6.0}).state;
  EXPECT_NEAR(state.q[2], 0.0, 1e-6);
  EXPECT_NEAR(state.u[2], 0.0, 1e-6);
}

TEST(Basics, the_board_has_a_peg_for_every_pair_of_indices) {
  const Model model = basic("pegs", {{"rows", "4"}});
  ASSERT_EQ(model.contacts.size(), 4u * 5 / 2 + 1);
  EXPECT_EQ(model.contacts[9].name, "peg.3.3");
  const Mechanism system(model);
  Evaluator evaluate(system);
  Vec gaps;
  evaluate.gaps(0.0, system.initial().q, gaps);
  // peg (i, j) stands at ((j − i/2) pitch, −i pitch), the disc at (x0, 0.15)
  EXPECT_NEAR(gaps[9], std::hypot(0.011 - 1.5 * 0.1, 0.15 + 3 * 0.1) - 0.028, 1e-15);
}

}  // namespace
}  // namespace tappet
