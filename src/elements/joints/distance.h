// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <stdexcept>

#include "elements/keys.h"

namespace tappet {

// A massless rod between a point of A and a point of B, each in the frame of its body. Its length is `length` (a
// formula of t), or the distance at the start. Row: (|d|² − L²)/(2 L(0)), which is to first order the change of length
// [m]. It is a polynomial and regular for d ≠ 0.
template <class D>
struct DistanceOf {
  static constexpr std::string_view name = "distance";
  static constexpr std::string_view about = "bodies: [A, B]; a rod of `length` between a point of A and one of B";
  static constexpr int max_rows = 1;
  int rows() const { return 1; }

  std::array<Vec3<D>, 2> at{};
  std::optional<DriveOf<D>> length;
  D rest_length = 1.0;

  template <class V>
  void describe(V& v) {
    v.optional("at", at);
    v.optional("length", length, positive);
  }
  template <class V>
  void numbers(V& v) {
    v(at, length, rest_length);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    rest_length = length ? (*length)(0.0) : norm(B.point(at[1]) - A.point(at[0]));
    if (!(rest_length > 0.0)) throw std::invalid_argument("the points of `at` coincide: expected a rod of some length");
  }
  bool depends_on_time() const { return length && !length->is_constant(); }

  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    const Vec3<S> d = B.point(at[1]) - A.point(at[0]);
    const S L = length ? at_time(*length, t) : S(rest_length);
    g[0] = (0.5 / rest_length) * (dot(d, d) - L * L);
  }
};
using Distance = DistanceOf<double>;

}  // namespace tappet
