// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "elements/contacts/curve_curve.h"
#include "elements/lists.h"
#include "system/contact_list.h"

namespace tappet {

inline SpherePlane ball_on_plane(const Vec3d& center, double radius, const Vec3d& point, const Vec3d& normal) {
  SpherePlane ball;
  ball.center = center, ball.radius = radius;
  ball.plane.point = point, ball.plane.normal = normal;
  return ball;
}
inline SphereOnCylinder ball_on_edge(const Vec3d& center, double radius, const Vec3d& point, const Vec3d& along,
                                     double edge_radius) {
  SphereOnCylinder ball;
  ball.center = center, ball.radii = {radius, edge_radius};
  ball.axis_point = point, ball.axis = along;
  return ball;
}

// Calls f(element) with the element whose gap is that of a touch point.
template <class F>
void visit_form(const TouchPoint& touch, F&& f) {
  using Form = TouchPoint::Form;
  const Vec3d &a = touch.point_A, &b = touch.point_B;
  const double r_A = touch.radius_A, r_B = touch.radius_B;
  switch (touch.form) {
    case Form::ball_ball:
      return f(SphereSphere{{{r_A, r_B}, {a, b}}});
    case Form::ball_plane:
      return f(ball_on_plane(a, r_A, b, touch.normal));
    case Form::plane_ball:
      return f(PlaneSphere{ball_on_plane(b, r_B, a, touch.normal)});
    case Form::ball_in_bowl:
      return f(CircleInCircle{{{r_A, r_B}, {a, b}}});
    case Form::bowl_on_ball:
      return f(CircleAroundCircle{{{{r_B, r_A}, {b, a}}}});
    case Form::ball_edge:
      return f(ball_on_edge(a, r_A, b, touch.normal, r_B));
    case Form::edge_ball:
      return f(CylinderOnSphere{ball_on_edge(b, r_B, a, touch.normal, r_A)});
    case Form::edge_edge:
      return f(EdgeEdge{{a, b}, {touch.along, touch.normal}, {r_A, r_B}});
    case Form::ball_terrain:
      return f(SphereOnTerrain{a, {}, r_A, touch.field, *touch.place, {b.x, b.y, 0.0}});
    case Form::wheel_terrain:
      return f(WheelOnTerrain{a, {touch.normal, touch.along}, r_A, touch.field, *touch.place, {b.x, b.y, b.z}});
    case Form::capsule_terrain:
      return f(CapsuleOnTerrain{a, {touch.normal, {}}, r_A, touch.field, *touch.place, {b.x, b.y, b.z}});
    case Form::wheel_plane:
      return f(WheelOnPlane{a, touch.along, touch.ring, r_A, b, touch.normal});
    case Form::plane_wheel:
      return f(PlaneOnWheel{WheelOnPlane{b, touch.along, touch.ring, r_B, a, touch.normal}});
    case Form::ring_cylinder:
      return f(RingOnCylinder{a, touch.along, touch.ring, r_A, b, touch.normal, r_B});
    case Form::cylinder_ring:
      return f(CylinderOnRing{RingOnCylinder{b, touch.along, touch.ring, r_B, a, touch.normal, r_A}});
    case Form::ball_ring:
      return f(SphereOnRing{a, r_A, b, touch.along, touch.ring, r_B});
    case Form::curve_curve: {
      const auto angle = [](std::int16_t x) { return std::numbers::pi / 32768.0 * x; };
      return f(CurveOnCurve{{a, b},
                            {touch.along, touch.normal},
                            {touch.ring, touch.ring_B},
                            {r_A, r_B},
                            {angle(touch.start[0]), angle(touch.start[1])}});
    }
    case Form::ball_in_bore:
      return f(SphereInCylinder{{{r_A, r_B}, a, b, touch.normal}});
  }
}

// Calls f(element) with the element of which a found contact is made while its bodies are at A and B. If the contact
// has slid along the outlines since it was found, the element is that of the pieces on which it is now.
template <class F>
void visit_touch(const ContactList& contacts, int index, const Pose<double>& A, const Pose<double>& B, F&& f) {
  const TouchPoint& touch = contacts.touches()[index];
  if (touch.walks())
    visit_form(contacts.walked(touch, A, B), f);
  else
    visit_form(touch, f);
}

// The numbers that the kernel of this element reads, in the order of its numbers(). Returns how many they are.
inline int touch_numbers(const TouchPoint& touch, double* numbers) {
  const auto put = [&](const auto&... x) { ((*numbers++ = x), ...); };
  const auto &a = touch.point_A, &b = touch.point_B, &n = touch.normal;
  if (touch.form == TouchPoint::Form::ball_ball) {
    put(touch.radius_A, touch.radius_B, a.x, a.y, a.z, b.x, b.y, b.z);
    return 8;
  }
  put(a.x, a.y, a.z, touch.radius_A, b.x, b.y, b.z, n.x, n.y, n.z);
  return 10;
}

}  // namespace tappet
