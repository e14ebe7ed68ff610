// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/describe.h>
#include <tappet/pose.h>

#include <array>
#include <cmath>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tappet {

class Graph;  // formulas, inside the library

// A formula of time alone, such as the angle of a driven joint. It is cheap to copy, and zero unless told otherwise.
class TimeFunction {
 public:
  TimeFunction() = default;
  TimeFunction(double constant) : constant_(constant) {}  // NOLINT: a number is a function of time
  // The node f of the graph may depend on no input but slot 0, which is t; otherwise this throws std::invalid_argument.
  TimeFunction(Graph& graph, int f);

  bool is_constant() const { return !compiled_; }
  double operator()(double t) const { return compiled_ ? value(t) : constant_; }
  double derivative(double t) const { return compiled_ ? first(t) : 0.0; }
  double second_derivative(double t) const { return compiled_ ? second(t) : 0.0; }

  // The functions of t whose signs decide which branch of the formula holds, such as that of abs or max.
  int switches() const;
  double switch_function(int i, double t) const;

 private:
  struct Compiled;
  double value(double t) const;
  double first(double t) const;
  double second(double t) const;

  double constant_ = 0.0;
  std::shared_ptr<const Compiled> compiled_;
};

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

// The keys of an element (describe.h). If no check is given, it is `finite`. The types accept these values in the file:
//   double, int, bool, std::string
//   Vec3d              three numbers, or two (z = 0)
//   Mat3d              three rows of three numbers, or three numbers (the diagonal)
//   Quatd              [w, x, y, z], or {axis: Vec3d, angle: double}
//   OneOrTwo           two numbers, or one for both
//   EdgeLengths        three numbers, two (for a box in the plane), or one for all edges
//   Anchor             one Vec3d in the world at the start, or two: one in the frame of each body
//   std::array<Vec3d, 2>  two Vec3d, one in the frame of each body
//   TimeFunction       a formula of t
//   TimeVector         three formulas of t, or two (z = 0), or one (only z)
//   SurfaceFunction    a formula of x, y, z and t ; only for built-in contacts
//   std::optional<T>   as T; empty if the key is absent
using OneOrTwo = std::array<double, 2>;

// The edges of a box, as many as were given. The others are 0 until it is known to which body the box belongs.
struct EdgeLengths {
  Vec3d size{1, 1, 1};
  int given = 3;
};

// A point or direction that two bodies share.
struct Anchor {
  bool in_bodies = false;  // given in the frames of the bodies, not in the world
  Vec3d world{};
  std::array<Vec3d, 2> local{};
};

// Checks. `text` completes "expected …".
struct Finite {
  static constexpr std::string_view text = "a finite number";
  bool operator()(double x) const { return std::isfinite(x); }
  bool operator()(const Vec3d& a) const { return (*this)(a.x) && (*this)(a.y) && (*this)(a.z); }
  bool operator()(const Mat3d& m) const { return (*this)(m.x) && (*this)(m.y) && (*this)(m.z); }
  bool operator()(const Quatd& q) const { return std::isfinite(squared_norm(q)); }
  bool operator()(const OneOrTwo& x) const { return (*this)(x[0]) && (*this)(x[1]); }
  bool operator()(const std::array<Vec3d, 2>& x) const { return (*this)(x[0]) && (*this)(x[1]); }
  bool operator()(const Anchor& a) const { return (*this)(a.world) && (*this)(a.local); }
  template <class T>
  bool operator()(const std::optional<T>& x) const {
    return !x || (*this)(*x);
  }
  template <class T>
  bool operator()(const T&) const {
    return true;
  }
};
struct Positive {
  static constexpr std::string_view text = "a positive number";
  bool operator()(double x) const { return std::isfinite(x) && x > 0.0; }
  bool operator()(const OneOrTwo& x) const { return (*this)(x[0]) && (*this)(x[1]); }
  bool operator()(const Vec3d& a) const { return (*this)(a.x) && (*this)(a.y) && (*this)(a.z); }
  bool operator()(const TimeFunction& f) const { return (*this)(f(0.0)); }  // at the start
  template <class T>
  bool operator()(const std::optional<T>& x) const {
    return !x || (*this)(*x);
  }
};
struct PositiveEdges {
  static constexpr std::string_view text = "positive edges: three [x, y, z], two [x, y] in the plane, or one for all";
  bool operator()(const EdgeLengths& edges) const {
    for (int i = 0; i < edges.given; ++i)
      if (!Positive{}(edges.size[i])) return false;
    return true;
  }
};
struct NonNegative {
  static constexpr std::string_view text = "a number that is not negative";
  bool operator()(double x) const { return std::isfinite(x) && x >= 0.0; }
  bool operator()(const OneOrTwo& x) const { return (*this)(x[0]) && (*this)(x[1]); }
  bool operator()(const std::optional<double>& x) const { return !x || (*this)(*x); }
};
struct UnitInterval {
  static constexpr std::string_view text = "a number between 0 and 1";
  bool operator()(double x) const { return x >= 0.0 && x <= 1.0; }
};
struct NonzeroVector {
  static constexpr std::string_view text = "a vector that is not zero";
  bool operator()(const Vec3d& a) const { return Finite{}(a) && dot(a, a) > 0.0; }
  bool operator()(const Anchor& a) const {
    return a.in_bodies ? (*this)(a.local[0]) && (*this)(a.local[1]) : (*this)(a.world);
  }
  bool operator()(const std::optional<Vec3d>& a) const { return !a || (*this)(*a); }
};
struct UnitQuaternion {
  static constexpr std::string_view text = "a unit quaternion [w, x, y, z]";
  bool operator()(const Quatd& q) const { return std::abs(squared_norm(q) - 1.0) < 1e-9; }
};
// Symmetric and positive definite. The moments of a rigid body also fulfil the triangle inequality, but a model may
// violate it on purpose (a thin rod), so it is not checked.
struct PositiveDefinite {
  static constexpr std::string_view text = "three positive numbers or a symmetric positive definite matrix";
  bool operator()(const Mat3d& J) const;
};
inline constexpr Finite finite;
inline constexpr Positive positive;
inline constexpr PositiveEdges positive_edges;
inline constexpr NonNegative non_negative;
inline constexpr UnitInterval unit_interval;
inline constexpr NonzeroVector nonzero_vector;
inline constexpr UnitQuaternion unit_quaternion;
inline constexpr PositiveDefinite positive_definite;

template <class V>
concept KeyVisitor = requires(V v, double x, Vec3d a) {
  v.required("key", x, positive);
  v.required("key", a);
  v.optional("key", x, non_negative);
  v.optional("key", a);
};

}  // namespace tappet
