// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "steppers/contact_energy.h"
#include "steppers/event_driven/observer.h"
#include "steppers/event_driven/phases.h"
#include "steppers/shared/velocity_law.h"

namespace tappet::events {

// The law of restitution for all contacts that touch and do not separate (VelocityLaw with u_free = u⁻), Newton's:
//   M (u⁺ − u⁻) = W Λ,  −(γ⁺ + e ∘ γ⁻) ∈ N_C(Λ),
// or Poisson's.
class Impacts {
 public:
  Impacts(const ContactList& contacts, Balance& balance, Kinematics& kinematics, VelocityLaw& law, SolveReport& worst)
      : contacts_(contacts), balance_(balance), kinematics_(kinematics), law_(law), worst_(worst) {}

  // An impact in which a contact took part that would have struck a moment later, and so changed the others.
  struct Merged {
    double t = 0, later = 0;  // s
    int first = -1, second = -1;
    long count = 0;
  };
  const Merged& merged() const { return merged_; }  // the first of them, and how many there were
  std::string words_about_gain() const;             // a warning of the summary; empty if there was none
  void archive(Archive& a) { a(merged_.t, merged_.later, merged_.first, merged_.second, merged_.count, gain_, flow_); }

  // Impacts at a state until no contact approaches; true: there was one. joints_may_jump: so it is too if velocities do
  // not satisfy the joints.
  bool apply(State& now, bool joints_may_jump, Phases& phases, Impulses& impulses, EventLog& log);

  void list_in(std::vector<VelocityJump>* jumps) { jumps_ = jumps; }  // every jump from now on; null: none

 private:
  bool choose(double t, Phases& phases, EventLog& log);  // the set; true: one of them approaches
  void jump(State& now, Impulses& impulses);
  void note_merged(const State& now);

  const ContactList& contacts_;
  Balance& balance_;
  Kinematics& kinematics_;
  VelocityLaw& law_;
  SolveReport& worst_;
  ContactSet set_;
  ContactSet early_;  // those of the set that would arrive a moment later
  Merged merged_;
  EnergyGain gain_;
  double flow_ = 0;  // energy that went to and fro in all impacts [J]
  Vec gamma_after_;
  Vec Lambda_;
  std::vector<VelocityJump>* jumps_ = nullptr;
};

// Contacts that strike in turns, ever faster: a body between two others that approach each other. If the rounds become
// shorter in a steady ratio r, infinitely many impacts end at t + round r/(1 − r). All of these contacts are then at
// rest along their normals. The last rounds are skipped, those in which impacts would be simultaneous (Impacts).
class Rounds {
 public:
  void begin() { count_ = 0; }
  void archive(Archive& a) {
    a(count_);
    for (Strike& strike : strikes_) a(strike.t, strike.contact);
  }
  // An impact of one contact; −1: of several at once.
  void note(double t, int contact);
  // Whether they accumulate; then the contacts of a round, and when it ends.
  bool ends(std::vector<int>& contacts, double& end) const;

 private:
  static constexpr int most = 3, compared = 3;  // contacts in a round; rounds that are compared
  struct Strike {
    double t = 0;
    int contact = -1;
  };
  bool repeats(int size) const;
  const Strike& last(int before) const { return strikes_[count_ - 1 - before]; }

  std::array<Strike, most*(compared + 1)> strikes_;  // the last ones
  int count_ = 0;
};

// Impacts of one contact that follow each other ever faster accumulate: flights that become shorter in a steady ratio r
// end at t + flight/(1 − r). So do those of contacts that strike in turns (Rounds).
class Accumulations {
 public:
  Accumulations(const ContactList& contacts, double flight) : bounces_(contacts), flight_(flight) {}

  void begin() { bounces_.reset(), rounds_.begin(); }
  void archive(Archive& a) { a(bounces_, rounds_); }
  void follow_contacts(const ContactList& contacts) { bounces_.follow(contacts), rounds_.begin(); }

  // After an impact: the contacts whose impacts accumulate, and when that ends.
  struct Found {
    std::vector<int> contacts;
    double end;
  };
  Found look(const State& now, const Vec& a, const Kinematics& kinematics, const Phases& phases, const EventLog& log);

 private:
  struct Bounces {  // of one contact
    int count = 0;
    double last = 0, flight = 0;
  };
  ByContact<Bounces> bounces_;
  Rounds rounds_;
  double flight_;
};

}  // namespace tappet::events
