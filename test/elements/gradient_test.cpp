// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Compares every level of every element of every list with differences of the level below.
#include <numbers>

#include "elements/contacts/curve_curve.h"
#include "random_element.h"

namespace tappet::test {
namespace {

using Numbers = std::vector<double>;
constexpr double tolerance = 1e-9;
constexpr int samples = 6;

// The rows of one element: a joint, or a contact under its law.
template <class... E>
struct Rows {
  int rows;
  std::tuple<const E&...> e;

  Numbers W(const Pair& at) const {
    Numbers W(rows * 12), chi(rows);
    std::apply([&](auto&... x) { directions(x..., at, W.data(), chi.data()); }, e);
    return W;
  }
  // W u + χ
  Numbers gamma(const Pair& at, const PairTwist& u) const {
    Numbers W(rows * 12), gamma(rows);
    std::apply([&](auto&... x) { directions(x..., at, W.data(), gamma.data()); }, e);
    add_product(W, u, gamma);
    return gamma;
  }
  Numbers chi(const Pair& at) const { return gamma(at, {}); }
  Numbers zeta(const Pair& at, const PairTwist& u) const {
    Numbers zeta(rows);
    std::apply([&](auto&... x) { second_rate(x..., at, u, zeta.data()); }, e);
    return zeta;
  }
  // W u̇ + ζ
  Numbers acceleration(const Pair& at, const PairTwist& u, const PairTwist& u_dot) const {
    Numbers result = zeta(at, u);
    add_product(W(at), u_dot, result);
    return result;
  }
  static void add_product(const Numbers& W, const PairTwist& u, Numbers& result) {
    for (size_t r = 0; r < result.size(); ++r)
      for (int i = 0; i < 12; ++i) result[r] += W[12 * r + i] * entry(u, i);
  }
};

Numbers column(const Numbers& D, int j) {
  Numbers c;
  for (size_t i = j; i < D.size(); i += 12) c.push_back(D[i]);
  return c;
}
Numbers pulled(const Numbers& W, const Numbers& P) {
  Numbers f(12, 0.0);
  for (size_t r = 0; r < P.size(); ++r)
    for (int i = 0; i < 12; ++i) f[i] += P[r] * W[12 * r + i];
  return f;
}

template <class... E>
void expect_levels_agree(const Rows<E...>& rows, const Pair& at, Dice& dice, const std::string& name) {
  PairTwist u = dice.pair_twist(), u_dot = dice.pair_twist();
  if (!at.A_moves) u.a = {}, u_dot.a = {};
  if (!at.B_moves) u.b = {}, u_dot.b = {};
  Numbers P(rows.rows);
  for (double& p : P) p = dice();

  expect_near(rows.zeta(at, u), difference([&](double s) { return rows.gamma(moved(at, u, s), u); }), tolerance,
              name + ": second rate");
  Numbers K(144), D(rows.rows * 12), D_pose(D), D_twist(D);
  std::apply(
      [&](auto&... x) {
        contraction(x..., at, P.data(), K.data());
        velocity_gradient(x..., at, u, D.data());
        acceleration_gradient(x..., at, u, u_dot, D_pose.data(), D_twist.data());
      },
      rows.e);
  const auto [first, last] = moving_columns(at);
  for (int j = first; j < last; ++j) {
    const auto along = [&](auto&& f) { return difference([&](double s) { return f(displaced(at, j, s)); }); };
    const std::string where = name + ", column " + std::to_string(j);
    expect_near(column(K, j), along([&](const Pair& p) { return pulled(rows.W(p), P); }), tolerance,
                where + ": contraction");
    expect_near(column(D, j), along([&](const Pair& p) { return rows.gamma(p, u); }), tolerance,
                where + ": velocity gradient");
    expect_near(column(D_pose, j), along([&](const Pair& p) { return rows.acceleration(p, u, u_dot); }), tolerance,
                where + ": acceleration along the pose");
    expect_near(column(D_twist, j),
                difference([&](double s) { return rows.acceleration(at, displaced(u, j, s), u_dot); }), tolerance,
                where + ": acceleration along the twist");
  }
}

// value: Pair → the rows that have a value.
template <class... E, class Value>
void expect_directions_follow(const Rows<E...>& rows, const Pair& at, Value&& value, const std::string& name) {
  const Numbers W = rows.W(at);
  const size_t count = value(at).size();
  const auto [first, last] = moving_columns(at);
  for (int j = first; j < last; ++j) {
    Numbers c = column(W, j);
    c.resize(count);
    expect_near(c, difference([&](double s) { return value(displaced(at, j, s)); }), tolerance,
                name + ": directions, column " + std::to_string(j));
  }
  Numbers chi = rows.chi(at);
  chi.resize(count);
  expect_near(chi, difference([&](double s) { return value(moved(at, {}, s)); }), tolerance, name + ": rate in time");
}

// Poses near the attached ones, with every combination of keys, planar bodies and grounds.
template <class F>
void for_samples(unsigned seed, F&& f) {
  Dice dice(seed);
  for (int k = 0; k < samples; ++k) {
    Pair start{dice.pose(), dice.pose()};
    if (k % 3 == 1) start.B = {}, start.B_moves = false;
    if (k % 3 == 2) start.A = {}, start.A_moves = false;
    Pair at = start;
    if (at.A_moves) at.A = tappet::displaced(at.A, dice.twist(0.3));
    if (at.B_moves) at.B = tappet::displaced(at.B, dice.twist(0.3));
    at.t = dice(0.0, 2.0);
    f(dice, start, at, k % 2 == 0, k >= 3);
  }
}

TEST(Gradient, every_joint_agrees_with_differences_at_every_level) {
  for_each<Joints>([]<class J>() {
    for_samples(1, [](Dice& dice, const Pair& start, const Pair& at, bool all_keys, bool planar) {
      const J joint = random_element<J>(dice, all_keys, start, planar);
      const Rows<J> rows{joint.rows(), {joint}};
      const auto g = [&](const Pair& p) {
        Numbers g(joint.rows());
        value(joint, p, g.data());
        return g;
      };
      expect_directions_follow(rows, at, g, std::string(J::name));
      expect_levels_agree(rows, at, dice, std::string(J::name));
    });
  });
}

TEST(Gradient, the_coordinate_of_a_joint_its_stops_and_its_friction_agree_with_differences_at_every_level) {
  for_each<JointParts>([]<class J>() {
    for_samples(7, [](Dice& dice, const Pair& start, const Pair& at, bool slides, bool planar) {
      J part;
      part.slides = slides;
      part.attached.attach(start.A, start.B, planar, {.world = dice.vector()}, {.world = dice.vector()});
      if constexpr (std::is_same_v<J, JointStop>) part.sign = -1.0, part.bound = 0.3;
      const Rows<J> rows{part.rows(), {part}};
      const auto g = [&](const Pair& p) {
        Numbers g(part.rows());
        value(part, p, g.data());
        return g;
      };
      const std::string name = slides ? "displacement" : "angle";
      expect_directions_follow(rows, at, g, name);
      expect_levels_agree(rows, at, dice, name);
    });
  });
}

TEST(Gradient, every_velocity_joint_agrees_with_differences_at_every_level) {
  for_each<VelocityJoints>([]<class J>() {
    for_samples(2, [](Dice& dice, const Pair& start, const Pair& at, bool all_keys, bool planar) {
      const J joint = random_element<J>(dice, all_keys, start, planar);
      const Rows<J> rows{joint.rows(), {joint}};
      const PairTwist u = dice.pair_twist();
      Numbers gamma(joint.rows());
      joint.velocity(at.A, u.a, at.B, u.b, at.t, gamma.data());
      if (at.A_moves && at.B_moves) expect_near(rows.gamma(at, u), gamma, 1e-14, std::string(J::name) + ": velocity");
      expect_levels_agree(rows, at, dice, std::string(J::name));
    });
  });
}

// Differences need the same choice of tangents around the pose.
bool tangents_change_near(const Vec3d& n) { return std::abs(n.z) > 0.6 && std::abs(n.z) < 0.99; }

// The contacts of rims on round walls, which exist only while the axes of both are almost parallel.
template <class C>
constexpr bool needs_parallel_axes = std::is_same_v<C, RingOnCylinder> || std::is_same_v<C, CylinderOnRing>;

TEST(Gradient, every_contact_agrees_with_differences_at_every_level) {
  int checked = 0;
  for_each<decltype(join(Contacts{}, FoundContacts{}))>([&]<class C>() {
    for (unsigned seed = 3; seed < 8; ++seed)
      for_samples(seed, [&](Dice& dice, const Pair& start, const Pair& at, bool all_keys, bool planar) {
        const C contact = random_element<C>(dice, all_keys, start, planar);
        Vec3d a, b, n;
        nearest_points(contact, at, a, b, n);
        if (tangents_change_near(n) || needs_parallel_axes<C>) return;
        ContactLaw law;
        law.mu = {0.3, 0.3};
        law.patch_radius = 0.2;
        law.friction = static_cast<ContactLaw::Friction>(1 + checked++ % 3);
        if (law.friction != ContactLaw::Friction::planar && all_keys)
          law.mu[1] = 0.1, law.direction = cross(n, dice.vector());
        const Rows<C, ContactLaw> rows{law.rows(), {contact, law}};
        ASSERT_EQ(law.rows(), 1 + static_cast<int>(law.friction));
        expect_directions_follow(
            rows, at, [&](const Pair& p) { return Numbers{gap(contact, p)}; }, std::string(C::name));
        expect_levels_agree(rows, at, dice, std::string(C::name));
      });
  });
  EXPECT_GT(checked, 100);
}

// Where two curves come nearest to each other or, for a rim in a bore, where the rim is furthest away: by sampling.
std::array<double, 2> places_by_sampling(const CurveOnCurve& contact, const Pair& at, bool furthest) {
  constexpr int samples = 400;
  struct Place {
    double place;
    Vec3d point;
  };
  const auto place_of = [&](const Pose<double>& body, int which, int k) {
    const double share = static_cast<double>(k) / samples, ring = contact.rings[which];
    const Vec3d &center = contact.centers[which], &axis = contact.axes[which];
    if (ring == 0.0) return Place{6.0 * share - 3.0, body.point(center + (6.0 * share - 3.0) * axis)};
    const auto [e1, e2] = normals(axis);
    const double angle = 2.0 * std::numbers::pi * share;
    return Place{angle, body.point(center + ring * (std::cos(angle) * e1 + std::sin(angle) * e2))};
  };
  std::array<double, 2> best{};
  double best_value = -1e300;
  for (int i = 0; i < samples; ++i) {
    const Place a = place_of(at.A, 0, i);
    double least = 1e300, nearest = 0.0;
    for (int j = 0; j < samples; ++j) {
      const Place b = place_of(at.B, 1, j);
      if (norm(a.point - b.point) < least) least = norm(a.point - b.point), nearest = b.place;
    }
    if (const double value = furthest ? least : -least; value > best_value)
      best_value = value, best = {a.place, nearest};
  }
  return best;
}

struct CurvesAndFeet {
  CurveOf<double> a, b;
  CurveFeet feet;

  CurvesAndFeet(const CurveOnCurve& contact, const Pair& at)
      : a(curve(contact, at.A, 0)),
        b(curve(contact, at.B, 1)),
        feet(CurveFeet::find(a, b, contact.start[0], contact.start[1])) {}
  static CurveOf<double> curve(const CurveOnCurve& contact, const Pose<double>& body, int which) {
    const auto [e1, e2] = normals(contact.axes[which]);
    const bool is_line = contact.rings[which] == 0.0;
    return {body.point(contact.centers[which]), body.direction(is_line ? contact.axes[which] : e1), body.direction(e2),
            contact.rings[which]};
  }
  // The search chooses the direction of an axis so that the product of the tangents points from B to A.
  bool points_from_B_to_A() const {
    return dot(cross(a.tangent(feet.u), b.tangent(feet.v)), a.at(feet.u) - b.at(feet.v)) > 0.0;
  }
  // Differences are poor where the feet move much further than the bodies, as those of lines that are almost parallel.
  bool move_fast() const { return std::max(std::abs(feet.inverse[0][0]), std::abs(feet.inverse[1][1])) > 6.0; }
};

// Lines and circles, also tangents that are almost parallel, and a rim in a bore.
TEST(Gradient, edges_on_edges_agree_with_differences_at_every_level) {
  Dice dice(23);
  int checked = 0;
  struct Kind {
    std::array<double, 2> rings, tubes;
    bool aligned;
  };
  for (const Kind& kind : {Kind{{0.0, 0.0}, {0.1, 0.2}, false},
                           {{0.7, 0.0}, {0.1, 0.2}, false},
                           {{0.7, 0.6}, {0.1, 0.0}, false},
                           {{0.0, 0.5}, {0.1, 0.1}, false},
                           {{0.7, 0.6}, {0.1, 0.1}, true},
                           {{0.5, 0.0}, {0.1, -1.5}, true}})
    for (int sample = 0; sample < 24; ++sample) {
      CurveOnCurve contact;
      contact.centers = {dice.vector(), dice.vector()}, contact.rings = kind.rings, contact.tubes = kind.tubes;
      contact.axes = {normalized(dice.vector()), normalized(dice.vector())};
      Pair at{dice.pose(), dice.pose()};
      if (sample % 3 == 1) at.B = {}, at.B_moves = false;
      if (kind.aligned) {
        at.A.R = at.B.R * rotation_matrix(exp_map(dice.vector(0.3))), contact.axes[1] = contact.axes[0];
        const auto [e1, e2] = normals(contact.axes[0]);
        const double apart = kind.tubes[1] < 0.0 ? 0.5 : 1.8;
        at.A.p = at.B.point(contact.centers[1] + apart * e1 + 0.3 * dice() * contact.axes[0]) -
                 at.A.direction(contact.centers[0]);
      }
      const auto start = [&] { return places_by_sampling(contact, at, kind.tubes[1] < 0.0); };
      contact.start = start();
      if (!CurvesAndFeet(contact, at).points_from_B_to_A()) contact.axes[1] = -contact.axes[1], contact.start = start();
      Vec3d a, b, n;
      nearest_points(contact, at, a, b, n);
      EXPECT_NEAR(dot(a - b, n), gap(contact, at), 1e-12);
      EXPECT_NEAR(norm(cross(a - b, n)), 0.0, 1e-9);
      if (tangents_change_near(n) || CurvesAndFeet(contact, at).move_fast()) continue;
      ContactLaw law;
      law.mu = {0.3, 0.3};
      law.friction = static_cast<ContactLaw::Friction>(1 + checked++ % 2);
      const Rows<CurveOnCurve, ContactLaw> rows{law.rows(), {contact, law}};
      expect_directions_follow(
          rows, at, [&](const Pair& p) { return Numbers{gap(contact, p)}; }, "an edge on an edge");
      expect_levels_agree(rows, at, dice, "an edge on an edge");
    }
  EXPECT_GT(checked, 40);
}

// The rim of a pin beside another pin, of a pin in a bore, and of a bore around a pin. The radii of hollows are
// negative.
TEST(Gradient, rims_on_round_walls_agree_with_differences_at_every_level) {
  Dice dice(17);
  int checked = 0;
  const auto check = [&](const auto& contact, const Pair& at) {
    Vec3d a, b, n;
    nearest_points(contact, at, a, b, n);
    EXPECT_NEAR(dot(a - b, n), gap(contact, at), 1e-12);
    if (tangents_change_near(n)) return;
    ContactLaw law;
    law.mu = {0.3, 0.3};
    law.friction = static_cast<ContactLaw::Friction>(1 + checked++ % 2);
    const Rows<std::decay_t<decltype(contact)>, ContactLaw> rows{law.rows(), {contact, law}};
    expect_directions_follow(
        rows, at, [&](const Pair& p) { return Numbers{gap(contact, p)}; }, "a rim on a wall");
    expect_levels_agree(rows, at, dice, "a rim on a wall");
  };
  struct Radii {
    double ring, wall, apart;
  };
  for (const Radii& radii : {Radii{0.6, 0.5, 1.4}, {0.0, 0.5, 1.0}, {0.5, -1.6, 0.6}, {-1.6, 0.5, 0.6}})
    for (int sample = 0; sample < 16; ++sample) {
      RingOnCylinder contact;
      contact.center = dice.vector(), contact.axis_point = dice.vector();
      contact.ring = radii.ring, contact.radius = radii.wall, contact.tube = 0.1;
      Pair at{dice.pose(), dice.pose()};
      if (sample % 3 == 1) at.B = {}, at.B_moves = false;
      at.A.R = at.B.R * rotation_matrix(exp_map(dice.vector(0.1)));
      const Vec3d offset{radii.apart, 0.3 * dice(), dice()};
      at.A.p = at.B.point(contact.axis_point + offset) - at.A.direction(contact.center);
      check(contact, at);
      check(CylinderOnRing{contact}, {at.B, at.A, at.t, at.B_moves, at.A_moves});
    }
  EXPECT_GT(checked, 40);
}

// Heights far apart, so that the differences stay within one cell, in which the spline is smooth.
TEST(Gradient, contacts_with_a_terrain_agree_with_differences_at_every_level) {
  Dice dice(11);
  std::vector<double> heights;
  for (int k = 0; k < 36; ++k) heights.push_back(dice(-0.2, 0.2));
  const HeightField field(6, 6, {-5.0, -5.0}, {2.0, 2.0}, heights);
  // A capsule touches between its ends where the ground is a hill.
  for (int k = 0; k < 36; ++k) heights[k] -= 0.1 * (std::pow(2 * (k % 6) - 5, 2) + std::pow(2 * (k / 6) - 5, 2));
  const HeightField hill(6, 6, {-5.0, -5.0}, {2.0, 2.0}, heights);
  int checked = 0;
  const auto check = [&]<class C>(C contact, double above) {
    constexpr bool is_capsule = std::is_same_v<C, CapsuleOnTerrain>;
    for (int sample = 0; sample < 400 && checked < 40; ++sample) {
      contact.field = is_capsule ? &hill : &field, contact.place = dice.pose(), contact.center = dice.vector();
      const double x = dice(-0.4, 0.4), y = dice(-0.4, 0.4);
      contact.start = {x, y, is_capsule ? 0.0 : dice(-3.0, 3.0)};
      Pair at{dice.pose(), dice.pose()};
      if (sample % 3 == 1) at.B = {}, at.B_moves = false;
      const Vec3d place = contact.place.point(Vec3d{x, y, contact.field->template at<false>(x, y).z + above});
      at.A.p = at.B.point(place) - at.A.direction(contact.center);
      Vec3d a, b, n;
      nearest_points(contact, at, a, b, n);
      const Vec3d foot = transposed_times(contact.place.R, transposed_times(at.B.R, b - at.B.p) - contact.place.p);
      if (tangents_change_near(n) || std::abs(foot.x) > 0.9 || std::abs(foot.y) > 0.9) continue;
      if constexpr (is_capsule) {  // between its ends, and not where the search began because there is no foot
        const Vec3d axis = at.A.direction(contact.spokes[0]), center = at.A.point(contact.center);
        const double u = dot(a + contact.tube * n - center, axis) / dot(axis, axis);
        if (std::abs(u) > 0.9 || std::abs(u) < 1e-9) continue;
      }
      ContactLaw law;
      law.mu = {0.3, 0.3};
      law.patch_radius = 0.2;
      law.friction = static_cast<ContactLaw::Friction>(1 + checked++ % 3);
      const Rows<C, ContactLaw> rows{law.rows(), {contact, law}};
      expect_directions_follow(
          rows, at, [&](const Pair& p) { return Numbers{gap(contact, p)}; }, std::string(C::name));
      expect_levels_agree(rows, at, dice, std::string(C::name));
    }
  };
  check(SphereOnTerrain{.tube = 0.3, .field = nullptr}, 0.4);
  EXPECT_GT(checked, 8);
  checked = 0;
  check(WheelOnTerrain{.spokes = {Vec3d{0.3, 0, 0}, Vec3d{0, 0.3, 0}}, .tube = 0.1, .field = nullptr}, 0.6);
  EXPECT_GT(checked, 8);
  checked = 0;
  check(CapsuleOnTerrain{.spokes = {Vec3d{0.4, 0, 0}, {}}, .tube = 0.1, .field = nullptr}, 0.4);
  EXPECT_GT(checked, 8);
}

TEST(Gradient, every_force_agrees_with_differences) {
  for_each<Forces>([]<class F>() {
    for_samples(9, [](Dice& dice, const Pair& start, const Pair& at, bool all_keys, bool planar) {
      const F force = random_element<F>(dice, all_keys, start, planar);
      const PairTwist u = dice.pair_twist();
      const auto f = [&](const Pair& p, const PairTwist& v) {
        Numbers f(12);
        wrench(force, p, v, f.data());
        return f;
      };
      Numbers K(144), C(144);
      wrench_gradient(force, at, u, K.data(), C.data());
      const auto [first, last] = moving_columns(at);
      for (int j = first; j < last; ++j) {
        const std::string where = std::string(F::name) + ", column " + std::to_string(j);
        expect_near(column(K, j), difference([&](double s) { return f(displaced(at, j, s), u); }), tolerance,
                    where + ": along the pose");
        expect_near(column(C, j), difference([&](double s) { return f(at, displaced(u, j, s)); }), tolerance,
                    where + ": along the twist");
      }
    });
  });
}

TEST(Gradient, elastic_forces_are_the_slope_of_their_energy_and_stiff_along_their_lines) {
  const auto check = []<class F>() {
    for_samples(10, [](Dice& dice, const Pair& start, const Pair& at, bool all_keys, bool) {
      const F force = random_element<F>(dice, all_keys, start, false);
      Numbers f(12), G(36);
      wrench(force, at, {}, f.data());
      const Lines stiff = lines(force, at, G.data());
      const PairTwist u = dice.pair_twist();
      Numbers K(144), C(144);
      wrench_gradient(force, at, u, K.data(), C.data());
      const auto [first, last] = moving_columns(at);
      for (int j = first; j < last; ++j) {
        const double slope = difference([&](double s) { return Numbers{energy(force, displaced(at, j, s))}; })[0];
        EXPECT_NEAR(f[j], -slope, tolerance) << F::name << ", column " << j;
        for (int i = first; i < last; ++i) {
          double damped = 0.0;
          for (int l = 0; l < stiff.count; ++l) damped -= stiff.damping * G[12 * l + i] * G[12 * l + j];
          EXPECT_NEAR(C[12 * i + j], damped, 1e-12) << F::name;
        }
      }
    });
  };
  check.operator()<Spring>();
  check.operator()<SpringDamper>();
  check.operator()<TorsionalSpringDamper>();
}

}  // namespace
}  // namespace tappet::test
