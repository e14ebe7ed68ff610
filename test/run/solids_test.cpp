// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Convex solids, terrain and journals in whole runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "run/make_stepper.h"
#include "run/simulate.h"
#include "support/allocations.h"
#include "support/paths.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

std::string mesh(const std::string& name) { return test::data() + "/meshes/" + name; }

TEST(Solids, a_cube_from_an_stl_file_rests_on_a_plane_for_ten_seconds) {
  const Model model = parse_model(fmt::format(R"yaml(
geometry: {{cube: {{type: convex, file: {}}}}}
bodies: {{cube: {{type: rigid, geometry: cube, density: 1000, position: [0, 0, 0.05]}}}}
colliders:
  cube: {{type: convex, geometry: cube, body: cube, mu: 0.3}}
  floor: {{type: plane, body: ground, normal: [0, 0, 1], mu: 0.3}}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
run: {{scheme: moreau-midpoint, dt: 1e-3, end: 10, tolerance: 1e-12}}
)yaml",
                                              mesh("cube.stl")),
                                  "cube.yaml");
  const auto& cube = std::get<RigidBody>(model.bodies[0].element);
  EXPECT_NEAR(cube.mass, 1.0, 1e-7);  // the file has single precision
  EXPECT_NEAR(cube.inertia(0, 0), 1.0 * 0.01 / 6.0, 1e-9);
  const Result result = simulate(model);
  ASSERT_TRUE(result.done());
  EXPECT_EQ(result.summary.max_closed, 4);
  EXPECT_EQ(result.summary.unconverged_steps, 0);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.q.back()[i], result.q.front()[i], 1e-12) << i;
}

// The plate has 400 coplanar triangles on its upper side. They are one face.
TEST(Solids, a_ball_slides_over_coplanar_triangles_as_over_a_plane) {
  const Model model = parse_model(fmt::format(R"yaml(
geometry: {{plate: {{type: convex, file: {}, rounding: 1e-3}}}}
bodies:
  ball: {{type: rigid, mass: 1, inertia: [4e-3, 4e-3, 4e-3], position: [-0.8, -0.33, 0.1], velocity: [1.6, 0.61, 0]}}
colliders:
  plate: {{type: convex, geometry: plate, body: ground}}
  ball: {{type: sphere, body: ball, radius: 0.05}}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
run: {{scheme: moreau-midpoint, dt: 1e-3, end: 1, tolerance: 1e-14}}
)yaml",
                                              mesh("plate.ply")),
                                  "plate.yaml");
  const Result result = simulate(model);
  ASSERT_TRUE(result.done());
  const double level = result.q.front()[2];
  for (size_t k = 0; k < result.t.size(); ++k) {
    EXPECT_NEAR(result.q[k][0], -0.8 + 1.6 * result.t[k], 1e-12);
    EXPECT_NEAR(result.q[k][1], -0.33 + 0.61 * result.t[k], 1e-12);
    EXPECT_NEAR(result.q[k][2], level, 1e-12);
  }
}

// All pairs of features give the same motion as the corners of the patch. The plate has 400 triangles on its upper
// side.
TEST(Solids, the_full_set_of_contacts_gives_the_same_motion_as_the_corners) {
  const auto run = [](const char* reduction) {
    return simulate(parse_model(fmt::format(R"yaml(
geometry:
  plate: {{type: convex, file: {}, rounding: 1e-3}}
  cube: {{type: convex, file: {}}}
bodies:
  cube: {{type: rigid, geometry: cube, density: 1000, position: [0.013, -0.171, 0.10000001], velocity: [0.3, 0.2, 0]}}
colliders:
  plate: {{type: convex, geometry: plate, body: ground, mu: 0.2}}
  cube: {{type: convex, geometry: cube, body: cube, mu: 0.2}}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
run: {{scheme: moreau-midpoint, dt: 1e-3, end: 0.3, tolerance: 1e-13, reduction: {}}}
)yaml",
                                            mesh("plate.ply"), mesh("cube.stl"), reduction),
                                "cube.yaml"));
  };
  const Result corners = run("on"), all = run("off");
  ASSERT_TRUE(corners.done() && all.done());
  EXPECT_LE(corners.summary.max_found, 8);
  EXPECT_GT(all.summary.max_found, 12);
  EXPECT_TRUE(corners.summary.reduces);
  EXPECT_FALSE(all.summary.reduces);
  EXPECT_EQ(corners.summary.max_pairs, all.summary.max_pairs);  // counted, and found
  EXPECT_EQ(all.summary.max_kept, all.summary.max_pairs);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(corners.q.back()[i], all.q.back()[i], 1e-9) << i;
  EXPECT_GT(corners.q.back()[0] - corners.q.front()[0], 0.02);  // it slides until friction stops it
}

// A pin in a bore sinks by the clearance under its weight, and rests there.
TEST(Solids, a_journal_rests_at_the_bottom_of_its_bore) {
  const Model model = parse_model(R"yaml(
bodies: {shaft: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0]}}
contacts:
  J: {type: pin-in-bore, bodies: [shaft, ground], radii: [0.01, 0.0102], axes: [[1, 0, 0], [1, 0, 0]], length: 0.04,
      axial: 1e-3, flange: 0.015, mu: 0.1}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
run: {scheme: combined-projection, dt: 1e-4, end: 0.2}
)yaml",
                                  "journal.yaml");
  ASSERT_EQ(model.contacts.size(), 10u);
  const Result result = simulate(model);
  ASSERT_TRUE(result.done());
  EXPECT_NEAR(result.state.q[2], -2e-4, 1e-9);
  for (int i : {0, 1, 4, 5, 6}) EXPECT_NEAR(result.state.q[i], 0.0, 1e-9) << i;
}

// A push along the axis moves the shaft by half of the axial play.
TEST(Solids, flanges_stop_a_journal_along_its_axis) {
  const Model model = parse_model(R"yaml(
bodies: {shaft: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01]}}
contacts:
  J: {type: pin-in-bore, bodies: [shaft, ground], radii: [0.01, 0.0102], length: 0.04, axial: 1e-3, flange: 0.015}
forces: {push: {type: gravity, acceleration: [0, 0, 1]}}
run: {scheme: combined-projection, dt: 1e-4, end: 0.2}
)yaml",
                                  "journal.yaml");
  const Result result = simulate(model);
  ASSERT_TRUE(result.done());
  EXPECT_NEAR(result.state.q[2], 5e-4, 1e-9);
}

// On a plane slope that is written as a terrain, a ball with enough friction rolls with 5/7 g sin(angle).
TEST(Solids, a_ball_rolls_down_a_terrain_as_theory_says) {
  const Model model = parse_model(R"yaml(
parameters: {R: 0.1, m: 1, c: sqrt(1.04)}
geometry: {slope: {type: terrain, height: 0.2*x, size: [8, 4], spacing: 0.5}}
bodies: {ball: {type: rigid, mass: m, inertia: [0.4*m*R^2, 0.4*m*R^2, 0.4*m*R^2], position: [-0.2*R/c, 0, R/c]}}
colliders:
  slope: {type: terrain, geometry: slope, body: ground, mu: 0.5}
  ball: {type: sphere, body: ball, radius: R, mu: 0.5}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 1, tolerance: 1e-12}
)yaml",
                                  "slope.yaml");
  const Result result = simulate(model);
  ASSERT_TRUE(result.done());
  const double s = 0.5 * 5.0 / 7.0 * 9.81 * 0.2 / std::sqrt(1.04);
  const double start = -0.2 * 0.1 / std::sqrt(1.04);
  EXPECT_NEAR(result.state.q[0], start - s / std::sqrt(1.04), 2e-3 * s);
  // The gap at the start is zero up to round-off. If it is not negative, the ball falls freely during the first step.
  EXPECT_LE(result.summary.violation.max, 9.81 * 1e-3 * 1e-3);
}

// A ball that rolls through hills: the error falls with the square of the step.
TEST(Solids, a_ball_rolling_over_hills_converges_with_order_two) {
  const auto end = [](double dt) {
    const Model model = parse_model(R"yaml(
parameters: {R: 0.1, m: 1}
geometry: {hills: {type: terrain, height: 0.08*cos(1.5*x)*cos(1.2*y), size: [8, 8], spacing: 0.1}}
bodies: {ball: {type: rigid, mass: m, inertia: [0.4*m*R^2, 0.4*m*R^2, 0.4*m*R^2], position: [0, 0, 0.08 + R],
                velocity: [0.6, 0.35, 0], spin: [-3.5, 6, 0]}}
colliders:
  hills: {type: terrain, geometry: hills, body: ground, mu: 0.9}
  ball: {type: sphere, body: ball, radius: R, mu: 0.9}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
run: {scheme: generalized-alpha, dt: 1e-3, end: 0.5}
)yaml",
                                    "hills.yaml");
    const Result result = simulate(model, {.dt = dt});
    EXPECT_TRUE(result.done());
    return Vec3d{result.state.q[0], result.state.q[1], result.state.q[2]};
  };
  const Vec3d a = end(2e-3), b = end(1e-3), c = end(5e-4);
  EXPECT_GT(std::log2(norm(a - b) / norm(b - c)), 1.9);
}

}  // namespace
}  // namespace tappet
