// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Elements that a program adds. Each is a copy of a built-in one under another name, so every level must agree with it.
#include "elements/own/own_element.h"

#include <gtest/gtest.h>

#include "random_element.h"

namespace tappet::test {
namespace {

using Numbers = std::vector<double>;

struct MyPlane : SpherePlane {
  static constexpr std::string_view name = "my-plane";
};
struct MyRevolute : Revolute {
  static constexpr std::string_view name = "my-revolute";
  template <class V>
  void describe(V&) {}
};
struct MySpring : SpringDamper {
  static constexpr std::string_view name = "my-spring";
  template <class V>
  void describe(V& v) {
    v.required("stiffness", stiffness, positive);
    v.optional("length", length, non_negative);
  }
};

template <class Own, class Map>
Own made(const Map& map, std::string_view name) {
  Own element;
  element.own = decltype(element.own)(map.find(name)->second->clone());
  return element;
}

// Sets the keys of an element of a program as a model file would.
struct SetNumbers {
  double number;
  template <class T, class Check = Finite>
  void required(std::string_view, T& value, const Check& = {}, std::string_view = "") {
    if constexpr (std::is_same_v<T, double>) value = number;
    if constexpr (std::is_same_v<T, Vec3d>) value = {0.1, 0.2, 1.0};
  }
  template <class T, class Check = Finite>
  void optional(std::string_view key, T& value, const Check& check = {}, std::string_view = "") {
    required(key, value, check);
  }
  template <class T>
  void choice(std::string_view, T&, const Choices&, std::string_view = "") {}
};

template <class E>
E filled(E element, const Pair& start) {
  SetNumbers keys{0.4};
  element.describe(keys);
  element.attach(start.A, start.B, false);
  return element;
}

template <class E, class... Law>
Numbers levels(const E& element, int rows, const Pair& at, const PairTwist& u, const PairTwist& u_dot,
               const Law&... law) {
  Numbers W(rows * 12), chi(rows), zeta(rows), K(144), D(rows * 12), D_pose(rows * 12), D_twist(rows * 12),
      P(rows, 0.7);
  directions(element, law..., at, W.data(), chi.data());
  second_rate(element, law..., at, u, zeta.data());
  contraction(element, law..., at, P.data(), K.data());
  velocity_gradient(element, law..., at, u, D.data());
  acceleration_gradient(element, law..., at, u, u_dot, D_pose.data(), D_twist.data());
  Numbers all;
  for (const Numbers* part : {&W, &chi, &zeta, &K, &D, &D_pose, &D_twist})
    all.insert(all.end(), part->begin(), part->end());
  return all;
}

TEST(OwnElement, a_contact_has_the_bits_of_its_built_in_twin_at_every_level) {
  ElementTypes types;
  types.add<MyPlane>();
  Dice dice(5);
  for (int k = 0; k < 5; ++k) {
    const Pair at{dice.pose(), dice.pose(), 0.3};
    const PairTwist u = dice.pair_twist(), u_dot = dice.pair_twist();
    ContactLaw law;
    law.mu = {0.3, 0.3};
    law.resolve(false);
    const SpherePlane twin = filled(SpherePlane{}, at);
    const OwnContact mine = filled(made<OwnContact>(types.contacts(), "my-plane"), at);
    EXPECT_EQ(gap(twin, at), gap(mine, at));
    EXPECT_EQ(levels(twin, law.rows(), at, u, u_dot, law), levels(mine, law.rows(), at, u, u_dot, law));
  }
}

TEST(OwnElement, a_joint_agrees_with_its_built_in_twin_whose_curvature_is_written_by_hand) {
  ElementTypes types;
  types.add<MyRevolute>();
  Dice dice(6);
  const Pair at{dice.pose(), dice.pose(), 0.3};
  const PairTwist u = dice.pair_twist(), u_dot = dice.pair_twist();
  Revolute twin;
  twin.attach(at.A, at.B, false);
  const OwnJoint mine = filled(made<OwnJoint>(types.joints(), "my-revolute"), at);
  ASSERT_EQ(mine.rows(), twin.rows());
  const Numbers expected = levels(twin, twin.rows(), at, u, u_dot), found = levels(mine, mine.rows(), at, u, u_dot);
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

TEST(OwnElement, a_force_has_the_bits_of_its_built_in_twin) {
  ElementTypes types;
  types.add<MySpring>();
  Dice dice(7);
  const Pair at{dice.pose(), dice.pose(), 0.3};
  const PairTwist u = dice.pair_twist();
  SpringDamper twin;
  twin.stiffness = twin.length = 0.4;
  const OwnForce mine = filled(made<OwnForce>(types.forces(), "my-spring"), at);
  Numbers f(12), g(12), K(144), C(144), K_mine(144), C_mine(144);
  wrench(twin, at, u, f.data());
  wrench(mine, at, u, g.data());
  wrench_gradient(twin, at, u, K.data(), C.data());
  wrench_gradient(mine, at, u, K_mine.data(), C_mine.data());
  EXPECT_EQ(f, g);
  EXPECT_EQ(K, K_mine);
  EXPECT_EQ(C, C_mine);
  EXPECT_EQ(energy(twin, at), energy(mine, at));
}

TEST(OwnElement, a_name_is_given_once) {
  ElementTypes types;
  types.add<MyPlane>();
  EXPECT_THROW(types.add<MyPlane>(), std::invalid_argument);
  EXPECT_THROW(types.add<SpherePlane>(), std::invalid_argument);
}

}  // namespace
}  // namespace tappet::test
