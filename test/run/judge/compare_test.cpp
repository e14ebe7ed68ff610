// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/compare/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/options.h"
#include "support/paths.h"

namespace tappet {
namespace {

using testing::HasSubstr;

Model ball() { return load(test::shipped_models() + "/acary2012/bouncing_ball.yaml"); }

const ComparedRun& row(const Comparison& comparison, const std::string& scheme, double dt) {
  for (const ComparedRun& run : comparison.runs)
    if (run.scheme == scheme && run.dt == dt) return run;
  throw std::runtime_error("no such row");
}

// q = 1 − t² to the first impact at t = 1: the theta rule with θ = ½ is exact on it, explicit Euler is t dt off.
TEST(Compare, errors_are_those_of_the_closed_form) {
  const Comparison c = compare(ball(), {.schemes = {"moreau-jean", "moreau-explicit"}, .dt = {1e-2, 1e-3}, .end = 0.9});
  EXPECT_THAT(c.reference, HasSubstr("event-driven"));
  EXPECT_LT(row(c, "moreau-jean", 1e-2).errors.q_L1, 1e-9);
  const ComparedRun& euler = row(c, "moreau-explicit", 1e-2);
  EXPECT_NEAR(euler.errors.q_end, 0.9 * 1e-2, 1e-9);
  EXPECT_NEAR(euler.errors.q_max, 0.9 * 1e-2, 1e-9);
  EXPECT_NEAR(euler.errors.q_L1, 1e-2 * 0.9 * 0.91 / 2, 1e-9);
  EXPECT_LT(euler.errors.u_L1, 1e-9);
  EXPECT_NEAR(row(c, "moreau-explicit", 1e-3).order, 1, 0.01);
}

TEST(Compare, all_schemes_pass_the_accumulation_or_say_why_not) {
  const Comparison c =
      compare(load(test::shipped_models() + "/acary2012/slider_and_roller.yaml"), {.dt = {1e-2, 2.5e-3}});
  EXPECT_EQ(c.runs.size(), 32u);  // every scheme except the reference, twice
  const std::string why = row(c, "half-explicit-acceleration", 1e-2).trouble;
  EXPECT_THAT(why, HasSubstr("face"));
  const std::string table = to_table(c);
  EXPECT_THAT(table, HasSubstr(why));
  EXPECT_THAT(table, HasSubstr("lcp-trapezoidal"));
}

TEST(Compare, a_case_file_is_a_reference_at_its_instants) {
  const std::string file = test::data() + "/cases/08_slider_crank.json";
  const Model model = load(test::shipped_models() + "/schindler2014/slider_crank.yaml");
  const Comparison c = compare(model, {.schemes = {"event-driven", "moreau-jean"},
                                       .dt = {1e-4},
                                       .end = 0.05,
                                       .options = {{"accumulate", "close", {}}},
                                       .reference = file + "#unilateral_mu001_e04"});
  EXPECT_LT(row(c, "event-driven", 1e-4).errors.q_max, 1e-8);
  EXPECT_NEAR(row(c, "moreau-jean", 1e-4).errors.q_end, 1.2e-3, 1e-3);
  for (const auto& [name, where] : {std::pair("potra2006/double_pendulum_wall", "06_double_pendulum_wall.json"),
                                    std::pair("potra2006/two_carts", "07_two_carts_stopper.json#sets/0")}) {
    const Comparison exact =
        compare(load(test::shipped_models() + "/" + name + ".yaml"),
                {.schemes = {"event-driven"}, .reference = test::data() + "/cases/" + std::string(where)});
    EXPECT_LT(exact.runs[0].errors.q_max, 1e-8) << where;
  }
  EXPECT_THROW(compare(model, {.dt = {1e-4}, .reference = "no.json"}), UsageError);
  EXPECT_THROW(compare(model, {.dt = {1e-4}, .reference = file + "#nothing"}), UsageError);
}

TEST(Compare, table_and_csv_hold_every_run) {
  const Comparison c = compare(ball(), {.schemes = {"moreau-jean", "lcp-trapezoidal"}, .dt = {1e-1, 1e-2}});
  const std::string csv = to_csv(c);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_THAT(csv, HasSubstr("scheme,dt,steps,q_end"));
  EXPECT_THAT(csv, HasSubstr("\nlcp-trapezoidal,0.01,"));
  EXPECT_THAT(to_svg(error_over_dt(c)), HasSubstr("lcp-trapezoidal</text>"));
  EXPECT_EQ(work_and_precision(c).curves.size(), 2u);
}

TEST(Compare, a_reference_that_agrees_with_itself_and_with_the_best_scheme_raises_no_doubt) {
  const Comparison c = compare(parse_model(R"(
coordinates: {x: {position: -1, velocity: 3}, y: {position: 0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: 9.81*y + 2*x}
contacts: {ledge: {gap: 'max(x, y)'}}
run: {dt: 1e-2, end: 1}
)",
                                           "ledge.yaml"),
                               {.schemes = {"moreau-midpoint", "moreau-explicit"}, .dt = {1e-2, 1e-3}});
  ASSERT_EQ(c.checks.size(), 2u);
  EXPECT_THAT(c.checks[0].with, HasSubstr("event-driven at a tolerance"));
  EXPECT_THAT(c.checks[1].with, HasSubstr("dt = 0.00025 s"));
  EXPECT_TRUE(doubts(c).empty());
  EXPECT_NEAR(row(c, "moreau-explicit", 1e-3).order, 1, 0.2);
  EXPECT_THAT(to_table(c), HasSubstr("reference checked with event-driven"));
  EXPECT_THAT(to_json(c), HasSubstr("\"agrees\": true"));
}

// Without restitution the ball does not bounce. So this reference is wrong, and all schemes converge to something else.
TEST(Compare, a_wrong_reference_is_doubted_loudly) {
  const Comparison c =
      compare(ball(), {.schemes = {"moreau-jean"}, .dt = {1e-2}, .reference = "position-trapezoidal@1e-3"});
  ASSERT_EQ(doubts(c).size(), 1u);
  EXPECT_THAT(doubts(c)[0], HasSubstr("one of them is wrong"));
  EXPECT_THAT(to_table(c), HasSubstr("WARNING: the reference (position-trapezoidal"));
  EXPECT_THAT(to_csv(c), HasSubstr("one of them is wrong"));
  EXPECT_THAT(to_json(c), HasSubstr("\"agrees\": false"));
}

TEST(Compare, wrong_schemes_steps_and_options_are_refused) {
  EXPECT_THROW(compare(ball(), {.schemes = {"moreau"}, .dt = {1e-2}}), UsageError);
  EXPECT_THROW(compare(ball(), {.dt = {-1}}), UsageError);
  EXPECT_THROW(
      compare(ball(), {.schemes = {"moreau-jean"}, .dt = {1e-2}, .options = {{"form", "I", {}}, {"x", "1", {}}}}),
      UsageError);
}

}  // namespace
}  // namespace tappet
