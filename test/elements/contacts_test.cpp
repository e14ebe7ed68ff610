// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/key_table.h"
#include "random_element.h"

namespace tappet::test {
namespace {

ContactLaw law(ContactLaw::Friction friction, OneOrTwo mu = {0.3, 0.3}, double patch_radius = 0.0) {
  ContactLaw law;
  law.friction = friction;
  law.mu = mu;
  law.patch_radius = patch_radius;
  return law;
}
const Vec3d* as_vectors(const double* W) { return reinterpret_cast<const Vec3d*>(W); }

// cases/03: g_N = y − R, γ_F = u_x + R u_phi.
TEST(Contacts, a_disc_on_the_floor_slips_as_in_the_paper) {
  SpherePlane contact;
  contact.radius = 0.1;
  contact.plane.normal = {0, 2, 0};
  contact.attach({}, {}, true);
  Pair at;
  at.B_moves = false;
  const double q[] = {0.4, 1.0, 0.7};
  at.A = PlanarBody::pose(q);
  EXPECT_DOUBLE_EQ(gap(contact, at), 0.9);
  double W[24], chi[2];
  directions(contact, law(ContactLaw::Friction::planar), at, W, chi);
  EXPECT_NEAR(W[0], 0.0, 1e-16);
  EXPECT_NEAR(W[1], 1.0, 1e-16);
  EXPECT_NEAR(W[5], 0.0, 1e-16);
  EXPECT_NEAR(W[12 + 0], 1.0, 1e-16);
  EXPECT_NEAR(W[12 + 1], 0.0, 1e-16);
  EXPECT_NEAR(W[12 + 5], 0.1, 1e-16);
}

// cases/11: n = (P − S)/|P − S|, t = (n_y, −n_x), γ_F = v·t + R u_phi, g_N = Rc − R − |P − S|.
TEST(Contacts, a_disc_in_a_ring_slips_as_in_the_paper) {
  CircleInCircle contact;
  contact.radii = {0.1, 1.0};
  contact.centers[1] = {0, 1, 0};
  Pair at;
  at.B_moves = false;
  const double q[] = {-0.5, 0.3, 0.2};
  at.A = PlanarBody::pose(q);
  const double d = std::hypot(0.5, 0.7), n_x = 0.5 / d, n_y = 0.7 / d;
  EXPECT_NEAR(gap(contact, at), 0.9 - d, 1e-15);
  double W[24], chi[2];
  directions(contact, law(ContactLaw::Friction::planar), at, W, chi);
  EXPECT_NEAR(W[0], n_x, 1e-15);
  EXPECT_NEAR(W[1], n_y, 1e-15);
  EXPECT_NEAR(W[12], n_y, 1e-15);
  EXPECT_NEAR(W[13], -n_x, 1e-15);
  EXPECT_NEAR(W[17], 0.1, 1e-15);
}

TEST(Contacts, a_pin_in_the_middle_of_its_bore_is_finite) {
  CircleInCircle contact;
  contact.radii = {0.1, 0.11};
  double W[48], K[144], P[] = {1, 1, 1, 1}, chi[4];
  directions(contact, law(ContactLaw::Friction::contensou, {1, 1}, 0.1), Pair{}, W, chi);
  contraction(contact, law(ContactLaw::Friction::contensou, {1, 1}, 0.1), Pair{}, P, K);
  EXPECT_NEAR(gap(contact, Pair{}), 0.01, 1e-16);
  for (double x : W) EXPECT_TRUE(std::isfinite(x));
  for (double x : K) EXPECT_TRUE(std::isfinite(x));
}

// Capobianco 2021 (156), (157): the tippe top, C = S + a e_z^K.
TEST(Contacts, a_tilted_top_has_the_velocity_parameters_of_contensou_friction) {
  SpherePlane contact;
  contact.radius = 1.5e-2;
  contact.center = {0, 0, 3e-3};
  Pair at;
  at.B_moves = false;
  at.A = tappet::displaced({}, {{0.1, 0.2, 1.2015e-2}, {0.1, 0, 0}});
  const Vec3d v{0.3, -0.2, 0.1}, spin{1, 2, 180};
  const Vec3d C = at.A.point(contact.center), world_spin = at.A.R * spin;
  EXPECT_NEAR(gap(contact, at), C.z - 1.5e-2, 1e-17);
  const Vec3d v_P = v + cross(world_spin, C - at.A.p) - 1.5e-2 * cross(world_spin, Vec3d{0, 0, 1});
  double W[48], chi[4];
  directions(contact, law(ContactLaw::Friction::contensou, {0.3, 0.3}, 5e-4), at, W, chi);
  const auto gamma = [&](int r) { return dot(as_vectors(W)[4 * r], v) + dot(as_vectors(W)[4 * r + 1], spin); };
  EXPECT_NEAR(gamma(1), v_P.x, 1e-15);
  EXPECT_NEAR(gamma(2), v_P.y, 1e-15);
  EXPECT_NEAR(gamma(3), 3 * std::numbers::pi * 5e-4 / 16 * world_spin.z, 1e-15);
}

TEST(Contacts, anisotropic_rows_are_scaled_so_that_the_ellipse_becomes_a_disc) {
  PointPlane contact;
  Pair at;
  at.A.p = {0, 0, 1};
  ContactLaw ellipse = law(ContactLaw::Friction::spatial, {0.2, 0.5});
  ellipse.direction = Vec3d{0, 3, 0};
  double W[36], chi[3];
  directions(contact, ellipse, at, W, chi);
  EXPECT_DOUBLE_EQ(ellipse.mu_law(), 0.5);
  EXPECT_EQ(as_vectors(W)[4], (Vec3d{0, 0.4, 0}));  // along `direction`: 0.2/0.5
  EXPECT_EQ(as_vectors(W)[8], (Vec3d{-1, 0, 0}));
}

TEST(Contacts, a_box_has_eight_corners_and_four_in_the_plane) {
  BoxPlane box;
  box.size = {2, 4, 6};
  box.center = {1, 0, 0};
  box.attach({}, {}, false);
  double lowest = 0.0;
  for (const PointPlane& corner : box.parts(false)) lowest = std::min(lowest, gap(corner, Pair{}));
  EXPECT_EQ(box.parts(false).size(), 8u);
  EXPECT_DOUBLE_EQ(lowest, -3.0);
  box.plane.normal = {0, 1, 0};
  EXPECT_EQ(box.parts(true).size(), 4u);
  for (const PointPlane& corner : box.parts(true)) {
    EXPECT_EQ(corner.at.z, 0.0);
    EXPECT_DOUBLE_EQ(std::abs(gap(corner, Pair{})), 2.0);
  }
}

TEST(Contacts, gap_is_the_distance_of_the_nearest_points_along_the_normal) {
  for_each<Contacts>([]<class C>() {
    if constexpr (!std::is_same_v<C, PointOnCurve>) {
      Dice dice(4);
      for (int k = 0; k < 10; ++k) {
        const Pair at{dice.pose(), dice.pose()};
        const C contact = random_element<C>(dice, true, at, false);
        Vec3d a, b, n;
        nearest_points(contact, at, a, b, n);
        EXPECT_NEAR(norm(n), 1.0, 1e-15) << C::name;
        EXPECT_LT(norm(a - b - gap(contact, at) * n), 1e-14) << C::name;
      }
    }
  });
}

TEST(ContactLaw, what_does_not_fit_together_is_said) {
  EXPECT_EQ(law(ContactLaw::Friction::spatial).check(), "");
  EXPECT_NE(law(ContactLaw::Friction::contensou).check(), "");
  EXPECT_EQ(law(ContactLaw::Friction::contensou, {0.1, 0.1}, 1e-3).check(), "");
  EXPECT_NE(law(ContactLaw::Friction::spatial, {0.1, 0.1}, 1e-3).check(), "");
  EXPECT_NE(law(ContactLaw::Friction::planar, {0.1, 0.2}).check(), "");
  EXPECT_FALSE(unit_interval(1.1));
  EXPECT_FALSE(non_negative(OneOrTwo{0.1, -0.1}));
  EXPECT_FALSE(positive_definite(Mat3d::diagonal({1, 1, 0})));
  EXPECT_FALSE(positive_definite(Mat3d{{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}}));
  ContactLaw automatic = law(ContactLaw::Friction::automatic);
  automatic.resolve(true);
  EXPECT_EQ(automatic.rows(), 2);
  EXPECT_EQ(law(ContactLaw::Friction::spatial, {0, 0}).rows(), 1);
}

TEST(Keys, every_element_lists_them_without_repeating_one) {
  const auto check = []<class E>() {
    E element;
    KeyTable table;
    element.describe(table);
    for (size_t i = 0; i < table.rows.size(); ++i) {
      EXPECT_FALSE(table.rows[i].key.empty()) << E::name;
      EXPECT_FALSE(table.rows[i].expects.empty()) << E::name;
      for (size_t j = 0; j < i; ++j) EXPECT_NE(table.rows[i].key, table.rows[j].key) << E::name;
    }
  };
  for_each<Bodies>(check);
  for_each<Joints>(check);
  for_each<VelocityJoints>(check);
  for_each<Contacts>(check);
  for_each<ContactGroups>(check);
  for_each<Forces>(check);
  KeyTable table;
  SpherePlane().describe(table);
  EXPECT_EQ(table.rows[0].key, "radius");
  EXPECT_TRUE(table.rows[0].required);
  EXPECT_EQ(table.rows[1].value, "[0, 0, 0]");
}

}  // namespace
}  // namespace tappet::test
