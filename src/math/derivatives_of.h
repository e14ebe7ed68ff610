// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/dual.h>
#include <tappet/pose.h>

namespace tappet {

// How many derivatives a scalar carries, one after the other.
template <class S>
inline constexpr int derivatives_of = 0;
template <class T, int N>
inline constexpr int derivatives_of<Dual<T, N>> = 1 + derivatives_of<T>;
template <class T>
inline constexpr int derivatives_of<Jet2<T>> = 2 + derivatives_of<T>;

// A vector without its derivatives.
template <class S>
Vec3d plain(const Vec3<S>& a) {
  return {value_of(a.x), value_of(a.y), value_of(a.z)};
}

}  // namespace tappet
