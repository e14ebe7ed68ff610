// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/touch.h"

namespace tappet {

// W of all rows over both twists, and χ of the gap; slips have none.
template <class S>
struct ContactRows {
  static constexpr int max_rows = 4;
  S W[max_rows][12];
  S chi;
};

// A direction e of the relative velocity at the touch takes (e, R_Aᵀ(r_A × e)) from the twist of A and the opposite
// from B.
template <class S>
void put_point(const Pose<S>& A, const Vec3<S>& point, const Vec3<S>& e, double sign, S* w) {
  const Vec3<S> turn = transposed_times(A.R, cross(point - A.p, e));
  for (int i = 0; i < 3; ++i) w[i] = sign * e[i], w[3 + i] = sign * turn[i];
}
template <class S>
void put_spin(const Pose<S>& A, const Vec3<S>& e, S* w) {
  const Vec3<S> turn = transposed_times(A.R, e);
  for (int i = 0; i < 3; ++i) w[i] = S(0.0), w[3 + i] = turn[i];
}

// The directions of the relative velocity that the rows of a contact measure: the gap along e[0], slips along e[1] and
// e[2], drilling about `drill`.
template <class T, class S>
struct ContactAxes {
  T touch;
  Vec3<S> e[3], drill;
  S chi;
};
template <class C, class S, class D>
auto contact_axes(const C& contact, const SlipRowsOf<D>& law, const Pose<S>& A, const Pose<S>& B, const S& t) {
  const auto touch = contact.touch(A, B, t);
  ContactAxes<std::decay_t<decltype(touch)>, S> axes{touch, {touch.normal}, {}, S(0.0)};
  if constexpr (requires { touch.slope; }) {
    axes.e[0] = touch.slope * touch.normal;
    axes.chi = touch.rate;
  }
  if (law.count > 0) {
    const auto [t1, t2] = tangents(touch.normal, law);
    axes.e[1] = law.scale[0] * t1;
    axes.e[2] = law.scale[1] * t2;
  }
  if (law.count == 3) axes.drill = law.arm * touch.normal;
  return axes;
}

// The rows of a contact from its touch: the gap, then its slips.
template <class C, class S, class D>
void contact_rows(const C& contact, const SlipRowsOf<D>& law, const Pose<S>& A, const Pose<S>& B, const S& t,
                  ContactRows<S>& rows) {
  const auto axes = contact_axes(contact, law, A, B, t);
  rows.chi = axes.chi;
  for (int r = 0; r < 1 + std::min(law.count, 2); ++r) {
    put_point(A, axes.touch.point_A, axes.e[r], 1.0, rows.W[r]);
    put_point(B, axes.touch.point_B, axes.e[r], -1.0, rows.W[r] + 6);
  }
  if (law.count == 3) {
    put_spin(A, axes.drill, rows.W[3]);
    put_spin(B, -axes.drill, rows.W[3] + 6);
  }
}

}  // namespace tappet
