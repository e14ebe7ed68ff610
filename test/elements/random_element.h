// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "elements/derive.h"
#include "elements/lists.h"

namespace tappet::test {

struct Dice {
  std::mt19937 engine;
  explicit Dice(unsigned seed) : engine(seed) {}
  double operator()(double low = -1.0, double high = 1.0) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  Vec3d vector(double size = 1.0) { return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}; }
  Twist<double> twist(double size = 1.0) { return {vector(size), vector(size)}; }
  PairTwist pair_twist() { return {twist(), twist()}; }
  Pose<double> pose() { return displaced(Pose<double>{}, {vector(), vector(1.5)}); }
  Pose<double> planar_pose() { return displaced(Pose<double>{}, {{(*this)(), (*this)(), 0}, {0, 0, (*this)(-3, 3)}}); }
};

// A visitor that gives every key a random value that its check accepts.
struct RandomKeys {
  Dice& dice;
  bool with_optional;

  template <class T, class Check = Finite>
  void required(std::string_view key, T& value, const Check& check = {}, std::string_view = "") {
    do fill(value);
    while (!check(value));
  }
  template <class T, class Check = Finite>
  void optional(std::string_view key, T& value, const Check& check = {}, std::string_view = "") {
    if (with_optional) required(key, value, check);
  }
  template <class T>
  void choice(std::string_view, T& value, const Choices& names, std::string_view = "") {
    value = static_cast<T>(dice.engine() % names.size());
  }

  void fill(double& x) { x = dice(0.2, 1.0); }
  void fill(bool& x) { x = dice() > 0.0; }
  void fill(Vec3d& a) { a = dice.vector(); }
  void fill(OneOrTwo& x) { x = {dice(0.2, 0.5), dice(0.5, 1.0)}; }
  void fill(std::array<Vec3d, 2>& x) { x = {dice.vector(), dice.vector()}; }
  void fill(Anchor& a) { a = {dice() > 0.0, dice.vector(), {dice.vector(), dice.vector()}}; }
  void fill(TimeFunction& f) {  // c + ½ sin(1.3 t)
    Graph graph;
    const Node wave = graph.unary(Operation::sin, graph.multiply(graph.constant(1.3), graph.input(0)));
    f = TimeFunction(graph, graph.add(graph.constant(dice(0.8, 1.2)), graph.multiply(graph.constant(0.5), wave)));
  }
  void fill(TimeVector& f) {
    for (TimeFunction& c : f.component) fill(c);
  }
  void fill(SurfaceFunction& f) {  // (x + t/2) y − z + sin x + 2 y
    Graph graph;
    const Node t = graph.input(SurfaceFunction::slot_t), x = graph.input(SurfaceFunction::slot_x);
    const Node y = graph.input(SurfaceFunction::slot_y), z = graph.input(SurfaceFunction::slot_z);
    const Node xy = graph.multiply(graph.add(x, graph.multiply(graph.constant(0.5), t)), y);
    const Node wave = graph.add(graph.unary(Operation::sin, x), graph.multiply(graph.constant(2.0), y));
    f = SurfaceFunction(graph, graph.add(graph.subtract(xy, z), wave));
  }
  template <class T>
  void fill(std::optional<T>& x) {
    fill(x.emplace());
  }
};

template <class E>
E random_element(Dice& dice, bool with_optional, const Pair& start, bool planar) {
  E element;
  RandomKeys keys{dice, with_optional};
  element.describe(keys);
  if constexpr (requires { element.attach(start.A, start.B, planar); }) element.attach(start.A, start.B, planar);
  return element;
}

// Central difference of order eight of f: double → numbers, at 0.
template <class F>
std::vector<double> difference(F&& f, double h = 0.002) {
  constexpr double c[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  std::vector<double> sum;
  for (int k = 0; k < 4; ++k) {
    const std::vector<double> plus = f((k + 1) * h), minus = f(-(k + 1) * h);
    sum.resize(plus.size());
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += c[k] * (plus[i] - minus[i]) / h;
  }
  return sum;
}

// Column j of the pair's twelve, displaced by s.
inline Pair displaced(const Pair& at, int j, double s) {
  Pair moved = at;
  Twist<double> w{};
  w[j % 6] = s;
  (j < 6 ? moved.A : moved.B) = tappet::displaced(j < 6 ? at.A : at.B, w);
  return moved;
}
// The pair after s seconds with constant twists.
inline Pair moved(const Pair& at, const PairTwist& u, double s) {
  return {tappet::displaced(at.A, {s * u.a.v, s * u.a.w}), tappet::displaced(at.B, {s * u.b.v, s * u.b.w}), at.t + s,
          at.A_moves, at.B_moves};
}
inline PairTwist displaced(PairTwist u, int j, double s) {
  (j < 6 ? u.a : u.b)[j % 6] += s;
  return u;
}
inline double entry(const PairTwist& u, int i) { return i < 6 ? u.a[i] : u.b[i - 6]; }
inline std::pair<int, int> moving_columns(const Pair& at) { return {at.A_moves ? 0 : 6, at.B_moves ? 12 : 6}; }

inline void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  double scale = 1.0;
  for (double x : b) scale = std::max(scale, std::abs(x));
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * scale) << what << ", number " << i;
}

}  // namespace tappet::test
