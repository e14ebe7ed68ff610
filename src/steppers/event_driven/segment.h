// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "steppers/event_driven/integration/ode.h"
#include "steppers/event_driven/phases.h"
#include "steppers/event_driven/switches.h"

namespace tappet::events {

struct Accuracy {
  double relative, absolute;
  std::string method;  // "auto", "adams", "bdf", "gauss"
};

// The motion between two events: q̇ = B u, M u̇ = h + W λ with phases and branches held, and the functions whose zeros
// end it.
//
// Near Painlevé's paradox, where the balance with friction is nearly singular, time is stretched by the determinant of
// that balance, so that the singular point is reached.
class Segment final : private Motion {
 public:
  Segment(const ContactList& contacts, Balance& balance, Kinematics& kinematics, Phases& phases, Switches& switches,
          const Accuracy& accuracy);

  void forget_pace() { stretched_ = false; }  // time runs as it is
  // The history of the integration is not archived. It is dropped before, and start() begins a new one.
  void archive(Archive& a) { a(stretched_, stiff_, longest_); }
  void renew_integrator() { ode_ = integrator(stiff_ || accuracy_.method == "bdf"); }
  void start(const State& now);
  void limit_step(double longest);  // of the integration, until it is changed; infinite: no limit

  // One step of the integration, not beyond t_stop.
  Ode::Outcome advance(double t_stop, State& now);
  bool after_step(bool friction);  // true: the segment must begin anew, with another integrator or pace of time

  // The functions that are zero, after Outcome::root.
  template <class Visit>
  void visit_fired(const Visit& visit) const {
    for (size_t i = 0; i < watched_.size(); ++i)
      if (ode_->fired(static_cast<int>(i))) visit(watched_[i]);
  }

  // Where the paradox is reached. In stretched time every component approaches the singular point like exp(−κ τ): what
  // is left is rate/κ.
  void reach_paradox(State& now);

  // If forces are not unique, no single one tells when a phase ends: the contact law does, asked after every step.
  // True: it has another answer, and now is where that begins.
  bool locate_departure(State& now);

  // The motion within the last step of the integration, at a time of the run.
  void within_last_step(double t, State& state);

  // The hop of a contact may be so low that its gap is not above zero, by round-off, when it is watched again. It has
  // then arrived without notice, in the last step of the integration. The second function sets now to where it arrived.
  bool arrived_late(int contact) const;
  void locate_late_arrival(int contact, State& now);

  // A contact may close and open again within the last step of the integration, so that its gap is positive at both
  // ends. True: this one does, and now is where it closes.
  bool locate_short_contact(int contact, State& now);

  // The instant within the last step of the integration from which on something holds that holds at its end.
  void locate_beginning(const std::function<bool(const State&)>& holds, State& now);

 private:
  void rate(const double* y, double* rate) override;
  void watch(const double* y, double* values) override;
  double value(const Watched& watched);
  double contact_value(const Watched& watched) const;
  void watch_closed(int contact);
  void watch_open(int contact, double& shortest, double& absolute);
  void unpack(const double* y, State& state) const;
  void probe_at(double tau);
  double gap_at(double tau, int contact);  // probe_ahead_
  std::unique_ptr<Ode> integrator(bool stiff);
  bool changes_pace();

  const ContactList& contacts_;
  const System& system_;
  Balance& balance_;
  Kinematics& kinematics_;
  Phases& phases_;
  Switches& switches_;
  const Accuracy accuracy_;
  std::unique_ptr<Ode> ode_;
  State origin_;  // the displacement from it is integrated, so small hops have full precision
  State probe_, probe_ahead_;
  std::vector<Watched> watched_;
  std::vector<char> armed_;  // by contact: its gap is watched
  Vec gaps_, y_, q_dot_;
  double t_stop_ = 0;
  double longest_ = 0;   // step; 0: no limit
  double tau_step_ = 0;  // where the last step of the integration began
  bool stretched_ = false, stiff_ = false;
  Vec rate_, rate_before_;  // dy/dτ in stretched time, at the last step and the one before
  double tau_ = 0, tau_before_ = 0;
  double tau_verified_ = 0;  // up to here the contact law has the same answer
};

}  // namespace tappet::events
