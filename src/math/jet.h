// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/dual.h"

namespace tappet {

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
