// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "random_element.h"

namespace tappet::test {
namespace {

// The rows of a joint that move with the planar velocities v_x, v_y, ω_z of either body, at some planar poses.
template <class J>
int planar_rows(const J& joint, const Pair& start, Dice& dice) {
  std::vector<bool> used(joint.rows());
  for (int k = 0; k < 5; ++k) {
    Pair at = start;
    at.A = dice.planar_pose();
    at.B = dice.planar_pose();
    std::vector<double> W(12 * joint.rows()), chi(joint.rows());
    directions(joint, at, W.data(), chi.data());
    for (int r = 0; r < joint.rows(); ++r)
      for (int j : {0, 1, 5, 6, 7, 11}) used[r] = used[r] || W[12 * r + j] != 0.0;
  }
  return static_cast<int>(std::count(used.begin(), used.end(), true));
}
template <class J>
int planar_rows(J joint, Dice& dice) {
  const Pair start{dice.planar_pose(), dice.planar_pose()};
  joint.attach(start.A, start.B, true);
  return planar_rows(joint, start, dice);
}

TEST(Joints, planar_bodies_keep_exactly_the_rows_they_can_move) {
  Dice dice(1);
  Revolute revolute;
  revolute.at.world = {0.3, 0.2, 0};
  EXPECT_EQ(planar_rows(revolute, dice), 2);
  revolute.angle = TimeFunction(0.0);
  EXPECT_EQ(planar_rows(revolute, dice), 3);
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0.6, 0.8, 0}, Vec3d{-3, 1, 0}}) {
    Prismatic prismatic;
    prismatic.axis.world = axis;
    EXPECT_EQ(planar_rows(prismatic, dice), 2);
    prismatic.displacement = TimeFunction(0.0);
    EXPECT_EQ(planar_rows(prismatic, dice), 3);
    prismatic.axis = {true, {}, {axis, axis}};
    EXPECT_EQ(planar_rows(prismatic, dice), 3);
  }
  EXPECT_EQ(planar_rows(Spherical{}, dice), 2);
  EXPECT_EQ(planar_rows(Fixed{}, dice), 3);
  EXPECT_EQ(planar_rows(PlanarJoint{}, dice), 0);
  Distance distance;
  distance.at = {Vec3d{0.1, 0, 0}, Vec3d{0, 0.2, 0}};
  EXPECT_EQ(planar_rows(distance, dice), 1);
}

TEST(Joints, those_given_in_the_world_hold_as_the_bodies_stand) {
  for_each<Joints>([]<class J>() {
    Dice dice(2);
    for (int k = 0; k < 20; ++k) {
      const Pair start{dice.pose(), dice.pose()};
      J joint;
      RandomKeys keys{dice, true};
      joint.describe(keys);
      if constexpr (requires { joint.at.in_bodies; }) joint.at.in_bodies = false;
      if constexpr (requires { joint.at->in_bodies; }) joint.at->in_bodies = false;
      if constexpr (requires { joint.axis.in_bodies; }) joint.axis.in_bodies = false;
      if constexpr (requires { joint.cross_axis; }) joint.cross_axis = cross(joint.axis, joint.cross_axis);
      if constexpr (requires { joint.length; }) joint.length.reset();
      joint.attach(start.A, start.B, false);
      std::vector<double> g(joint.rows());
      value(joint, start, g.data());
      for (double x : g) EXPECT_NEAR(x, 0.0, 1e-14) << J::name;
    }
  });
}

// B turns by the drive about the axis, in space and in the plane, over ten revolutions and back.
TEST(Joints, a_driven_hinge_follows_its_drive_over_many_turns) {
  Graph graph;
  const TimeFunction drive(
      graph, graph.multiply(graph.constant(20 * std::numbers::pi), graph.unary(Operation::sin, graph.input(0))));
  for (bool planar : {false, true}) {
    Dice dice(3);
    Pair at;
    at.A = planar ? dice.planar_pose() : dice.pose();
    at.B = planar ? dice.planar_pose() : dice.pose();
    const Pose<double> B = at.B;
    Revolute hinge;
    hinge.at.world = B.p;
    hinge.axis.world = planar ? Vec3d{0, 0, 1} : dice.vector();
    hinge.angle = drive;
    hinge.attach(at.A, at.B, planar);
    const Vec3d axis_B = transposed_times(B.R, normalized(hinge.axis.world));
    for (double t = 0.0; t < 6.0; t += 0.1) {
      for (double error : {0.0, 0.01}) {
        at.t = t;
        at.B = tappet::displaced(B, {{}, (drive(t) + error) * axis_B});
        double g[6];
        value(hinge, at, g);
        for (int r = 0; r < 5; ++r) EXPECT_NEAR(g[r], 0.0, 1e-13);
        EXPECT_NEAR(g[5], planar ? error : std::sin(error), 1e-13) << t;
      }
    }
  }
}

TEST(Joints, a_driven_slider_follows_its_drive_and_a_driven_rod_its_length) {
  Graph graph;
  const Node wave = graph.unary(Operation::cos, graph.input(0));
  Prismatic slider;
  slider.axis.world = {0, 2, 0};
  slider.displacement = TimeFunction(graph, wave);
  slider.attach({}, {}, false);
  Pair at;
  at.t = 0.8;
  at.B.p = {0, std::cos(0.8) - 1.0, 0};
  double g[6];
  value(slider, at, g);
  for (double x : g) EXPECT_NEAR(x, 0.0, 1e-15);

  Distance rod;
  rod.length = TimeFunction(graph, graph.add(graph.constant(1.0), wave));
  rod.attach({}, {}, false);
  at.B.p = (1.0 + std::cos(0.8)) * Vec3d{0.6, 0, 0.8};
  value(rod, at, g);
  EXPECT_NEAR(g[0], 0.0, 1e-15);
  at.t = 0.0;
  at.B.p = {2.001, 0, 0};
  value(rod, at, g);
  EXPECT_NEAR(g[0], 0.001, 1e-6);
}

TEST(Joints, a_rod_without_length_is_refused) {
  Distance rod;
  EXPECT_THROW(rod.attach({}, {}, false), std::invalid_argument);
}

TEST(VelocityJoints, a_ball_rolls_where_the_velocity_of_its_centre_is_spin_cross_radius) {
  Rolling rolling;
  rolling.radius = 0.5;
  rolling.attach({}, {}, false);
  Pair at;
  at.A.p = {1, 2, 0.5};
  const Vec3d spin{0.3, -0.7, 2.0};
  const PairTwist u{{cross(spin, Vec3d{0, 0, 0.5}), spin}, {}};
  double W[36], chi[3];
  directions(rolling, at, W, chi);
  for (int r = 0; r < 3; ++r) {
    double gamma = chi[r];
    for (int i = 0; i < 12; ++i) gamma += W[12 * r + i] * entry(u, i);
    EXPECT_NEAR(gamma, 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace tappet::test
