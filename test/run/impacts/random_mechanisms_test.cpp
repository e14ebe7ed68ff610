// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

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
// the same for harsh mechanisms.
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
  int gains = 0, unexplained = 0;  // runs whose energy rises in some step
  double largest_gain = 0, deepest = 0;
  std::string report;
};

// Whether nothing but gravity, springs, dampers and contacts with bodies at rest acts, so that the energy cannot rise.
bool has_no_source(const std::string& kind) {
  return kind == "masses" || kind == "rod" || kind == "linkage" || kind == "discs";
}

// The work of all contacts in a step: ½ P (γ⁻ + γ⁺).
std::string work_of_contacts(const System& system) {
  std::string sum = "0";
  const ContactList contacts(system);
  for (const int k : contacts.all()) {
    const std::string name = contacts.name(k);
    sum += fmt::format(" + {0}.P_N*({0}.gap_velocity + last.{0}.gap_velocity)/2", name);
    if (contacts[k].rows > 1) sum += fmt::format(" + {0}.P_F*({0}.slip_velocity + last.{0}.slip_velocity)/2", name);
  }
  return sum;
}

void judge_energy(const Trace& trace, const std::string& work, const std::string& label, Tally& tally) {
  constexpr double noticeable = 1e-6;
  const std::vector<double>&energy = trace.column("energy"), &kinetic = trace.column("kinetic"),
        &done = trace.column(work);
  double scale = 0, gained = 0, unexplained = 0, when = 0;
  for (const double T : kinetic) scale = std::max(scale, T);
  for (std::size_t k = 1; k < energy.size(); ++k) {
    const double rise = energy[k] - energy[k - 1];
    if (rise <= noticeable * scale) continue;
    gained = std::max(gained, rise / scale);
    if (done[k] < 0.5 * rise && rise > unexplained * scale) unexplained = rise / scale, when = trace.t()[k];
  }
  tally.gains += gained > 0, tally.unexplained += unexplained > 0;
  tally.largest_gain = std::max(tally.largest_gain, gained);
  if (unexplained > 1e-3)
    tally.report += fmt::format("{}: energy rises by {:.2g} at t = {:.6g}\n", label, unexplained, when);
}

void run(const RandomMechanism& mechanism, const std::string& label, const std::string& scheme, Tally& tally) {
  Model model = parse_model(mechanism.text, mechanism.kind);
  Patience patience;
  RunOptions options;
  options.scheme = scheme, options.keep = false, options.listener = &patience;
  if (scheme == "event-driven") options.options.push_back({"accumulate", "close", {}});
  try {
    const System system(std::move(model));
    const std::string work = work_of_contacts(system);
    Trace trace(system, {"energy", "kinetic", "unconverged", work});
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
    if (has_no_source(mechanism.kind)) judge_energy(trace, work, label, tally);
  } catch (const UsageError&) {
    ++tally.refused;
  } catch (const ModelError&) {
    ++tally.refused;
  }
}

using Tallies = std::map<std::string, Tally>;

void print(const Tallies& tallies) {
  fmt::print("{:<26}{:>6}{:>8}{:>7}{:>9}{:>12}{:>7}{:>12}{:>12}{:>11}\n", "scheme", "runs", "refused", "failed",
             "steps", "unconverged", "gains", "unexplained", "largest", "deepest");
  for (const auto& [scheme, t] : tallies)
    fmt::print("{:<26}{:>6}{:>8}{:>7}{:>9}{:>12}{:>7}{:>12}{:>12.2g}{:>11.2g}\n", scheme, t.runs, t.refused, t.failed,
               t.steps, t.unconverged, t.gains, t.unexplained, t.largest_gain, t.deepest);
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
