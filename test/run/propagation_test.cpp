// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Impacts that travel through touching bodies: chains of balls.
#include "steppers/shared/propagation.h"

#include <fmt/format.h>

#include <numeric>

#include "run/make_stepper.h"
#include "steppers/support.h"
#include "support/mechanism.h"

namespace tappet {
namespace {

using namespace test;

// Balls on a line that touch each other. The first one has velocity 1 and touches the second after 1e-5 s.
std::string chain_text(const std::vector<double>& masses, const std::string& e, const std::string& law = "") {
  std::string coordinates, kinetic, contacts;
  for (size_t i = 0; i < masses.size(); ++i) {
    coordinates += fmt::format("  x{}: {{position: {}, velocity: {}}}\n", i, i == 0 ? -1e-5 : 0.0, i == 0 ? 1 : 0);
    kinetic += fmt::format("{}{}*x{}'^2/2", i ? " + " : "", masses[i], i);
    if (i > 0) contacts += fmt::format("  c{}: {{gap: x{} - x{}, e_N: {}{}}}\n", i, i, i - 1, e, law);
  }
  return "title: chain\ncoordinates:\n" + coordinates + "lagrangian: {kinetic: \"" + kinetic +
         "\", potential: 0*x0}\ncontacts:\n" + contacts;
}

Mechanism chain(const std::vector<double>& masses, const std::string& e = "1") {
  return Mechanism(parse_model(chain_text(masses, e), "chain.yaml"));
}

const char* const schemes_with_impacts[] = {"moreau-explicit",
                                            "moreau-midpoint",
                                            "moreau-jean",
                                            "half-explicit-acceleration",
                                            "half-explicit-velocity",
                                            "half-explicit-adaptive",
                                            "lcp-euler",
                                            "lcp-trapezoidal",
                                            "explicit-velocity",
                                            "event-driven"};

class MultipleImpact : public testing::TestWithParam<const char*> {
 protected:
  Vec after(const Mechanism& system, const std::string& impact, double dt = 2e-5) {
    const auto stepper = make_stepper(GetParam(), system, {{"impact", impact, {}}});
    const auto result = run(system, *stepper, dt, 5 * dt);
    EXPECT_EQ(result.unconverged, 0);
    return result.state.u;
  }
};
INSTANTIATE_TEST_SUITE_P(all, MultipleImpact, testing::ValuesIn(schemes_with_impacts), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// One law for all contacts at once: 1, 0, 0, 0, 0 becomes (−3, 2, 2, 2, 2)/5 if e = 1.
TEST_P(MultipleImpact, newtons_law_reflects_the_first_of_five_balls) {
  const Vec u = after(chain({1, 1, 1, 1, 1}), "newton");
  EXPECT_NEAR(u[0], -0.6, 1e-9);
  for (int i = 1; i < 5; ++i) EXPECT_NEAR(u[i], 0.4, 1e-9);
}

TEST_P(MultipleImpact, a_sequence_sends_off_the_last_ball_only) {
  for (const int n : {3, 5}) {
    const Vec u = after(chain(std::vector<double>(n, 1.0)), "sequential");
    for (int i = 0; i < n; ++i) EXPECT_NEAR(u[i], i == n - 1 ? 1.0 : 0.0, 1e-9) << n;
  }
}

// For each pair, v becomes (1 − e)/2 and (1 + e)/2. The last of three balls has ((1 + e)/2)². The first has (1 − e)/2.
// If the second keeps (1 + e)(1 − e)/4 < (1 − e)/2, it is hit again.
TEST_P(MultipleImpact, a_sequence_of_inelastic_impacts_is_that_of_pairs) {
  const double e = 0.6;
  double v[3] = {1, 0, 0};
  for (bool hit = true; hit;) {  // pairs by hand, the fastest approach first
    const double a = v[0] - v[1], b = v[1] - v[2];
    hit = std::max(a, b) > 1e-13;
    const int i = a > b ? 0 : 1;
    const double mean = (v[i] + v[i + 1]) / 2, rebound = e * (v[i] - v[i + 1]) / 2;
    if (hit) v[i] = mean - rebound, v[i + 1] = mean + rebound;
  }
  const Vec u = after(chain({1, 1, 1}, "0.6"), "sequential");
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(u[i], v[i], 1e-9);
}

// Herrmann and Seitz, Am. J. Phys. 50 (1982): the law keeps momentum and energy, and most goes into the last ball.
TEST_P(MultipleImpact, an_elastic_chain_keeps_momentum_and_energy_under_the_energetic_law) {
  for (const char* law : {"energetic", "energetic-hertz"}) {
    const Vec u = after(chain({1, 2, 1, 0.5}), law);
    EXPECT_NEAR(u[0] + 2 * u[1] + u[2] + 0.5 * u[3], 1.0, 1e-9) << law;
    EXPECT_NEAR(u[0] * u[0] + 2 * u[1] * u[1] + u[2] * u[2] + 0.5 * u[3] * u[3], 1.0, 1e-6) << law;
    for (int i = 0; i < 3; ++i) EXPECT_LE(u[i], u[i + 1] + 1e-9) << law;
  }
}

TEST_P(MultipleImpact, laws_that_propagate_refuse_friction) {
  std::string text = chain_text({1, 1, 1}, "1", ", slip: x0, mu: 0.1");
  const Mechanism system(parse_model(text, "chain.yaml"));
  for (const char* law : {"sequential", "energetic"}) try {
      make_stepper(GetParam(), system, {{"impact", law, {}}});
      ADD_FAILURE() << law;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("contacts.c1: mu = 0.1"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("has no friction"), std::string::npos) << error.what();
    } catch (const UsageError& error) {  // half-explicit-acceleration has no friction at all
      EXPECT_STREQ(GetParam(), "half-explicit-acceleration");
    }
}

// The law itself: velocities γ = γ⁻ + G P of a chain, from its masses and stiffnesses.
struct Chain {
  ContactProblem problem;
  Vec gamma, e, K;

  Chain(const std::vector<double>& masses, double restitution, const std::vector<double>& stiffness) {
    const int n = static_cast<int>(masses.size()) - 1;
    Mat& G = problem.G.dense(n);
    G.set_zero();
    for (int i = 0; i < n; ++i) {
      G(i, i) = 1 / masses[i] + 1 / masses[i + 1];
      if (i > 0) G(i, i - 1) = G(i - 1, i) = -1 / masses[i];
      problem.laws.push_back({Law::Kind::contact, i, 1, 0.0});
    }
    problem.c.assign(n, 0.0), gamma.assign(n, 0.0), e.assign(n, restitution), K.resize(n);
    gamma[0] = -1;
    for (int i = 0; i < n; ++i) K[i] = stiffness[i];
  }
  Vec impulses(Propagation::Kind kind) {
    Vec P;
    EXPECT_EQ(Propagation(kind).solve(problem, gamma, e, K, P).status, SolveStatus::converged);
    return P;
  }
};

// Three equal balls with equal linear contacts and e = 1. While both contacts are compressed, δ₁, δ₂ = (sin ωt/ω ± sin
// √3ωt/(√3 ω))/2 with ω² = K/m. The first contact opens when δ₁ = 0. Then balls 2 and 3 oscillate against each other
// with ω² = 2K/m.
TEST(propagation, three_balls_with_linear_contacts_have_a_closed_form) {
  const double r = std::sqrt(3.0);
  const auto delta_1 = [&](double t) { return (std::sin(t) + std::sin(r * t) / r) / 2; };
  const auto rate = [&](double t, double sign) { return (std::cos(t) + sign * std::cos(r * t)) / 2; };
  double t = 2.4;
  for (int i = 0; i < 50; ++i) t -= delta_1(t) / rate(t, 1);
  ASSERT_LT(std::abs(delta_1(t)), 1e-15);
  const double delta_2 = (std::sin(t) - std::sin(r * t) / r) / 2;
  ASSERT_GT(delta_2, 0);
  // δ₁' = v₁ − v₂, δ₂' = v₂ − v₃, v₁ + v₂ + v₃ = 1
  const double d1 = rate(t, 1), d2 = rate(t, -1), v1 = (1 + 2 * d1 + d2) / 3, v2 = v1 - d1, v3 = v2 - d2;
  // from there: (v₂ − v₃) turns to −√((v₂ − v₃)² + 2 δ₂²)
  const double apart = std::sqrt((v2 - v3) * (v2 - v3) + 2 * delta_2 * delta_2), mean = (v2 + v3) / 2;
  const double end[] = {v1, mean - apart / 2, mean + apart / 2};
  const Vec P = Chain({1, 1, 1}, 1.0, {1, 1}).impulses(Propagation::Kind::energetic);
  EXPECT_NEAR(1 - P[0], end[0], 1e-8);
  EXPECT_NEAR(P[0] - P[1], end[1], 1e-8);
  EXPECT_NEAR(P[1], end[2], 1e-8);
}

// If the second contact is much softer, the first impact ends before the second begins: (0, 0, 1). If it is much
// stiffer, it holds the second and third ball together until the first has left with −1/3.
TEST(propagation, the_ratio_of_stiffnesses_leads_from_one_sequence_to_the_other) {
  for (const auto kind : {Propagation::Kind::energetic, Propagation::Kind::hertz}) {
    Vec P = Chain({1, 1, 1}, 1.0, {1, 1e-6}).impulses(kind);
    EXPECT_NEAR(P[0], 1.0, 2e-3);
    EXPECT_NEAR(P[1], 1.0, 2e-3);
    P = Chain({1, 1, 1}, 1.0, {1, 1e6}).impulses(kind);
    EXPECT_NEAR(1 - P[0], -1.0 / 3, 2e-3);
  }
}

TEST(propagation, a_single_contact_rebounds_with_its_restitution_whatever_the_law) {
  for (const double e : {0.0, 0.3, 0.5, 0.9, 1.0})
    for (const auto kind : {Propagation::Kind::sequential, Propagation::Kind::energetic, Propagation::Kind::hertz}) {
      const Vec P = Chain({1, 3}, e, {1}).impulses(kind);
      EXPECT_NEAR(P[0], (1 + e) / (1 + 1.0 / 3), kind == Propagation::Kind::sequential ? 1e-14 : 2e-5) << e;
    }
}

TEST(propagation, contacts_hit_at_once_keep_the_symmetry_of_the_impact) {
  Chain chain({1, 1, 1}, 1.0, {1, 1});  // one from the left, one from the right
  chain.gamma[1] = -1;
  for (const auto kind : {Propagation::Kind::sequential, Propagation::Kind::energetic}) {
    const Vec P = chain.impulses(kind);
    EXPECT_NEAR(P[0], 2.0, 1e-8);
    EXPECT_NEAR(P[1], 2.0, 1e-8);
  }
}

// Two balls that a joint holds together are one ball of twice the mass.
TEST(propagation, joints_hold_during_the_impact) {
  const std::string text = chain_text({1, 1, 1, 1}, "1");
  std::string joined = text;
  const size_t at = joined.find("  c2:");
  joined.erase(at, joined.find('\n', at) + 1 - at);
  joined += "joints:\n  rod: {constraint: x2 - x1}\n";
  const Mechanism with_joint(parse_model(joined, "joined.yaml")), heavier = chain({1, 2, 1});
  for (const char* law : {"sequential", "energetic"}) {
    const auto a = make_stepper("event-driven", with_joint, {{"impact", law, {}}});
    const auto b = make_stepper("event-driven", heavier, {{"impact", law, {}}});
    const Vec u = run(with_joint, *a, 2e-5, 1e-4).state.u, v = run(heavier, *b, 2e-5, 1e-4).state.u;
    EXPECT_NEAR(u[0], v[0], 1e-9) << law;
    EXPECT_NEAR(u[1], v[1], 1e-9) << law;
    EXPECT_NEAR(u[2], v[1], 1e-9) << law;
    EXPECT_NEAR(u[3], v[2], 1e-9) << law;
  }
}

}  // namespace
}  // namespace tappet
