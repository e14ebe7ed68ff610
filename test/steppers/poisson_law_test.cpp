// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/poisson_law.h"

#include <numeric>
#include <random>

#include "steppers/event_driven/event_driven.h"
#include "steppers/half_explicit/explicit_velocity.h"
#include "steppers/half_explicit/half_explicit_acceleration.h"
#include "steppers/half_explicit/half_explicit_adaptive.h"
#include "steppers/moreau/moreau_explicit.h"
#include "steppers/moreau/moreau_jean.h"
#include "steppers/moreau/moreau_midpoint.h"
#include "steppers/shared/impact_law.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using test::shipped;
using test::solver;

std::unique_ptr<Stepper> stepper(const std::string& scheme, const Mechanism& system, const std::string& impact) {
  if (scheme == "event-driven")
    return std::make_unique<EventDriven>(system, solver(), EventDrivenOptions{.impact = impact});
  if (scheme == "moreau-explicit") return std::make_unique<MoreauExplicit>(system, solver(), ImpactOptions{impact});
  if (scheme == "moreau-midpoint") return std::make_unique<MoreauMidpoint>(system, solver(), ImpactOptions{impact});
  if (scheme == "moreau-jean")
    return std::make_unique<MoreauJean>(system, solver(), MoreauJeanOptions{.impact = impact});
  if (scheme == "half-explicit-velocity")
    return std::make_unique<HalfExplicitVelocity>(system, solver(), ImpactOptions{impact});
  if (scheme == "half-explicit-adaptive")
    return std::make_unique<HalfExplicitAdaptive>(system, solver(), HalfExplicitAdaptiveOptions{.impact = impact});
  return std::make_unique<ExplicitVelocity>(system, solver(), ExplicitVelocityOptions{.impact = impact});
}

class PoissonImpacts : public testing::TestWithParam<const char*> {
 protected:
  // Velocities after an impact 1e-10 s ahead.
  Vec after(const Mechanism& system, const std::string& impact) {
    const auto scheme = stepper(GetParam(), system, impact);
    return test::run(system, *scheme, 1e-9, 4e-9).state.u;
  }
};

// A rod of length 2 hits with its tip at 45°, e = 1. Friction sticks after Newton and the energy rises from 0.68 to
// 0.7925 (½ γ⁺ᵀG⁻¹γ⁺ − ½ γ⁻ᵀG⁻¹γ⁻, G = [2.5 1.5; 1.5 2.5]); after Poisson Pᶜ = (0.4, 0), P_Nᵉ = 0.4.
Mechanism rod(double mu) {
  return Mechanism(parse_model(R"(
title: rod
coordinates:
  x: {position: 0, velocity: -0.6}
  y: {position: sin(pi/4) + 1e-10, velocity: -1}
  phi: {position: pi/4, velocity: 0}
lagrangian: {kinetic: (x'^2 + y'^2)/2 + phi'^2/6, potential: 0*y}
contacts:
  tip: {gap: y - sin(phi), slip: x + cos(phi), e_N: 1, mu: )" +
                                   std::to_string(mu) + "}\n",
                               "rod.yaml"));
}

double energy(const Vec& u) { return (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] / 3) / 2; }

TEST_P(PoissonImpacts, energy_falls_where_newtons_law_raises_it) {
  EXPECT_NEAR(energy(after(rod(1), "newton")), 0.7925, 1e-7);
  const Vec u = after(rod(1), "poisson");
  EXPECT_NEAR(u[0], -0.84, 1e-7);
  EXPECT_NEAR(u[1], -0.2, 1e-7);
  EXPECT_NEAR(u[2], -3 * std::sqrt(0.5) * 0.56, 1e-7);
  EXPECT_NEAR(energy(u), 0.608, 1e-7);
}

TEST_P(PoissonImpacts, friction_draws_on_the_restored_impulse) {
  const Vec u = after(rod(0.5), "poisson");  // P_Fᵉ = −μ P_Nᵉ = −0.2
  EXPECT_NEAR(u[0], -0.8, 1e-7);
  EXPECT_NEAR(u[1], -0.2, 1e-7);
  EXPECT_NEAR(u[2], -3 * std::sqrt(0.5) * 0.6, 1e-7);
}

// Three balls in a row, one strikes: Pᶜ = (2, 1)/3, γ⁺ = G diag(½, 1) Pᶜ = (1, 1)/3.
TEST_P(PoissonImpacts, each_contact_of_a_row_of_balls_restores_its_own_impulse) {
  const Mechanism system(parse_model(R"(
title: row of balls
coordinates:
  a: {position: -1e-10, velocity: 1}
  b: {position: 0, velocity: 0}
  c: {position: 0, velocity: 0}
lagrangian: {kinetic: (a'^2 + b'^2 + c'^2)/2, potential: 0*a}
contacts:
  ab: {gap: b - a, e_N: 0.5}
  bc: {gap: c - b, e_N: 1}
)",
                                     "row.yaml"));
  const Vec u = after(system, "poisson"), newton = after(system, "newton");
  EXPECT_NEAR(u[0], 0, 1e-12);
  EXPECT_NEAR(u[1], 1 / 3., 1e-12);
  EXPECT_NEAR(u[2], 2 / 3., 1e-12);
  EXPECT_NEAR(newton[2] - newton[1], 0, 1e-12);  // γ⁻ = 0 there
}

TEST_P(PoissonImpacts, a_ball_bounces_as_after_newton_and_comes_to_rest) {
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  const std::string scheme = GetParam();
  const double dt = scheme == "event-driven" ? 0.1 : 1e-3;
  for (double end : {2.5, 3.5}) {
    const auto newton = stepper(scheme, system, "newton"), poisson = stepper(scheme, system, "poisson");
    const double end_here = scheme == "event-driven" ? 2.5 : end;
    const auto a = test::run(system, *newton, dt, end_here), b = test::run(system, *poisson, dt, end_here);
    EXPECT_EQ(b.unconverged, 0);
    EXPECT_NEAR(a.state.q[0], b.state.q[0], scheme == "event-driven" ? 1e-12 : 2e-2);
    if (end_here == 3.5) {
      EXPECT_LT(std::abs(b.state.u[0]), 2e-2);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(schemes, PoissonImpacts,
                         testing::Values("event-driven", "moreau-explicit", "moreau-midpoint", "moreau-jean",
                                         "half-explicit-velocity", "half-explicit-adaptive", "explicit-velocity"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The conditions of decompression on random problems, dense and sparse, in the plane and in space.
TEST(PoissonLaw, decompression_meets_its_conditions) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  PoissonLaw poisson;
  const auto contact_solver = solver();
  for (int trial = 0; trial < 300; ++trial) {
    const int contacts = 1 + trial % 4, each = 1 + trial % 3, n = contacts * each, bodies = n + 2;
    Mat W(bodies, n);
    for (int i = 0; i < bodies * n; ++i) W.data()[i] = normal(random);
    ContactProblem problem;
    Mat& G = problem.G.dense(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        G(i, j) = 0;
        for (int k = 0; k < bodies; ++k) G(i, j) += W(k, i) * W(k, j);
      }
    Vec restored(n), P;
    problem.c.resize(n);
    for (int k = 0; k < contacts; ++k) {
      problem.laws.push_back({Law::Kind::contact, k * each, each, each > 1 ? uniform(random) : 0.0});
      restored[k * each] = uniform(random) > 0.3 ? uniform(random) : 0.0;
      for (int r = 0; r < each; ++r) problem.c[k * each + r] = (r == 0 ? 0.3 : 1.0) * normal(random);
    }
    if (trial % 2) {
      SparseColumns columns;
      for (int j = 0; j < n; ++j) {
        columns.start.push_back(j * n);
        for (int i = 0; i < n; ++i) columns.row.push_back(i), columns.value.push_back(G(i, j));
      }
      columns.start.push_back(n * n);
      problem.G.sparse(n) = columns;
    }
    const SolveReport report = poisson.decompress(*contact_solver, problem, restored, P);
    ASSERT_EQ(report.status, SolveStatus::converged) << trial;
    Vec gamma(n);
    problem.G.multiply(P, gamma);
    for (int k = 0; k < contacts; ++k) {
      const int r = k * each;
      const double excess = P[r] - restored[r], away = gamma[r] + problem.c[r];
      EXPECT_GE(excess, -1e-8);
      EXPECT_GE(away, -1e-7);
      EXPECT_LT(std::min(excess, away), 1e-7);
      double force = 0, slip = 0, power = 0;
      for (int f = 1; f < each; ++f) {
        const double v = gamma[r + f] + problem.c[r + f];
        force = std::hypot(force, P[r + f]), slip = std::hypot(slip, v), power += v * P[r + f];
      }
      const double limit = problem.laws[k].mu * P[r];
      EXPECT_LE(force, limit + 1e-8);
      EXPECT_NEAR(power, -limit * slip, 1e-6 * (1 + limit));  // sticks, or slides against a force on the limit
    }
  }
}

// More rows than Lemke's method takes: the fallback's decompression has friction on the restored impulse too. Each ball
// slides through its impact: Δv = −μ (1 + e) v_z.
TEST(PoissonLaw, the_fallback_of_the_polyhedral_law_has_friction_in_decompression) {
  constexpr int balls = 1340;
  std::string bodies = "title: balls\nbodies:\n", contacts = "contacts:\n";
  for (int i = 0; i < balls; ++i) {
    const std::string b = "b" + std::to_string(i);
    bodies += "  " + b + ": {type: rigid, mass: 1, inertia: [1, 1, 1], position: [" + std::to_string(3 * i) +
              ", 0, 1], velocity: [5, 0, -1]}\n";
    contacts += "  c" + std::to_string(i) + ": {type: sphere-plane, bodies: [" + b +
                ", ground], radius: 1, normal: [0, 0, 1], e_N: 0.5, mu: 0.2}\n";
  }
  const Mechanism system(parse_model(bodies + contacts, "balls.yaml"));
  Evaluator evaluate(system);
  PolyhedralLaw law(system, solver(), 8);
  ImpactLaw impact(system, evaluate, law, "poisson");
  State state = system.initial();
  ContactSet all(balls);
  std::iota(all.begin(), all.end(), 0);
  const SolveReport report = impact.solve(0, state.q, all, Vec(balls, 0.5), state.u);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_GE(report.solver, 1);  // the fallback
  for (int i = 0; i < balls; i += 100) {
    EXPECT_NEAR(state.u[6 * i], 5 - 0.2 * 1.5, 1e-8);
    EXPECT_NEAR(state.u[6 * i + 2], 0.5, 1e-8);
  }
}

TEST(PoissonLaw, tangential_restitution_is_refused) {
  const Mechanism system(shipped("capobianco2021/painleve_rod", {{"e_F", "0.5"}}));
  EXPECT_THROW(MoreauMidpoint(system, solver(), {"poisson"}), ModelError);
  EXPECT_NO_THROW(MoreauMidpoint(system, solver(), {"newton"}));
}

TEST(PoissonLaw, steps_allocate_nothing) {
  const Mechanism system(shipped("capobianco2021/rotating_ball", {{"e_N", "0.5"}}));
  MoreauMidpoint midpoint(system, solver(), {"poisson"});
  test::expect_no_allocation(system, midpoint, 1e-3, 1000, 1000);
}

}  // namespace
}  // namespace tappet
