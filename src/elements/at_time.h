// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "formula/time_function.h"
#include "math/jet.h"

namespace tappet {

// Three components, each a formula of t.
struct TimeVector {
  std::array<TimeFunction, 3> component;
};

// f(t) for the times elements are differentiated along: t moves at most along the motion, never along a displacement,
// so that f and its first two derivatives in plain numbers say everything.
inline double at_time(const TimeFunction& f, double t) { return f(t); }
template <class T, int N>
Dual<T, N> at_time(const TimeFunction& f, const Dual<T, N>& t) {
  const double s = value_of(t);
  return Dual<T, N>::chain(t, T(f(s)), T(f.derivative(s)));
}
template <class T>
Jet2<T> at_time(const TimeFunction& f, const Jet2<T>& t) {
  const double s = value_of(t);
  return Jet2<T>::chain(t, T(f(s)), T(f.derivative(s)), T(f.second_derivative(s)));
}

}  // namespace tappet
