// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "record/sample.h"
#include "steppers/stepper.h"
#include "system/contact_list.h"
#include "system/evaluator.h"

namespace tappet {

// Evaluates the contacts between colliders that touch, one by one. This happens on the thread of the run, because the
// list of contacts changes in the next step.
class TouchingContacts {
 public:
  TouchingContacts(const ContactList& contacts, Evaluator& evaluate);  // both must outlive the object

  // `gaps` holds the gaps of all contacts at that state. A contact touches if its gap is not positive or if it carries
  // an impulse.
  void sample(const State& state, const Impulses& impulses, const Vec& gaps, std::vector<FoundContact>& touching);

 private:
  FoundContact at(const State& state, const Impulses& impulses, int contact, int row) const;

  const ContactList& contacts_;
  Evaluator& evaluate_;
  std::vector<int> party_;  // by collider (FoundNames)
  ContactSet set_;
  BlockRows W_;
  Vec chi_, gamma_;
};

}  // namespace tappet
