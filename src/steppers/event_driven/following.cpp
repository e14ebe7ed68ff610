// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// How event-driven follows contacts that the search between colliders finds, and finds contacts that are shorter than a
// step of the integration.
#include <fmt/format.h>

#include <cmath>

#include "steppers/event_driven/event_driven.h"
#include "steppers/shared/contact_rows.h"

namespace tappet {

// CVODE sees a gap only at the ends of its steps. If the gap shrinks at the start and grows at the end, it may have
// been negative in between.
int EventDriven::short_contact() {
  for (int k = 0; k < static_cast<int>(approaching_.size()); ++k) {
    const bool late = !phases_[k].closed() && segment_.arrived_late(k);
    if (!late && (!approaching_[k] || kinematics_.normal(k) <= 0)) continue;
    if (late) segment_.locate_late_arrival(k, now_);
    const bool found = late || segment_.locate_short_contact(k, now_);
    kinematics_.measure(now_);
    if (found) return k;
  }
  return -1;
}

void EventDriven::note_approaching() {
  approaching_.resize(contacts_.size());
  for (int k : contacts_.all()) approaching_[k] = !phases_[k].closed() && kinematics_.normal(k) < 0;
}

void EventDriven::follow_contacts(bool& lost) {
  lost = phases_.follow_contacts();
  accumulations_.follow_contacts(contacts_);
  for (Vec* rows : {&lambda_, &sums_.P, &sums_.Lambda}) follow_rows(contacts_, memory_, *rows, spare_);
  log_.follow_contacts([&](int contact) {
    if (contact < contacts_.named()) return contact;
    for (int k = contacts_.named(); k < contacts_.size(); ++k)
      if (memory_.index(contacts_, k) == contact) return k;
    return events::Nearby::gone;
  });
  memory_.keep(contacts_);
}

// A closed contact slides from one feature of a body to the next, for example from the face of a box to its edge, or
// features meet that did not face each other when the list was made.
//
// Where two pieces of an outline join, round-off decides which of them a search finds. So the next change is only
// looked for a little later. Until then the contact is on the right piece all the same.
bool EventDriven::locate_other_features() {
  constexpr double pause = 1e-8;  // s
  if (now_.t - t_other_features_ < pause) return false;
  const auto lacks = [this](const State& state) {
    kinematics_.measure_gaps(state);
    return nearby_.lacks(state, balance_.set, kinematics_.gaps());
  };
  if (!lacks(now_)) return false;
  segment_.locate_beginning(lacks, now_);
  t_other_features_ = now_.t;
  return true;
}

// Closed contacts are held at gap zero. If the new search finds another gap, the contact slides along features that the
// points of the last search do not describe.
void EventDriven::check_gaps() {
  constexpr double clear = 1e-8;  // m
  for (int k = contacts_.named(); k < contacts_.size(); ++k)
    if (phases_[k].closed() && std::abs(kinematics_.gap(k)) > clear)
      diagnosis_ = fmt::format(
          "the contact {} slides along an edge or an axis, which moves its points; after a new search at t = {:.9g} s "
          "its "
          "gap is {:.3g} m instead of zero, and event-driven cannot follow it; expected another scheme",
          contacts_.name(k), now_.t, kinematics_.gap(k));
}

bool EventDriven::look_around(StepReport& report) {
  bool lost = false;
  const bool other = nearby_.search(now_);
  follow_contacts(lost);
  segment_.limit_step(nearby_.longest_step(now_));
  if (!other) return true;
  kinematics_.measure(now_);
  check_gaps();
  if (!diagnosis_.empty()) return false;
  bool touches = false;  // a contact that was not in the list before
  for (int k = contacts_.named(); k < contacts_.size(); ++k)
    touches |= contacts_[k].before < 0 && kinematics_.gap(k) <= events::Kinematics::closed_gap;
  // Where the curvature of an outline jumps, forces jump. A contact that was pressed may leave its new features at
  // once, and one that stuck may slip.
  if (!lost && !touches) take_forces();
  if (lost || touches || !phases_.hold_with(lambda_)) {
    begin_instant();
    return go_on(settle(), report);
  }
  start_segment();
  return true;
}

void EventDriven::go_back() {
  nearby_.shorten(now_.t - step_start_.t);
  now_ = step_start_;
  start_segment();
}

}  // namespace tappet
