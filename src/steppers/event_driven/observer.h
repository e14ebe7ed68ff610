// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "steppers/event_driven/balance.h"
#include "steppers/event_driven/watch.h"
#include "steppers/stepper.h"

namespace tappet::events {

// The equations that hold between two events, as the balance was told them: the phases of the contacts, the rows whose
// accelerations are held, and the branches of switches.
struct Regime {
  Regime() = default;
  explicit Regime(const Balance& balance)
      : phases(balance.phases),
        set(balance.set),
        first_row(balance.first_row),
        equations(balance.equations),
        branches(balance.branches),
        sliding(balance.sliding) {}

  std::vector<ContactPhase> phases;  // by contact
  ContactSet set;                    // closed contacts
  std::vector<int> first_row;        // by position in the set, among the rows [joints | set]
  std::vector<int> equations;        // rows
  Vec branches;                      // by switch
  std::vector<int> sliding;          // switches
};

// One step of the integration between two events, in one regime.
struct Passage {
  double from, to;                                 // s
  std::function<void(double t, State& state)> at;  // the motion within it
};

// Velocities jump from u_before to u_after by the impulses P of the rows [joints | set]. If `plastic`, the contacts of
// the set are closed without restitution, and P is not known.
struct VelocityJump {
  ContactSet set;
  Vec u_before, u_after, P;
  bool plastic = false;
};

// What happens between two regimes.
struct Instant {
  enum class Cause {
    start,       // of the motion; there is no regime before it
    functions,   // some of the functions that are watched have become zero
    time,        // a function of time has switched
    departure,   // a contact whose force is not unique has left its phase
    paradox,     // Painlevé's
    slip_begun,  // nothing but that slip has become fast enough to have a direction of its own
  };
  Cause cause = Cause::start;
  State before, after;
  Regime regime_before, regime_after;
  std::vector<Watched> fired;
  std::vector<VelocityJump> jumps;  // in their order
  std::vector<int> accumulated;     // contacts whose remaining impacts are skipped
  std::vector<Event> events;        // as the run lists them
  int time_switch = -1;             // into System::time_switches
};

// Is told what event-driven does. Passages and instants follow each other without gaps.
struct Observer {
  virtual ~Observer() = default;
  virtual void passes(const Passage& passage) = 0;
  virtual void happens(const Instant& instant) = 0;
};

}  // namespace tappet::events
