// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <tappet/vec.h>

#include <algorithm>

#include "system/contact_list.h"
#include "system/contacts/named_pairs.h"

namespace tappet {

namespace {

// The touch points of two colliders that penetrate are taken up to this share of the distance at which contacts of the
// step were searched for. The next iteration of the step is likely to need them.
constexpr double near_share = 0.1;

bool by_id(const TouchPoint& a, const TouchPoint& b) { return a.id < b.id; }

}  // namespace

ContactList::Growth ContactList::grow(const Vec& q, double depth) {
  Growth growth;
  if (!world_) return growth;
  make_room_anew(near_margins_, margins_.size());
  near_margins_.assign(margins_.begin(), margins_.end());
  for (double& margin : near_margins_) margin *= near_share;
  with_names(system_, [&] { world_->find(poses_at(q), near_margins_, near_); });
  for (const TouchPoint& touch : near_) growth.depth = std::max(growth.depth, -touch.gap);
  if (growth.depth <= depth) return growth;
  growth.changed = take_near(depth);
  if (growth.changed) {
    remember_found();
    merge_added();
    list_found();
    follow_slid_contacts(q);
  }
  return growth;
}

// Compares the touch points near the end of the step with the list. Those that are missing go to `added_`. Returns
// whether the list has to change.
bool ContactList::take_near(double depth) {
  added_.clear();
  bool changed = false;
  for (auto first = near_.begin(); first != near_.end();) {
    const auto last =
        std::find_if(first, near_.end(), [&](const TouchPoint& touch) { return touch.id.pair != first->id.pair; });
    const bool penetrates = std::any_of(first, last, [&](const TouchPoint& touch) { return -touch.gap > depth; });
    for (auto touch = first; penetrates && touch != last; ++touch) {
      const auto known = std::lower_bound(touches_.begin(), touches_.end(), *touch, by_id);
      const bool is_known = known != touches_.end() && known->id == touch->id;
      if (is_known && !(-touch->gap > depth)) continue;
      changed = true;
      if (is_known)
        *known = *touch;
      else
        make_room(added_, added_.size() + 1), added_.push_back(*touch);
    }
    first = last;
  }
  return changed;
}

// Both lists are ascending. They are merged from the end, so no other memory is needed.
void ContactList::merge_added() {
  auto old = touches_.size(), fresh = added_.size();
  make_room(touches_, old + fresh);
  touches_.resize(old + fresh);
  for (auto to = touches_.size(); fresh > 0;)
    touches_[--to] = old > 0 && by_id(added_[fresh - 1], touches_[old - 1]) ? touches_[--old] : added_[--fresh];
}

}  // namespace tappet
