// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/orbit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "steppers/cases.h"
#include "tangent/orbits/attractors.h"
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
ReturnRule forced() { return {.period = "2*pi/omega", .section = "", .mirrored = {}, .options = {}}; }
// The sleeve is loose and turns forwards: no contact is closed.
ReturnRule loose() { return {.period = "", .section = "phi_M + 0.07", .mirrored = {}, .longest = 1, .options = {}}; }

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

// Both ways of shooting find the same orbit.
TEST(Orbit, in_pieces_is_the_same_orbit) {
  const double right = number(test::reference("20_woodpecker_orbit")["orbit"]["period"]);
  ReturnRule pieces = loose();
  pieces.pieces = true;
  EXPECT_NEAR(find_orbit(woodpecker(), pieces, 3).period() / right, 1, 1e-10);
}

// The sleeve jams at its lower edge while the bird swings through this angle: a contact is closed, and it sticks.
TEST(Orbit, in_pieces_is_found_from_a_start_that_touches) {
  const json reference = test::reference("20_woodpecker_orbit");
  ReturnRule jammed = loose();
  jammed.section = "phi_S + 0.35", jammed.pieces = true;
  const Orbit orbit = find_orbit(woodpecker({{"w_S", "17"}}), jammed, 1);
  EXPECT_NEAR(orbit.period() / number(reference["orbit"]["period"]), 1, 1e-10);
  std::vector<double> sizes;
  for (const auto& one : orbit.multipliers) sizes.push_back(std::abs(one));
  EXPECT_NEAR(sizes[2], std::abs(number(reference["floquet_multipliers"][2])), 1e-8);
}

// A mass between two stops. Its orbit is symmetric, so half of it is enough.
TEST(Orbit, that_is_symmetric_is_found_from_its_half) {
  const ModelSource between = {R"(
parameters: {omega: 1.6, e: 0.6, s: 1}
coordinates: {x: {position: 0.2, velocity: 1.5}}
lagrangian: {kinetic: x'^2/2, potential: x^2/2}
forces: {x: 2*cos(omega*t) - 0.1*x'}
contacts: {left: {gap: x + s, e_N: e}, right: {gap: s - x, e_N: e}}
)",
                               "model.yaml",
                               {}};
  ReturnRule half = forced();
  half.mirrored = {"x"};
  const Orbit whole = find_orbit(between, forced(), 100), symmetric = find_orbit(between, half, 100);
  EXPECT_TRUE(symmetric.symmetric);
  EXPECT_EQ(whole.back.sequence.size(), 2 * symmetric.back.sequence.size());
  EXPECT_NEAR(symmetric.period(), whole.period(), 1e-12);
  EXPECT_NEAR(std::abs(symmetric.start.q[0]), std::abs(whole.start.q[0]), 1e-9);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(std::abs(symmetric.multipliers[i] - whole.multipliers[i]), 0, 1e-8);
}

// The stable orbit without impact and the stable one with an impact, and starts that lead to each.
TEST(Orbit, side_by_side_are_found_from_several_starts) {
  std::vector<Overrides> starts;
  for (const char* x : {"-2", "-0.5", "0.4"})
    for (const char* v : {"-1", "0", "2.3"}) starts.push_back({{"x0", x}, {"v0", v}});
  const json set = test::reference("16_impact_oscillator")["sets"][1];
  const double omega = 0.5 * (number(set["fold"]["omega"]) + number(set["grazing_of_the_free_motion"]["omega"]));
  const Attractors found =
      find_attractors(oscillator({{"s", "1"}, {"omega", std::to_string(omega)}}), forced(), starts, 150);
  ASSERT_EQ(found.orbits.size(), 2u);
  EXPECT_NE(found.orbits[0].orbit.back.sequence.empty(), found.orbits[1].orbit.back.sequence.empty());
  EXPECT_EQ(found.orbits[0].starts.size() + found.orbits[1].starts.size() + found.others.size(), starts.size());
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
    EXPECT_THAT(error.what(), testing::AnyOf(HasSubstr("at best"), HasSubstr("t = ")));
  }
}

// The state may come back after another time than the force. That is no orbit.
TEST(Orbit, with_another_period_than_the_force_is_refused) {
  const auto message = [](const ReturnRule& rule) -> std::string {
    try {
      find_orbit(oscillator({}), rule, 0);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_THAT(message({.period = "1", .section = "", .mirrored = {}, .options = {}}), HasSubstr("does not repeat"));
  EXPECT_THAT(message({.period = "", .section = "x + 1", .mirrored = {}, .longest = 20, .options = {}}),
              testing::AnyOf(HasSubstr("does not repeat"), HasSubstr("no orbit was found")));
}

TEST(Branch, of_an_unknown_parameter_is_refused_by_name) {
  try {
    follow_branch(oscillator({}), forced(), {"omga", 1, 2}, 0);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("omga"));
  }
}

TEST(Orbit, that_misses_its_section_is_refused_with_the_time) {
  try {
    find_orbit(woodpecker(), {.period = "", .section = "phi_M - 3", .mirrored = {}, .longest = 0.5, .options = {}}, 1);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not return to the section phi_M - 3 within 0.5 s"));
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

// Orbits of twice the period branch off at a flip. There their multipliers are those of the single orbit, squared: 1
// and det². Beside it the orbit is another one.
TEST(Branch, of_twice_the_period_begins_at_the_flip) {
  const BranchQuestion question{"omega", 2.6, 2.8};
  const Branch single = follow_branch(oscillator({{"omega", "2.6"}}), forced(), question, 200);
  const auto flip = std::find_if(single.points.begin(), single.points.end(),
                                 [](const BranchPoint& point) { return point.kind == Kind::flip; });
  ASSERT_NE(flip, single.points.end());
  const Branch twice = follow_doubling(oscillator({}), single, *flip, question);
  ASSERT_GT(twice.points.size(), 5u);
  const BranchPoint& first = twice.points.front();
  EXPECT_NEAR(first.parameter, flip->parameter, 1e-2);
  EXPECT_NEAR(first.orbit.period(), 2 * 2 * std::numbers::pi / first.parameter, 1e-9);
  EXPECT_EQ(first.orbit.back.sequence.size(), 2 * flip->orbit.back.sequence.size());
  // One return does not lead back, two do.
  const Orbit& orbit = twice.points[5].orbit;
  ReturnMap once(oscillator({}).with("omega", twice.points[5].parameter), single.rule);
  State start = orbit.start;
  start.t = once.start_time();
  EXPECT_GT(once.from(start).difference.norm(), 1e-3);
  EXPECT_LT(orbit.residual, 1e-9);
}

// Case 20: both ends of the range in which the woodpecker's orbit attracts.
TEST(Branch, of_the_woodpecker_has_the_flips_of_the_exact_solution) {
  const json flips = test::reference("20_woodpecker_orbit")["period_doublings"];
  const auto expect_flip = [&](double to, const json& right) {
    const Branch branch = follow_branch(woodpecker(), loose(), {"mu", 0.3, to}, 3);
    expect_near(parameters(branch, Kind::flip), {number(right["mu"])}, 1e-9);
    const auto flip = std::find_if(branch.points.begin(), branch.points.end(),
                                   [](const BranchPoint& point) { return point.kind == Kind::flip; });
    ASSERT_NE(flip, branch.points.end());
    EXPECT_NEAR(flip->orbit.period() / number(right["period"]), 1, 1e-9);
    EXPECT_NEAR(-flip->orbit.back.difference[0] / number(right["fall_per_period"]), 1, 1e-8);
    EXPECT_NEAR(flip->orbit.largest, 1, 1e-8);
    EXPECT_FALSE(branch.points.back().orbit.stable());
  };
  expect_flip(0.33, flips[0]);
  expect_flip(0.29, flips[1]);
}

}  // namespace
}  // namespace tappet::test
