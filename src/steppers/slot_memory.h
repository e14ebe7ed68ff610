// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "system/system.h"

namespace tappet {

// Keeps what is remembered by contact in step with the slots of found contacts: renewed(k) for every contact k whose
// slot is new or has another owner than at the last call.
class SlotMemory {
 public:
  template <class Renewed>
  void update(const System& system, Renewed&& renewed) {
    if (!system.has_colliders()) return;
    const auto& contacts = system.contacts();
    const size_t first = system.named_contacts(), known = owners_.size();
    owners_.resize(contacts.size() - first, 0);
    for (size_t i = 0; i < owners_.size(); ++i)
      if (const std::uint64_t touch = contacts[first + i].touch; i >= known || touch != owners_[i]) {
        owners_[i] = touch;
        renewed(static_cast<int>(first + i));
      }
  }

 private:
  std::vector<std::uint64_t> owners_;
};

// Gaps, or forecasts of them, of the step before: a contact that was not there counts as unchanged.
class GapMemory {
 public:
  const Vec& before(const System& system, const Vec& now) {
    if (before_.empty()) return now;
    before_.resize(now.size());
    slots_.update(system, [&](int k) { before_[k] = now[k]; });
    return before_;
  }
  void keep(Vec& now) { std::swap(before_, now); }

 private:
  Vec before_;
  SlotMemory slots_;
};

}  // namespace tappet
