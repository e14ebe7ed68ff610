// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/reproduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tappet {
namespace {

using testing::HasSubstr;

// The ball of Acary's Example 1 hits the ground at t = 1 with 2 m/s and leaves with 1 m/s.
std::string file(const std::string& checks, const std::string& runs = "", const std::string& measures = "") {
  return "title: A ball\nsource: closed form\nruns:\n"
         "  ball: {model: bouncing_ball, scheme: moreau-jean, dt: [1e-2, 1e-3], end: 1.5}\n" +
         runs + "measures:\n  up: {run: ball, max: \"q'\"}\n" + measures + "checks:\n" + checks;
}

Reproduced judged(const std::string& text) { return reproduce({parse_reproduction(text, "ball.yaml")})[0]; }

std::string refusal(const std::string& text) {
  try {
    judged(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "nothing refused";
}

TEST(Reproduce, a_number_within_its_bar_passes_and_another_fails) {
  const Reproduced good =
      judged(file("  - {what: speed, value: up, published: [1, 1], quote: it leaves with 1 m/s, within: 3 %}\n"));
  ASSERT_EQ(good.outcomes.size(), 2u);
  EXPECT_EQ(good.verdict, Verdict::passed);
  EXPECT_EQ(good.outcomes[1].what, "speed, dt = 0.001");
  const Reproduced bad =
      judged(file("  - {what: speed, value: -up, published: 1, quote: it leaves with 1 m/s, within: 3 %}\n"));
  EXPECT_EQ(bad.verdict, Verdict::failed);
  EXPECT_THAT(to_text(bad), HasSubstr("FAILED"));
  EXPECT_FALSE(to_json({good, bad})["passed"].get<bool>());
  EXPECT_TRUE(to_json({good})["passed"].get<bool>());
}

TEST(Reproduce, traits_are_held_to_bounds_and_misprints_differ) {
  const Reproduced r =
      judged(file("  - {what: a, value: up, published: it rebounds, above: 0.9, below: [1.1, 1.01]}\n"
                  "  - {what: b, value: up, published: 2, quote: with 2 m/s, within: 0.1, differs: a misprint}\n"));
  EXPECT_EQ(r.outcomes[0].verdict, Verdict::passed);
  EXPECT_EQ(r.outcomes[2].verdict, Verdict::differs);
  EXPECT_EQ(r.outcomes[2].note, "a misprint");
  EXPECT_EQ(r.verdict, Verdict::differs);
}

TEST(Reproduce, what_the_paper_prints_and_what_is_ours_stand_apart) {
  const Reproduced r =
      judged(file("  - {what: a, value: up, published: 1, quote: leaves with 1 m/s, within: 3 %}\n"
                  "  - {what: b, value: up, published: it rebounds, above: 0.9}\n"
                  "  - {what: c, value: up, published: it rebounds, reference: 1, origin: e v, within: 3 %}\n"
                  "  - {what: d, value: up, reference: [1, 1.0], origin: e v, within: 3 %}\n"));
  EXPECT_EQ(r.verdict, Verdict::passed);
  const auto rows = to_json({r})["reproductions"][0]["rows"];
  EXPECT_EQ(rows[0]["kind"], "number");
  EXPECT_EQ(rows[0]["published"], 1.0);
  EXPECT_EQ(rows[0]["quote"], "leaves with 1 m/s");
  EXPECT_TRUE(rows[0]["reference"].is_null());
  EXPECT_EQ(rows[2]["kind"], "trait");
  EXPECT_EQ(rows[2]["published"], "it rebounds");
  EXPECT_EQ(rows[4]["reference"], 1.0);
  EXPECT_EQ(rows[4]["origin"], "e v");
  EXPECT_EQ(rows[6]["kind"], "reference");
  EXPECT_TRUE(rows[6]["published"].is_null());
  EXPECT_THAT(to_text(r), HasSubstr("trait: “it rebounds”"));
}

TEST(Reproduce, a_run_that_fails_fails_its_checks_with_the_reason) {
  const Reproduced r = judged(file("  - {what: a, run: stops, final: q, reference: 0, origin: at rest, within: 1}\n",
                                   "  stops: {model: bouncing_ball, scheme: event-driven, dt: 1, end: 4}\n"));
  EXPECT_EQ(r.verdict, Verdict::failed);
  EXPECT_THAT(r.outcomes[0].note, HasSubstr("accumulate"));
}

TEST(Reproduce, what_is_not_there_yet_is_missing_and_does_not_fail) {
  const Reproduced r = judged("title: A rover\nsource: Potra 2006\nmissing: no model of it\n");
  EXPECT_EQ(r.verdict, Verdict::missing);
  EXPECT_TRUE(to_json({r})["passed"].get<bool>());
}

TEST(Reproduce, mistakes_in_a_file_are_named_with_their_place) {
  const std::string check = "  - {what: a, value: up, published: 1, quote: 1 m/s, within: 1}\n";
  const std::string look = "  y: {run: b, max: q}\n";
  const std::vector<std::pair<std::string, const char*>> wrong = {
      {file(check, "  idle: {model: bouncing_ball}\n"), "ball.yaml:5:3: runs.idle: no measure, check or figure"},
      {"title: A\nsource: B\nrun: {}\n", "ball.yaml:3:1: run"},
      {file("  - {what: a, value: upp, published: 1, quote: 1 m/s, within: 1}\n"),
       "ball.yaml:8:22: checks[1].value: in the formula: unknown name 'upp'"},
      {file("  - {what: a, value: up, published: 1, quote: 1 m/s, within: near}\n"), "ball.yaml:8:62"},
      {file("  - {what: a, value: up, published: 1, quote: 1 m/s}\n"), "no bar"},
      {file("  - {what: a, value: up, published: [1, 2, 3], quote: \"1, 2, 3\", within: 1}\n"),
       "3 published numbers for 2"},
      {file("  - {what: a, value: up, reference: [1, 2, 3], origin: b, within: 1}\n"), "3 reference numbers for 2"},
      {file("  - {what: a, value: up, published: 1, within: 1}\n"), "checks[1].quote"},
      {file("  - {what: a, value: up, published: 1, quote: 1.5 m/s, within: 1}\n"), "the quote does not print 1"},
      {file("  - {what: a, value: up, published: 1, quote: 1 m/s, reference: 2, origin: b, within: 1}\n"),
       "need a check each"},
      {file("  - {what: a, value: up, published: fast, quote: 1 m/s, above: 1}\n"), "the quote already"},
      {file("  - {what: a, value: up, published: fast, within: 1}\n"), "expected a number"},
      {file("  - {what: a, value: up, reference: 1, within: 1}\n"), "checks[1].origin"},
      {file("  - {what: a, value: up, origin: here, published: fast, above: 1}\n"), "an origin belongs to"},
      {file("  - {what: a, value: up, above: 1}\n"), "expected `published:`"},
      {file(check, "  b: {model: bouncing_bal}\n", look), "ball.yaml:5:6: b: no model 'bouncing_bal'"},
      {file(check, "  b: {model: bouncing_ball, scheme: jean}\n", look), "ball.yaml:5:6: b: no scheme 'jean'"},
      {file(check, "  b: {model: bouncing_ball, set: {r: 1}}\n", look), "ball.yaml:5:6: b"},
      {file(check, "  b: {model: bouncing_ball, dt: [1, 2], end: [1, 2, 3]}\n"), "expected 2"},
      {file(check, "", "  y: {run: ball, max: z}\n"), "ball.yaml:7:23: formula: unknown name 'z'"},
      {file(check, "", "  y: {run: bal, max: q}\n"), "no run 'bal'; did you mean 'ball'?"},
      {file(check, "", "  y: {run: ball, maximum: q}\n"), "maximum"},
      {file(check, "", "  y: {order: nothing}\n"), "ball.yaml:7:14: measures.y.order"},
  };
  for (const auto& [text, expected] : wrong) EXPECT_THAT(refusal(text), HasSubstr(expected)) << text;
}

TEST(Reproductions, every_file_that_ships_can_be_read) {
  const auto all = reproductions();
  EXPECT_GE(all.size(), 50u);
  for (const Reproduction& r : all) EXPECT_FALSE(r.source.empty()) << r.name;
}

// The quick reproductions are part of every test. `tappet reproduce --all` also runs the others.
std::vector<std::string> quick() try {
  std::vector<std::string> names;
  for (const Reproduction& r : reproductions())
    if (r.quick) names.push_back(r.name);
  return names;
} catch (const std::exception&) {  // the test above names the file
  return {};
}
class Published : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(quick, Published, testing::ValuesIn(quick()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});
TEST_P(Published, numbers_come_out) {
  const auto results = reproduce(reproductions({GetParam()}));
  EXPECT_NE(worst(results), Verdict::failed) << to_text(results[0]);
}

}  // namespace
}  // namespace tappet
