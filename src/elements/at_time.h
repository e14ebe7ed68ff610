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

// f(t) for the scalar types along which elements are differentiated. Time changes at most along the motion, which is
// the innermost level, and never along a displacement. So f and its first two derivatives as plain numbers are
// sufficient.
inline double at_time(const TimeFunction& f, double t) { return f(t); }
template <int N>
Dual<double, N> at_time(const TimeFunction& f, const Dual<double, N>& t) {
  return Dual<double, N>::chain(t, f(t.v), f.derivative(t.v));
}
inline Jet2<double> at_time(const TimeFunction& f, const Jet2<double>& t) {
  return Jet2<double>::chain(t, f(t.v), f.derivative(t.v), f.second_derivative(t.v));
}
template <class T, int N>
Dual<T, N> at_time(const TimeFunction& f, const Dual<T, N>& t) {
  return at_time(f, t.v);
}

}  // namespace tappet
