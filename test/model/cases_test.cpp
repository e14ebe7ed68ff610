// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The examples state the systems of the reference solutions (test/data/cases). Energies, gaps and slip velocities are
// compared at states that those files list.
#include <gtest/gtest.h>

#include <cmath>

#include "model/model.h"
#include "support/paths.h"

namespace tappet {
namespace {

class Shipped {
 public:
  explicit Shipped(const std::string& name, const Overrides& set = {})
      : model(load(test::shipped_models() + "/" + name, set)) {
    for (const Coordinate& c : model.formulas.coordinates) q.push_back(c.position), u.push_back(c.velocity);
  }

  double value(Node f) const { return model.formulas.graph.evaluate(f, inputs()); }
  double energy() const { return value(*model.formulas.kinetic) + value(*model.formulas.potential); }
  double gap(int contact) const { return value(model.formulas.contacts[contact].gap); }
  // γ_F, no matter whether the model gives the slip or its velocity.
  double slip_velocity(int contact) {
    const FormulaContact& c = model.formulas.contacts[contact];
    Graph& graph = model.formulas.graph;
    if (c.slip_is_velocity) return value(c.slip[0]);
    double sum = value(graph.derivative(c.slip[0], graph.input(0)));
    for (std::size_t i = 0; i < q.size(); ++i) sum += value(graph.derivative(c.slip[0], graph.input(1 + i))) * u[i];
    return sum;
  }

  Model model;
  double t = 0;
  std::vector<double> q, u;

 private:
  std::vector<double> inputs() const {
    std::vector<double> x{t};
    x.insert(x.end(), q.begin(), q.end());
    x.insert(x.end(), u.begin(), u.end());
    return x;
  }
};

TEST(cases, slider_crank_starts_with_the_energy_and_clearance_of_case_08) {
  Shipped m("schindler2014/slider_crank.yaml");
  EXPECT_NEAR(m.energy(), 7.49554875, 1e-14);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(m.gap(i), 0.001, 1e-17);
  EXPECT_NEAR(Shipped("schindler2014/slider_crank.yaml", {{"J2", "8.9e-4"}}).energy(), 8.33929875, 1e-14);
  // At the first impact the two upper corners touch.
  m.q = {0.3553044550277443, -0.17150954094017348, 0};
  m.u = {108.79372856053547, -52.87518787462338, 0};
  EXPECT_NEAR(m.gap(0), 0.0, 1e-15);
  EXPECT_NEAR(m.gap(1), 0.0, 1e-15);
  EXPECT_NEAR(m.gap(2), 0.002, 1e-15);
  EXPECT_NEAR(m.energy(), 7.467576073737151, 1e-12);
}

TEST(cases, slider_crank_corners_turn_with_the_slider) {
  Shipped m("schindler2014/slider_crank.yaml");
  m.q = {0, 0, 0.3};  // corners at (∓a, ±b), turned by 0.3
  const double a = 0.05, b = 0.025, half = 0.026, s = std::sin(0.3), c = std::cos(0.3), x[] = {-a, a, -a, a};
  for (int i = 0; i < 4; ++i) {
    const double y = i < 2 ? b : -b, height = x[i] * s + y * c;
    EXPECT_NEAR(m.gap(i), half - (i < 2 ? height : -height), 1e-16);
    EXPECT_NEAR(m.value(m.model.formulas.contacts[i].slip[0]), 0.459 + x[i] * c - y * s, 1e-15);
  }
}

TEST(cases, slider_crank_bilateral_starts_consistently_with_the_energy_of_case_08) {
  Shipped m("schoeder2013/slider_crank_bilateral.yaml");
  EXPECT_NEAR(m.energy(), 7.49554875, 1e-14);
  EXPECT_NEAR(m.u[1], -75.0, 1e-13);
  // the state listed at t = 0.01
  m.q = {0.948018901615741952287, -0.4182159065134010577699, 0};
  m.u = {67.56226308950139243899, -21.56269248765928472316, 0};
  EXPECT_NEAR(m.value(m.model.formulas.joints[0].rows[0]), 0.0, 1e-15);
  EXPECT_NEAR(m.energy(), 7.49554875, 1e-11);
}

TEST(cases, rotating_ball_rolls_in_the_state_of_case_03) {
  Shipped m("capobianco2021/rotating_ball.yaml");
  EXPECT_EQ(m.q, (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(m.u, (std::vector<double>{0, 0, 50}));
  m.q = {0, 0.1, 0};
  m.u = {-1.428571428571428571428571, 0, 14.28571428571428571428571};
  EXPECT_NEAR(m.gap(0), 0.0, 1e-16);
  EXPECT_NEAR(m.slip_velocity(0), 0.0, 1e-15);
}

TEST(cases, ball_in_box_has_the_energy_of_case_04) {
  Shipped m("schindler2014/ball_in_box.yaml");
  m.q = {1.957521453944373284376239, 1.975475};
  m.u = {-0.8495709211125343124752124, -0.4905};
  EXPECT_NEAR(m.energy(), 26.80141842225068624950425, 1e-13);
  m.q = {1, 1};
  EXPECT_EQ(m.gap(0), 0.0);
  EXPECT_EQ(m.gap(3), 0.0);
  EXPECT_EQ(m.gap(1), 2.0);
}

TEST(cases, sliding_block_starts_as_case_05) {
  Shipped m("potra2006/sliding_block.yaml");
  EXPECT_EQ(m.q, (std::vector<double>{3, 0}));
  m.t = 0.7;
  EXPECT_DOUBLE_EQ(m.value(*m.model.formulas.forces[0]), 8 * std::cos(0.7));
  EXPECT_DOUBLE_EQ(m.model.formulas.contacts[0].law.mu[0], 0.8);
}

TEST(cases, double_pendulum_has_joints_and_energy_of_case_06) {
  Shipped m("potra2006/double_pendulum_wall.yaml");
  for (const FormulaJoint& joint : m.model.formulas.joints) EXPECT_NEAR(m.value(joint.rows[0]), 0.0, 1e-15);
  // the end state, in angles from the downward vertical
  const double th[] = {0.02194801963848388, 0.00190505309787621}, w[] = {-0.01270959104675067, 0.07689308053283407};
  m.q = {0.02194625756380804, -0.99975915188556439, 0.02385130950937267, -1.99975733727246033};
  m.u = {std::cos(th[0]) * w[0], std::sin(th[0]) * w[0], std::cos(th[0]) * w[0] + std::cos(th[1]) * w[1],
         std::sin(th[0]) * w[0] + std::sin(th[1]) * w[1]};
  EXPECT_NEAR(m.energy(), -29.423116035336573, 1e-12);
  for (const FormulaJoint& joint : m.model.formulas.joints) EXPECT_NEAR(m.value(joint.rows[0]), 0.0, 1e-14);
}

TEST(cases, two_carts_have_the_energy_of_case_07) {
  Shipped m("potra2006/two_carts.yaml");
  EXPECT_EQ(m.q, (std::vector<double>{0.1, 5.1, 0, 0}));
  EXPECT_EQ(m.u, (std::vector<double>{-2, -2, 0, 0}));
  m.q = {0.00157107126185231546, 4.98129693048449185, 0, 0};
  m.u = {0.168898498591298425, 0.0693047189780642312, 0, 0};
  EXPECT_NEAR(m.energy(), 1.98536691145795625, 1e-14);
  EXPECT_NEAR(m.value(*m.model.formulas.forces[0]), 100 * (0.0693047189780642312 - 0.168898498591298425), 1e-13);
}

TEST(cases, painleve_rod_detaches_with_the_slip_of_case_10) {
  Shipped m("capobianco2021/painleve_rod.yaml");
  EXPECT_EQ(m.gap(0), 0.0);
  m.q = {18.587282362638888823, std::sin(std::acos(-1.0) / 4), std::acos(-1.0) / 4};
  m.u = {11.992259108051095671, 2.6591479484724943081, 3.7606030930863935681};
  EXPECT_NEAR(m.gap(0), 0.0, 1e-15);
  EXPECT_NEAR(m.slip_velocity(0), 9.333111159578601363, 1e-14);
}

TEST(cases, ball_in_cylinder_rolls_in_the_state_of_case_11) {
  Shipped m("capobianco2021/ball_in_cylinder.yaml");
  EXPECT_NEAR(m.gap(0), 0.0, 1e-15);
  m.q = {0.5145074299316452, 0.26156780639984745, -7.132271286218059};
  m.u = {2.238903459770947, 1.559970536137769, -27.287720270832953};
  EXPECT_NEAR(m.gap(0), 0.0, 1e-14);
  EXPECT_NEAR(m.slip_velocity(0), 0.0, 1e-12);
}

TEST(cases, ball_in_corner_touches_and_sticks_as_in_case_14) {
  Shipped m("capobianco2021/ball_in_corner.yaml");
  m.q = {-0.5, 0.6414213562373096, 0};
  m.u = {0.9472915870231807, -0.9472915870231807, -13.396726098901151};
  EXPECT_NEAR(m.gap(1), 0.0, 1e-15);
  EXPECT_GT(m.gap(0), 0.5);
  EXPECT_NEAR(m.slip_velocity(1), 0.0, 1e-14);
  m.q = {0, 0.14142135623730953, 0};
  m.u = {-0.4495371486700772, 1.6483028784569498, -8.47655376586338};
  EXPECT_NEAR(m.gap(0), 0.0, 1e-15);
  EXPECT_NEAR(m.slip_velocity(0), 0.0, 1e-14);
}

TEST(cases, rocking_block_starts_above_the_floor) {
  Shipped m("acary2012/rocking_block.yaml");
  EXPECT_DOUBLE_EQ(m.gap(0), 1 - 0.75 * std::cos(0.2) + 0.5 * std::sin(0.2));  // (9)
  EXPECT_DOUBLE_EQ(m.gap(1), 1 - 0.75 * std::cos(0.2) - 0.5 * std::sin(0.2));
  EXPECT_DOUBLE_EQ(m.value(*m.model.formulas.kinetic), (1.5 * 1.5 + 1) / 12 * 0.04 / 2);
}

TEST(cases, pendulum_in_ring_hangs_a_centimetre_above_the_ring) {
  Shipped m("acary2012/pendulum_in_ring.yaml");
  EXPECT_NEAR(m.gap(0), 1e-2, 1e-15);
  EXPECT_NEAR(m.slip_velocity(0), -10.0, 1e-14);  // the end of the rod rests, the ring moves at R ω
  m.u[3] = 1;                                     // turning about the end leaves it in place
  m.u[1] = std::sqrt(0.6);
  EXPECT_NEAR(m.slip_velocity(0), -10.0, 1e-13);
}

TEST(cases, tippe_top_falls_for_the_time_of_case_15) {
  const Model model = load(test::shipped_models() + "/capobianco2021/tippe_top.yaml");
  const auto& top = std::get<RigidBody>(model.bodies[0].element);
  const auto& ball = std::get<SpherePlane>(model.contacts[0].element);
  const double gap = top.position.z + rotation_matrix(top.rotation).z.z * ball.center.z - ball.radius;
  EXPECT_NEAR(std::sqrt(2 * gap / 9.81), 5.047346488243217e-05, 1e-12);
}

TEST(cases, elastic_bar_has_the_energy_of_case_09) {
  const Model model = load(test::shipped_models() + "/acary2012/elastic_bar.yaml");
  const auto& bar = std::get<ElasticBar>(model.bodies[0].element);
  std::vector<double> q(bar.size()), u(bar.size());
  bar.initial(q.data(), u.data());
  EXPECT_NEAR(bar.kinetic_energy(u.data()), 0.01225221134900019363, 1e-15);
}

TEST(cases, bowling_ball_slips_as_case_12) {
  const Model model = load(test::shipped_models() + "/rigid/bowling_ball.yaml");
  const auto& ball = std::get<RigidBody>(model.bodies[0].element);
  const Vec3d slip = ball.velocity + cross(ball.spin, Vec3d{0, 0, -0.11});
  EXPECT_NEAR(slip.x, 9.1, 1e-14);
  EXPECT_NEAR(slip.y, 2.75, 1e-14);
  EXPECT_DOUBLE_EQ(ball.inertia(0, 0), 0.4 * 7 * 0.11 * 0.11);
}

}  // namespace
}  // namespace tappet
