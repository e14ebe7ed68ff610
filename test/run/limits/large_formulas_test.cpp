// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Above 60 coordinates the matrices of formulas hold only the entries that may not be zero.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "run/simulate.h"
#include "support/mechanism.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

// Chains of n masses whose kinetic energy depends on positions, with springs, dampers, and a wall before the last mass.
std::string chains(int copies, int n) {
  std::string coordinates, kinetic = "0", potential = "0", forces, contacts;
  for (int c = 0; c < copies; ++c)
    for (int i = 0; i < n; ++i) {
      const std::string x = fmt::format("x{}_{}", c, i), next = fmt::format("x{}_{}", c, i + 1);
      coordinates += fmt::format("  {}: {{position: {}, velocity: {}}}\n", x, i + 0.1 * std::sin(3 * i), 0.2 * i / n);
      kinetic += fmt::format(" + (1 + 0.1*sin({0}))*{0}'^2/2", x);
      forces += fmt::format("  {0}: -0.05*{0}' - 0.02*{0}'^3\n", x);
      if (i + 1 < n) {
        kinetic += fmt::format(" + 0.1*cos({0} - {1})*{0}'*{1}'", x, next);
        potential += fmt::format(" + 50*({1} - {0} - 1)^2 + 20*({1} - {0} - 1)^4", x, next);
      } else {
        contacts += fmt::format("  wall{}: {{gap: {} - {}, e_N: 0.5}}\n", c, n - 1 + 0.03, x);
      }
    }
  return fmt::format("coordinates:\n{}lagrangian: {{kinetic: {}, potential: {}}}\nforces:\n{}contacts:\n{}",
                     coordinates, kinetic, potential, forces, contacts);
}

Result run(int copies, int n, const std::string& scheme) {
  return simulate(parse_model(chains(copies, n), "chains"), {.scheme = scheme, .dt = 1e-3, .end = 0.3});
}

class LargeFormulas : public testing::TestWithParam<const char*> {};

// Two chains of 40 masses are 80 coordinates. They do not know each other, so each moves like a chain alone.
TEST_P(LargeFormulas, move_like_small_ones) {
  const int n = 40;
  const Result small = run(1, n, GetParam()), large = run(2, n, GetParam());
  ASSERT_EQ(small.summary.status, RunStatus::done) << small.summary.message;
  ASSERT_EQ(large.summary.status, RunStatus::done) << large.summary.message;
  double moved = 0.0;
  for (int i = 0; i < 2 * n; ++i) {
    EXPECT_NEAR(large.state.q[i], small.state.q[i % n], 1e-10) << i;
    EXPECT_NEAR(large.state.u[i], small.state.u[i % n], 1e-8) << i;
    moved = std::max(moved, std::abs(small.state.u[i % n]));
  }
  EXPECT_GT(moved, 0.1);
  double nearest = 1.0;  // distance of the last mass from its wall
  for (const Vec& q : small.q) nearest = std::min(nearest, n - 1 + 0.03 - q[n - 1]);
  EXPECT_LT(nearest, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Schemes, LargeFormulas,
                         testing::Values("moreau-explicit", "moreau-midpoint", "moreau-jean", "schatzman-paoli",
                                         "combined-projection", "ggl-unified", "half-explicit-velocity", "lcp-euler",
                                         "lcp-trapezoidal", "generalized-alpha", "event-driven"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// One chain of 70 masses, stored as a band: every derivative against differences of the level below.
TEST(LargeFormulas, have_exact_derivatives) {
  const int n = 70;
  const Mechanism system(parse_model(chains(1, n), "chain"));
  Evaluator evaluate(system);
  const State& at = system.initial();
  Vec a(n);
  for (int i = 0; i < n; ++i) a[i] = std::cos(0.7 * i);
  const double z = 1e-6, z_u = 1e-4;  // forces are cubic in u, so the error of z_u is 2e-10
  const auto forces = [&](int j, double dq, double du) {
    Vec q = at.q, u = at.u, h(n);
    q[j] += dq, u[j] += du;
    evaluate.forces(0, q, u, h);
    return h;
  };
  const auto mass_times = [&](int j, double dq) {
    Vec q = at.q, product(n);
    q[j] += dq;
    BlockMatrix M = system.mass_matrix();
    evaluate.mass(0, q, M);
    M.multiply(std::span<const double>(a.data(), n), std::span<double>(product.data(), n));
    return product;
  };
  BlockMatrix K = system.iteration_matrix(), C = system.iteration_matrix(), D = system.iteration_matrix();
  K.set_zero(), C.set_zero(), D.set_zero();
  evaluate.add_force_derivatives(0, at.q, at.u, 1.0, 0.0, K);
  evaluate.add_force_derivatives(0, at.q, at.u, 0.0, 1.0, C);
  evaluate.add_mass_derivative(0, at.q, a, 1.0, D);
  for (int j = 0; j < n; ++j) {
    const Vec q1 = forces(j, z, 0), q0 = forces(j, -z, 0), u1 = forces(j, 0, z_u), u0 = forces(j, 0, -z_u),
              m1 = mass_times(j, z), m0 = mass_times(j, -z);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(K(i, j), (q1[i] - q0[i]) / (2 * z), 1e-6) << i << ' ' << j;
      EXPECT_NEAR(C(i, j), (u1[i] - u0[i]) / (2 * z_u), 1e-8) << i << ' ' << j;
      EXPECT_NEAR(D(i, j), (m1[i] - m0[i]) / (2 * z), 1e-8) << i << ' ' << j;
    }
  }
}

}  // namespace
}  // namespace tappet
