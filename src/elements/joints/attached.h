// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/keys.h"
#include "math/pose.h"

namespace tappet {

// What most joints fix in their two bodies: a point, and a triad whose third vector is the axis. In the joint's
// reference position the points coincide and so do the triads.
struct Attached {
  Vec3d point_A{}, point_B{};
  Mat3d triad_A = Mat3d::identity(), triad_B = Mat3d::identity();  // columns n1, n2, axis in the body's frame
  bool planar = false;                                             // both bodies move in the plane z = 0
  double phi = 0.0;  // A.phi − B.phi in the reference position (planar bodies)

  // `at` and `axis` in the world as the bodies stand, or in each body's frame.
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar, const Anchor& at, const Anchor& axis);

  template <class S>
  Vec3<S> offset(const Pose<S>& A, const Pose<S>& B) const {  // from the point of A to that of B
    return B.point(point_B) - A.point(point_A);
  }
};

}  // namespace tappet
