// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/mechanics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <random>

#include "formula/parse.h"
#include "slider_crank.h"

namespace tappet {
namespace {

using Values = std::vector<double>;

// Sixth-order central difference of a vector function.
Values difference(const std::function<Values(double)>& f, double x, double h) {
  const double weight[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  Values total;
  for (int k = 1; k <= 3; ++k) {
    const Values up = f(x + k * h), down = f(x - k * h);
    total.resize(up.size());
    for (std::size_t i = 0; i < up.size(); ++i) total[i] += weight[k - 1] * (up[i] - down[i]) / h;
  }
  return total;
}

// Two coordinates x, y with everything at once: moving constraints, nonlinear rows, rows on velocity level, and forces
// of t.
struct Everything {
  Everything() {
    scope = {{"t", graph.input(0)},  {"x", graph.input(1)},  {"y", graph.input(2)}, {"z", graph.input(3)},
             {"x'", graph.input(4)}, {"y'", graph.input(5)}, {"z'", graph.input(6)}};
    system.n = 3;
    system.kinetic = node("(2+cos(y)+t^2)*x'^2/2 + (1+x^2)*y'^2/2 + sin(x*y)*x'*y'/4 + z'^2 + (t*x + z)*y' + exp(x)*t");
    system.potential = node("x^2*y + cos(x-t)*y^3 + z^4");
    system.forces = {node("-x'*abs(x') + sin(t)*y"), node("-0.3*y'^3*x"), node("z'*x*t")};
    system.joints.push_back({{{node("x^2 + y^2 - (1+t)^2"), false}, {node("x*z - sin(t)"), false}}});
    system.joints.push_back({{{node("x'*sin(y) - y'*cos(x*y)*t + x^2*t"), true}}});
    system.contacts.push_back(
        {node("y - sin(x-t)"), {{node("x*y + t^2*x"), false}, {node("y*x' + 3*x^2*y' - t"), true}}});
    system.contacts.push_back({node("2*y + t"), {}});
  }
  Node node(const char* text) { return parse(graph, text, scope); }
  Graph graph;
  Scope scope;
  FormulaSystem system;
};

class Levels : public testing::TestWithParam<bool> {
 protected:
  Levels() {
    Everything everything;
    SliderCrank crank;
    if (GetParam())
      mechanics.emplace_back(everything.graph, everything.system);
    else
      mechanics.emplace_back(crank.graph, crank.system);
    work = m().workspace();
    std::mt19937 random(5);
    for (int i = 0; i < 3; ++i)
      for (Values* v : {&q, &u, &a, &P}) v->push_back(std::uniform_real_distribution<double>(0.3, 1.2)(random));
  }
  const FormulaMechanics& m() { return mechanics.front(); }

  Values rows_times_u(int k, double time, const Values& position, const Values& velocity) {
    const auto columns = m().columns(k);
    Values W(m().rows(k) * columns.size()), gamma(m().rows(k));
    m().directions(k, time, position.data(), W.data(), gamma.data(), work);
    for (int r = 0; r < m().rows(k); ++r)
      for (std::size_t c = 0; c < columns.size(); ++c) gamma[r] += W[r * columns.size() + c] * velocity[columns[c]];
    return gamma;
  }
  Values acceleration(int k, double time, const Values& position, const Values& velocity) {
    Values zeta(m().rows(k)), Wa = rows_times_u(k, time, position, a);
    const Values chi = rows_times_u(k, time, position, Values(3));
    m().accelerations(k, time, position.data(), velocity.data(), zeta.data(), work);
    for (int r = 0; r < m().rows(k); ++r) zeta[r] += Wa[r] - chi[r];
    return zeta;
  }
  // d/dt along q(t + s) = q + s u, u(t + s) = u + s a.
  Values along(double s, const Values& x, const Values& rate) const {
    Values y = x;
    for (int i = 0; i < 3; ++i) y[i] += s * rate[i];
    return y;
  }
  Values moved(const Values& x, int i, double value) const {
    Values y = x;
    y[i] = value;
    return y;
  }
  static void expect_near(const Values& exact, const Values& differences, const char* what) {
    ASSERT_EQ(exact.size(), differences.size());
    for (std::size_t i = 0; i < exact.size(); ++i)
      EXPECT_NEAR(exact[i], differences[i], 1e-9 * (1 + std::abs(exact[i]))) << what << " " << i;
  }

  std::vector<FormulaMechanics> mechanics;
  FormulaMechanics::Workspace work;
  double t = 0.4;
  Values q, u, a, P;
};

TEST_P(Levels, satisfy_lagranges_equations) {
  // d/dt(∂T/∂u) − ∂T/∂q + ∂V/∂q − Q = M a − h along any motion; the left side by differences of T and V.
  const auto T_by_u = [&](double s) {
    const Values x = along(s, q, u), v = along(s, u, a);
    Values p(3);
    for (int i = 0; i < 3; ++i)
      p[i] = difference([&](double z) { return Values{m().kinetic(t + s, x.data(), moved(v, i, z).data(), work)}; },
                        v[i], 1e-2)[0];
    return p;
  };
  const Values rate = difference(T_by_u, 0.0, 1e-2);
  Values M(9), h(3);
  m().mass_and_forces(t, q.data(), u.data(), M.data(), h.data(), work);
  for (int i = 0; i < 3; ++i) {
    double left = rate[i];
    left -= difference([&](double z) { return Values{m().kinetic(t, moved(q, i, z).data(), u.data(), work)}; }, q[i],
                       1e-2)[0];
    left += difference([&](double z) { return Values{m().potential(t, moved(q, i, z).data(), work)}; }, q[i], 1e-2)[0];
    if (GetParam()) {
      const double Q[] = {-u[0] * u[0] + std::sin(t) * q[1], -0.3 * u[1] * u[1] * u[1] * q[0], u[2] * q[0] * t};
      left -= Q[i];
    }
    double right = -h[i];
    for (int j = 0; j < 3; ++j) right += M[3 * j + i] * a[j];
    EXPECT_NEAR(left, right, 1e-8);
  }
}

TEST_P(Levels, force_derivatives_are_those_of_the_forces) {
  Values K(9), C(9), h(3), Ma(9);
  m().force_derivatives(t, q.data(), u.data(), K.data(), C.data(), work);
  m().mass_times_derivative(t, q.data(), a.data(), Ma.data(), work);
  for (int j = 0; j < 3; ++j) {
    const auto forces_q = [&](double z) {
      m().forces(t, moved(q, j, z).data(), u.data(), h.data(), work);
      return h;
    };
    const auto forces_u = [&](double z) {
      m().forces(t, q.data(), moved(u, j, z).data(), h.data(), work);
      return h;
    };
    const auto mass_a = [&](double z) {
      Values M(9), out(3);
      m().mass(t, moved(q, j, z).data(), M.data(), work);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out[r] += M[3 * c + r] * a[c];
      return out;
    };
    expect_near({K.begin() + 3 * j, K.begin() + 3 * j + 3}, difference(forces_q, q[j], 1e-2), "dh/dq");
    expect_near({C.begin() + 3 * j, C.begin() + 3 * j + 3}, difference(forces_u, u[j], 1e-2), "dh/du");
    expect_near({Ma.begin() + 3 * j, Ma.begin() + 3 * j + 3}, difference(mass_a, q[j], 1e-2), "d(Ma)/dq");
  }
}

TEST_P(Levels, velocities_are_rates_of_positions_and_accelerations_of_velocities) {
  for (int k = 0; k < m().blocks(); ++k) {
    const int rows = m().rows(k);
    const auto value = [&](double s) {
      Values g(rows);
      m().value(k, t + s, along(s, q, u).data(), g.data(), work);
      return g;
    };
    const auto velocity = [&](double s) { return rows_times_u(k, t + s, along(s, q, u), along(s, u, a)); };
    const Values gamma = velocity(0.0), rate = difference(value, 0.0, 1e-2);
    for (int r = 0; r < rows; ++r)
      if (m().velocity_level(k, r))
        EXPECT_EQ(rate[r], 0.0);
      else
        EXPECT_NEAR(gamma[r], rate[r], 1e-9 * (1 + std::abs(gamma[r])));
    expect_near(acceleration(k, t, q, u), difference(velocity, 0.0, 1e-2), "acceleration");
  }
}

TEST_P(Levels, derivatives_of_rows_are_those_of_their_values) {
  for (int k = 0; k < m().blocks(); ++k) {
    const auto columns = m().columns(k);
    const int rows = m().rows(k), n = static_cast<int>(columns.size());
    Values by_impulse(n * n), by_velocity(rows * n), by_q(rows * n), by_u(rows * n);
    m().impulse_derivative(k, t, q.data(), P.data(), by_impulse.data(), work);
    m().velocity_derivative(k, t, q.data(), u.data(), by_velocity.data(), work);
    m().acceleration_derivatives(k, t, q.data(), u.data(), a.data(), by_q.data(), by_u.data(), work);
    for (int j = 0; j < n; ++j) {
      const int i = columns[j];
      const auto force = [&](double z) {
        Values W(rows * n), chi(rows), f(n);
        m().directions(k, t, moved(q, i, z).data(), W.data(), chi.data(), work);
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < n; ++c) f[c] += P[r] * W[r * n + c];
        return f;
      };
      const auto column = [&](const Values& x, int count) {
        Values y;
        for (int r = 0; r < count; ++r) y.push_back(x[r * n + j]);
        return y;
      };
      expect_near(column(by_impulse, n), difference(force, q[i], 1e-2), "impulse");
      expect_near(column(by_velocity, rows),
                  difference([&](double z) { return rows_times_u(k, t, moved(q, i, z), u); }, q[i], 1e-2), "velocity");
      expect_near(column(by_q, rows),
                  difference([&](double z) { return acceleration(k, t, moved(q, i, z), u); }, q[i], 1e-2), "by q");
      expect_near(column(by_u, rows),
                  difference([&](double z) { return acceleration(k, t, q, moved(u, i, z)); }, u[i], 1e-2), "by u");
    }
  }
}
INSTANTIATE_TEST_SUITE_P(mechanics, Levels, testing::Bool(),
                         [](const auto& info) { return info.param ? "everything" : "slider_crank"; });

TEST(mechanics, a_moving_constraint_has_its_closed_form) {
  Everything e;
  const FormulaMechanics m(e.graph, e.system);
  auto w = m.workspace();
  const double t = 0.3, q[] = {0.5, 0.7, 0.9}, u[] = {1, 2, 3};
  ASSERT_EQ(m.joints(), 2);
  ASSERT_EQ(m.contacts(), 2);
  ASSERT_EQ(m.rows(0), 2);
  double W[6], chi[2], zeta[2];
  m.directions(0, t, q, W, chi, w);  // x² + y² − (1+t)², x z − sin t over x, y, z
  const double expected[] = {2 * q[0], 2 * q[1], 0, q[2], 0, q[0]};
  for (int i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(W[i], expected[i]);
  EXPECT_DOUBLE_EQ(chi[0], -2 * (1 + t));
  EXPECT_DOUBLE_EQ(chi[1], -std::cos(t));
  m.accelerations(0, t, q, u, zeta, w);
  EXPECT_DOUBLE_EQ(zeta[0], 2 * (u[0] * u[0] + u[1] * u[1]) - 2);
  EXPECT_DOUBLE_EQ(zeta[1], 2 * u[0] * u[2] + std::sin(t));
  EXPECT_TRUE(m.directions_are_constant(3));
  EXPECT_TRUE(m.has_chi(3));
  EXPECT_EQ(std::vector<int>(m.columns(3).begin(), m.columns(3).end()), std::vector<int>{1});
}

TEST(mechanics, bead_on_a_hoop_with_prescribed_rotation_has_its_closed_form) {
  // Angle θ from the bottom of a hoop of radius R turning about the vertical by φ = ω t + ε sin t:
  // m R² θ̈ = m R² φ̇² sin θ cos θ − m g R sin θ.
  Graph graph;
  const Node t = graph.input(0);
  const Scope scope{{"t", t},
                    {"theta", graph.input(1)},
                    {"theta'", graph.input(2)},
                    {"R", graph.constant(0.4)},
                    {"m", graph.constant(1.3)},
                    {"g", graph.constant(9.81)}};
  FormulaSystem system;
  system.n = 1;
  // Cartesian velocities of the bead, as one would type them.
  system.kinetic =
      parse(graph,
            "m/2*((R*cos(theta)*theta'*cos(7*t+0.2*sin(t)) - R*sin(theta)*sin(7*t+0.2*sin(t))*(7+0.2*cos(t)))^2"
            " + (R*cos(theta)*theta'*sin(7*t+0.2*sin(t)) + R*sin(theta)*cos(7*t+0.2*sin(t))*(7+0.2*cos(t)))^2"
            " + (R*sin(theta)*theta')^2)",
            scope);
  system.potential = parse(graph, "-m*g*R*cos(theta)", scope);
  const FormulaMechanics mechanics(graph, system);
  auto work = mechanics.workspace();
  for (double time : {0.0, 0.7, 2.9}) {
    const double theta = 0.8 + time, u = 1.7, rate = 7 + 0.2 * std::cos(time), mR2 = 1.3 * 0.4 * 0.4;
    double M, h;
    mechanics.mass_and_forces(time, &theta, &u, &M, &h, work);
    EXPECT_NEAR(M, mR2, 1e-14);
    EXPECT_NEAR(h, mR2 * rate * rate * std::sin(theta) * std::cos(theta) - 1.3 * 9.81 * 0.4 * std::sin(theta), 1e-13);
  }
}

TEST(mechanics, a_mass_matrix_gives_the_forces_of_its_kinetic_energy_unless_they_are_complete) {
  SliderCrank crank;
  const FormulaMechanics by_energy(crank.graph, crank.system);
  FormulaSystem by_mass = crank.system;
  by_mass.kinetic = -1;
  const auto node = [&](const char* text) { return parse(crank.graph, text, crank.scope); };
  const Node M11 = node("J1 + l1^2*(m1/4+m2+m3)"), M12 = node("l1*l2*cos(theta1-theta2)*(m2/2+m3)"),
             M22 = node("J2 + l2^2*(m2/4+m3)"), zero = node("0");
  by_mass.mass = {M11, M12, zero, M12, M22, zero, zero, zero, node("J3")};
  const FormulaMechanics derived(crank.graph, by_mass);
  by_mass.potential = -1;
  by_mass.forces_are_complete = true;
  by_mass.forces = {node("theta1'^2"), node("t*theta2"), node("7")};
  const FormulaMechanics complete(crank.graph, by_mass);
  auto w1 = by_energy.workspace(), w2 = derived.workspace(), w3 = complete.workspace();
  const double q[] = {0.3, -1.1, 0.2}, u[] = {20, -30, 5};
  double M[9], M2[9], h[3], h2[3], h3[3];
  by_energy.mass_and_forces(0, q, u, M, h, w1);
  derived.mass_and_forces(0, q, u, M2, h2, w2);
  complete.forces(2, q, u, h3, w3);
  for (int i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(M[i], M2[i]);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(h[i], h2[i], 1e-13);
  EXPECT_DOUBLE_EQ(h3[0], 400.0);
  EXPECT_DOUBLE_EQ(h3[1], -2.2);
  EXPECT_DOUBLE_EQ(h3[2], 7.0);
  EXPECT_TRUE(complete.forces_depend_on_t());
  EXPECT_EQ(complete.potential(0, q, w3), 0.0);
}

TEST(mechanics, a_free_particle_depends_on_nothing) {
  Graph graph;
  FormulaSystem system;
  system.n = 1;
  const Scope scope{{"x", graph.input(1)}, {"x'", graph.input(2)}};
  system.kinetic = parse(graph, "x'^2/2", scope);
  system.potential = parse(graph, "9.81*x", scope);
  const FormulaMechanics m(graph, system);
  EXPECT_TRUE(m.mass_is_constant());
  EXPECT_FALSE(m.forces_depend_on_q());
  EXPECT_FALSE(m.forces_depend_on_u());
  EXPECT_FALSE(m.forces_depend_on_t());
}

TEST(mechanics, formulas_that_are_no_mechanics_are_refused_and_named) {
  using Part = MechanicsError::Part;
  struct Case {
    std::function<void(Everything&)> spoil;
    Part part;
    int index, row;
    const char* says;
  };
  const Case cases[] = {
      {[](auto& e) { e.system.kinetic = e.node("x'^3"); }, Part::kinetic, 0, 0, "quadratic"},
      {[](auto& e) { e.system.kinetic = e.node("x'^2 + y'^2 + sqrt(1+z'^2)"); }, Part::kinetic, 0, 0, "quadratic"},
      {[](auto& e) { e.system.potential = e.node("x*x'"); }, Part::potential, 0, 0, "velocities"},
      {[](auto& e) { e.system.kinetic = -1; }, Part::mass, 0, 0, "3 x 3"},
      {[](auto& e) { e.system.forces.pop_back(); }, Part::forces, 0, 0, "expected 3 forces"},
      {[](auto& e) { e.system.joints[0].rows[1].node = e.node("x'+y"); }, Part::joint, 0, 1, "constraint must not"},
      {[](auto& e) { e.system.joints[1].rows[0].node = e.node("x'*y'"); }, Part::joint, 1, 0, "affine"},
      {[](auto& e) { e.system.contacts[1].gap = e.node("y'"); }, Part::contact, 1, 0, "gap must not"},
      {[](auto& e) { e.system.contacts[0].friction[0].node = e.node("y'"); }, Part::contact, 0, 1, "slip must not"},
      {[](auto& e) { e.system.contacts[0].friction[1].node = e.node("y'*abs(x')"); }, Part::contact, 0, 2, "affine"},
      {[](auto& e) {
         e.system.kinetic = -1;
         e.system.mass.assign(9, e.node("x'"));
       },
       Part::mass, 0, 0, "velocities"},
      {[](auto& e) {
         e.system.kinetic = -1;
         e.system.mass.assign(9, e.node("0"));
         e.system.mass[1] = e.node("x");
       },
       Part::mass, 1, 0, "symmetric"}};
  for (const Case& c : cases) {
    Everything e;
    c.spoil(e);
    try {
      FormulaMechanics(e.graph, e.system);
      ADD_FAILURE() << "accepted: " << c.says;
    } catch (const MechanicsError& error) {
      EXPECT_EQ(error.part, c.part) << error.what();
      EXPECT_EQ(error.index, c.index) << error.what();
      EXPECT_EQ(error.row, c.row) << error.what();
      EXPECT_NE(std::string(error.what()).find(c.says), std::string::npos) << error.what();
    }
  }
}

TEST(mechanics, remembered_angles_never_change_a_result) {
  SliderCrank crank;
  const FormulaMechanics m(crank.graph, crank.system);
  auto used = m.workspace();
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    double q[3], u[] = {1, 2, 3}, M[9], h[3], fresh_M[9], fresh_h[3];
    for (double& x : q) x = 0.1 * static_cast<int>(random() % 3) * (random() % 2 ? -1.0 : 1.0);
    auto fresh = m.workspace();
    m.mass_and_forces(0, q, u, M, h, used);
    m.mass_and_forces(0, q, u, fresh_M, fresh_h, fresh);
    for (int e = 0; e < 9; ++e) EXPECT_EQ(M[e], fresh_M[e]);
    for (int e = 0; e < 3; ++e) EXPECT_EQ(h[e], fresh_h[e]);
  }
}

// A chain of n masses and springs, T = Σ x'²/2, V = Σ k (x_i − x_{i−1})²/2.
struct ChainOfMasses {
  explicit ChainOfMasses(int n) {
    std::string kinetic, potential = "50*x0^2/2";
    for (int i = 0; i < n; ++i) {
      const std::string x = "x" + std::to_string(i), before = "x" + std::to_string(i - 1);
      scope[x] = graph.input(1 + i), scope[x + "'"] = graph.input(1 + n + i);
      kinetic += (i ? " + " : "") + x + "'^2/2";
      if (i > 0) potential += " + 50*(" + x + " - " + before + ")^2/2";
    }
    system.n = n;
    system.kinetic = parse(graph, kinetic, scope), system.potential = parse(graph, potential, scope);
    mechanics.emplace(graph, system);
  }
  Graph graph;
  Scope scope;
  FormulaSystem system;
  std::optional<FormulaMechanics> mechanics;
};

TEST(Mechanics, a_long_chain_has_the_matrices_of_the_closed_form) {
  const int n = 150;
  const ChainOfMasses chain(n);
  auto w = chain.mechanics->workspace();
  const FormulaMechanics& mechanics = *chain.mechanics;
  ASSERT_FALSE(mechanics.has_all_entries());
  Values q(n), u(n), masses(mechanics.mass_entries().size()), h(n), K(n * n), M(n * n),
      stiffnesses(mechanics.stiffness_entries().size());
  for (int i = 0; i < n; ++i) q[i] = std::sin(1.0 + i), u[i] = std::cos(2.0 * i);
  mechanics.mass_and_forces(0.0, q.data(), u.data(), masses.data(), h.data(), w);
  mechanics.force_derivatives(0.0, q.data(), u.data(), stiffnesses.data(), nullptr, w);
  const auto spread = [&](std::span<const MatrixEntry> entries, const Values& values, Values& matrix) {
    for (size_t k = 0; k < entries.size(); ++k) matrix[entries[k].column * n + entries[k].row] += values[k];
  };
  spread(mechanics.mass_entries(), masses, M), spread(mechanics.stiffness_entries(), stiffnesses, K);
  EXPECT_EQ(masses.size(), static_cast<size_t>(n));
  EXPECT_EQ(stiffnesses.size(), static_cast<size_t>(3 * n - 2));
  EXPECT_TRUE(mechanics.damping_entries().empty());
  for (int i = 0; i < n; ++i) {
    const double left = 50 * (q[i] - (i > 0 ? q[i - 1] : 0.0)), right = i + 1 < n ? 50 * (q[i + 1] - q[i]) : 0.0;
    EXPECT_NEAR(h[i], right - left, 1e-12);
    for (int j = 0; j < n; ++j) {
      EXPECT_EQ(M[j * n + i], i == j ? 1.0 : 0.0);
      const double stiffness = i == j ? (i + 1 < n ? -100.0 : -50.0) : std::abs(i - j) == 1 ? 50.0 : 0.0;
      EXPECT_NEAR(K[j * n + i], stiffness, 1e-12);
    }
  }
}

// Formulas of all derivatives: their number must not grow with the square of the number of coordinates.
TEST(Mechanics, the_formulas_of_a_long_chain_grow_with_its_length) {
  const ChainOfMasses chain(400), twice(800);
  EXPECT_LT(twice.graph.size(), 2.2 * chain.graph.size());
  EXPECT_LT(twice.mechanics->operations_of_mass_and_forces(), 2.2 * chain.mechanics->operations_of_mass_and_forces());
}

}  // namespace
}  // namespace tappet
