// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/pages.h"

#include <algorithm>

namespace tappet::studio {

std::shared_ptr<Child> Pages::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : found->second.child;
}

std::shared_ptr<Child> Pages::of(const std::string& id) {
  std::shared_ptr<Child> gone;  // ends after the lock
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[id];
  entry.last = ++now_;
  if (!entry.child) entry.child = std::make_shared<Child>(limits_);
  std::shared_ptr<Child> child = entry.child;
  if (entries_.size() > Limits::pages) {
    const auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                         [](const auto& a, const auto& b) { return a.second.last < b.second.last; });
    gone = std::move(oldest->second.child);
    entries_.erase(oldest);
  }
  return child;
}

}  // namespace tappet::studio
