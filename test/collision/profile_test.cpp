// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numbers>

#include "outlines.h"

namespace tappet {
namespace {

constexpr double pi = std::numbers::pi;

using test::profile, test::rectangle;

TEST(Profile, area_centre_and_inertia_of_a_rounded_plate_with_a_hole_are_those_of_closed_forms) {
  const double a = 0.3, b = 0.2, r = 0.05, R = 0.1, h = 0.01, x = 0.08, y = -0.03;
  const PlanarProfile plate = profile(rectangle(a, b, r), {circle_outline({x, y}, R)});
  // A rounded corner is a square of edge r less a quarter of a disc, whose centroid is 4r/3π from its corner.
  const double corner = r * r * (1.0 - pi / 4.0), area = 4.0 * a * b - 4.0 * corner, disc = pi * R * R;
  const double quarter = pi * r * r / 4.0, xq = a - r + 4.0 * r / (3.0 * pi), yq = b - r + 4.0 * r / (3.0 * pi);
  // Second moments about z: rectangle − 4 (square − quarter disc).
  const double square = r * r * (r * r / 6.0 + (a - r / 2) * (a - r / 2) + (b - r / 2) * (b - r / 2));
  const double quarter_own = pi * r * r * r * r / 8.0 - quarter * 2.0 * std::pow(4.0 * r / (3.0 * pi), 2);
  const double polar =
      4.0 * a * b * (a * a + b * b) / 3.0 - 4.0 * (square - quarter_own - quarter * (xq * xq + yq * yq));
  const double net = area - disc, cx = -disc * x / net, cy = -disc * y / net;
  const double polar_disc = disc * (R * R / 2.0 + x * x + y * y);
  const MassProperties mass = plate.mass_properties(h);
  EXPECT_NEAR(mass.mass, h * net, 1e-15 * net);
  EXPECT_NEAR(mass.center.x, cx, 1e-15);
  EXPECT_NEAR(mass.center.y, cy, 1e-15);
  EXPECT_NEAR(mass.inertia.z.z, h * (polar - polar_disc - net * (cx * cx + cy * cy)), 1e-16);
  EXPECT_NEAR(mass.inertia.x.x + mass.inertia.y.y - mass.inertia.z.z, h * h * h * net / 6.0, 1e-16);
}

TEST(Profile, does_not_depend_on_the_direction_in_which_corners_are_given) {
  const Outline outline{{.at = {0, 0}, .rounding = 0.1},
                        {.at = {2, 0}, .arc = true, .left = true, .center = {2, 1}},
                        {.at = {2, 2}},
                        {.at = {1, 1}, .rounding = 0.2},
                        {.at = {0, 2}}};
  const PlanarProfile one = profile(outline), other = profile(reversed_outline(outline));
  EXPECT_GT(one.area(), 0.0);
  EXPECT_NEAR(one.area(), other.area(), 1e-14);
  EXPECT_EQ(one.pieces().size(), other.pieces().size());
}

// Every piece begins where the last one ends, and normals are continuous except at sharp inner corners.
void expect_connected(const PlanarProfile& profile) {
  for (int k = 0; k < profile.loops(); ++k) {
    const auto loop = profile.loop(k);
    for (size_t i = 0; i < loop.size(); ++i) {
      const Piece &piece = loop[i], &next = loop[(i + 1) % loop.size()];
      EXPECT_LT(norm(piece.to - next.from), 1e-14 * profile.size());
      if (piece.next >= 0) {
        EXPECT_LT(norm(piece.n1 - next.n0), 1e-12);
      }
      EXPECT_LT(norm(piece.at(1.0) - piece.to), 1e-13 * profile.size());
      EXPECT_NEAR(norm(piece.n0), 1.0, 1e-15);
    }
  }
}

TEST(Profile, rounds_corners_between_any_two_of_segments_and_arcs) {
  const Outline outline{{.at = {0, 0}, .rounding = 0.1},
                        {.at = {4, 0}, .rounding = 0.2},
                        {.at = {4, 2}, .rounding = 0.1},
                        {.at = {3.5, 2}, .rounding = 0.1, .arc = true, .left = false, .center = {3, 2}},
                        {.at = {2.5, 2}, .rounding = 0.05, .arc = true, .left = true, .center = {2, 1.5}},
                        {.at = {1.5, 2}, .rounding = 0.1},
                        {.at = {0, 2}, .rounding = 0.3}};
  const PlanarProfile p = profile(outline);
  expect_connected(p);
  for (const Piece& piece : p.pieces()) EXPECT_TRUE(piece.previous >= 0 && piece.next >= 0);
  int hollow = 0;
  for (const Piece& piece : p.pieces()) hollow += piece.is_hollow() && piece.rho > -0.2;
  EXPECT_EQ(hollow, 1);  // the fillet beside the bulge
}

TEST(Profile, repeats_an_outline_around_the_origin) {
  const PlanarProfile wheel =
      profile(repeated_outline({{.at = {16, 0}, .rounding = 0.5}, {.at = {20, 0}, .rounding = 0.3}}, 12));
  EXPECT_EQ(wheel.pieces().size(), 48u);
  expect_connected(wheel);
  EXPECT_NEAR(wheel.mass_properties(1.0).center.x, 0.0, 1e-13);
  EXPECT_NEAR(wheel.mass_properties(1.0).center.y, 0.0, 1e-13);
}

TEST(Profile, refuses_roundings_that_do_not_fit) {
  try {
    pieces_of(
        {{.at = {0, 0}, .written = 0}, {.at = {1, 0}, .rounding = 1.5, .written = 1}, {.at = {1, 1}, .written = 2}},
        false);
    FAIL();
  } catch (const OutlineError& e) {
    EXPECT_EQ(e.corner, 1);
  }
  EXPECT_NO_THROW(pieces_of(rectangle(1, 0.5, 0.5), false));  // a slot: the short edges vanish
  EXPECT_THROW(pieces_of(rectangle(1, 0.5, 0.51), false), OutlineError);
}

TEST(Profile, finds_where_an_outline_crosses_itself) {
  EXPECT_EQ(find_crossing(profile(rectangle(1, 0.5, 0.1))).first, -1);
  const PlanarProfile bow = profile({{.at = {0, 0}}, {.at = {2, 2}}, {.at = {2, 0}}, {.at = {0, 3}}});
  const Crossing crossing = find_crossing(bow);
  ASSERT_GE(crossing.first, 0);
  EXPECT_NEAR(crossing.at.x, 1.2, 1e-14);
  EXPECT_NEAR(crossing.at.y, 1.2, 1e-14);
  EXPECT_GE(find_crossing(profile(rectangle(1, 1, 0), {circle_outline({0.8, 0}, 0.3)})).first, 0);
  EXPECT_EQ(find_crossing(profile(rectangle(1, 1, 0), {circle_outline({0.6, 0}, 0.3)})).first, -1);
  // Outlines that lie on each other
  EXPECT_GE(find_crossing(profile(circle_outline({1, 2}, 0.3), {circle_outline({1, 2}, 0.3)})).first, 0);
  EXPECT_GE(find_crossing(profile(rectangle(1, 1, 0), {rectangle(1, 0.5, 0)})).first, 0);
}

// Two teeth of a comb touch somewhere on its thousands of corners, or do not.
TEST(Profile, finds_a_crossing_among_thousands_of_corners) {
  constexpr int teeth = 2000;
  for (const int leans : {-1, 700}) {
    Outline comb;
    for (int k = 0; k < teeth; ++k)
      comb.push_back({.at = {1.0 * k, 1.0}}), comb.push_back({.at = {k + (k == leans ? 1.9 : 0.4), 3.0}}),
          comb.push_back({.at = {k + 0.5, 1.0}});
    comb.push_back({.at = {1.0 * teeth, 0.0}}), comb.push_back({.at = {0.0, 0.0}});
    const Crossing crossing = find_crossing(profile(comb));
    EXPECT_EQ(crossing.first >= 0, leans >= 0);
    if (leans >= 0) EXPECT_NEAR(crossing.at.x, leans + 1.35, 0.16);
  }
}

TEST(Profile, knows_its_thickness) {
  const PlanarProfile plate = profile(rectangle(1.0, 0.05, 0.01));
  EXPECT_NEAR(plate.thickness_at({0.3, 0.05}, {0, 1}), 0.1, 1e-15);
  EXPECT_NEAR(plate.thickness_at({1.0, 0.0}, {1, 0}), 2.0, 1e-15);
  EXPECT_TRUE(encloses(plate.loop(0), {0.99, 0.04}));
  EXPECT_FALSE(encloses(plate.loop(0), {0.3, 0.06}));
  EXPECT_FALSE(encloses(plate.loop(0), {0.999, 0.049}));  // beyond the rounded corner
}

}  // namespace
}  // namespace tappet
