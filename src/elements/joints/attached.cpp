// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/joints/attached.h"

namespace tappet {
namespace {

Mat3d local(const Pose<double>& A, const Mat3d& world) { return transpose(A.R) * world; }

}  // namespace

template <>
void AttachedOf<double>::attach(const Pose<double>& A, const Pose<double>& B, bool in_plane, const Anchor& at,
                                const Anchor& axis) {
  planar = in_plane;
  phi = A.phi - B.phi;
  point_A = at.in_bodies ? at.local[0] : transposed_times(A.R, at.world - A.p);
  point_B = at.in_bodies ? at.local[1] : transposed_times(B.R, at.world - B.p);
  const Vec3d axis_A = normalized(axis.in_bodies ? A.R * axis.local[0] : axis.world);
  const Vec3d axis_B = normalized(axis.in_bodies ? B.R * axis.local[1] : axis.world);
  const auto [n1, n2] = normals(axis_A);
  triad_A = local(A, {n1, n2, axis_A});
  // The axes of the two bodies need not be parallel yet. The first normal of B is then the one nearest to that of A.
  const Vec3d m1 = axis.in_bodies ? normalized(n1 - dot(n1, axis_B) * axis_B) : n1;
  triad_B = local(B, {m1, axis.in_bodies ? cross(axis_B, m1) : n2, axis_B});
  sense = triad_A.z.z > 0.0 ? 1.0 : -1.0;
  slide = dot(axis_A, offset(A, B));
}

}  // namespace tappet
