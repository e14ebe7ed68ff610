// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/touch_point.h"
#include "elements/lists.h"

namespace tappet {

// Calls f(element) with the element of which a found contact is made.
template <class F>
void visit_touch(const TouchPoint& touch, F&& f) {
  if (touch.form == TouchPoint::Form::ball_ball) {
    SphereSphere balls;
    balls.radii = {touch.radius_A, touch.radius_B};
    balls.centers = {touch.point_A, touch.point_B};
    f(balls);
  } else {
    SpherePlane ball;
    ball.center = touch.point_A, ball.radius = touch.radius_A;
    ball.plane.point = touch.point_B, ball.plane.normal = touch.normal_B;
    f(ball);
  }
}

}  // namespace tappet
