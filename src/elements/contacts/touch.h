// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/element.h>
#include <tappet/pose.h>

#include "elements/contacts/contact_law.h"
#include "elements/keys.h"

namespace tappet {

// Tangents of a normal, right-handed (t1, t2, n). In the plane z = 0 they are t1 = n × z and t2 = −z. On a floor with
// normal z they are x and y. The choice changes at |n_z| = 0.9, because there is no smooth field of tangents on the
// whole sphere. Isotropic friction is not affected by this.
template <class S, class D>
std::array<Vec3<S>, 2> tangents(const Vec3<S>& n, const SlipRowsOf<D>& law) {
  const auto steep = less(abs(n.z), law.steepest);
  const Vec3<S> projected = law.direction - dot(law.direction, n) * n;
  const Vec3<S> first = normalized(
      Vec3<S>{select(steep, n.y, projected.x), select(steep, -n.x, projected.y), select(steep, S(0.0), projected.z)});
  return {first, cross(n, first)};
}
inline std::array<Vec3d, 2> tangents(const Vec3d& n, const ContactLaw& law) { return tangents(n, law.slip_rows()); }

// A contact of a ball may state whether its normal always passes through the origin of A and of B:
//   std::array<bool, 2> through_origins() const
// If a contact does not state it, its normal is assumed to pass beside them.
inline bool is_zero(const Vec3d& a) { return a.x == 0.0 && a.y == 0.0 && a.z == 0.0; }

// If two centres coincide, the direction between them is undefined and any direction is taken.
template <class S>
Vec3<S> direction_or_x(const Vec3<S>& d) {
  const S l2 = dot(d, d);
  const auto meet = less(l2, 1e-40);
  const Vec3<S> n = (1.0 / sqrt(select(meet, S(1.0), l2))) * d;
  return {select(meet, S(1.0), n.x), select(meet, S(0.0), n.y), select(meet, S(0.0), n.z)};
}

}  // namespace tappet
