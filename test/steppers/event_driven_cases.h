// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdio>
#include <map>

#include "steppers/cases.h"
#include "steppers/event_driven/event_driven.h"
#include "steppers/support.h"

// Runs of `event-driven` beside the reference solutions of test/data/cases.
namespace tappet::test {

struct Motion {
  std::map<double, State> at;  // by time
  std::vector<Event> events;
};

inline Motion move(const Mechanism& system, const std::vector<double>& times, EventDrivenOptions options = {}) {
  options.accumulate = "close";
  EventDriven stepper(system, solver(), options);
  Motion motion;
  State state = system.initial();
  for (double t : times) {
    const StepReport report = stepper.step(state, t - state.t);
    EXPECT_TRUE(report.converged()) << t;
    EXPECT_EQ(state.t, t);
    motion.at[t] = state;
    motion.events.insert(motion.events.end(), stepper.events().begin(), stepper.events().end());
  }
  return motion;
}

// The result of a comparison: the largest difference of states (relative if above 1) and of event times.
struct Verdict {
  double state = 0, time = 0;
  int events = 0;
  std::string difference;  // the first one between the sequences

  void near(double found, double expected) {
    state = std::max(state, std::abs(found - expected) / std::max(1.0, std::abs(expected)));
  }
  void near(const Vec& found, const json& expected) {
    for (int i = 0; i < static_cast<int>(expected.size()); ++i) near(found[i], number(expected[i]));
  }
};

using Instant = std::vector<std::pair<int, Kind>>;  // contacts and kinds, sorted

// Events of the same instant have no order. There are infinitely many flights before an accumulation. The last of them
// are left out, because both lists end at some flight of about 1e-8 s.
inline std::vector<std::pair<double, Instant>> instants(const std::vector<Event>& events) {
  constexpr double cut = 2.5e-8;  // s
  std::vector<double> ends;
  for (const Event& e : events)
    if (e.kind == Kind::accumulation) ends.push_back(e.t);
  std::vector<std::pair<double, Instant>> result;
  for (const Event& e : events) {
    const auto close = [&](double end) { return e.t < end && e.t > end - cut; };
    if (std::any_of(ends.begin(), ends.end(), close)) continue;
    if (result.empty() || result.back().first != e.t) result.emplace_back(e.t, Instant{});
    result.back().second.emplace_back(e.contact, e.kind);
  }
  for (auto& [t, instant] : result) std::sort(instant.begin(), instant.end());
  return result;
}

inline std::string words(const std::pair<double, Instant>& instant) {
  std::string text = std::to_string(instant.first);
  for (const auto& [contact, kind] : instant.second)
    text += " " + std::string(name(kind)) + " " + std::to_string(contact);
  return text;
}

inline void compare_events(const std::vector<Event>& found, const std::vector<Event>& expected, Verdict& verdict) {
  const auto f = instants(found), e = instants(expected);
  verdict.events = static_cast<int>(e.size());
  for (size_t i = 0; i < std::max(f.size(), e.size()); ++i) {
    if (i >= f.size() || i >= e.size() || f[i].second != e[i].second) {
      verdict.difference = "instant " + std::to_string(i) + ": found " + (i < f.size() ? words(f[i]) : "none") +
                           ", expected " + (i < e.size() ? words(e[i]) : "none");
      return;
    }
    verdict.time = std::max(verdict.time, std::abs(f[i].first - e[i].first));
  }
}

inline void expect_the_same(const std::string& what, const Verdict& verdict, double bar = 1e-8) {
  std::printf("%-36s states %.1e  event times %.1e  %d instants %s\n", what.c_str(), verdict.state, verdict.time,
              verdict.events, verdict.difference.empty() ? "the same" : "DIFFER");
  EXPECT_LT(verdict.state, bar) << what;
  EXPECT_LT(verdict.time, bar) << what;
  EXPECT_EQ(verdict.difference, "") << what;
}

}  // namespace tappet::test
