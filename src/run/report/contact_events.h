// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tappet {

// What a contact did, read off its recorded numbers (one entry a sample).
struct ContactHistory {
  std::span<const double> t, gap_velocity;
  std::span<const double> P_N;       // impulse of the step that led to the sample
  std::span<const double> Lambda_N;  // impact impulse; empty where the scheme does not tell it apart
  std::span<const double> slip;      // speed; empty without friction
  std::optional<std::vector<double>> located;  // times of its impacts, where the scheme lists its events
};

struct ContactEvents {
  enum Phase : std::uint8_t { stick = 1, slip = 2, closed = 3 };

  std::vector<double> impact_times, impact_sizes;  // s, N s
  std::vector<double> from, to;                    // phases of persistent contact
  std::vector<std::uint8_t> phases;
  std::vector<long> samples;  // where something begins or ends, ascending
};

// Impacts are those the scheme lists. Else an impact is a step whose impact impulse is not small against that of its
// force, or, where the scheme does not tell them apart, a step with an impulse out of proportion to the one before, at
// whose start the contact was closing faster than free motion makes it in a step. A phase lasts while impulses follow each other (gaps of two samples are
// bridged), and sticks while the slip speed is below 1e-5 of its largest.
ContactEvents contact_events(const ContactHistory& history);

}  // namespace tappet
