// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

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

  // Impacts at a state until no contact approaches; true: there was one. joints_may_jump: so it is too if velocities do
  // not satisfy the joints.
  bool apply(State& now, bool joints_may_jump, Phases& phases, Impulses& impulses, EventLog& log);

  void list_in(std::vector<VelocityJump>* jumps) { jumps_ = jumps; }  // every jump from now on; null: none

 private:
  bool choose(double t, Phases& phases, EventLog& log);  // the set; true: one of them approaches
  void jump(State& now, Impulses& impulses);

  const ContactList& contacts_;
  Balance& balance_;
  Kinematics& kinematics_;
  VelocityLaw& law_;
  SolveReport& worst_;
  ContactSet set_;
  Vec Lambda_;
  std::vector<VelocityJump>* jumps_ = nullptr;
};

// Impacts of one contact that follow each other ever faster accumulate: flights that become shorter in a steady ratio r
// end at t + flight/(1 − r).
class Accumulations {
 public:
  Accumulations(const ContactList& contacts, double flight) : bounces_(contacts), flight_(flight) {}

  void begin() { bounces_.reset(); }
  void archive(Archive& a) { a(bounces_); }
  void follow_contacts(const ContactList& contacts) { bounces_.follow(contacts); }

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
  double flight_;
};

}  // namespace tappet::events
