// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tappet {

// What was recorded of a contact, one entry a sample, a stretch of it at a time: long runs do not fit into memory.
struct ContactHistory {
  struct Stretch {
    std::vector<double> t, gap_velocity;
    std::vector<double> P_N;       // impulse of the step that led to the sample
    std::vector<double> Lambda_N;  // impact impulse; empty where the scheme does not tell it apart
    std::vector<double> slip;      // speed; empty without friction
  };
  long samples = 0;
  std::function<Stretch(long first, long count)> read;
  std::optional<std::vector<double>> located = {};  // times of its impacts, where the scheme lists its events
};

struct ContactEvents {
  enum Phase : std::uint8_t { stick = 1, slip = 2, closed = 3 };

  std::vector<double> impact_times, impact_sizes;  // s, N s
  std::vector<double> from, to;                    // phases of persistent contact
  // The samples after `from` and `to`: what begins or ends does so between the two times (settle_times()).
  std::vector<double> from_after, to_after;
  std::vector<std::uint8_t> phases;
  std::vector<long> samples;  // where something begins or ends, ascending
};

// Impacts are those the scheme lists. Else an impact is a step whose impact impulse is not small against that of its
// force, or, where the scheme does not tell them apart, a step with an impulse out of proportion to the one before, at
// whose start the contact was closing faster than free motion makes it in a step. A phase lasts while impulses follow
// each other (gaps of two samples are bridged), and sticks while the slip speed is below 1e-5 of its largest.
ContactEvents contact_events(const ContactHistory& history);

// What a scheme listed of one contact.
struct ListedMoment {
  double t;
  std::string kind;
};

// Phases begin and end somewhere within a step. Gives them the time the scheme located for that, if it did; otherwise
// the time of an impact in the same step, of the contact itself or of another one, so that no phase begins or ends
// before the impact that causes it; otherwise the start of the step stays. `listed` by contact, ascending in time.
void settle_times(std::vector<ContactEvents>& contacts, const std::vector<std::vector<ListedMoment>>& listed);

}  // namespace tappet
