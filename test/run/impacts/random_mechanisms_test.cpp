// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>

#include "record/trace.h"
#include "run/simulate.h"
#include "support/harsh_mechanism.h"
#include "support/random_mechanism.h"

// Random mechanisms with friction and impacts, by every scheme that accepts them. TAPPET_MECHANISMS=1000 runs that many
// instead of one of each kind, and TAPPET_MECHANISMS_FROM says where they begin. TAPPET_HARSH and TAPPET_HARSH_FROM do
// the same for harsh mechanisms. TAPPET_FINER=10 divides the steps by 10.
namespace tappet::test {
namespace {

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

// Ends a run that takes far too long.
struct Patience final : RunListener {
  std::clock_t begun = std::clock();  // of the processor: other programs may run beside
  bool goes_on() override { return std::clock() - begun < 60 * CLOCKS_PER_SEC; }
};

struct Tally {
  int runs = 0, refused = 0, failed = 0, endless = 0, not_finite = 0, deep = 0;
  long steps = 0, unconverged = 0, unreported = 0;
  int gains = 0, told = 0;  // runs whose energy rises somewhere, and those of them whose summary says so
  double largest_told = 0, largest_untold = 0, deepest = 0;
  std::string report;
};

// Whether nothing but gravity, springs, dampers and contacts with bodies at rest acts, so that the energy cannot rise.
bool has_no_source(const std::string& kind) {
  return kind == "masses" || kind == "rod" || kind == "linkage" || kind == "discs";
}

// Gains of energy: by how much the energy exceeds that of the last sixteen steps, as parts of the largest kinetic
// energy. A contact that chatters only gains what it lost a moment before.
void judge_energy(const Trace& trace, const Summary& summary, const std::string& label, Tally& tally) {
  constexpr double noticeable = 1e-6;
  constexpr std::size_t recent = 16;
  const std::vector<double>&energy = trace.column("energy"), &kinetic = trace.column("kinetic");
  const double scale = *std::max_element(kinetic.begin(), kinetic.end());
  double gained = 0, when = 0;
  for (std::size_t k = 1; k < energy.size(); ++k) {
    const auto end = energy.begin() + static_cast<long>(k), begin = end - static_cast<long>(std::min(k, recent));
    const double rise = (*end - *std::max_element(begin, end)) / scale;
    if (rise > gained) gained = rise, when = trace.t()[k];
  }
  if (gained <= noticeable) return;
  const bool told = std::any_of(summary.warnings.begin(), summary.warnings.end(),
                                [](const std::string& text) { return text.starts_with("energy gained"); });
  ++tally.gains, tally.told += told;
  double& largest = told ? tally.largest_told : tally.largest_untold;
  largest = std::max(largest, gained);
  if (!told) tally.report += fmt::format("{}: energy rises by {:.2g} at t = {:.6g}\n", label, gained, when);
}

void run(const RandomMechanism& mechanism, const std::string& label, const std::string& scheme, Tally& tally) {
  Model model = parse_model(mechanism.text, mechanism.kind);
  Patience patience;
  RunOptions options;
  options.scheme = scheme, options.keep = false, options.listener = &patience;
  options.dt = model.run.dt / number_from("TAPPET_FINER", 1);
  if (scheme == "event-driven") options.options.push_back({"accumulate", "close", {}});
  try {
    const System system(std::move(model));
    Trace trace(system, {"energy", "kinetic", "unconverged"});
    options.recorders = {&trace};
    const Summary summary = simulate(system, options).summary;
    ++tally.runs;
    tally.steps += summary.steps, tally.unconverged += summary.unconverged_steps;
    for (const double failed : trace.column("unconverged")) tally.unreported += static_cast<long>(failed);
    tally.unreported -= summary.unconverged_steps;
    if (summary.unconverged_steps > 0)
      tally.report += fmt::format("{}: {} steps did not converge\n", label, summary.unconverged_steps);
    if (summary.status == RunStatus::failed) {
      ++tally.failed;
      tally.report += fmt::format("{}: {}\n", label, summary.message);
      return;
    }
    if (summary.status == RunStatus::interrupted) {
      ++tally.endless;
      tally.report += fmt::format("{}: takes too long\n", label);
      return;
    }
    bool finite = std::isfinite(summary.energy.total());
    for (const double x : summary.q) finite &= std::isfinite(x);
    for (const double x : summary.u) finite &= std::isfinite(x);
    tally.not_finite += !finite;
    tally.deepest = std::max(tally.deepest, summary.violation.max);
    if (has_no_source(mechanism.kind)) judge_energy(trace, summary, label, tally);
  } catch (const UsageError&) {
    ++tally.refused;
  } catch (const ModelError&) {
    ++tally.refused;
  }
}

using Tallies = std::map<std::string, Tally>;

void print(const Tallies& tallies) {
  fmt::print("{:<26}{:>6}{:>8}{:>7}{:>9}{:>12}{:>7}{:>6}{:>9}{:>16}{:>11}\n", "scheme", "runs", "refused", "failed",
             "steps", "unconverged", "gains", "told", "largest", "largest untold", "deepest");
  for (const auto& [scheme, t] : tallies)
    fmt::print("{:<26}{:>6}{:>8}{:>7}{:>9}{:>12}{:>7}{:>6}{:>9.2g}{:>16.2g}{:>11.2g}\n", scheme, t.runs, t.refused,
               t.failed, t.steps, t.unconverged, t.gains, t.told, t.largest_told, t.largest_untold, t.deepest);
}

TEST(RandomMechanisms, are_carried_out_by_every_scheme) {
  const int first = number_from("TAPPET_MECHANISMS_FROM", 0), count = number_from("TAPPET_MECHANISMS", 7);
  Tallies tallies;
  for (int seed = first; seed < first + count; ++seed) {
    const RandomMechanism mechanism = random_mechanism(seed);
    for (const SchemeInfo& scheme : schemes())
      run(mechanism, fmt::format("seed {} ({}), {}", seed, mechanism.kind, scheme.name), scheme.name,
          tallies[scheme.name]);
  }
  print(tallies);
  for (const auto& [scheme, t] : tallies) {
    EXPECT_EQ(t.not_finite, 0) << scheme;
    EXPECT_EQ(t.endless, 0) << scheme << "\n" << t.report;
    EXPECT_EQ(t.failed, 0) << scheme << "\n" << t.report;
    EXPECT_LE(static_cast<double>(t.unconverged), 1e-5 * static_cast<double>(t.steps)) << scheme << "\n" << t.report;
  }
  if (count > 7)
    for (const auto& [scheme, t] : tallies) fmt::print("{}", t.report);
}

// In mechanism 341 the last impacts between two discs accumulate while one of them slips backwards at 1e-7 m/s. Its
// slip passes zero in the nanoseconds that are skipped there. Later the run ends with the message that it makes no
// progress.
TEST(RandomMechanisms, event_driven_lets_friction_act_against_the_slip) {
  double smallest = 0;
  for (const int seed : {341, 5, 12, 26}) {
    RunOptions options;
    options.scheme = "event-driven", options.keep = false;
    options.options.push_back({"accumulate", "close", {}});
    const System system(parse_model(random_mechanism(seed).text, "discs"));
    const ContactList contacts(system);
    std::vector<std::string> powers;
    for (const int k : contacts.all())
      powers.push_back(fmt::format("{0}.lambda_F*{0}.slip_velocity", contacts.name(k)));
    Trace trace(system, powers);
    options.recorders = {&trace};
    EXPECT_GT(simulate(system, options).summary.steps, 180) << seed;
    double largest = -INFINITY;
    for (const std::string& power : powers)
      for (const double P : trace.column(power)) largest = std::max(largest, P), smallest = std::min(smallest, P);
    EXPECT_LT(largest, 1e-9) << seed;
  }
  EXPECT_LT(smallest, -0.1);  // something slips
}

// These are so hard that steps need not converge, and runs may end with a message. But every such step is counted, no
// number is infinite in silence, and no run takes for ever. lcp-trapezoidal takes minutes for some of them, and is run
// only if TAPPET_HARSH says how many mechanisms to try. event-driven is not run: a single one of its steps may have
// thousands of impacts between colliders.
TEST(RandomMechanisms, that_are_harsh_end_in_finite_numbers_or_a_message) {
  const int first = number_from("TAPPET_HARSH_FROM", 0), count = number_from("TAPPET_HARSH", 0);
  Tallies tallies;
  for (int seed = first; seed < first + std::max(count, harsh_kinds); ++seed) {
    const RandomMechanism mechanism = harsh_mechanism(seed);
    for (const SchemeInfo& scheme : schemes()) {
      if (scheme.name == "event-driven" || (count == 0 && scheme.name == "lcp-trapezoidal")) continue;
      run(mechanism, fmt::format("seed {} ({}), {}", seed, mechanism.kind, scheme.name), scheme.name,
          tallies[scheme.name]);
    }
  }
  print(tallies);
  for (const auto& [scheme, t] : tallies) {
    EXPECT_EQ(t.not_finite, 0) << scheme;
    EXPECT_EQ(t.endless, 0) << scheme << "\n" << t.report;
    EXPECT_EQ(t.unreported, 0) << scheme << "\n" << t.report;
    EXPECT_LT(t.failed, 1 + t.runs / 4) << scheme << "\n" << t.report;
    fmt::print("{}", t.report);
  }
}

}  // namespace
}  // namespace tappet::test
