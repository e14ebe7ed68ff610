// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "elements/joints/attached.h"

namespace tappet {

// The coordinate of a revolute or prismatic joint: the turn [rad] or the displacement [m] of B relative to A since the
// start pose. Between bodies in space the turn that follows from two poses lies between −π and π. Its derivatives do
// not depend on the number of whole turns, which the system counts (System::displace).
struct JointCoordinate {
  static constexpr int max_rows = 1;
  int rows() const { return 1; }

  bool slides = false;
  Attached attached;

  bool counts_turns() const { return !slides && !attached.planar; }  // whether whole turns are not seen in the poses
  // The value that is nearest to the reference, among those that differ by whole turns.
  double near(double value, double reference) const {
    constexpr double turn = 2.0 * std::numbers::pi;
    return counts_turns() ? value + turn * std::round((reference - value) / turn) : value;
  }

  template <class S>
  S position(const Pose<S>& A, const Pose<S>& B) const {
    if (slides) return dot(A.direction(attached.triad_A.z), attached.offset(A, B)) - attached.slide;
    if (attached.planar) return attached.sense * (B.phi - A.phi + attached.phi);
    const Vec3<S> x = B.direction(attached.triad_B.x), y = B.direction(attached.triad_B.y);
    const Vec3<S> rest_x = A.direction(attached.triad_A.x), rest_y = A.direction(attached.triad_A.y);
    return atan2(dot(x, rest_y) - dot(y, rest_x), dot(x, rest_x) + dot(y, rest_y));
  }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S&, S* g) const {
    g[0] = position(A, B);
  }
};

// A stop of a joint: the gap sign · (coordinate − bound) must not become negative.
struct JointStop : JointCoordinate {
  double sign = 1.0, bound = 0.0;

  double gap(double coordinate) const { return sign * (coordinate - bound); }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S&, S* g) const {
    g[0] = sign * (position(A, B) - bound);
  }
};

// Dry friction in a joint: rows of a contact whose slip is the coordinate of the joint. The normal direction acts on a
// velocity of its own, that of a pad (System::Pad), so that its row over the two bodies is zero.
struct JointFriction : JointCoordinate {
  static constexpr int max_rows = 2;
  int rows() const { return 2; }

  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S&, S* g) const {
    g[0] = S(0.0);
    g[1] = position(A, B);
  }
};

}  // namespace tappet
