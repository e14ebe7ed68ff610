// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "system/contact_list.h"

namespace tappet {

// A system with a list of its contacts, for tests that need both but search for none: wherever the list is expected,
// the system may stand.
class Mechanism : public System {
 public:
  explicit Mechanism(Model model) : System(std::move(model)), contacts_(*this) {}
  operator const ContactList&() const { return contacts_; }

 private:
  const ContactList contacts_;
};

}  // namespace tappet
