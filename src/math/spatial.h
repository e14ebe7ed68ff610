// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "math/dual.h"

namespace tappet {

template <class A, class B>
using Product = decltype(std::declval<A>() * std::declval<B>());

template <class S>
struct Vec3 {
  S x{}, y{}, z{};

  S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  Vec3 operator-() const { return {-x, -y, -z}; }
  Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};
using Vec3d = Vec3<double>;

template <class A, class B>
Vec3<Product<A, B>> operator+(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
Vec3<Product<A, B>> operator-(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class A, class B>
Vec3<Product<A, B>> operator*(const A& a, const Vec3<B>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class A, class B>
Product<A, B> dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
Vec3<Product<A, B>> cross(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
S norm(const Vec3<S>& a) {
  return sqrt(dot(a, a));
}
template <class S>
Vec3<S> normalized(const Vec3<S>& a) {
  return (1.0 / norm(a)) * a;
}

// Three columns.
template <class S>
struct Mat3 {
  Vec3<S> x{}, y{}, z{};

  Vec3<S>& operator[](int column) { return column == 0 ? x : column == 1 ? y : z; }
  const Vec3<S>& operator[](int column) const { return column == 0 ? x : column == 1 ? y : z; }
  S& operator()(int row, int column) { return (*this)[column][row]; }
  const S& operator()(int row, int column) const { return (*this)[column][row]; }
  static Mat3 identity() { return diagonal({S(1.0), S(1.0), S(1.0)}); }
  static Mat3 diagonal(const Vec3<S>& d) {
    Mat3 m;
    m.x.x = d.x;
    m.y.y = d.y;
    m.z.z = d.z;
    return m;
  }
  friend bool operator==(const Mat3&, const Mat3&) = default;
};
using Mat3d = Mat3<double>;

template <class A, class B>
Vec3<Product<A, B>> operator*(const Mat3<A>& m, const Vec3<B>& a) {
  return {m.x.x * a.x + m.y.x * a.y + m.z.x * a.z, m.x.y * a.x + m.y.y * a.y + m.z.y * a.z,
          m.x.z * a.x + m.y.z * a.y + m.z.z * a.z};
}
template <class A, class B>
Mat3<Product<A, B>> operator*(const Mat3<A>& a, const Mat3<B>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
// mᵀa
template <class A, class B>
Vec3<Product<A, B>> transposed_times(const Mat3<A>& m, const Vec3<B>& a) {
  return {dot(m.x, a), dot(m.y, a), dot(m.z, a)};
}
template <class S>
Mat3<S> transpose(const Mat3<S>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
template <class S>
Mat3<S> operator+(const Mat3<S>& a, const Mat3<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
Mat3<S> operator*(const S& a, const Mat3<S>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
// hat(a) b = a × b
template <class S>
Mat3<S> hat(const Vec3<S>& a) {
  return {{S(0.0), a.z, -a.y}, {-a.z, S(0.0), a.x}, {a.y, -a.x, S(0.0)}};
}

// Two unit normals of a unit vector d, right-handed (first, second, d). If d is in the plane z = 0, they are (d × z,
// −z). Along ±z they are x and ±y. So exact zeros are preserved, and rows that planar bodies fulfil identically stay
// zero.
inline std::array<Vec3d, 2> normals(const Vec3d& d) {
  const Vec3d first =
      abs(d.z) < 0.9 ? normalized(Vec3d{d.y, -d.x, 0.0}) : normalized(Vec3d{1.0 - d.x * d.x, -d.x * d.y, -d.x * d.z});
  return {first, cross(d, first)};
}

}  // namespace tappet
