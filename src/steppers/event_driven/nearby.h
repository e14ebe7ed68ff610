// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "steppers/stepper.h"
#include "system/contact_list.h"

namespace tappet::events {

// The contacts between colliders near the present state, in a list of its own. The integration chooses the lengths of
// its steps itself, and an output step may be long. So contacts are searched for by distance and not by time: all gaps
// up to `reach`, half the thickness of the thinnest moving collider, are in the list. Two colliders that each move by
// less than half of that cannot meet unseen. The search is repeated when one has moved by a quarter of it. Steps are so
// short that bodies do not pass through each other within one step.
class Nearby {
 public:
  static constexpr int gone = std::numeric_limits<int>::max();  // the place of a contact that is no longer in the list

  explicit Nearby(const ContactList& given);

  const ContactList& contacts() const { return own_ ? *own_ : given_; }  // the given list if there are no colliders
  bool searches() const { return own_ != nullptr; }

  void archive(Archive& a) {
    if (own_) a(*own_, cap_);
    probe_.reset();
  }

  // Returns true if there are other contacts than before, or if they have other points or normals.
  bool search(const State& now);
  bool is_used_up(const State& now) const { return own_ && own_->travel(now) > reach_ / 4; }
  bool was_left(const State& now) const { return own_ && own_->travel(now) > reach_ / 2; }  // one may have been missed

  // The longest step of the integration from here; infinite if nothing moves. After a step that went too far, `tried`,
  // it is shorter than that one until the next search.
  double longest_step(const State& now) const;
  void shorten(double tried) { cap_ = tried / 4; }

  // Whether the list does not hold at this state any more, at which its contacts have these gaps: one of those that are
  // closed is no longer among the contacts here, because other features of the two bodies touch, or bodies overlap
  // where the list has no contact. Hollow outlines that turn come near each other at new places, and have a new contact
  // there from then on.
  bool lacks(const State& state, const ContactSet& closed, const Vec& gaps);

  // From the rows and places of the own list to those of the given one. Contacts that it does not have are left out;
  // their events get a place behind its end.
  void give(const Impulses& own, Impulses& given) const;
  void give(std::vector<Event>& events) const;

 private:
  bool overlap_is_known(const TouchPoint& touch, const Vec& gaps) const;
  static int place_in(const ContactList& list, const TouchPoint& touch);  // list.size(): it is not there
  const TouchPoint& touch(int contact) const { return own_->touches()[(*own_)[contact].index]; }
  int place_in_given(int contact) const;

  const ContactList& given_;
  std::unique_ptr<ContactList> own_;
  std::unique_ptr<ContactList> probe_;  // of lacks()
  std::vector<TouchPoint> before_;
  double reach_ = 0.0;  // m
  double cap_ = INFINITY;
};

}  // namespace tappet::events
