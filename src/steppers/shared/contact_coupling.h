// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <utility>
#include <vector>

#include "system/contact_list.h"

namespace tappet {

// The pattern of matrices that contain ∂(W P)/∂q. A contact couples the velocities of its two bodies. For the contacts
// of the file this is known beforehand. For found contacts the pattern grows when two bodies touch for the first time,
// and it is reduced to the present ones when it has become much larger than these.
class ContactCoupling {
 public:
  explicit ContactCoupling(const ContactList& contacts) : contacts_(contacts) {}

  // Returns true if a contact of the set couples bodies that the pattern does not have. From now on it has them, and
  // matrices must be made anew.
  bool cover(const ContactSet& set);
  void archive(Archive& a) { a(pairs_); }
  Coupling pattern() const;
  BlockMatrix matrix() const { return contacts_.system().constrained_matrix(contacts_.execution(), pairs_); }

 private:
  bool add(const Contact& contact);

  const ContactList& contacts_;
  std::vector<std::pair<int, int>> pairs_;  // of frames, ascending
};

}  // namespace tappet
