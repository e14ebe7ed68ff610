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

// A function of time, given by its value and its first and second derivative at one instant.
template <class T>
struct Jet2 {
  T v, d, dd;  // Jet2 x; is uninitialised, Jet2 x{} is zero

  Jet2() = default;
  Jet2(double value) : v(value), d{}, dd{} {}
  Jet2(const T& value) requires(!std::is_same_v<T, double>) : v(value), d{}, dd{} {}
  Jet2(const T& value, const T& first, const T& second) : v(value), d(first), dd(second) {}

  // f(x) with f, f' and f'' already evaluated at x.v.
  static Jet2 chain(const Jet2& x, const T& f, const T& df, const T& ddf) {
    return {f, df * x.d, ddf * x.d * x.d + df * x.dd};
  }

  friend Jet2 operator+(const Jet2& a, const Jet2& b) { return {a.v + b.v, a.d + b.d, a.dd + b.dd}; }
  friend Jet2 operator-(const Jet2& a, const Jet2& b) { return {a.v - b.v, a.d - b.d, a.dd - b.dd}; }
  friend Jet2 operator*(const Jet2& a, const Jet2& b) {
    return {a.v * b.v, a.v * b.d + a.d * b.v, a.v * b.dd + 2.0 * (a.d * b.d) + a.dd * b.v};
  }
  friend Jet2 operator/(const Jet2& a, const Jet2& b) {
    const T inverse = 1.0 / b.v, y = a.v * inverse, dy = (a.d - y * b.d) * inverse;
    return {y, dy, (a.dd - 2.0 * (dy * b.d) - y * b.dd) * inverse};
  }
  friend Jet2 operator+(const Jet2& a, double b) { return {a.v + b, a.d, a.dd}; }
  friend Jet2 operator+(double a, const Jet2& b) { return b + a; }
  friend Jet2 operator-(const Jet2& a, double b) { return {a.v - b, a.d, a.dd}; }
  friend Jet2 operator-(double a, const Jet2& b) { return {a - b.v, -b.d, -b.dd}; }
  friend Jet2 operator*(const Jet2& a, double b) { return {a.v * b, a.d * b, a.dd * b}; }
  friend Jet2 operator*(double a, const Jet2& b) { return b * a; }
  friend Jet2 operator/(const Jet2& a, double b) { return a * (1.0 / b); }
  friend Jet2 operator/(double a, const Jet2& b) { return Jet2(a) / b; }
  Jet2 operator-() const { return {-v, -d, -dd}; }
  Jet2& operator+=(const Jet2& b) { return *this = *this + b; }
  Jet2& operator-=(const Jet2& b) { return *this = *this - b; }
  Jet2& operator*=(const Jet2& b) { return *this = *this * b; }
  Jet2& operator/=(const Jet2& b) { return *this = *this / b; }

  friend bool operator<(const Jet2& a, const Jet2& b) { return a.v < b.v; }
  friend bool operator>(const Jet2& a, const Jet2& b) { return a.v > b.v; }
  friend bool operator<=(const Jet2& a, const Jet2& b) { return a.v <= b.v; }
  friend bool operator>=(const Jet2& a, const Jet2& b) { return a.v >= b.v; }
  friend bool operator==(const Jet2& a, const Jet2& b) { return a.v == b.v; }
};

template <class T>
double value_of(const Jet2<T>& x) {
  return value_of(x.v);
}
template <class T>
bool is_constant(const Jet2<T>& x) {
  return is_constant(x.v) && is_constant(x.d) && is_constant(x.dd) && value_of(x.d) == 0.0 && value_of(x.dd) == 0.0;
}

template <class T>
Jet2<T> sin(const Jet2<T>& x) {
  const T s = sin(x.v);
  return Jet2<T>::chain(x, s, cos(x.v), -s);
}
template <class T>
Jet2<T> cos(const Jet2<T>& x) {
  const T c = cos(x.v);
  return Jet2<T>::chain(x, c, -sin(x.v), -c);
}
template <class T>
Jet2<T> tan(const Jet2<T>& x) {
  const T y = tan(x.v), dy = 1.0 + y * y;
  return Jet2<T>::chain(x, y, dy, 2.0 * (y * dy));
}
template <class T>
Jet2<T> asin(const Jet2<T>& x) {
  const T dy = 1.0 / sqrt(1.0 - x.v * x.v);
  return Jet2<T>::chain(x, asin(x.v), dy, x.v * dy * dy * dy);
}
template <class T>
Jet2<T> acos(const Jet2<T>& x) {
  const T dy = -1.0 / sqrt(1.0 - x.v * x.v);
  return Jet2<T>::chain(x, acos(x.v), dy, x.v * dy * dy * dy);
}
template <class T>
Jet2<T> atan(const Jet2<T>& x) {
  const T dy = 1.0 / (1.0 + x.v * x.v);
  return Jet2<T>::chain(x, atan(x.v), dy, -2.0 * (x.v * dy * dy));
}
template <class T>
Jet2<T> atan2(const Jet2<T>& y, const Jet2<T>& x) {
  const T scale = 1.0 / (x.v * x.v + y.v * y.v);
  const T d = (x.v * y.d - y.v * x.d) * scale;
  return {atan2(y.v, x.v), d, (x.v * y.dd - y.v * x.dd - 2.0 * (d * (x.v * x.d + y.v * y.d))) * scale};
}
template <class T>
Jet2<T> sqrt(const Jet2<T>& x) {
  const T y = sqrt(x.v), dy = 0.5 / y;
  return Jet2<T>::chain(x, y, dy, -0.5 * (dy / x.v));
}
template <class T>
Jet2<T> exp(const Jet2<T>& x) {
  const T y = exp(x.v);
  return Jet2<T>::chain(x, y, y, y);
}
template <class T>
Jet2<T> sinh(const Jet2<T>& x) {
  const T y = sinh(x.v);
  return Jet2<T>::chain(x, y, cosh(x.v), y);
}
template <class T>
Jet2<T> cosh(const Jet2<T>& x) {
  const T y = cosh(x.v);
  return Jet2<T>::chain(x, y, sinh(x.v), y);
}
template <class T>
Jet2<T> tanh(const Jet2<T>& x) {
  const T y = tanh(x.v), dy = 1.0 - y * y;
  return Jet2<T>::chain(x, y, dy, -2.0 * (y * dy));
}
template <class T>
Jet2<T> log(const Jet2<T>& x) {
  const T dy = 1.0 / x.v;
  return Jet2<T>::chain(x, log(x.v), dy, -(dy * dy));
}
template <class T>
Jet2<T> abs(const Jet2<T>& x) {
  return Jet2<T>::chain(x, abs(x.v), T(sign(value_of(x))), T(0.0));
}
template <class T>
Jet2<T> sign(const Jet2<T>& x) {
  return Jet2<T>(sign(value_of(x)));
}
template <class T>
Jet2<T> step(const Jet2<T>& x) {
  return Jet2<T>(step(value_of(x)));
}
template <class T>
Jet2<T> pow(const Jet2<T>& x, double p) {
  if (p == 0.0) return Jet2<T>(1.0);
  if (p == 1.0) return x;
  const T ddy = p == 2.0 ? T(2.0) : T(p * (p - 1.0) * pow(x.v, p - 2.0));
  return Jet2<T>::chain(x, pow(x.v, p), p * pow(x.v, p - 1.0), ddy);
}
template <class T>
Jet2<T> pow(const Jet2<T>& x, const Jet2<T>& p) {
  if (is_constant(p)) return pow(x, value_of(p));
  return exp(p * log(x));
}
template <class T>
Jet2<T> pow(double x, const Jet2<T>& p) {
  return pow(Jet2<T>(x), p);
}

}  // namespace tappet
