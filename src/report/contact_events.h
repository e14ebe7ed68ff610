// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tappet {

// The recorded data of a contact, one entry per sample. They are read in stretches, because long runs do not fit into
// memory.
struct ContactHistory {
  struct Stretch {
    std::vector<double> t, gap_velocity;
    std::vector<double> P_N;       // impulse of the step that led to the sample
    std::vector<double> Lambda_N;  // impact impulse; empty if the scheme does not separate it
    std::vector<double> slip;      // speed; empty without friction
  };
  long samples = 0;
  std::function<Stretch(long first, long count)> read;
  std::optional<std::vector<double>> located = {};  // times of its impacts, if the scheme lists its events
};

struct ContactEvents {
  enum Phase : std::uint8_t { stick = 1, slip = 2, closed = 3 };

  std::vector<double> impact_times, impact_sizes;  // s, N s
  std::vector<double> from, to;                    // phases of persistent contact
  // The times of the samples after `from` and `to`. The phase begins or ends between the two times (settle_times()).
  std::vector<double> from_after, to_after;
  std::vector<std::uint8_t> phases;
  std::vector<long> samples;  // samples at which something begins or ends, ascending
};

// If the scheme lists impacts, these are taken. Otherwise an impact is a step whose impact impulse is not small
// compared with that of its force. If the scheme does not separate the two, an impact is a step with an impulse out of
// proportion to the previous one, at whose start the contact was closing faster than free motion can cause within a
// step. A phase lasts while impulses follow each other (gaps of two samples are bridged). It sticks while the slip
// speed is below 1e-5 of its largest value.
ContactEvents contact_events(const ContactHistory& history);

// An event of one contact that the scheme listed.
struct ListedMoment {
  double t;
  std::string kind;
};

// Phases begin and end somewhere within a step. If the scheme located the time, this is taken. Otherwise it is the time
// of an impact in the same step, of this contact or of another one, so that no phase begins or ends before the impact
// that causes it. Otherwise it remains the start of the step. `listed` is indexed by contact and ascending in time.
void settle_times(std::vector<ContactEvents>& contacts, const std::vector<std::vector<ListedMoment>>& listed);

}  // namespace tappet
