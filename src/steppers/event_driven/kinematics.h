// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/evaluator.h"

namespace tappet::events {

// The gaps of all contacts and the velocities of all rows at a state, and which of these velocities count as zero.
class Kinematics {
 public:
  static constexpr double closed_gap = 1e-10;  // m; contacts with a smaller gap take part in an impact

  Kinematics(const ContactList& contacts, Evaluator& evaluate) : contacts_(contacts), evaluate_(evaluate) {}

  void measure(const State& state);       // everything below
  void measure_gaps(const State& state);  // only the gaps

  const Vec& gaps() const { return gaps_; }
  double gap(int contact) const { return gaps_[contact]; }
  double gamma(int row) const { return gamma_[row]; }
  double tolerance(int row) const { return tolerance_[row]; }

  // Of a contact: its velocity along the normal and how large that must be to count; its speed of slip.
  double normal(int contact) const { return gamma_[contacts_[contact].row]; }
  double normal_tolerance(int contact) const { return tolerance_[contacts_[contact].row]; }
  bool approaches(int contact) const { return normal(contact) < -normal_tolerance(contact); }
  bool separates(int contact) const { return normal(contact) > normal_tolerance(contact); }
  double slip_speed(int contact) const;
  bool slips(int contact) const { return slip_speed(contact) > normal_tolerance(contact); }

  // How long an open contact stays open, from its present gap and velocity and the accelerations a; INFINITY if it
  // does not come back.
  double flight(const State& state, const Vec& a, int contact) const;

  bool joints_jump() const;  // whether the velocities do not fulfil the joints

 private:
  const ContactList& contacts_;
  Evaluator& evaluate_;
  BlockRows W_;
  Vec chi_, gamma_, tolerance_, gaps_;
};

}  // namespace tappet::events
