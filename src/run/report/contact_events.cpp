// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/report/contact_events.h"

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

constexpr long bridged = 2;  // samples

double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

// Four times what the gap velocity usually changes by in a step without contact: what is slower only flickers.
double smooth_change(const ContactHistory& h) {
  std::vector<double> changes;
  for (size_t k = 1; k < h.t.size(); ++k) {
    const double change = std::abs(h.gap_velocity[k] - h.gap_velocity[k - 1]);
    if (h.P_N[k] == 0.0 && change > 0.0) changes.push_back(change);
  }
  if (changes.empty()) return 0.0;
  const auto middle = changes.begin() + static_cast<long>(changes.size()) / 2;
  std::nth_element(changes.begin(), middle, changes.end());
  return 4.0 * *middle;
}

// The sample at the end of the step that holds the time t.
long sample_of(const ContactHistory& h, double t) {
  const long k = std::lower_bound(h.t.begin(), h.t.end(), t) - h.t.begin();
  return std::clamp(k, 1L, static_cast<long>(h.t.size()) - 1);
}

std::vector<char> impacts(const ContactHistory& h) {
  const long n = static_cast<long>(h.t.size());
  std::vector<char> impact(n, 0);
  if (h.located) {
    for (const double t : *h.located) impact[sample_of(h, t)] = 1;
    return impact;
  }
  if (largest(h.Lambda_N) > 0.0) {
    const double least = 1e-9 * largest(h.Lambda_N);  // what implicit schemes correct by Λ is smaller than their forces
    for (long k = 1; k < n; ++k)
      impact[k] = h.Lambda_N[k] > least && h.Lambda_N[k] > 0.1 * std::abs(h.P_N[k] - h.Lambda_N[k]);
    return impact;
  }
  const double least = std::max(smooth_change(h), 1e-6 * largest(h.gap_velocity));
  for (long k = 1; k < n; ++k)
    impact[k] = h.P_N[k] > 4.0 * h.P_N[k - 1] && h.gap_velocity[k - 1] < -least &&
                h.gap_velocity[k] - h.gap_velocity[k - 1] > least;
  return impact;
}

// Runs of equal values shorter than or as long as `bridged` between equal neighbours take their value.
void bridge(std::vector<std::uint8_t>& state) {
  const long n = static_cast<long>(state.size());
  for (long begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && state[end] == state[begin];) ++end;
    if (begin > 0 && end < n && end - begin <= bridged && state[begin - 1] == state[end])
      std::fill(state.begin() + begin, state.begin() + end, state[begin - 1]);
  }
}

}  // namespace

ContactEvents contact_events(const ContactHistory& h) {
  ContactEvents events;
  const long n = static_cast<long>(h.t.size());
  const std::vector<char> impact = impacts(h);
  const auto size = [&](long k) { return h.Lambda_N.empty() || h.Lambda_N[k] == 0.0 ? h.P_N[k] : h.Lambda_N[k]; };
  if (h.located)
    for (const double t : *h.located)
      events.impact_times.push_back(t), events.impact_sizes.push_back(size(sample_of(h, t)));
  const double sticking = 1e-5 * largest(h.slip);
  std::vector<std::uint8_t> state(n, 0);
  for (long k = 1; k < n; ++k) {
    if (impact[k]) {
      if (!h.located) events.impact_times.push_back(h.t[k]);
      if (!h.located) events.impact_sizes.push_back(size(k));
      events.samples.push_back(k);
    }
    if (h.P_N[k] > 0.0)
      state[k] = h.slip.empty()         ? ContactEvents::closed
                 : h.slip[k] > sticking ? ContactEvents::slip
                                        : ContactEvents::stick;
  }
  bridge(state);
  for (long begin = 1, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && state[end] == state[begin];) ++end;
    const bool bounce = end - begin == 1 && impact[begin];  // it touched and left within one step
    if (state[begin] == 0 || bounce) continue;
    events.from.push_back(h.t[begin - 1]);
    events.to.push_back(h.t[end - 1]);
    events.phases.push_back(state[begin]);
    events.samples.push_back(begin);
    events.samples.push_back(end - 1);
  }
  std::sort(events.samples.begin(), events.samples.end());
  return events;
}

}  // namespace tappet
