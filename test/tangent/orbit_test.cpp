// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/orbit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "steppers/cases.h"
#include "tangent/orbits/branch.h"

namespace tappet::test {
namespace {

using testing::HasSubstr;
using Kind = BranchPoint::Kind;

ModelSource oscillator(const Overrides& set) {
  return ModelSource::of(load(shipped_models() + "/mechanisms/impact_oscillator.yaml"), set);
}
ModelSource woodpecker(const Overrides& set = {}) {
  return ModelSource::of(load(shipped_models() + "/mechanisms/woodpecker.yaml"), set);
}
ReturnRule forced() { return {.period = "2*pi/omega", .section = "", .options = {}}; }
// The sleeve is loose and turns forwards: no contact is closed.
ReturnRule loose() { return {.period = "", .section = "phi_M + 0.07", .longest = 1, .options = {}}; }

std::vector<double> parameters(const Branch& branch, Kind kind) {
  std::vector<double> found;
  for (const BranchPoint& point : branch.points)
    if (point.kind == kind) found.push_back(point.parameter);
  return found;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& right, double relative) {
  ASSERT_EQ(found.size(), right.size());
  for (size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(found[i] / right[i], 1, relative);
}

// Case 16: every orbit of the table, also the unstable ones, from a start beside it.
TEST(Orbit, of_the_impact_oscillator_has_the_multipliers_of_the_closed_form) {
  const json reference = test::reference("16_impact_oscillator");
  for (const json& set : reference["sets"])
    for (const json& row : set["branch"]) {
      const double x = number(row["x0"]), v = number(row["v0"]);
      const Orbit orbit = find_orbit(oscillator({{"omega", row["omega"].get<std::string>()},
                                                 {"s", set["s"].get<std::string>()},
                                                 {"x0", std::to_string(x + 1e-5)},
                                                 {"v0", std::to_string(v)}}),
                                     forced());
      EXPECT_NEAR(orbit.start.q[0], x, 1e-9 * std::max(1.0, std::abs(x))) << row["omega"];
      EXPECT_NEAR(orbit.start.u[0], v, 1e-9 * std::max(1.0, std::abs(v))) << row["omega"];
      std::complex<double> trace = 0, product = 1;
      for (const auto& one : orbit.multipliers) trace += one, product *= one;
      EXPECT_NEAR(trace.real() / number(row["trace"]), 1, 1e-9) << row["omega"];
      EXPECT_NEAR(product.real() / number(row["det"]), 1, 1e-9) << row["omega"];
      EXPECT_EQ(orbit.stable(), row["stable"].get<bool>()) << row["omega"];
    }
}

// Case 20. Three directions are lost for good in each period: the plastic impacts and the sticking remove them.
TEST(Orbit, of_the_woodpecker_has_the_multipliers_of_the_exact_solution) {
  const json reference = test::reference("20_woodpecker_orbit");
  const Orbit orbit = find_orbit(woodpecker(), loose(), 3);
  EXPECT_NEAR(orbit.period() / number(reference["orbit"]["period"]), 1, 1e-10);
  ASSERT_EQ(orbit.cyclic, std::vector<int>{0});
  EXPECT_NEAR(-orbit.back.difference[0] / number(reference["orbit"]["fall_per_period"]), 1, 1e-9);
  ASSERT_EQ(orbit.multipliers.size(), 6u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(orbit.multipliers[i].real(), number(reference["floquet_multipliers"][i]), 1e-8);
    EXPECT_NEAR(orbit.multipliers[i].imag(), 0, 1e-9);
  }
  for (int i = 3; i < 6; ++i) EXPECT_EQ(orbit.multipliers[i], 0.0);
  EXPECT_TRUE(orbit.stable());
}

TEST(Orbit, that_does_not_close_is_refused_with_the_best_that_was_found) {
  try {  // a ball that is thrown away never returns
    find_orbit({R"(
parameters: {omega: 1}
coordinates: {x: {position: 0, velocity: 1}}
lagrangian: {kinetic: x'^2/2, potential: 0}
forces: {x: 1 + x^2}
contacts: {wall: {gap: 1e6 - x}}
)",
                "model.yaml",
                {}},
               forced());
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()), "");
  }
}

TEST(Branch, of_the_impact_oscillator_has_the_flips_of_the_closed_form_and_ends_by_grazing) {
  const json set = test::reference("16_impact_oscillator")["sets"][0];
  const Branch up = follow_branch(oscillator({}), forced(), {"omega", 2, 3}, 100);
  const auto& flips = set["period_doublings_of_the_period_1_branch"];
  expect_near(parameters(up, Kind::flip), {number(flips[2]["omega"])}, 1e-9);
  const Branch down = follow_branch(oscillator({}), forced(), {"omega", 2, 1}, 100);
  expect_near(parameters(down, Kind::flip), {number(flips[1]["omega"]), number(flips[0]["omega"])}, 1e-9);
  expect_near(parameters(down, Kind::grazing), {number(set["branch_ends_by_grazing"]["omega"])}, 1e-9);
  EXPECT_THAT(down.points.back().note, HasSubstr("stop"));
}

// The branch turns at the fold and comes back unstable, until its impact becomes infinitely slow.
TEST(Branch, turns_at_the_fold_and_ends_where_the_impact_grazes) {
  const json set = test::reference("16_impact_oscillator")["sets"][1];
  const Branch branch =
      follow_branch(oscillator({{"s", "1"}, {"x0", "0.4"}, {"v0", "2.3"}}), forced(), {"omega", 1.3, 2}, 100);
  expect_near(parameters(branch, Kind::fold), {number(set["fold"]["omega"])}, 1e-9);
  expect_near(parameters(branch, Kind::grazing), {number(set["grazing_of_the_free_motion"]["omega"])}, 1e-9);
}

TEST(Branch, of_the_woodpecker_has_both_flips) {
  const json flips = test::reference("20_woodpecker_orbit")["period_doublings"];
  const Branch up = follow_branch(woodpecker(), loose(), {"mu", 0.3, 0.33}, 3);
  expect_near(parameters(up, Kind::flip), {number(flips[0]["mu"])}, 1e-8);
  const Branch down = follow_branch(woodpecker(), loose(), {"mu", 0.3, 0.29}, 3);
  expect_near(parameters(down, Kind::flip), {number(flips[1]["mu"])}, 1e-8);
}

}  // namespace
}  // namespace tappet::test
