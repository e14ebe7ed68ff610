// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/nearby.h"

#include <algorithm>
#include <cmath>

namespace tappet::events {

namespace {

bool same(const TouchPoint& a, const TouchPoint& b) {
  return a.id == b.id && a.form == b.form && a.point_A == b.point_A && a.radius_A == b.radius_A &&
         a.point_B == b.point_B && a.radius_B == b.radius_B && a.normal == b.normal && a.along == b.along &&
         a.ring == b.ring && (a.form != TouchPoint::Form::curve_curve || a.ring_B == b.ring_B) &&
         a.piece_A == b.piece_A && a.piece_B == b.piece_B;
}

double thickness(const Shape& shape) {
  if (shape.is_unbounded()) return INFINITY;
  if (shape.kind == Shape::Kind::sphere || shape.kind == Shape::Kind::capsule) return 2.0 * shape.radius;
  double smallest = INFINITY;  // of the box about it; that of an outline in the plane has no third edge
  for (const double half : {shape.half.x, shape.half.y, shape.half.z})
    if (half > 0.0) smallest = std::min(smallest, 2.0 * half);
  return smallest;
}

double thinnest(const System& system) {  // of the colliders that move
  double smallest = INFINITY;
  for (const ColliderEntry& entry : system.model().colliders)
    for (const Collider& collider : entry.shapes)
      if (entry.first_body >= 0) smallest = std::min(smallest, thickness(collider.shape));
  return std::isfinite(smallest) ? smallest : 1.0;
}

// The speed of the fastest point of a collider, or a bound of it.
double fastest(const System& system, const Vec& u) {
  double largest = 0.0;
  int collider = 0;
  for (const ColliderEntry& entry : system.model().colliders)
    for (int b = 0; b < entry.bodies; ++b)
      for (size_t shape = 0; shape < entry.shapes.size(); ++shape, ++collider) {
        if (entry.first_body < 0) continue;
        const Frame& frame = system.frames()[system.bodies()[entry.first_body + b].frame];
        Twist<double> twist;
        for (size_t i = 0; i < frame.columns.size(); ++i) twist[frame.component[i]] = u[frame.columns[i]];
        largest = std::max(largest, norm(twist.v) + norm(twist.w) * system.extent(collider));
      }
  return largest;
}

}  // namespace

Nearby::Nearby(const ContactList& given) : given_(given) {
  if (!given.system().has_colliders()) return;
  own_ = std::make_unique<ContactList>(given.system(), given.execution());
  reach_ = 0.5 * thinnest(given.system());
}

bool Nearby::search(const State& now) {
  before_.assign(own_->touches().begin(), own_->touches().end());
  own_->search_within(now, reach_);
  cap_ = INFINITY;
  return !std::equal(before_.begin(), before_.end(), own_->touches().begin(), own_->touches().end(), same);
}

double Nearby::longest_step(const State& now) const {
  const double speed = own_ ? fastest(own_->system(), now.u) : 0.0;
  return speed > 0.0 ? std::min(cap_, reach_ / 8 / speed) : cap_;
}

bool Nearby::lacks(const State& state, const ContactSet& closed, const Vec& gaps) {
  if (!own_) return false;
  if (!probe_) probe_ = std::make_unique<ContactList>(own_->system(), own_->execution());
  probe_->search_within(state, reach_);
  const bool other = std::any_of(closed.begin(), closed.end(), [&](int k) {
    return k >= own_->named() && place_in(*probe_, touch(k)) == probe_->size();
  });
  return other || !std::all_of(probe_->touches().begin(), probe_->touches().end(),
                               [&](const TouchPoint& touch) { return overlap_is_known(touch, gaps); });
}

// A contact that has slid to other features has another name than in the list, but its gap is the same.
bool Nearby::overlap_is_known(const TouchPoint& found, const Vec& gaps) const {
  constexpr double clear = 1e-11;  // m
  if (found.gap >= -clear) return true;
  for (int k = own_->named(); k < own_->size(); ++k)
    if (touch(k).collider_A == found.collider_A && touch(k).collider_B == found.collider_B &&
        std::abs(gaps[k] - found.gap) < 0.5 * clear)
      return true;
  return false;
}

int Nearby::place_in(const ContactList& list, const TouchPoint& touch) {
  const auto touches = list.touches();
  const auto place = std::lower_bound(touches.begin(), touches.end(), touch,
                                      [](const TouchPoint& a, const TouchPoint& b) { return a.id < b.id; });
  const bool there = place != touches.end() && place->id == touch.id;
  return there ? list.named() + static_cast<int>(place - touches.begin()) : list.size();
}

int Nearby::place_in_given(int contact) const {
  if (contact < own_->named()) return contact;
  return contact < own_->size() ? place_in(given_, touch(contact)) : given_.size();
}

void Nearby::give(const Impulses& own, Impulses& given) const {
  const int named = given_.system().named_rows();
  const auto copy = [&](const Vec& from, Vec& to) {
    to.assign(given_.rows(), 0.0);
    std::copy_n(from.begin(), named, to.begin());
    for (int k = own_->named(); k < own_->size(); ++k)
      if (const int there = place_in_given(k); there < given_.size())
        std::copy_n(from.begin() + (*own_)[k].row, (*own_)[k].rows, to.begin() + given_[there].row);
  };
  copy(own.P, given.P), copy(own.lambda, given.lambda), copy(own.Lambda, given.Lambda);
}

void Nearby::give(std::vector<Event>& events) const {
  for (Event& event : events)
    if (event.contact >= 0) event.contact = place_in_given(event.contact);
}

}  // namespace tappet::events
