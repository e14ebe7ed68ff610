// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The search and the elements that runs evaluate must mean the same gap.
#include <gtest/gtest.h>

#include "collision/outlines.h"
#include "collision/plate/plate.h"
#include "collision/scenes.h"
#include "elements/derive.h"
#include "system/visit_touch.h"

namespace tappet::test {
namespace {

Shape plate_of_outline(const Outline& outline, const std::vector<Outline>& holes = {}) {
  return Shape::of(
      std::make_shared<const Plate>(std::make_shared<const PlanarProfile>(profile(outline, holes)), -0.05, 0.07, 0.01));
}

TEST(TouchForms, the_element_of_a_found_contact_has_the_gap_of_the_search) {
  Random random(5);
  const Shape disc = plate_of_outline(circle_outline({0.02, 0.01}, 0.2), {circle_outline({}, 0.05)}),
              bar = plate_of_outline(rectangle(0.3, 0.2, 0.05)), wheel = Shape::wheel(0.3, 0.05),
              box = with_core(Shape::box({0.3, 0.2, 0.1}));
  int curves = 0;
  const std::vector<std::pair<Shape, Shape>> pairs{{disc, bar},   {disc, disc},   {box, disc}, {bar, bar},
                                                   {wheel, disc}, {wheel, wheel}, {wheel, box}};
  for (const auto& [first, second] : pairs)
    for (int k = 0; k < 1000; ++k) {
      const Collider a{first, random_pose(random, 0.1), 0}, b{second, random_pose(random, 0.1), 1};
      const Pose<double> A = random_pose(random, 0.45), B = random_pose(random, 0.1);
      std::vector<TouchPoint> touches;
      touch(place(a, A, 0), place(b, B, 1), 0.05, touches);
      for (const TouchPoint& touch : touches) {
        if (touch.walks()) continue;
        const Pair at{touch.body_A == 0 ? A : B, touch.body_A == 0 ? B : A};
        visit_form(touch, [&](const auto& element) { ASSERT_NEAR(gap(element, at), touch.gap, 1e-14); });
        curves += touch.form == TouchPoint::Form::curve_curve;
      }
    }
  EXPECT_GT(curves, 500);
}

}  // namespace
}  // namespace tappet::test
