// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/circle_circle.h"
#include "elements/contacts/on_rim.h"
#include "elements/contacts/on_terrain.h"
#include "elements/contacts/sphere_cylinder.h"
#include "elements/contacts/sphere_plane.h"

namespace tappet {

// A contact with the roles of its two bodies exchanged. Found contacts need it: the roles of two colliders are fixed,
// but either of them may have the edge that touches a face of the other one.
template <class Contact>
struct Reversed {
  static constexpr std::string_view name = Contact::name;
  Contact contact;

  template <class V>
  void describe(V& v) {
    contact.describe(v);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { contact.attach(B, A, planar); }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const Touch<S> touch = contact.touch(B, A, t);
    return {touch.gap, touch.point_B, touch.point_A, -touch.normal};
  }
};
using PlaneSphere = Reversed<SpherePlane>;
using CircleAroundCircle = Reversed<CircleInCircle>;
using CylinderOnSphere = Reversed<SphereOnCylinder>;
using PlaneOnWheel = Reversed<WheelOnPlane>;
using CylinderOnRing = Reversed<RingOnCylinder>;

}  // namespace tappet
