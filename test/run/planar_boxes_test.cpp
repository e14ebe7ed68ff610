// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Box colliders of bodies in the plane: two edges, or one for a square.
#include <gtest/gtest.h>

#include "run/simulate.h"

namespace tappet {
namespace {

State resting(const std::string& size, const std::string& floor) {
  const std::string text = R"(
bodies: {a: {type: planar, mass: 1, inertia: 0.1, position: [0, 0.12]}}
forces: {gravity: {type: gravity, acceleration: [0, -9.81]}}
colliders:
  box: {type: box, body: a, mu: 0.3, size: )" +
                           size + "}\n  floor: " + floor + "\n";
  const Result result = simulate(parse_model(text, "test.yaml"), {.scheme = "moreau-jean", .dt = 1e-3, .end = 0.5});
  EXPECT_TRUE(result.done()) << result.summary.message;
  return result.state;
}

// Half the height above the floor; moreau-jean closes a gap up to what the step of the impact leaves.
TEST(PlanarBoxes, rest_with_half_their_height_above_the_floor) {
  const std::string plane = "{type: plane, body: ground, normal: [0, 1], mu: 0.3}";
  const std::string slab = "{type: box, body: ground, size: [2, 0.5], center: [0, -0.25], mu: 0.3}";
  for (const std::string& floor : {plane, slab})
    for (const char* size : {"[0.4, 0.2]", "0.2", "[0.4, 0.2, 7]"}) {
      const State state = resting(size, floor);
      EXPECT_NEAR(state.q[0], 0.0, 1e-9) << size;
      EXPECT_NEAR(state.q[1], 0.1, 2e-3) << size;
      EXPECT_NEAR(state.q[2], 0.0, 1e-9) << size;
      EXPECT_NEAR(state.u[1], 0.0, 1e-8) << size;
    }
}

}  // namespace
}  // namespace tappet
