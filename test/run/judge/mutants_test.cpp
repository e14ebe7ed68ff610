// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "run/options.h"
#include "run/scratch.h"

namespace tappet {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// The ball of Acary's Example 1 hits the ground at t = 1 with 2 m/s and leaves with 1 m/s.
Reproduction ball(const std::string& check, const std::string& keys = "") {
  return parse_reproduction("title: A ball\nsource: closed form\n" + keys +
                                "runs: {ball: {model: bouncing_ball, scheme: moreau-jean, dt: 1e-3, end: 1.4}}\n"
                                "checks: [{what: speed, " +
                                check + "}]\n",
                            "ball.yaml");
}

MutantReport judged(const Reproduction& reproduction) {
  return judge_mutants({reproduction}, reproduce({reproduction}))[0];
}

std::vector<std::string> names(const std::vector<Mutant>& mutants) {
  std::vector<std::string> result;
  for (const Mutant& m : mutants) result.push_back(m.name);
  return result;
}

Fate fate(const MutantReport& report, const std::string& name) {
  for (const JudgedMutant& m : report.mutants)
    if (m.name == name) return m.fate;
  throw std::runtime_error("no mutant " + name);
}

TEST(Mutants, a_scheme_the_model_refuses_and_what_the_model_lacks_are_no_mutants) {
  const auto mutants = names(mutants_of(ball("run: ball, max: \"q'\", reference: 1, origin: e v, within: 3 %")));
  EXPECT_THAT(mutants, Contains("moreau-jean → moreau-midpoint"));
  EXPECT_THAT(mutants, Contains("e_N × 0.8"));
  EXPECT_THAT(mutants, Contains("dt × 2"));
  EXPECT_THAT(mutants, Not(Contains("mu × 1.25")));  // the ball has no friction
  const auto refused = names(mutants_of(parse_reproduction(
      "title: A ball\nsource: b\nruns: {ball: {model: rotating_ball, scheme: moreau-jean, dt: 1e-2, end: 0.1}}\n"
      "checks: [{what: a, run: ball, max: y, reference: 1, origin: b, within: 1}]\n",
      "ball.yaml")));
  EXPECT_THAT(refused, Contains("mu × 1.25"));
  EXPECT_THAT(refused, Not(Contains("moreau-jean → half-explicit-acceleration")));  // it has no friction
}

TEST(Mutants, references_and_event_driven_runs_keep_what_they_are) {
  const Reproduction file = parse_reproduction(
      "title: A ball\nsource: b\nruns:\n  ball: {model: bouncing_ball, scheme: moreau-jean, dt: 1e-2, end: 0.5}\n"
      "  fine: {model: bouncing_ball, scheme: moreau-midpoint, dt: 1e-3, end: 0.5}\n"
      "  exact: {model: bouncing_ball, scheme: event-driven, dt: 1e-2, end: 0.5}\n"
      "checks:\n  - {what: a, runs: [ball, fine], distance: q, reference: small, below: 1}\n"
      "  - {what: b, run: exact, final: q, reference: small, below: 1}\n",
      "ball.yaml");
  for (const Mutant& mutant : mutants_of(file)) {
    EXPECT_EQ(mutant.reproduction.runs[1].members[0].scheme, "moreau-midpoint") << mutant.name;
    EXPECT_EQ(mutant.reproduction.runs[1].members[0].dt, 1e-3) << mutant.name;
    EXPECT_EQ(mutant.reproduction.runs[2].members[0].scheme, "event-driven") << mutant.name;
    EXPECT_EQ(mutant.reproduction.runs[2].members[0].e_factor, 1) << mutant.name;
  }
}

TEST(Mutants, a_check_of_the_speed_finds_a_wrong_restitution_and_one_of_the_end_time_finds_nothing) {
  const MutantReport strict = judged(ball("run: ball, max: \"q'\", reference: 1, origin: e v, within: 3 %"));
  EXPECT_EQ(fate(strict, "e_N × 0.8"), Fate::killed);
  EXPECT_EQ(fate(strict, "moreau-jean → moreau-midpoint"), Fate::survived);
  EXPECT_EQ(fate(strict, "moreau-jean → position-trapezoidal"), Fate::killed);  // it has no restitution
  EXPECT_FALSE(strict.weak());
  EXPECT_THAT(to_text(strict), HasSubstr("survives: moreau-jean → moreau-midpoint"));
  const MutantReport blind = judged(ball("run: ball, max: t, reference: 1.4, origin: the end, within: 3 %"));
  EXPECT_EQ(fate(blind, "e_N × 0.8"), Fate::survived);
}

// Mutants first get half a second for each run. A reference that takes longer neither kills them nor leaves them
// undecided.
TEST(Mutants, checks_of_long_runs_are_judged_too) {
  const MutantReport report = judged(parse_reproduction(
      "title: A ball\nsource: b\nruns:\n  ball: {model: bouncing_ball, scheme: moreau-jean, dt: 1e-3, end: 1.4}\n"
      "  fine: {model: bouncing_ball, scheme: moreau-midpoint, dt: 1e-6, end: 1.4, record: 1000}\n"
      "checks: [{what: a, runs: [ball, fine], distance: q, norm: max, reference: small, below: 5e-3}]\n",
      "ball.yaml"));
  EXPECT_EQ(fate(report, "moreau-jean → moreau-midpoint"), Fate::survived) << to_text(report);
  EXPECT_EQ(fate(report, "e_N × 0.8"), Fate::killed) << to_text(report);
}

TEST(Mutants, a_reproduction_whose_mutants_all_survive_is_weak_until_its_file_changes) {
  const Reproduction file =
      ball("run: ball, max: 1, reference: 1, origin: nothing is looked at, within: 3 %", "weak: it looks at nothing\n");
  auto results = reproduce({file});
  MutantReport report{"ball", fingerprint(file.text), {{"dt × 2", Fate::survived, ""}}};
  EXPECT_TRUE(mark_weak({file}, {report}, results).empty());
  EXPECT_THAT(results[0].weakness, HasSubstr("it looks at nothing"));
  EXPECT_THAT(summary_line(results), HasSubstr("weak: ball"));
  EXPECT_THAT(to_text(results[0]), HasSubstr("weak: none of its 1 mutants fails a check"));
  report.fingerprint = fingerprint("another text");
  auto again = reproduce({file});
  EXPECT_EQ(mark_weak({file}, {report}, again), std::vector<std::string>{"ball"});
  EXPECT_TRUE(again[0].weakness.empty());
}

TEST(Mutants, the_record_keeps_what_was_judged_before_and_refuses_nonsense) {
  const Scratch scratch;
  const auto file = scratch.path() / "mutants.json";
  write_mutant_record(file, {{"a", "1", {{"x", Fate::killed, "speed"}}}, {"b", "2", {{"y", Fate::survived, ""}}}});
  write_mutant_record(file, {{"b", "3", {{"y", Fate::undecided, "slow"}}}});
  const auto reports = read_mutant_record(file);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].mutants[0].by, "speed");
  EXPECT_EQ(reports[1].fingerprint, "3");
  EXPECT_EQ(reports[1].mutants[0].fate, Fate::undecided);
  std::ofstream(file) << "[1]";
  EXPECT_THROW(read_mutant_record(file), UsageError);
}

// The stored record: every reproduction was judged with the present version of its file, and a weak one gives a reason.
TEST(Mutants, every_weak_reproduction_that_ships_gives_a_reason) {
  for (const Reproduction& r : reproductions())
    if (!r.weak.empty()) {
      EXPECT_GT(r.weak.size(), 20u) << r.name;
    }
}

// A sample of the reproductions. `tappet reproduce --all --mutants` runs all of them.
TEST(Mutants, planted_errors_are_found_in_a_sample_of_those_that_ship) {
  for (const char* name : {"capobianco-fig-2", "potra-table-10-2"}) {
    const auto files = reproductions({name});
    const MutantReport report = judge_mutants(files, reproduce(files))[0];
    EXPECT_GT(report.mutants.size(), 10u) << name;
    EXPECT_GT(report.count(Fate::killed), static_cast<int>(report.mutants.size()) * 2 / 3) << to_text(report);
    EXPECT_EQ(fate(report, "dt × 2"), Fate::killed) << to_text(report);
    EXPECT_EQ(fate(report, "mu × 1.25"), Fate::killed) << to_text(report);
  }
}

}  // namespace
}  // namespace tappet
