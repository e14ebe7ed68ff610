// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "run/simulate.h"

// Newton's law of restitution with friction may give energy to a mechanism, and so may the error of a scheme. The
// summary says so.
namespace tappet {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// An impact with e = 1 that reverses the slip. The response of the contact is G = M⁻¹ = [25, −15; −15, 25]/16, so that
// 2 v = P (25 − 15 μ)/16 and the slip changes by P (25 μ − 15)/16. The work is μ P (s − s')/2 with s' = −x'⁺.
Result strike(const std::string& scheme, double mu, const std::string& slip = "x") {
  RunOptions options;
  options.scheme = scheme, options.dt = 1e-3, options.end = 1.5;
  return simulate(parse_model(R"(
parameters: {mu: 0.2}
coordinates: {x: {position: 0, velocity: 0.5}, y: {position: 1, velocity: -1}}
lagrangian: {kinetic: (x'^2 + y'^2)/2 + 0.6*x'*y', potential: 0}
contacts: {floor: {gap: y, slip: )" +
                                  slip + R"(, e_N: 1, mu: mu}}
)",
                              "model.yaml", {{"mu", std::to_string(mu)}}),
                  options);
}

class ContactWork : public testing::TestWithParam<const char*> {};

TEST_P(ContactWork, that_is_positive_is_counted_in_the_summary) {
  const double mu = 0.2, P = 2 * 16 / (25 - 15 * mu), reversed = P * (15 - 25 * mu) / 16 - 0.5,
               gain = mu * P * (0.5 - reversed) / 2;
  const Summary summary = strike(GetParam(), mu).summary;
  EXPECT_NEAR(summary.energy.total() - summary.initial_energy, gain, 1e-9);
  EXPECT_THAT(summary.warnings, Contains(HasSubstr("energy gained in impacts: 0.0132 J in 1 of them")));
  EXPECT_THAT(summary.warnings, Contains(HasSubstr("contact floor")));
}

TEST_P(ContactWork, without_a_gain_is_not_mentioned) {
  EXPECT_THAT(strike(GetParam(), 0).summary.warnings, IsEmpty());
  EXPECT_THAT(strike(GetParam(), 0.2, "x - 2*t").summary.warnings, IsEmpty());  // a belt may do work
}

INSTANTIATE_TEST_SUITE_P(Schemes, ContactWork,
                         testing::Values("event-driven", "moreau-midpoint", "moreau-jean", "half-explicit-velocity"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A body falls with 1 m/s and slides with 0.5 m/s when a ball that is fixed to it touches the floor, 0.3 m below its
// centre of mass and 0.3 m beside it. With m = 1 kg and J = 0.1 kg m² the response is G_NN = G_FF = 1.9, G_NF = −0.9.
// The slip is reversed, so friction does work on the way: 2 = P (1.9 − 0.9 μ), and the gain is μ P (0.5 + s')/2 with s'
// = 0.5 − 0.9 P + 1.9 μ P.
Summary reverse_slip(const std::string& scheme, const std::string& contacts) {
  RunOptions options;
  options.scheme = scheme, options.dt = 1e-3, options.end = 0.7;
  return simulate(parse_model("bodies: {rod: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.8], "
                              "velocity: [0.5, 0, -1]}}\n" +
                                  contacts,
                              "model.yaml"),
                  options)
      .summary;
}

// The first number in the warning that has these words; −1 if there is none.
double number_after(const std::string& words, const Summary& summary) {
  for (const std::string& warning : summary.warnings)
    if (const size_t at = warning.find(words); at != std::string::npos)
      return std::stod(warning.substr(at + words.size()));
  return -1;
}

class EnergyGains : public testing::TestWithParam<const char*> {};

TEST_P(EnergyGains, of_contacts_between_colliders_are_counted_like_those_of_the_file) {
  const double mu = 0.2, P = 2 / (1.9 - 0.9 * mu), after = 0.5 - 0.9 * P + 1.9 * mu * P,
               gain = mu * P * (0.5 + after) / 2;
  for (const bool found : {false, true}) {
    const Summary summary = reverse_slip(GetParam(), found ? R"(colliders:
  foot: {type: sphere, body: rod, radius: 0.1, center: [-0.3, 0, -0.2], e_N: 1, mu: 0.2}
  floor: {type: plane, body: ground, normal: [0, 0, 1], e_N: 1, mu: 0.2}
)"
                                                           : R"(contacts:
  foot: {type: sphere-plane, bodies: [rod, ground], radius: 0.1, center: [-0.3, 0, -0.2], normal: [0, 0, 1], e_N: 1,
         mu: 0.2}
)");
    // In a step the body turns by 0.005 rad, and schemes differ in where they take the directions of the contact.
    EXPECT_NEAR(number_after("energy gained in impacts: ", summary), gain, 0.01 * gain);
    EXPECT_THAT(summary.warnings, Contains(HasSubstr(found ? "contact rod-ground" : "contact foot")));
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, EnergyGains,
                         testing::Values("moreau-explicit", "moreau-midpoint", "moreau-jean", "schatzman-paoli",
                                         "direct-projection", "combined-projection", "ggl-unified",
                                         "half-explicit-velocity", "generalized-alpha", "event-driven"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

Summary elastic_ball(const std::string& scheme, double dt) {
  RunOptions options;
  options.scheme = scheme, options.dt = dt, options.end = 10;
  return simulate(parse_model(R"(
coordinates: {y: {position: 1, velocity: 0}}
lagrangian: {kinetic: "y'^2/2", potential: 9.81*y}
contacts: {floor: {gap: y, e_N: 1}}
)",
                              "model.yaml"),
                  options)
      .summary;
}

// The ball is lifted to the floor from where the step would end, at most dt |v| below it, and keeps its velocity.
TEST(EnergyGainsOfTheScheme, by_a_projection_are_told_with_their_amount) {
  const char* const words = "energy gained by the error of the scheme in steps with impacts or projections: ";
  constexpr double dt = 4.7e-3;
  const Summary summary = elastic_ball("direct-projection", dt);
  const double gain = summary.energy.total() - summary.initial_energy;
  EXPECT_LE(gain, 9.81 * dt * std::sqrt(2 * 9.81));
  ASSERT_GT(gain, 1e-3 * 9.81);
  EXPECT_NEAR(number_after(words, summary), gain, 5e-3 * gain);  // it is printed with three digits
}

// In a step with an impact gravity acts too. It is not the contact that gains this work.
TEST(EnergyGainsOfTheScheme, are_not_told_if_the_energy_does_not_rise) {
  for (const char* scheme : {"moreau-midpoint", "half-explicit-velocity", "lcp-trapezoidal", "combined-projection"})
    EXPECT_THAT(elastic_ball(scheme, 4.7e-3).warnings, IsEmpty()) << scheme;
}

}  // namespace
}  // namespace tappet
