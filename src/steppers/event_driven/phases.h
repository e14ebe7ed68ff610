// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "steppers/event_driven/event_log.h"
#include "steppers/event_driven/kinematics.h"
#include "steppers/event_driven/phase_law.h"
#include "steppers/shared/contact_memory.h"

namespace tappet::events {

// The phases of all contacts, and what is remembered of each of them for the next decision.
class Phases {
 public:
  static constexpr double fast =
      1e-8;  // m/s; slower slip takes the direction of its acceleration, because that of its velocity is round-off

  Phases(const ContactList& contacts, Balance& balance, Kinematics& kinematics, ContactSolver& solver,
         SolveReport& worst);

  const ContactPhase& operator[](int contact) const { return phases_[contact]; }
  bool indeterminate() const { return indeterminate_; }  // the forces of some contact are not unique

  void archive(Archive& a) { a(phases_, left_, carried_, reversing_, indeterminate_); }

  void begin();  // from what was measured, until the first decision

  // There is another list of contacts: everything goes to their present places, in the balance too. Returns true if a
  // closed contact is no longer in the list.
  bool follow_contacts();

  // Contacts whose slip velocity has just become zero, until the next decision.
  void reverse(int contact) { reversing_.push_back(contact); }
  void begin_instant() { reversing_.clear(); }
  bool turned_back(int contact) const;                            // whether slip goes against its direction now
  void direct(int contact) { phases_[contact].directed = true; }  // slip that had only begun follows the velocity now
  bool hold_with(const Vec& lambda) const;  // no contact pulls, and none that sticks has more friction than it may
  void hold() { balance_.phases = phases_.all(); }  // in the balance too

  // An open contact that separates is in flight. Its hop ends when the gap closes, even if it was very low.
  bool on_its_way(int contact) const { return left_[contact]; }
  void arrive(int contact) { left_[contact] = false; }
  void note_departures();

  // After a step: what contacts have carried, and the directions in which they slip. True: a contact slips with
  // friction.
  bool follow(const Vec& lambda);

  void decide(State& now, EventLog& log);                    // the phases from here on, and their events
  Decision choose(const State& now);                         // the same, not yet adopted
  void close(const std::vector<int>& contacts, State& now);  // sets their normal velocities to zero
  void open(int contact, State& now);

  // The largest amount by which a contact in an indeterminate set does not remain in its phase.
  double departure(const State& state);

 private:
  bool touches(int contact) const;  // whether it is closed and at rest along the normal
  void adopt(const Decision& decision, State& now);
  void renumber_equations();  // contacts have other places in the list
  void choose_equations(const Decision& decision);
  void announce(const std::vector<ContactPhase>& before, double t, EventLog& log) const;

  const ContactList& contacts_;
  const System& system_;
  Balance& balance_;
  Kinematics& kinematics_;
  PhaseLaw law_;
  ByContact<ContactPhase> phases_;
  ByContact<char> left_;
  ByContact<double> carried_;  // the largest normal force since the contact closed
  std::vector<int> reversing_;
  bool indeterminate_ = false;
  Vec w_;
};

}  // namespace tappet::events
