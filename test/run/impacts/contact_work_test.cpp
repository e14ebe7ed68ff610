// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/simulate.h"

// Newton's law of restitution with friction may give energy to a mechanism. The summary says so.
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

}  // namespace
}  // namespace tappet
