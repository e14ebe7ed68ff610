// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/stepper.h>

#include "steppers/shared/contact_memory.h"

namespace tappet {

// The events of a step name contacts by their places at the last keep(). Afterwards they name the present ones.
inline void follow_events(const ContactList& contacts, const ContactMemory& memory, std::vector<Event>& events) {
  if (memory.is_current(contacts)) return;
  for (Event& event : events)
    for (int k = contacts.named(); k < contacts.size() && event.contact >= contacts.named(); ++k)
      if (memory.index(contacts, k) == event.contact) {
        event.contact = k;
        break;
      }
}

}  // namespace tappet
