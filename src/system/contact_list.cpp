// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/contact_list.h"

#include <fmt/format.h>
#include <tappet/error.h>
#include <tappet/vec.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "collision/profile/walk.h"
#include "system/contacts/named_pairs.h"
#include "system/contacts/reach.h"

namespace tappet {

namespace {

// Whether the normal passes through the origins of the bodies, as for a ball. A corner has radius zero. A piece of an
// outline may be left during the step.
std::array<bool, 2> through_origins(const TouchPoint& touch) {
  using Form = TouchPoint::Form;
  const Form form = touch.form;
  const bool ball_A = form == Form::ball_ball || form == Form::ball_plane || form == Form::ball_edge ||
                      form == Form::ball_terrain || form == Form::ball_in_bowl;
  const bool ball_B = form == Form::ball_ball || form == Form::plane_ball || form == Form::edge_ball;
  return {touch.piece_A < 0 && ball_A && touch.radius_A > 0.0 && is_zero(touch.point_A),
          touch.piece_B < 0 && ball_B && touch.radius_B > 0.0 && is_zero(touch.point_B)};
}

constexpr size_t few_touches = 64;  // with more of them, the list counts as changed after each search

// Whether only the gap of a touch point may have changed. This holds for spheres and planes, and for the corners of
// boxes on planes. Other forms count as changed.
bool same_apart_from_gap(const TouchPoint& a, const TouchPoint& b) {
  using Form = TouchPoint::Form;
  const bool plain = a.form == Form::ball_plane || a.form == Form::ball_ball || a.form == Form::plane_ball;
  return plain && !a.walks() && !b.walks() && a.form == b.form && a.id == b.id && a.body_A == b.body_A &&
         a.body_B == b.body_B && a.collider_A == b.collider_A && a.collider_B == b.collider_B &&
         a.point_A == b.point_A && a.point_B == b.point_B && a.radius_A == b.radius_A && a.radius_B == b.radius_B &&
         a.normal == b.normal;
}

}  // namespace

ContactList::ContactList(const System& system, const Execution& execution)
    : system_(system),
      execution_(execution),
      named_(static_cast<int>(system.named_contacts().size())),
      list_(system.named_contacts()),
      all_(system.named_contacts().size()),
      rows_(system.named_rows()) {
  std::iota(all_.begin(), all_.end(), 0);
}

std::string ContactList::name(int k) const {
  const Contact& contact = list_[k];
  if (contact.source != Constraint::Source::found) return contact.name();
  const auto body = [&](int side) {
    const int b = system_.frames()[contact.frames[side]].body;
    return b < 0 ? std::string("ground") : system_.model().bodies[b].name;
  };
  return body(0) + "-" + body(1);
}

int ContactList::rows(const ContactSet& set) const {
  int n = system_.joint_rows();
  for (int k : set) n += list_[k].rows;
  return n;
}

void ContactList::laws(const ContactSet& set, Laws& laws) const {
  laws.clear();
  make_room_anew(laws, system_.joints().size() + set.size());
  for (const Constraint& joint : system_.joints()) laws.push_back({Law::Kind::bilateral, joint.row, joint.rows, 0.0});
  for (const auto& [k, contact, row] : each(set))
    laws.push_back({Law::Kind::contact, row, contact.rows, contact.law->mu_law(), contact.balls});
}

void ContactList::restitution(const ContactSet& set, Vec& e) const {
  e.resize(rows(set));
  int r = 0;
  for (; r < system_.joint_rows(); ++r) e[r] = 0.0;
  for (int k : set) {
    const Contact& contact = list_[k];
    e[r++] = contact.law->e_N;
    for (int i = 1; i < contact.rows; ++i) e[r++] = contact.law->e_F;
  }
}

TouchPoint ContactList::walked(const TouchPoint& touch, const Pose<double>& A, const Pose<double>& B) const {
  const auto colliders = world_->colliders();
  return tappet::walked(touch, colliders[touch.collider_A], colliders[touch.collider_B], A, B);
}

void ContactList::apply(const Vec& forces) {
  if (!forces.empty() && forces.size() != system_.u_size())
    throw UsageError(fmt::format("applied forces: {} numbers; expected one for each of the {} velocities",
                                 forces.size(), system_.u_size()));
  for (int i = 0; i < forces.size(); ++i)
    if (!std::isfinite(forces[i]))
      throw UsageError(fmt::format("applied forces: the force along {} is {}; expected a finite number",
                                   system_.u_names()[i], forces[i]));
  applied_ = forces;
  ++version_;
}

void ContactList::let_sleep(const SleepingRule& rule) { sleepers_ = std::make_unique<Sleepers>(system_, rule); }

void ContactList::settle(State& state) const {
  if (sleepers_) sleepers_->settle(state);
}

void ContactList::find(State& state, double dt) {
  if (!sleepers_) return search(state, dt);
  sleepers_->watch(state);
  search(state, dt);
  while (sleepers_->wake(touches_, state.t)) search_again(state);
  if (sleepers_->put_to_sleep(touches_, state)) search_again(state);
}

void ContactList::search(const State& state, double dt) {
  if (!system_.has_colliders()) return;
  begin_search();
  reach(state, dt);
  search_again(state);
}

void ContactList::search_within(const State& state, double distance) {
  if (!system_.has_colliders()) return;
  begin_search();
  std::fill(margins_.begin(), margins_.end(), 0.5 * distance);
  search_again(state);
}

// Remembers the contacts that are in the list now, so that the next list says where they were.
void ContactList::make_world() {
  if (world_) return;
  world_ = std::make_unique<CollisionWorld>(system_.collision_world(execution_));
  margins_.resize(world_->colliders().size());
}

void ContactList::begin_search() {
  make_world();
  remember_found();
}

void ContactList::remember_found() {
  make_room_anew(found_before_, touches_.size());
  found_before_.resize(touches_.size());
  parallel_for(execution_, static_cast<int>(touches_.size()), 4096, [this](int first, int last) {
    for (int i = first; i < last; ++i) found_before_[i] = {touches_[i].id, list_[named_ + i].row, false};
  });
  remember_slid();
  ++searches_;
}

CollisionWorld::PoseOf ContactList::poses_at(const Vec& q) const {
  return [this, &q](int body) { return system_.pose_of(system_.frames()[system_.bodies()[body].frame], q.data()); };
}

double ContactList::travel(const State& state) const {
  double largest = 0.0;
  if (!world_) return largest;
  for (const Placed& collider : world_->colliders()) {
    if (collider.body < 0) continue;
    const Pose<double> body = system_.pose_of(system_.frames()[system_.bodies()[collider.body].frame], state.q.data());
    double moved = norm(body.point(collider.local.p) - collider.world.p);
    if (collider.shape.kind != Shape::Kind::sphere && collider.shape.kind != Shape::Kind::half_space) {
      const Mat3d turned = body.R * collider.local.R;
      const Vec3d x = turned.x - collider.world.R.x, y = turned.y - collider.world.R.y,
                  z = turned.z - collider.world.R.z;
      moved += std::sqrt(dot(x, x) + dot(y, y) + dot(z, z)) * (norm(collider.shape.half) + collider.shape.radius);
    }
    largest = std::max(largest, moved);
  }
  return largest;
}

void ContactList::reach(const State& state, double dt) {
  reach_of_step(system_, world_->colliders(), state, dt, execution_, margins_);
}

// Replaces the contacts of the last search, if the set of sleeping bodies has changed.
void ContactList::search_again(const State& state) {
  world_->leave_out(sleepers_ ? &sleepers_->flags() : nullptr);
  thread_local std::vector<TouchPoint> own;
  std::vector<TouchPoint>& last = own;
  last.reserve(few_touches);
  last.clear();
  const bool few = touches_.size() <= few_touches;
  if (few) last.assign(touches_.begin(), touches_.end());
  with_names(system_, [&] { world_->find(poses_at(state.q), margins_, touches_); });
  const bool same = few && std::ranges::equal(touches_, last, same_apart_from_gap) &&
                    std::ranges::equal(touches_, found_before_, {}, &TouchPoint::id, &Before::id);
  if (!same) {
    list_found();
    follow_slid_contacts(state.q);
    return;
  }
  // The list remains as it is, and what was evaluated for it remains valid.
  nearest_ = {};
  for (int k = named_; k < size(); ++k) {
    Before& before = found_before_[k - named_];
    list_[k].before = k, list_[k].row_before = before.row, before.is_kept = true;
    if (const double gap = touches_[k - named_].gap; k == named_ || gap < nearest_.gap) nearest_ = {gap, k};
  }
}

// The touch points and those of the previous search are both ascending, so one pass finds for each contact its place in
// the previous list.
void ContactList::list_found() {
  const int found = static_cast<int>(touches_.size());
  std::atomic<bool> other = found != size() - named_;  // whether the layout has changed
  make_room(list_, named_ + found);
  list_.resize(named_ + found);
  make_room(all_, list_.size());
  for (int k = static_cast<int>(all_.size()); k < size(); ++k) all_.push_back(k);
  all_.resize(list_.size());
  rows_ = system_.named_rows();
  nearest_ = {};
  for (Before& old : found_before_) old.is_kept = false;
  auto before = found_before_.begin();
  for (int i = 0; i < found; ++i) {
    const TouchPoint& touch = touches_[i];
    Contact& contact = list_[named_ + i];
    while (before != found_before_.end() && before->id < touch.id) ++before;
    const bool kept = before != found_before_.end() && before->id == touch.id;
    contact.before = kept ? named_ + static_cast<int>(before - found_before_.begin()) : -1;
    contact.row_before = kept ? before->row : -1;
    if (kept) before->is_kept = true;
    contact.source = Constraint::Source::found;
    contact.index = i;
    contact.law = &system_.law_between(touch.collider_A, touch.collider_B);
    if (contact.rows != contact.law->rows()) other = true;
    contact.row = rows_, contact.rows = contact.law->rows();
    rows_ += contact.rows;
    if (nearest_.contact < 0 || touch.gap < nearest_.gap) nearest_ = {touch.gap, named_ + i};
  }
  parallel_for(execution_, found, 1024, [&, this](int first, int last) {
    for (int i = first; i < last; ++i) {
      const std::array bodies{Attachment{touches_[i].body_A}, Attachment{touches_[i].body_B}};
      Contact& contact = list_[named_ + i];
      contact.balls = system_.balls(bodies, through_origins(touches_[i]), *contact.law);
      if (contact.frames == std::array{system_.frame_of(bodies[0]), system_.frame_of(bodies[1])}) continue;
      contact.columns.clear(), contact.component.clear();
      system_.attach(bodies, contact);
      other = true;
    }
  });
  if (other) ++layout_;
  ++version_;
}

}  // namespace tappet
