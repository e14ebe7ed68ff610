// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/element.h>

#include "elements/contacts/contact_law.h"
#include "elements/keys.h"
#include "math/pose.h"

namespace tappet {

// Tangents of a normal, right-handed (t1, t2, n). In the plane z = 0 they are t1 = n × z and t2 = −z. On a floor with
// normal z they are x and y. The choice changes at |n_z| = 0.9, because there is no smooth field of tangents on the
// whole sphere. Isotropic friction is not affected by this.
template <class S>
std::array<Vec3<S>, 2> tangents(const Vec3<S>& n, const ContactLaw& law) {
  Vec3<S> first;
  if (law.direction)
    first = *law.direction - dot(*law.direction, n) * n;
  else if (abs(value_of(n.z)) < 0.9)
    first = {n.y, -n.x, S(0.0)};
  else
    first = {1.0 - n.x * n.x, -(n.x * n.y), -(n.x * n.z)};
  first = normalized(first);
  return {first, cross(n, first)};
}

// A contact of a ball may state whether its normal always passes through the origin of A and of B:
//   std::array<bool, 2> through_origins() const
// If a contact does not state it, its normal is assumed to pass beside them.
inline bool is_zero(const Vec3d& a) { return a.x == 0.0 && a.y == 0.0 && a.z == 0.0; }

// If two centres coincide, the direction between them is undefined and any direction is taken.
template <class S>
Vec3<S> direction_or_x(const Vec3<S>& d) {
  if (value_of(dot(d, d)) < 1e-40) return {S(1.0), S(0.0), S(0.0)};
  return normalized(d);
}

}  // namespace tappet
