// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/growth.h"
#include "math/parallel.h"
#include "system/system.h"

namespace tappet {

namespace {

constexpr double overlap_allowed = 1e-9;  // at the start [m]

double extent_of(const Collider& collider) {
  if (collider.shape.kind == Shape::Kind::half_space) return 0.0;  // the other collider of the pair has one
  return norm(collider.pose.p) + norm(collider.shape.half) + collider.shape.radius;
}

// A pair has the smaller coefficients of its two colliders.
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
  std::vector<Collider> colliders;
  size_t count = 0;
  for (const ColliderEntry& entry : model_.colliders) count += entry.bodies * entry.shapes.size();
  colliders.reserve(count), entry_of_collider_.reserve(count), extent_.reserve(count);
  for (size_t e = 0; e < model_.colliders.size(); ++e) {
    const ColliderEntry& entry = model_.colliders[e];
    for (int b = 0; b < entry.bodies; ++b)
      for (Collider collider : entry.shapes) {
        collider.body = entry.first_body < 0 ? -1 : entry.first_body + b;
        colliders.push_back(collider);
        entry_of_collider_.push_back(static_cast<int>(e));
        extent_.push_back(extent_of(collider));
      }
    for (const ColliderEntry& other : model_.colliders) {
      ContactLaw law = combined(entry.law, other.law);
      law.resolve(is_planar({Attachment{entry.first_body}, Attachment{other.first_body}}));
      pair_laws_.push_back(law);
    }
  }
  // Bodies that a joint holds together do not collide.
  std::vector<std::pair<int, int>> joined;
  const auto join = [&](const auto& entries) {
    for (const auto& entry : entries)
      if (entry.bodies[0].body >= 0 && entry.bodies[1].body >= 0)
        joined.emplace_back(entry.bodies[0].body, entry.bodies[1].body);
  };
  join(model_.joints), join(model_.velocity_joints);
  directions_are_constant_ = false;
  margins_.resize(colliders.size());
  world_ = std::make_unique<CollisionWorld>(std::move(colliders), std::move(joined));
}

const ContactLaw& System::law_between(int collider_A, int collider_B) const {
  return pair_laws_[entry_of_collider_[collider_A] * model_.colliders.size() + entry_of_collider_[collider_B]];
}

// A blow travels through any number of touching bodies within a step: a body at rest may move as fast as the fastest.
void System::reach(const State& state, double dt) {
  const auto colliders = world_->colliders();
  parallel_for(static_cast<int>(colliders.size()), bodies_at_a_time, [&](int first, int last) {
    for (int c = first; c < last; ++c) {
      margins_[c] = 0.0;
      if (colliders[c].body < 0) continue;
      const Frame& frame = frames_[bodies_[colliders[c].body].frame];
      Twist<double> twist;
      for (size_t i = 0; i < frame.columns.size(); ++i) twist[frame.component[i]] = state.u[frame.columns[i]];
      margins_[c] = norm(twist.v) + norm(twist.w) * extent_[c];
    }
  });
  const double fastest = margins_.empty() ? 0.0 : *std::max_element(margins_.begin(), margins_.end());
  for (double& margin : margins_) margin = dt * (std::max(margin, 0.5 * fastest) + dt * largest_gravity_);
}

void System::find_contacts(const State& state, double dt) {
  if (!world_) return;
  reach(state, dt);
  make_room_anew(found_before_, touches_.size());
  found_before_.resize(touches_.size());
  parallel_for(static_cast<int>(touches_.size()), 4096, [this](int first, int last) {
    for (int i = first; i < last; ++i) found_before_[i] = {touches_[i].id, contacts_[named_contacts_ + i].row};
  });
  ++searches_;
  find_contacts_again(state);
}

void System::find_contacts_again(const State& state) {
  const auto pose = [&](int body) { return pose_of(frames_[bodies_[body].frame], state.q.data()); };
  world_->find(pose, margins_, touches_);
  list_found();
}

// Both lists ascend: who was in the last one is met in passing.
void System::list_found() {
  const int found = static_cast<int>(touches_.size());
  make_room(contacts_, named_contacts_ + found);
  contacts_.resize(named_contacts_ + found);
  rows_ = named_rows_;
  nearest_ = {};
  auto before = found_before_.begin();
  for (int i = 0; i < found; ++i) {
    const TouchPoint& touch = touches_[i];
    Contact& contact = contacts_[named_contacts_ + i];
    while (before != found_before_.end() && before->id < touch.id) ++before;
    const bool kept = before != found_before_.end() && before->id == touch.id;
    contact.before = kept ? named_contacts_ + static_cast<int>(before - found_before_.begin()) : -1;
    contact.row_before = kept ? before->row : -1;
    contact.source = Constraint::Source::found;
    contact.index = i;
    contact.law = &law_between(touch.collider_A, touch.collider_B);
    contact.row = rows_, contact.rows = contact.law->rows();
    rows_ += contact.rows;
    if (nearest_.contact < 0 || touch.gap < nearest_.gap) nearest_ = {touch.gap, named_contacts_ + i};
  }
  parallel_for(found, 1024, [this](int first, int last) {
    for (int i = first; i < last; ++i) {
      const std::array bodies{Attachment{touches_[i].body_A}, Attachment{touches_[i].body_B}};
      Contact& contact = contacts_[named_contacts_ + i];
      if (contact.frames == std::array{frame_of(bodies[0]), frame_of(bodies[1])}) continue;
      contact.columns.clear(), contact.component.clear();
      attach(bodies, contact);
    }
  });
}

std::string System::contact_name(int k) const {
  const Contact& contact = contacts_[k];
  if (contact.source != Constraint::Source::found) return contact.name();
  const auto body = [&](int side) {
    const int b = frames_[contact.frames[side]].body;
    return b < 0 ? std::string("ground") : model_.bodies[b].name;
  };
  return body(0) + "-" + body(1);
}

void System::check_initial_overlap() {
  if (!world_) return;
  find_contacts(initial_, 0.0);
  for (size_t i = 0; i < touches_.size(); ++i) {
    const TouchPoint& touch = touches_[i];
    const double allowed = std::max(overlap_allowed, model_.start ? 2.0 * model_.start->penetration : 0.0);
    if (touch.gap >= -allowed) continue;
    const ColliderEntry& entry = model_.colliders[entry_of_collider_[touch.collider_A]];
    throw ModelError(model_.file, entry.place, "colliders." + entry.name,
                     fmt::format("at the start {} overlap by {:.6g} m; expected at most {:g}",
                                 contact_name(named_contacts_ + static_cast<int>(i)), -touch.gap, allowed));
  }
  // A system begins with none.
  touches_.clear();
  list_found();
}

}  // namespace tappet
