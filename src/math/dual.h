// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tappet {

// The functions of the formula language for plain numbers, under the names that Dual and Jet2 overload. Code that is
// templated on its scalar type calls them unqualified.
using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::max;
using std::min;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
inline double sign(double x) { return (x > 0.0) - (x < 0.0); }
inline double step(double x) { return x >= 0.0 ? 1.0 : 0.0; }
inline double value_of(double x) { return x; }
inline bool is_constant(double) { return true; }

// A number of type T with its derivatives along N directions. The nested type Dual<Dual<T, M>, N> carries mixed second
// derivatives, x.d[i].d[j]. Numbers compare by value. At a kink the derivative is that of the branch taken. For abs,
// sign and step it is 0 at their jump.
template <class T, int N>
struct Dual {
  // comes first, so that copies read back what was stored in whole pairs; Dual x; is uninitialised, Dual x{} is zero
  T d[N];
  T v;

  Dual() = default;
  Dual(double value) : d{}, v(value) {}
  Dual(const T& value) requires(!std::is_same_v<T, double>) : d{}, v(value) {}

  // f(x) with f and its derivative already evaluated at x.v.
  static Dual chain(const Dual& x, const T& f, const T& df) {
    Dual y;
    y.v = f;
    for (int i = 0; i < N; ++i) y.d[i] = df * x.d[i];
    return y;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual y;
    y.v = a.v + b.v;
    for (int i = 0; i < N; ++i) y.d[i] = a.d[i] + b.d[i];
    return y;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual y;
    y.v = a.v - b.v;
    for (int i = 0; i < N; ++i) y.d[i] = a.d[i] - b.d[i];
    return y;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual y;
    y.v = a.v * b.v;
    for (int i = 0; i < N; ++i) y.d[i] = a.v * b.d[i] + a.d[i] * b.v;
    return y;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    Dual y;
    const T inverse = 1.0 / b.v;
    y.v = a.v * inverse;
    for (int i = 0; i < N; ++i) y.d[i] = (a.d[i] - y.v * b.d[i]) * inverse;
    return y;
  }
  friend Dual operator+(const Dual& a, double b) {
    Dual y = a;
    y.v = a.v + b;
    return y;
  }
  friend Dual operator+(double a, const Dual& b) { return b + a; }
  friend Dual operator-(const Dual& a, double b) { return a + (-b); }
  friend Dual operator-(double a, const Dual& b) { return -b + a; }
  friend Dual operator*(const Dual& a, double b) { return chain(a, a.v * b, T(b)); }
  friend Dual operator*(double a, const Dual& b) { return b * a; }
  friend Dual operator/(const Dual& a, double b) { return a * (1.0 / b); }
  friend Dual operator/(double a, const Dual& b) {
    const T y = a / b.v;
    return chain(b, y, -y / b.v);
  }
  Dual operator-() const {
    Dual y;
    y.v = -v;
    for (int i = 0; i < N; ++i) y.d[i] = -d[i];
    return y;
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
};

template <class T, int N>
double value_of(const Dual<T, N>& x) {
  return value_of(x.v);
}
// Whether all derivatives vanish, at every level.
template <class T, int N>
bool is_constant(const Dual<T, N>& x) {
  if (!is_constant(x.v)) return false;
  for (const T& d : x.d)
    if (value_of(d) != 0.0 || !is_constant(d)) return false;
  return true;
}

template <class T, int N>
Dual<T, N> sin(const Dual<T, N>& x) {
  return Dual<T, N>::chain(x, sin(x.v), cos(x.v));
}
template <class T, int N>
Dual<T, N> cos(const Dual<T, N>& x) {
  return Dual<T, N>::chain(x, cos(x.v), -sin(x.v));
}
template <class T, int N>
Dual<T, N> tan(const Dual<T, N>& x) {
  const T y = tan(x.v);
  return Dual<T, N>::chain(x, y, 1.0 + y * y);
}
template <class T, int N>
Dual<T, N> asin(const Dual<T, N>& x) {
  return Dual<T, N>::chain(x, asin(x.v), 1.0 / sqrt(1.0 - x.v * x.v));
}
template <class T, int N>
Dual<T, N> acos(const Dual<T, N>& x) {
  return Dual<T, N>::chain(x, acos(x.v), -1.0 / sqrt(1.0 - x.v * x.v));
}
template <class T, int N>
Dual<T, N> atan(const Dual<T, N>& x) {
  return Dual<T, N>::chain(x, atan(x.v), 1.0 / (1.0 + x.v * x.v));
}
template <class T, int N>
Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  Dual<T, N> phi;
  phi.v = atan2(y.v, x.v);
  const T scale = 1.0 / (x.v * x.v + y.v * y.v);
  for (int i = 0; i < N; ++i) phi.d[i] = (x.v * y.d[i] - y.v * x.d[i]) * scale;
  return phi;
}
template <class T, int N>
Dual<T, N> sqrt(const Dual<T, N>& x) {
  const T y = sqrt(x.v);
  return Dual<T, N>::chain(x, y, 0.5 / y);
}
template <class T, int N>
Dual<T, N> exp(const Dual<T, N>& x) {
  const T y = exp(x.v);
  return Dual<T, N>::chain(x, y, y);
}
template <class T, int N>
Dual<T, N> sinh(const Dual<T, N>& x) {
  return Dual<T, N>::chain(x, sinh(x.v), cosh(x.v));
}
template <class T, int N>
Dual<T, N> cosh(const Dual<T, N>& x) {
  return Dual<T, N>::chain(x, cosh(x.v), sinh(x.v));
}
template <class T, int N>
Dual<T, N> tanh(const Dual<T, N>& x) {
  const T y = tanh(x.v);
  return Dual<T, N>::chain(x, y, 1.0 - y * y);
}
template <class T, int N>
Dual<T, N> log(const Dual<T, N>& x) {
  return Dual<T, N>::chain(x, log(x.v), 1.0 / x.v);
}
template <class T, int N>
Dual<T, N> abs(const Dual<T, N>& x) {
  return Dual<T, N>::chain(x, abs(x.v), T(sign(value_of(x))));
}
template <class T, int N>
Dual<T, N> sign(const Dual<T, N>& x) {
  return Dual<T, N>(sign(value_of(x)));
}
template <class T, int N>
Dual<T, N> step(const Dual<T, N>& x) {
  return Dual<T, N>(step(value_of(x)));
}
// Powers 0 and 1 are exact even if the base is zero or negative.
template <class T, int N>
Dual<T, N> pow(const Dual<T, N>& x, double p) {
  if (p == 0.0) return Dual<T, N>(1.0);
  return Dual<T, N>::chain(x, pow(x.v, p), p == 1.0 ? T(1.0) : T(p * pow(x.v, p - 1.0)));
}
template <class T, int N>
Dual<T, N> pow(const Dual<T, N>& x, const Dual<T, N>& p) {
  if (is_constant(p)) return pow(x, value_of(p));
  return exp(p * log(x));
}
template <class T, int N>
Dual<T, N> pow(double x, const Dual<T, N>& p) {
  return pow(Dual<T, N>(x), p);
}

}  // namespace tappet
