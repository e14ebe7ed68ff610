// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/keys.h"

namespace tappet {

// What most joints fix in their two bodies: a point, and a triad whose third vector is the axis. In the reference
// position of the joint the points coincide, and so do the triads.
template <class D>
struct AttachedOf {
  Vec3<D> point_A{}, point_B{};
  Mat3<D> triad_A = Mat3<D>::identity(), triad_B = Mat3<D>::identity();  // columns n1, n2, axis in the body's frame
  bool planar = false;                                                   // both bodies move in the plane z = 0
  D slide = 0.0;                                                         // offset along the axis at the start [m]
  D phi = 0.0;    // A.phi − B.phi in the reference position (planar bodies)
  D sense = 1.0;  // of turns about z (planar bodies): −1 if the axis points against it

  // `at` and `axis` are given in the world for the present poses of the bodies, or in the frame of each body.
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar, const Anchor& at, const Anchor& axis);

  template <class V>
  void numbers(V& v) {
    v.in_plane(planar);
    v(point_A, point_B, slide, phi, sense);
    v.triads(triad_A, triad_B);
  }

  template <class S>
  Vec3<S> offset(const Pose<S>& A, const Pose<S>& B) const {  // from the point of A to that of B
    return B.point(point_B) - A.point(point_A);
  }

  // Rows that hold both triads together: the vector part of the relative rotation, that is sin(angle) times its axis in
  // the triad of A. They are regular up to a right angle from the reference position.
  template <class S>
  void aligned(const Pose<S>& A, const Pose<S>& B, S* g) const {
    const Mat3<S> a = A.R * triad_A, b = B.R * triad_B;
    g[0] = 0.5 * (dot(a.z, b.y) - dot(a.y, b.z));
    g[1] = 0.5 * (dot(a.x, b.z) - dot(a.z, b.x));
    g[2] = 0.5 * (dot(a.y, b.x) - dot(a.x, b.y));
  }
  // Rows that hold the axis of B along that of A: the sine of the tilt along the normals of A.
  template <class S>
  void coaxial(const Pose<S>& A, const Pose<S>& B, S* g) const {
    const Vec3<S> axis_B = B.direction(triad_B.z);
    g[0] = dot(A.direction(triad_A.x), axis_B);
    g[1] = dot(A.direction(triad_A.y), axis_B);
  }

  // Drives. The bodies start at the value of the drive at t = 0, so only its changes since then count. Row: offset of B
  // along the axis of A minus the drive [m].
  template <class S>
  void driven_slide(const Pose<S>& A, const Pose<S>& B, const DriveOf<D>& drive, const S& t, S* g) const {
    g[0] = dot(A.direction(triad_A.z), offset(A, B)) - (at_time(drive, t) + (slide - drive(0.0)));
  }
  // Row: turn of B relative to A about the axis, minus the drive [rad]. Between planar bodies, which count their turns,
  // it is the angle itself. Otherwise it is its sine, which is valid over any number of turns. The true root is the
  // only one within half a turn.
  template <class S>
  void driven_turn(const Pose<S>& A, const Pose<S>& B, const DriveOf<D>& drive, const S& t, S* g) const {
    const S turn = at_time(drive, t) - drive(0.0);
    if (planar) {
      g[0] = sense * (B.phi - A.phi + phi) - turn;
      return;
    }
    const Vec3<S> x = B.direction(triad_B.x);
    g[0] = dot(x, A.direction(triad_A.y)) * cos(turn) - dot(x, A.direction(triad_A.x)) * sin(turn);
  }
};
using Attached = AttachedOf<double>;
template <>
void Attached::attach(const Pose<double>& A, const Pose<double>& B, bool planar, const Anchor& at, const Anchor& axis);

}  // namespace tappet
