// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "collision/scenes.h"

namespace tappet {
namespace {

using namespace test;
using Kind = Shape::Kind;

Shape random_shape(Random& random, Kind kind) {
  switch (kind) {
    case Kind::box:
      return Shape::box({uniform(random, 0.3, 2.0), uniform(random, 0.3, 2.0), uniform(random, 0.3, 2.0)});
    case Kind::capsule:
      return Shape::capsule(uniform(random, 0.3, 2.0), uniform(random, 0.1, 0.5));
    default:
      return Shape::sphere(uniform(random, 0.1, 1.0));
  }
}

// Two bodies, each with one collider that is not at its origin.
struct Two {
  Collider a, b;
  Pose<double> A, B;

  std::vector<TouchPoint> touches(double margin) const {
    std::vector<TouchPoint> out;
    touch(place(a, A, 0), place(b, B, 1), margin, out);
    return out;
  }
  double distance() const { return distance_by_support(place(a, A, 0), place(b, B, 1)); }
  const Pose<double>& pose(int body) const { return body == 0 ? A : B; }
};
Two random_two(Random& random, Kind kind_a, Kind kind_b) {
  return {{random_shape(random, kind_a), random_pose(random, 0.5), 0},
          {random_shape(random, kind_b), random_pose(random, 0.5), 1},
          random_pose(random, 2.0),
          random_pose(random, 2.0)};
}
double lowest(const std::vector<TouchPoint>& touches) {
  double gap = 1e300;
  for (const TouchPoint& touch : touches) gap = std::min(gap, touch.gap);
  return gap;
}

class Pairs : public testing::TestWithParam<std::pair<Kind, Kind>> {};

TEST_P(Pairs, of_solids_apart_give_their_distance) {
  Random random(1);
  int apart = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Two two = random_two(random, GetParam().first, GetParam().second);
    const double distance = two.distance();
    if (distance < 1e-3) continue;
    ++apart;
    const double margin = uniform(random, 0.0, 2.0);
    const auto touches = two.touches(margin);
    if (distance > margin + 1e-9) {
      ASSERT_TRUE(touches.empty());
    } else if (distance < margin - 1e-9) {
      ASSERT_FALSE(touches.empty()) << trial;
      ASSERT_LE(lowest(touches), distance + 1e-9) << trial;
      ASSERT_GE(lowest(touches), 0.999 * distance - 1e-9) << trial;
    }
  }
  EXPECT_GT(apart, 300);
}

TEST_P(Pairs, measure_what_the_elements_measure) {
  Random random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const Two two = random_two(random, GetParam().first, GetParam().second);
    for (const TouchPoint& touch : two.touches(0.5)) {
      ASSERT_NEAR(gap_of(touch, two.pose(touch.body_A), two.pose(touch.body_B)), touch.gap, 1e-12);
      if (touch.form == TouchPoint::Form::ball_plane) {
        ASSERT_NEAR(norm(touch.normal), 1.0, 1e-12);
      }
      ASSERT_LE(touch.gap, 0.5);
    }
  }
}

// If the solids are moved apart by the depth along the normal of the deepest point, they just touch. If they are moved
// by less, they still overlap. (A face is preferred to edges whose normal is within 2.6 degrees of its own. It is
// deeper by at most 4.5 %.)
TEST_P(Pairs, that_overlap_come_apart_along_the_normal) {
  Random random(3);
  int overlapping = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Two two = random_two(random, GetParam().first, GetParam().second);
    const auto touches = two.touches(0.0);
    if (touches.empty()) continue;
    const auto deepest =
        *std::min_element(touches.begin(), touches.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
    if (deepest.gap < -0.08) continue;
    ++overlapping;
    const Vec3d n = normal_of(deepest, two.pose(deepest.body_A), two.pose(deepest.body_B));
    Vec3d& moved = (deepest.body_A == 0 ? two.A : two.B).p;
    const Vec3d at = moved;
    moved = at + (-0.95 * deepest.gap) * n;
    ASSERT_LE(two.distance(), 1e-8) << trial << " " << deepest.gap;
    moved = at + (1e-2 - deepest.gap) * n;
    ASSERT_GE(two.distance(), 0.999 * 1e-2 + 1e-3 * deepest.gap) << trial << " " << deepest.gap;
  }
  EXPECT_GT(overlapping, 20);
}

TEST_P(Pairs, do_not_depend_on_the_order_or_the_frame) {
  Random random(4);
  for (int trial = 0; trial < 10000; ++trial) {
    const Two two = random_two(random, GetParam().first, GetParam().second);
    const Pose<double> moved = random_pose(random, 10.0);
    const auto here = two.touches(0.3),
               there = Two{two.a, two.b, compose(moved, two.A), compose(moved, two.B)}.touches(0.3);
    const auto other = Two{two.b, two.a, two.B, two.A}.touches(0.3);
    ASSERT_EQ(here.size(), there.size());
    ASSERT_EQ(here.size(), other.size());
    if (here.empty()) continue;
    for (size_t k = 0; k < here.size(); ++k) {
      ASSERT_EQ(here[k].id, there[k].id);
      ASSERT_NEAR(here[k].gap, there[k].gap, 1e-9);
    }
    ASSERT_NEAR(lowest(here), lowest(other), 1e-9);
  }
}

// The smallest gap of rigid solids does not change faster than their points move.
TEST_P(Pairs, have_no_jumps_in_shallow_contact) {
  Random random(5);
  int moves = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Two two = random_two(random, GetParam().first, GetParam().second);
    const auto first = two.touches(1.0);
    if (first.empty()) continue;
    // Moves them until they touch, then back and forth.
    const TouchPoint& nearest =
        *std::min_element(first.begin(), first.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
    (nearest.body_A == 0 ? two.A : two.B).p +=
        (-nearest.gap) * normal_of(nearest, two.pose(nearest.body_A), two.pose(nearest.body_B));
    double before = lowest(two.touches(0.1));
    for (int step = 0; step < 50; ++step, ++moves) {
      two.A = displaced(two.A, {in_cube(random, 2e-4), in_cube(random, 1e-4)});
      const double now = lowest(two.touches(0.1));
      ASSERT_LE(std::abs(now - before), 1e-3) << trial << " " << step;
      before = now;
    }
  }
  EXPECT_GT(moves, 1000);
}

INSTANTIATE_TEST_SUITE_P(Solids, Pairs,
                         testing::Values(std::pair(Kind::sphere, Kind::sphere), std::pair(Kind::sphere, Kind::box),
                                         std::pair(Kind::box, Kind::box), std::pair(Kind::capsule, Kind::sphere),
                                         std::pair(Kind::capsule, Kind::capsule), std::pair(Kind::capsule, Kind::box)));

}  // namespace
}  // namespace tappet
