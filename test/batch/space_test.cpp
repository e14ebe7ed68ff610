// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batches.h"

namespace tappet {
namespace {

// The tippe top slides, spins and rolls under friction that also resists drilling.
TEST_F(Batches, tippe_tops_move_as_those_of_the_engine) {
  const Difference found = difference(study(R"yaml(
model: tippe_top
scheme: moreau-midpoint
dt: 1e-4
end: 0.2
vary:
  mu: {uniform: [0.2, 0.4]}
  Omega: {uniform: [150, 200]}
  m: {uniform: [5e-3, 7e-3]}
samples: 32
measure: {x: {final: top.x}, y: {final: top.y}, a: {final: top.qw}, u: {final: top.vx}, v: {final: top.wz},
          w: {final: top.wx}, p: {sum: ball.P_N}, d: {max: ball.P_F3}}
)yaml"));
  expect_equal_motion(found.largest);
  EXPECT_LE(found.largest[6], 1e-10);
  EXPECT_LE(found.largest[7], 1e-10);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(found.report.on_the_host, 0);
}

}  // namespace
}  // namespace tappet
