// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Every kernel against dual numbers: each element, each pair of kinds of bodies, each level, at random poses.
#include <map>

#include "elements/random_element.h"
#include "kernels/choose.h"
#include "support/allocations.h"

namespace tappet::test {
namespace {

using namespace kernels;
using Numbers = std::vector<double>;

enum class BodyKind { ground, point, planar, rigid };
constexpr BodyKind body_kinds[] = {BodyKind::ground, BodyKind::point, BodyKind::planar, BodyKind::rigid};

// Moves the numbers of an element into the plane.
class Flatten : public NumberVisitor<Flatten> {
 public:
  explicit Flatten(bool lying) : NumberVisitor(true), lying_(lying) {}
  void number(double&) {}
  void drive(TimeFunction&) {}
  void choice(bool&) {}
  void lying(bool& x) { x = lying_; }
  void fixed(bool& x, bool value) { x = value; }
  void zero(double& x) { x = 0.0; }
  void zero(TimeFunction& f) { f = TimeFunction(0.0); }

 private:
  bool lying_;  // axes of joints in the plane, not across it
};

struct Scene {
  BodyKind A, B;
  Pair at;
  PairTwist u, u_dot;
  Family family;

  bool in_plane() const { return family.in_plane(); }
  bool moves(int column) const { return column < 6 ? at.A_moves : at.B_moves; }
};

Kind kind_of(BodyKind kind) {
  return kind == BodyKind::ground ? Kind::ground : kind == BodyKind::planar ? Kind::planar : Kind::spatial;
}
Pose<double> pose_of(BodyKind kind, Dice& dice) {
  switch (kind) {
    case BodyKind::ground:
      return {};
    case BodyKind::point:
      return {.p = dice.vector()};
    case BodyKind::planar: {
      const double phi = dice(-9, 9);
      return {{dice(), dice(), 0.0}, rotation_about_z(phi), phi};
    }
    default:
      return dice.pose();
  }
}
Twist<double> twist_of(BodyKind kind, Dice& dice) {
  Twist<double> w = dice.twist();
  if (kind == BodyKind::ground) w = {};
  if (kind == BodyKind::point) w.w = {};
  if (kind == BodyKind::planar) w.v.z = w.w.x = w.w.y = 0.0;
  return w;
}
Scene scene(BodyKind A, BodyKind B, Dice& dice) {
  Scene s{A, B, {}, {}, {}, {kind_of(A), kind_of(B)}};
  s.at = {pose_of(A, dice), pose_of(B, dice), dice(0.0, 2.0), A != BodyKind::ground, B != BodyKind::ground};
  s.u = {twist_of(A, dice), twist_of(B, dice)};
  s.u_dot = {twist_of(A, dice), twist_of(B, dice)};
  return s;
}

template <class Kernel>
Input input(const Choice<Kernel>& choice, const Scene& s, const double* P) {
  return {&s.at.A.p.x, &s.at.B.p.x, &s.u.a.v.x, &s.u.b.v.x, &s.u_dot.a.v.x, &s.u_dot.b.v.x, choice.numbers.data(), P};
}
template <class Kernel>
void drive(Choice<Kernel>& choice, double t) {
  for (const auto& [number, f] : choice.drives) {
    choice.numbers[number] = f(t);
    choice.numbers[number + 1] = f.derivative(t);
    choice.numbers[number + 2] = f.second_derivative(t);
  }
}

struct Worst {
  std::map<std::string, double> of_level;
  int compared = 0, kernels = 0;

  void compare(const std::string& level, const Numbers& ours, const Numbers& theirs) {
    ASSERT_EQ(ours.size(), theirs.size()) << level;
    double scale = 0.0, error = 0.0;
    for (double x : theirs) scale = std::max(scale, std::abs(x));
    for (size_t i = 0; i < ours.size(); ++i) error = std::max(error, std::abs(ours[i] - theirs[i]));
    ++compared;
    double& worst = of_level[level];
    worst = std::max(worst, error / std::max(scale, 1e-3));
    EXPECT_LE(error, 1e-14 * std::max(scale, 1.0)) << level;
  }
  ~Worst() {
    for (const auto& [level, error] : of_level) ::testing::Test::RecordProperty(level, std::to_string(error));
  }
};

// The rows and columns of the kernel out of a matrix over twelve columns; those of a body that stands still are zero.
Numbers left(const RowKernel& k, const Scene& s, const Numbers& twelve) {
  Numbers list;
  for (int r : k.rows)
    for (int c : k.columns) list.push_back(s.moves(c) ? twelve[12 * r + c] : 0.0);
  return list;
}
void still(std::span<const std::uint8_t> columns, const Scene& s, Numbers& compact) {
  for (size_t i = 0; i < compact.size(); ++i)
    if (!s.moves(columns[i % columns.size()])) compact[i] = 0.0;
}
Numbers left(const RowKernel& k, const Numbers& rows) {
  Numbers list;
  for (int r : k.rows) list.push_back(rows[r]);
  return list;
}
Numbers dense(std::span<const std::uint8_t> columns, std::span<const Entry> entries, const Numbers& values,
              const Scene& s) {
  Numbers K(144, 0.0);
  for (size_t e = 0; e < entries.size(); ++e) {
    const int i = columns[entries[e].row], j = columns[entries[e].column];
    if (s.moves(i) && s.moves(j)) K[12 * i + j] = values[e];
  }
  return K;
}
// Of a matrix over both twists: what the kernel has columns for.
Numbers seen(std::span<const std::uint8_t> columns, const Numbers& K) {
  Numbers part(144, 0.0);
  for (int i : columns)
    for (int j : columns) part[12 * i + j] = K[12 * i + j];
  return part;
}

template <class... E>
void compare_rows(const std::string& name, Choice<RowKernel> choice, const Scene& s, Dice& dice, Worst& worst, int rows,
                  const Numbers& value, const E&... e) {
  ASSERT_NE(choice.kernel, nullptr) << name;
  const RowKernel& k = *choice.kernel;
  ASSERT_EQ(k.all_rows, rows) << name;
  ++worst.kernels;
  drive(choice, s.at.t);
  const size_t n = k.rows.size(), m = k.columns.size();
  Numbers P(n), all_P(rows, 0.0);
  for (size_t r = 0; r < n; ++r) P[r] = all_P[k.rows[r]] = dice();
  const Input x = input(choice, s, P.data());
  Numbers W(rows * 12), chi(rows), zeta(rows), K(144), D(rows * 12), D_pose(D), D_twist(D);
  directions(e..., s.at, W.data(), chi.data());
  second_rate(e..., s.at, s.u, zeta.data());
  contraction(e..., s.at, all_P.data(), K.data());
  velocity_gradient(e..., s.at, s.u, D.data());
  acceleration_gradient(e..., s.at, s.u, s.u_dot, D_pose.data(), D_twist.data());
  // A row that was left out does not move.
  for (int r = 0; r < rows; ++r) {
    if (std::find(k.rows.begin(), k.rows.end(), r) != k.rows.end()) continue;
    for (int c : k.columns) EXPECT_EQ(s.moves(c) ? W[12 * r + c] : 0.0, 0.0) << name << ", row " << r;
  }

  Numbers g(value.size() == 1 ? 1 : n), w(n * m), c(n), z(n), curvature(k.curvature.size()), d(n * m), dp(n * m),
      dt(n * m);
  if (!value.empty()) {
    k.value(x, g.data(), nullptr);
    worst.compare(name + ": value", g, value.size() == 1 ? value : left(k, value));
  }
  k.directions(x, w.data(), c.data());
  still(k.columns, s, w);
  worst.compare(name + ": directions", w, left(k, s, W));
  worst.compare(name + ": rate in time", c, left(k, chi));
  k.second_rate(x, z.data(), nullptr);
  worst.compare(name + ": second rate", z, left(k, zeta));
  k.contraction(x, curvature.data(), nullptr);
  worst.compare(name + ": contraction", dense(k.columns, k.curvature, curvature, s), seen(k.columns, K));
  k.velocity_gradient(x, d.data(), nullptr);
  still(k.columns, s, d);
  worst.compare(name + ": velocity gradient", d, left(k, s, D));
  if (!k.acceleration_gradient) return;
  k.acceleration_gradient(x, dp.data(), dt.data());
  still(k.columns, s, dp), still(k.columns, s, dt);
  worst.compare(name + ": acceleration along the pose", dp, left(k, s, D_pose));
  worst.compare(name + ": acceleration along the twist", dt, left(k, s, D_twist));
}

// Random elements between every pair of kinds of bodies.
template <class E, class F>
void for_scenes(unsigned seed, F&& f) {
  Dice dice(seed);
  for (BodyKind A : body_kinds)
    for (BodyKind B : body_kinds) {
      if (A == BodyKind::ground && B == BodyKind::ground) continue;
      for (int k = 0; k < 4; ++k) {
        Scene s = scene(A, B, dice);
        E element = random_element<E>(dice, k % 2 == 0, s.at, s.in_plane());
        if (s.in_plane() && k < 3) {  // the last one stays in space, where it has no kernel in the plane
          Flatten flatten(k == 2);
          if constexpr (HasNumbers<E>) element.numbers(flatten);
        }
        // a little further on
        if (s.at.A_moves) s.at.A.p = s.at.A.p + 0.1 * Vec3d{1, 2, s.in_plane() || A == BodyKind::planar ? 0.0 : 1.0};
        f(dice, s, element, k < 3);
      }
    }
}
std::string named(std::string_view type, const Scene& s) {
  constexpr std::string_view kinds[] = {"ground", "point", "planar", "rigid"};
  return std::string(type) + " " + std::string(kinds[static_cast<int>(s.A)]) + "-" +
         std::string(kinds[static_cast<int>(s.B)]);
}

TEST(Kernels, joints_equal_dual_numbers_at_every_level) {
  Worst worst;
  for_each<Joints>([&]<class J>() {
    for_scenes<J>(1, [&](Dice& dice, const Scene& s, const J& joint, bool flat) {
      const Choice<RowKernel> choice = choose_joint(joint, s.family);
      if (!choice.kernel && s.in_plane() && !flat) return;  // between planar bodies, and not in the plane
      Numbers g(joint.rows());
      value(joint, s.at, g.data());
      compare_rows(named(J::name, s), choice, s, dice, worst, joint.rows(), g, joint);
    });
  });
  EXPECT_GT(worst.kernels, 300);
}

TEST(Kernels, velocity_joints_equal_dual_numbers_at_every_level) {
  Worst worst;
  for_each<VelocityJoints>([&]<class J>() {
    for_scenes<J>(2, [&](Dice& dice, const Scene& s, const J& joint, bool) {
      compare_rows(named(J::name, s), choose_joint(joint, s.family), s, dice, worst, joint.rows(), {}, joint);
    });
  });
  EXPECT_GT(worst.kernels, 80);
}

TEST(Kernels, contacts_equal_dual_numbers_at_every_level) {
  Worst worst;
  for_each<Contacts>([&]<class C>() {
    int turn = 0;
    for_scenes<C>(3, [&](Dice& dice, const Scene& s, const C& contact, bool flat) {
      ContactLaw law;
      law.mu = {0.3, 0.3};
      law.patch_radius = 0.2;
      const int rows = turn++ % 3;
      if (rows == 0) law.mu = {0.0, 0.0};
      law.friction = s.in_plane() && flat ? ContactLaw::Friction::planar
                     : rows == 1          ? ContactLaw::Friction::spatial
                                          : ContactLaw::Friction::contensou;
      if (rows == 2 && turn % 2 == 0 && law.friction != ContactLaw::Friction::planar)
        law.mu = {0.3, 0.1}, law.direction = dice.vector();
      const Choice<RowKernel> choice = choose_contact(contact, law, s.family);
      // Some are evaluated with dual numbers: a formula of the model file, and discs that leave the plane.
      if (std::is_same_v<C, PointOnCurve>) {
        EXPECT_EQ(choice.kernel, nullptr);
        return;
      }
      if (std::is_same_v<C, CircleInCircle> && !(s.in_plane() && flat) && !choice.kernel) return;
      compare_rows(named(C::name, s), choice, s, dice, worst, law.rows(), {gap(contact, s.at)}, contact, law);
    });
  });
  EXPECT_GT(worst.kernels, 300);
}

TEST(Kernels, forces_equal_dual_numbers_at_every_level) {
  Worst worst;
  for_each<Forces>([&]<class F>() {
    if constexpr (!std::is_same_v<F, Gravity>)
      for_scenes<F>(4, [&](Dice&, const Scene& s, const F& force, bool flat) {
        if (F::frames == 1 && s.B != BodyKind::ground) return;
        Choice<ForceKernel> choice = choose_force(force, s.family);
        const std::string name = named(F::name, s);
        if (!choice.kernel && s.in_plane() && !flat) return;
        ASSERT_NE(choice.kernel, nullptr) << name;
        const ForceKernel& k = *choice.kernel;
        drive(choice, s.at.t);
        ++worst.kernels;
        const Input x = input(choice, s, nullptr);
        Numbers f(12), K(144), C(144), G(36);
        wrench(force, s.at, s.u, f.data());
        wrench_gradient(force, s.at, s.u, K.data(), C.data());
        const Lines along = lines(force, s.at, G.data());
        const size_t m = k.columns.size();
        Numbers own(m), expected, stiff(k.stiffness_entries.size()), damp(k.damping_entries.size());
        k.wrench(x, own.data(), nullptr);
        still(k.columns, s, own);
        for (int c : k.columns) expected.push_back(s.moves(c) ? f[c] : 0.0);
        worst.compare(name + ": wrench", own, expected);
        k.stiffness(x, stiff.data(), nullptr);
        k.damping(x, damp.data(), nullptr);
        const auto moving = [&](const Numbers& M) {  // wrenches on the ground are of no interest
          Numbers part = seen(k.columns, M);
          for (int i = 0; i < 144; ++i)
            if (!s.moves(i / 12) || !s.moves(i % 12)) part[i] = 0.0;
          return part;
        };
        worst.compare(name + ": stiffness", dense(k.columns, k.stiffness_entries, stiff, s), moving(K));
        worst.compare(name + ": damping", dense(k.columns, k.damping_entries, damp, s), moving(C));
        Numbers e(1);
        k.energy(x, e.data(), nullptr);
        worst.compare(name + ": energy", e, {energy(force, s.at)});
        ASSERT_EQ(k.line_count, along.count) << name;
        if (k.line_count == 0) return;
        Numbers l(k.line_count * m), l_expected;
        k.lines(x, l.data(), nullptr);
        still(k.columns, s, l);
        for (int r = 0; r < k.line_count; ++r)
          for (int c : k.columns) l_expected.push_back(s.moves(c) ? G[12 * r + c] : 0.0);
        worst.compare(name + ": lines", l, l_expected);
      });
  });
  EXPECT_GT(worst.kernels, 150);
}

}  // namespace
}  // namespace tappet::test
