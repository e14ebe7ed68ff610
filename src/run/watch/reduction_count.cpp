// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/watch/reduction_count.h"

#include <algorithm>

#include "system/contacts/all_pairs_world.h"
#include "system/contacts/reach.h"

namespace tappet {

void ReductionCount::after_search(const ContactList& contacts, const State& state, double dt, long step) {
  if (step % every_ != 0 || !has_reduced_contacts(system_)) return;
  const long kept = contacts.found(), pairs = reduces_ ? count_all_pairs(state, dt) : kept;
  ++counted_;
  max_pairs_ = std::max(max_pairs_, pairs), max_kept_ = std::max(max_kept_, kept);
  pairs_ += static_cast<double>(pairs), kept_ += static_cast<double>(kept);
}

long ReductionCount::count_all_pairs(const State& state, double dt) {
  if (!world_) {
    world_ = std::make_unique<CollisionWorld>(all_pairs_world(system_, execution_));
    margins_.resize(world_->colliders().size());
  }
  reach_of_step(system_, world_->colliders(), state, dt, execution_, margins_);
  world_->find(
      [&](int body) { return system_.pose_of(system_.frames()[system_.bodies()[body].frame], state.q.data()); },
      margins_, touches_);
  return static_cast<long>(touches_.size());
}

void ReductionCount::write(Summary& summary) const {
  if (counted_ == 0) return;
  summary.counted_steps = counted_;
  summary.max_pairs = max_pairs_, summary.max_kept = max_kept_;
  summary.mean_pairs = pairs_ / static_cast<double>(counted_);
  summary.mean_kept = kept_ / static_cast<double>(counted_);
}

}  // namespace tappet
