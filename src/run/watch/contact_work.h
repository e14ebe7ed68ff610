// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <string>

#include "steppers/contact_energy.h"
#include "system/evaluator.h"

namespace tappet {

// Watches the work of the contacts in steps with impacts, ½ P (γ⁻ + γ⁺). The energy of a mechanism may not rise by it,
// but Newton's law of restitution with friction allows that. Contacts that are moved, such as those of a belt, do not
// count.
class ContactWork {
 public:
  explicit ContactWork(const ContactList& contacts) : contacts_(contacts) {}

  // A step with an impact. P has the rows of the contacts of the file.
  void take(const State& before, const State& after, const Vec& P, Evaluator& evaluate);
  void archive(Archive& a) { a(gain_, flow_); }
  // A warning; empty if there was no gain, or if the gains are round-off of the energy that went to and fro.
  std::string remark() const { return gain_.total > solved * flow_ ? gain_.words(contacts_) : std::string(); }

 private:
  static constexpr double solved = 1e-9;  // the part to which schemes solve for velocities

  const ContactList& contacts_;
  ContactSet set_;
  BlockRows W_;
  Vec chi_, gamma_before_, gamma_after_;
  EnergyGain gain_;
  double flow_ = 0.0;  // of all impacts, also of those without a gain [J]
};

}  // namespace tappet
