// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <random>

#include "steppers/generalized_alpha/generalized_alpha.h"
#include "steppers/support.h"

namespace tappet {
namespace {

// Random initial states, e_N from 0 to 0.9, with and without friction: every step converges and nothing penetrates.
// TAPPET_CAMPAIGN sets the number of states for each system (200 for the full campaign).
int states() {
  const char* number = std::getenv("TAPPET_CAMPAIGN");
  return number ? std::atoi(number) : 10;
}

struct Case {
  std::string name;
  double dt, end, least_mu, most_mu;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::string two_spheres(const std::string& e_N, const std::string& mu) {
  const std::string law = ", radius: 0.1, normal: [0, 0, 1], e_N: " + e_N + ", mu: " + mu + "}\n";
  return R"(
bodies:
  body: {type: rigid, mass: 1, inertia: [0.02, 0.05, 0.05], position: [0, 0, 0.5],
         rotation: {axis: [0, 1, 0], angle: 0.3}}
contacts:
  left:  {type: sphere-plane, bodies: [body, ground], center: [-0.3, 0, 0])" +
         law + "  right: {type: sphere-plane, bodies: [body, ground], center: [0.3, 0, 0]" + law +
         "forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}\n";
}

Model model(const std::string& name, const std::string& e_N, const std::string& mu) {
  if (name == "two_spheres") return parse_model(two_spheres(e_N, mu), "two_spheres.yaml");
  if (name == "corner")
    return test::shipped("capobianco2021/ball_in_corner", {{"e_N1", e_N}, {"e_N2", e_N + "/2"}, {"mu", mu}});
  return test::shipped(name == "block" ? "acary2012/rocking_block" : "schindler2014/slider_crank",
                       {{"e_N", e_N}, {"mu", mu}});
}

void shake(const std::string& name, std::mt19937& random, State& s) {
  std::uniform_real_distribution<double> unit(-1, 1);
  if (name == "corner") {
    s.q[0] = 0.3 * unit(random), s.q[1] = 0.7 + 0.2 * unit(random);
    s.u[0] = 2 * unit(random), s.u[1] = 2 * unit(random), s.u[2] = 30 * unit(random);
  } else if (name == "block") {
    for (double& u : s.u) u += unit(random);
  } else if (name == "crank") {
    s.u[0] *= 1 + 0.3 * unit(random), s.u[1] *= 1 + 0.3 * unit(random), s.u[2] += 20 * unit(random);
  } else {
    for (int i = 0; i < 6; ++i) s.u[i] = (i < 3 ? 2 : 5) * unit(random);
  }
}

class GeneralizedAlphaCampaign : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(all, GeneralizedAlphaCampaign,
                         testing::Values(Case{"corner", 1e-3, 1.0, 0.1, 0.8}, Case{"block", 1e-3, 1.0, 0.1, 0.8},
                                         Case{"crank", 1e-4, 0.1, 0.01, 0.31},
                                         Case{"two_spheres", 1e-3, 1.0, 0.1, 0.8}),
                         [](const auto& info) { return info.param.name; });

TEST_P(GeneralizedAlphaCampaign, every_step_converges_and_nothing_penetrates) {
  const Case& c = GetParam();
  for (bool friction : {false, true}) {
    std::mt19937 random(1);
    int unconverged = 0;
    double penetration = 0;
    for (int k = 0; k < states(); ++k) {
      const std::string e_N = std::to_string(0.9 * (k % 10) / 9);
      const std::string mu = friction ? std::to_string(c.least_mu + (c.most_mu - c.least_mu) * (k % 7) / 6) : "0";
      const Mechanism system(model(c.name, e_N, mu));
      State state = system.initial();
      shake(c.name, random, state);
      GeneralizedAlpha stepper(system, test::solver());
      Evaluator evaluate(system);
      Vec gaps;
      for (int i = 0; i < std::lround(c.end / c.dt); ++i) {
        unconverged += !stepper.step(state, c.dt).converged();
        evaluate.gaps(state.t, state.q, gaps);
        for (double gap : gaps) penetration = std::max(penetration, -gap);
      }
    }
    EXPECT_EQ(unconverged, 0);
    EXPECT_LE(penetration, 1e-10);
  }
}

}  // namespace
}  // namespace tappet
