// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "system/contact_list.h"
#include "system/system.h"

namespace tappet {

namespace {

constexpr double overlap_allowed = 1e-9;  // at the start [m]

double extent_of(const Collider& collider) {
  if (collider.shape.kind == Shape::Kind::half_space) return 0.0;  // the other collider of the pair has an extent
  return norm(collider.pose.p) + norm(collider.shape.half) + collider.shape.radius;
}

// A contact has the smaller coefficients of its two colliders.
ContactLaw combined(const ContactLaw& a, const ContactLaw& b) {
  ContactLaw law = a;
  law.e_N = std::min(a.e_N, b.e_N);
  law.e_F = std::min(a.e_F, b.e_F);
  law.mu[0] = law.mu[1] = std::min(a.mu[0], b.mu[0]);
  return law;
}

}  // namespace

void System::compile_colliders() {
  if (model_.colliders.empty()) return;
  size_t count = 0;
  for (const ColliderEntry& entry : model_.colliders) count += entry.bodies * entry.shapes.size();
  entry_of_collider_.reserve(count), extent_.reserve(count);
  for (size_t e = 0; e < model_.colliders.size(); ++e) {
    const ColliderEntry& entry = model_.colliders[e];
    for (int b = 0; b < entry.bodies; ++b)
      for (const Collider& collider : entry.shapes) {
        entry_of_collider_.push_back(static_cast<int>(e));
        extent_.push_back(extent_of(collider));
      }
    for (const ColliderEntry& other : model_.colliders) {
      ContactLaw law = combined(entry.law, other.law);
      law.resolve(is_planar({Attachment{entry.first_body}, Attachment{other.first_body}}));
      pair_laws_.push_back(law);
    }
  }
  directions_are_constant_ = false;
}

CollisionWorld System::collision_world(const Execution& execution) const {
  std::vector<Collider> colliders;
  colliders.reserve(extent_.size());
  for (const ColliderEntry& entry : model_.colliders)
    for (int b = 0; b < entry.bodies; ++b)
      for (Collider collider : entry.shapes) {
        collider.body = entry.first_body < 0 ? -1 : entry.first_body + b;
        colliders.push_back(collider);
      }
  // Bodies that a joint connects do not collide.
  std::vector<std::pair<int, int>> joined;
  const auto join = [&](const auto& entries) {
    for (const auto& entry : entries)
      if (entry.bodies[0].body >= 0 && entry.bodies[1].body >= 0)
        joined.emplace_back(entry.bodies[0].body, entry.bodies[1].body);
  };
  join(model_.joints), join(model_.velocity_joints);
  return CollisionWorld(std::move(colliders), std::move(joined), execution);
}

const ContactLaw& System::law_between(int collider_A, int collider_B) const {
  return pair_laws_[entry_of_collider_[collider_A] * model_.colliders.size() + entry_of_collider_[collider_B]];
}

void System::check_initial_overlap() const {
  if (!has_colliders()) return;
  ContactList contacts(*this);
  contacts.search(initial_, 0.0);
  for (size_t i = 0; i < contacts.touches().size(); ++i) {
    const TouchPoint& touch = contacts.touches()[i];
    const double allowed = std::max(overlap_allowed, model_.start ? 2.0 * model_.start->penetration : 0.0);
    if (touch.gap >= -allowed) continue;
    const ColliderEntry& entry = model_.colliders[entry_of_collider_[touch.collider_A]];
    throw ModelError(model_.file, entry.place, "colliders." + entry.name,
                     fmt::format("at the start {} overlap by {:.6g} m; expected at most {:g}",
                                 contacts.name(contacts.named() + static_cast<int>(i)), -touch.gap, allowed));
  }
}

}  // namespace tappet
