// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/sleepers.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "elements/depends_on_time.h"

namespace tappet {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

Sleepers::Sleepers(const System& system, const SleepingRule& rule)
    : system_(system),
      speed_(rule.speed),
      after_(rule.after),
      extent_(system.bodies().size(), -1.0),
      restless_(system.bodies().size(), 0),
      asleep_(system.bodies().size(), 0),
      slow_since_(system.bodies().size(), never),
      island_(system.bodies().size(), -1),
      stirred_(system.bodies().size(), 0),
      q_rest_(system.q_size()) {
  assert(system.has_colliders() && !system.formulas());
  int collider = 0;
  for (const ColliderEntry& entry : system.model().colliders)
    for (int b = 0; b < entry.bodies; ++b)
      for (size_t shape = 0; shape < entry.shapes.size(); ++shape, ++collider)
        if (entry.first_body >= 0) {
          double& extent = extent_[entry.first_body + b];
          extent = std::max(extent, system.extent(collider));
        }
  for (size_t b = 0; b < extent_.size(); ++b) restless_[b] = extent_[b] < 0.0 || system.bodies()[b].frames > 1;
  lay_ties();
}

void Sleepers::lay_ties() {
  const auto tie = [&](const auto& entries) {
    for (const auto& entry : entries) {
      const auto [a, b] = std::pair(entry.bodies[0].body, entry.bodies[1].body);
      if (a >= 0 && b >= 0 && a != b) ties_.emplace_back(a, b);
      if (depends_on_time(entry.element))
        for (int body : {a, b})
          if (body >= 0) restless_[body] = 1;
    }
  };
  const Model& model = system_.model();
  tie(model.joints), tie(model.velocity_joints), tie(model.contacts), tie(model.forces);
  for (const StateForce& force : model.state_forces)
    if (force.joint < 0) restless_[force.body.body] = 1;
  for (const JointEntry& joint : model.joints)
    for (const Attachment& a : joint.bodies)
      if (joint.actions.motor >= 0 && a.body >= 0) restless_[a.body] = 1;
}

double Sleepers::speed_of(int body, const Vec& u) const {
  const Frame& frame = system_.frames()[system_.bodies()[body].frame];
  Twist<double> twist;
  for (size_t i = 0; i < frame.columns.size(); ++i) twist[frame.component[i]] = u[frame.columns[i]];
  return norm(twist.v) + norm(twist.w) * extent_[body];
}

void Sleepers::settle(State& state) const {
  for (size_t b = 0; b < island_.size() && count_ > 0; ++b) {
    if (island_[b] < 0) continue;
    const System::Body& body = system_.bodies()[b];
    std::copy_n(q_rest_.data() + body.q, body.nq, state.q.data() + body.q);
    std::fill_n(state.u.data() + body.u, body.nu, 0.0);
  }
}

void Sleepers::watch(const State& state) {
  for (size_t b = 0; b < island_.size(); ++b) {
    if (island_[b] >= 0 || restless_[b]) continue;
    const bool slow = speed_of(static_cast<int>(b), state.u) < speed_;
    slow_since_[b] = slow ? std::min(slow_since_[b], state.t) : never;
  }
}

// Wakes the islands that have a contact in reach of an awake body. Contacts must then be searched for again.
bool Sleepers::wake(std::span<const TouchPoint> touches, double t) {
  if (count_ == 0) return false;
  bool some = false;
  for (const TouchPoint& touch : touches) {
    if (touch.body_A < 0 || touch.body_B < 0) continue;
    const int a = island_[touch.body_A], b = island_[touch.body_B];
    if ((a >= 0) != (b >= 0)) stirred_[std::max(a, b)] = 1, some = true;
  }
  if (!some) return false;
  for (size_t b = 0; b < island_.size(); ++b)
    if (island_[b] >= 0 && stirred_[island_[b]]) {
      island_[b] = -1, asleep_[b] = 0, --count_;
      slow_since_[b] = t;
    }
  std::fill(stirred_.begin(), stirred_.end(), 0);
  return true;
}

bool Sleepers::put_to_sleep(std::span<const TouchPoint> touches, State& state) {
  const double rested = state.t - after_;
  const auto tired = [&](size_t b) { return !restless_[b] && island_[b] < 0 && slow_since_[b] <= rested; };
  bool some = false;
  for (size_t b = 0; b < island_.size() && !some; ++b) some = tired(b);
  if (!some) return false;
  connected_.reset(static_cast<int>(island_.size()));
  for (const auto& [a, b] : ties_) connected_.unite(a, b);
  for (const TouchPoint& touch : touches)
    if (touch.body_A >= 0 && touch.body_B >= 0) connected_.unite(touch.body_A, touch.body_B);
  for (size_t b = 0; b < island_.size(); ++b)  // islands that one of their bodies keeps awake
    if (!tired(b)) stirred_[connected_.lowest(static_cast<int>(b))] = 1;
  const int before = count_;
  for (size_t b = 0; b < island_.size(); ++b) {
    const int island = connected_.lowest(static_cast<int>(b));
    if (stirred_[island]) continue;
    const System::Body& body = system_.bodies()[b];
    island_[b] = island, asleep_[b] = 1, ++count_;
    std::copy_n(state.q.data() + body.q, body.nq, q_rest_.data() + body.q);
    std::fill_n(state.u.data() + body.u, body.nu, 0.0);
  }
  std::fill(stirred_.begin(), stirred_.end(), 0);
  return count_ > before;
}

}  // namespace tappet
