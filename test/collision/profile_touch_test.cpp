// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numbers>

#include "collision/profile/walk.h"
#include "outlines.h"
#include "scenes.h"

namespace tappet::test {
namespace {

constexpr double pi = std::numbers::pi;

Shape shape(const Outline& outline, const std::vector<Outline>& holes = {}) {
  return Shape::of(std::make_shared<const PlanarProfile>(profile(outline, holes)));
}
// The wheel and the pawl of a ratchet [m].
Shape ratchet_wheel(double tip = 0.3e-3, double root = 0.5e-3) {
  return shape(repeated_outline({{.at = {0, 16e-3}, .rounding = root}, {.at = {0, 20e-3}, .rounding = tip}}, 12));
}
Pose<double> planar(double x, double y, double angle) { return {{x, y, 0}, rotation_about_z(angle), angle}; }

struct Two {
  Collider a, b;
  Two(const Shape& first, const Shape& second) : a{first, {}, 0}, b{second, {}, 1} {}

  std::vector<TouchPoint> touches(const Pose<double>& A, const Pose<double>& B, double margin) const {
    std::vector<TouchPoint> out;
    tappet::touch(place(a, A, 0), place(b, B, 1), margin, out);
    return out;
  }
  TouchPoint nearest(const Pose<double>& A, const Pose<double>& B, double margin) const {
    const auto out = touches(A, B, margin);
    if (out.empty()) return {.gap = 1e300};
    return *std::min_element(out.begin(), out.end(), [](const auto& x, const auto& y) { return x.gap < y.gap; });
  }
};

// The signed distance of a point from a rounded rectangle.
double rounded_rectangle(double a, double b, double r, const Vec3d& p) {
  const double x = std::abs(p.x) - (a - r), y = std::abs(p.y) - (b - r);
  return std::hypot(std::max(x, 0.0), std::max(y, 0.0)) + std::min(std::max(x, y), 0.0) - r;
}

TEST(ProfileTouch, a_disc_has_the_distance_of_a_rounded_rectangle) {
  Random random(1);
  const double a = 0.3, b = 0.2, r = 0.05, R = 0.04;
  const Two two(Shape::sphere(R), shape(rectangle(a, b, r)));
  int checked = 0;
  for (int k = 0; k < 20000; ++k) {
    const Pose<double> A = planar(uniform(random, -0.5, 0.5), uniform(random, -0.4, 0.4), 0.0);
    const Pose<double> B = planar(uniform(random, -0.1, 0.1), uniform(random, -0.1, 0.1), uniform(random, -pi, pi));
    const double expected = rounded_rectangle(a, b, r, transposed_times(B.R, A.p - B.p)) - R;
    if (expected < -0.03 || expected > 0.3) continue;
    const TouchPoint touch = two.nearest(A, B, 0.4);
    ASSERT_NEAR(touch.gap, expected, 1e-15) << k;
    ASSERT_NEAR(gap_of(touch, A, B), touch.gap, 1e-15);
    ++checked;
  }
  EXPECT_GT(checked, 5000);
}

// Whether an edge of one of two rectangles separates them.
bool are_apart(const Vec2& half_A, const Pose<double>& A, const Vec2& half_B, const Pose<double>& B) {
  for (const Vec3d& axis : {A.R.x, A.R.y, B.R.x, B.R.y}) {
    const auto reach = [&](const Vec2& h, const Pose<double>& P) {
      return h.x * std::abs(dot(axis, P.R.x)) + h.y * std::abs(dot(axis, P.R.y));
    };
    if (std::abs(dot(axis, A.p - B.p)) > reach(half_A, A) + reach(half_B, B)) return true;
  }
  return false;
}
// The distance of two rectangles that do not overlap is that of a corner of one from the other one.
double core_distance(const Vec2& half_A, const Pose<double>& A, const Vec2& half_B, const Pose<double>& B) {
  double nearest = 1e300;
  const auto corners = [&](const Vec2& h, const Pose<double>& P, const Vec2& other, const Pose<double>& Q) {
    for (const double x : {-h.x, h.x})
      for (const double y : {-h.y, h.y}) {
        const Vec3d p = transposed_times(Q.R, P.point(Vec3d{x, y, 0}) - Q.p);
        nearest = std::min(nearest, rounded_rectangle(other.x, other.y, 0.0, p));
      }
  };
  corners(half_A, A, half_B, B), corners(half_B, B, half_A, A);
  return nearest;
}

TEST(ProfileTouch, two_rounded_rectangles_have_the_distance_of_their_cores_less_the_roundings) {
  Random random(2);
  const double r_A = 0.05, r_B = 0.02;
  const Two two(shape(rectangle(0.3, 0.2, r_A)), shape(rectangle(0.15, 0.25, r_B)));
  int checked = 0;
  for (int k = 0; k < 20000; ++k) {
    const Pose<double> A = planar(uniform(random, -0.6, 0.6), uniform(random, -0.6, 0.6), uniform(random, -pi, pi));
    const Pose<double> B = planar(0.0, 0.0, uniform(random, -pi, pi));
    const Vec2 core_A{0.3 - r_A, 0.2 - r_A}, core_B{0.15 - r_B, 0.25 - r_B};
    const double core = core_distance(core_A, A, core_B, B);
    // The roundings may overlap, but not the cores.
    if (!are_apart(core_A, A, core_B, B) || core < 0.7 * (r_A + r_B) || core > 0.4) continue;
    const TouchPoint touch = two.nearest(A, B, 0.5);
    ASSERT_NEAR(touch.gap, core - r_A - r_B, 2e-15) << k;
    ASSERT_NEAR(gap_of(touch, A, B), touch.gap, 2e-15);
    ++checked;
  }
  EXPECT_GT(checked, 5000);
}

TEST(ProfileTouch, a_disc_in_a_round_hole_has_one_contact_in_the_bore) {
  Random random(3);
  const double bore = 0.1, pin = 0.095;
  const Two two(Shape::sphere(pin), shape(rectangle(0.3, 0.2, 0.01), {circle_outline({0.05, 0.02}, bore)}));
  for (int k = 0; k < 1000; ++k) {
    const Pose<double> B = planar(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -pi, pi));
    const double away = uniform(random, 1e-4, 0.006), angle = uniform(random, -pi, pi);
    const Vec3d center = B.point(Vec3d{0.05 + away * std::cos(angle), 0.02 + away * std::sin(angle), 0.0});
    const Pose<double> A = planar(center.x, center.y, 0.0);
    const auto touches = two.touches(A, B, 0.004);
    if (bore - pin - away > 0.004) continue;
    ASSERT_EQ(touches.size(), 1u) << k;
    ASSERT_EQ(touches[0].form, TouchPoint::Form::ball_in_bowl);
    ASSERT_NEAR(touches[0].gap, bore - pin - away, 1e-15);
  }
}

TEST(ProfileTouch, a_rectangle_on_a_plane_and_on_a_plate_has_two_contacts_even_if_it_is_tilted_a_little) {
  for (const double tilt : {0.0, 1e-9, -1e-6, 1e-4, -1e-2}) {
    const double height = 0.2 + 0.3 * std::abs(std::sin(tilt));
    const Pose<double> A = planar(0.1, height + 1e-6, tilt);
    for (const double rounding : {0.0, 0.01}) {
      const Two on_plane(shape(rectangle(0.3, 0.2, rounding)), Shape::half_space());
      Collider floor = plane_collider({}, {0, 1, 0}, 1);
      Two plane = on_plane;
      plane.b = floor;
      EXPECT_EQ(plane.touches(A, {}, 0.01).size(), 2u) << tilt << ", " << rounding;
      const Two on_plate(shape(rectangle(0.3, 0.2, rounding)), shape(rectangle(1.0, 0.1, 0.02)));
      EXPECT_EQ(on_plate.touches(A, planar(0, -0.1, 0), 0.01).size(), 2u) << tilt << ", " << rounding;
    }
  }
}

TEST(ProfileTouch, the_far_side_of_a_thin_part_does_not_push) {
  const Two two(Shape::sphere(0.02), shape(rectangle(0.5, 0.005, 0.001)));
  for (const double depth : {0.0, 1e-6, 1e-3, 4.9e-3}) {
    const auto touches = two.touches(planar(0.1, 0.025 - depth, 0.0), {}, 0.05);
    ASSERT_EQ(touches.size(), 1u) << depth;
    EXPECT_NEAR(touches[0].gap, -depth, 1e-15);
    EXPECT_GT(touches[0].normal.y, 0.0);
  }
}

// A disc is moved along the whole outline, almost touching it. The normal of the contact must not jump where it goes
// from one piece to the next: it turns by δ/ρ, where ρ is the radius of the curve on which the centre of the disc
// moves.
TEST(ProfileTouch, the_normal_turns_without_a_jump_across_every_joint_of_pieces) {
  const double disc = 0.1e-3, delta = 1e-8;
  const Shape wheel = ratchet_wheel();
  const Two two(Shape::sphere(disc), wheel);
  int joints = 0;
  for (const Piece& piece : profile_of(wheel).pieces()) {
    const Piece& next = profile_of(wheel).pieces()[piece.next];
    double rho = 1e300;
    for (const Piece& p : {piece, next})
      if (p.is_arc) rho = std::min(rho, p.rho > 0.0 ? p.rho + disc : -p.rho - disc);
    for (const double start : {-2.0, -1.0, -0.5, -1e-3, 0.0}) {
      const Vec2 along = turned_left(piece.n1), at = piece.to + (start * delta) * along;
      const auto normal_at = [&](const Vec2& foot) {
        const Vec2 center = foot + (disc + 1e-9) * piece.n1;
        const TouchPoint touch = two.nearest(planar(center.x, center.y, 0), {}, 1e-6);
        EXPECT_LT(touch.gap, 2e-9);
        return normal_of(touch, planar(center.x, center.y, 0), {});
      };
      EXPECT_LE(norm(normal_at(at + delta * along) - normal_at(at)), 1.1 * delta / rho);
      ++joints;
    }
  }
  EXPECT_EQ(joints, 5 * 48);
}

TEST(ProfileTouch, a_contact_that_walks_is_the_one_that_a_new_search_finds) {
  Random random(4);
  const Shape pawl = shape({{.at = {-15e-3, -6e-3}, .rounding = 0.4e-3},
                            {.at = {-11e-3, -3.2e-3}, .rounding = 1e-3},
                            {.at = {2.5e-3, -2.5e-3}, .rounding = 2e-3},
                            {.at = {2.5e-3, 2.5e-3}, .rounding = 2e-3},
                            {.at = {-12e-3, 0}, .rounding = 1e-3},
                            {.at = {-15e-3, -2.5e-3}, .rounding = 0.5e-3}});
  const Two two(pawl, ratchet_wheel());
  int walked_away = 0, checked = 0;
  for (int k = 0; k < 20000; ++k) {
    const double theta = uniform(random, -pi, pi), psi = uniform(random, -0.15, 0.15);
    const Pose<double> A = planar(15e-3, 22e-3, psi), B = planar(0, 0, theta);
    const auto now = two.touches(A, B, 3e-4);
    const Pose<double> later_A = planar(15e-3, 22e-3, psi + uniform(random, -2e-2, 2e-2)),
                       later_B = planar(0, 0, theta + uniform(random, -2e-2, 2e-2));
    const auto later = two.touches(later_A, later_B, 2e-3);
    for (const TouchPoint& touch : now) {
      const TouchPoint on = walked(touch, place(two.a, A, 0), place(two.b, B, 1), later_A, later_B);
      walked_away += on.id != touch.id;
      const auto same = std::find_if(later.begin(), later.end(), [&](const TouchPoint& t) { return t.id == on.id; });
      if (same == later.end()) continue;
      ASSERT_NEAR(gap_of(on, later_A, later_B), same->gap, 1e-16);
      ++checked;
    }
  }
  EXPECT_GT(walked_away, 300);
  EXPECT_GT(checked, 8000);
}

// The least gap against the distance of many points of both outlines, which can only be larger.
TEST(ProfileTouch, finds_the_least_gap_of_ratchet_and_disc_outlines) {
  Random random(5);
  const Shape wheel = ratchet_wheel(), part = shape(rectangle(3e-3, 2e-3, 0.4e-3));
  const Two two(part, wheel);
  const auto points = [](const Shape& s) { return profile_of(s).polygon(0, 1e-9); };
  std::vector<Vec2> dense;
  for (const Piece& piece : profile_of(part).pieces())
    for (int i = 0; i < 200; ++i) dense.push_back(piece.at(i / 200.0));
  int compared = 0;
  for (int k = 0; k < 60; ++k) {
    const double angle = uniform(random, -pi, pi), radius = uniform(random, 21e-3, 26e-3);
    const Pose<double> A = planar(radius * std::cos(angle), radius * std::sin(angle), uniform(random, -pi, pi));
    const TouchPoint touch = two.nearest(A, {}, 5e-3);
    if (touch.gap > 4e-3 || touch.gap < 1e-4) continue;
    double sampled = 1e300;
    for (const Vec2& p : dense) {
      const Vec3d x = A.point(Vec3d{p.x, p.y, 0.0});
      const TouchPoint point = Two(Shape::sphere(1e-12), wheel).nearest(planar(x.x, x.y, 0), {}, 1e-2);
      sampled = std::min(sampled, point.gap + 1e-12);
    }
    if (sampled < 0.0) continue;  // deeper than a contact pushes
    EXPECT_LE(touch.gap, sampled + 1e-15);
    EXPECT_GE(touch.gap, sampled - 2e-6) << k;  // the points are 0.01 mm apart
    ++compared;
  }
  EXPECT_GT(compared, 20);
  EXPECT_GT(points(wheel).size(), 48u);
}

}  // namespace
}  // namespace tappet::test
