// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/touching.h"

#include <cmath>
#include <utility>

#include "elements/contacts/touch.h"
#include "record/found_names.h"
#include "system/visit_touch.h"

namespace tappet {

TouchingContacts::TouchingContacts(const ContactList& contacts, Evaluator& evaluate)
    : contacts_(contacts), evaluate_(evaluate), party_(FoundNames::of(contacts.system().model()).party_of_collider) {}

void TouchingContacts::sample(const State& state, const Impulses& impulses, const Vec& gaps,
                              std::vector<FoundContact>& touching) {
  touching.clear(), set_.clear();
  for (int k = contacts_.named(); k < contacts_.size(); ++k) {
    const int row = contacts_[k].row;
    if (gaps[k] <= 0.0 || (row < impulses.P.size() && impulses.P[row] != 0.0)) set_.push_back(k);
  }
  if (set_.empty()) return;
  evaluate_.directions(state.t, state.q, set_, W_, chi_);
  gamma_.resize(chi_.size());
  W_.multiply(state.u, gamma_);
  for (int r = 0; r < gamma_.size(); ++r) gamma_[r] += chi_[r];
  for (const auto& [k, contact, row] : contacts_.each(set_)) {
    touching.push_back(at(state, impulses, k, row));
    touching.back().gap = gaps[k];
  }
}

// `row` is the first row of the contact in γ.
FoundContact TouchingContacts::at(const State& state, const Impulses& impulses, int k, int row) const {
  const Contact& contact = contacts_[k];
  const TouchPoint& touch = contacts_.touches()[contact.index];
  const System& system = contacts_.system();
  const Pose<double> A = system.pose(Attachment{touch.body_A}, state.q),
                     B = system.pose(Attachment{touch.body_B}, state.q);
  FoundContact f;
  f.A = party_[touch.collider_A], f.B = party_[touch.collider_B];
  f.gap_velocity = gamma_[row];
  visit_touch(contacts_, contact.index, A, B, [&](const auto& element) {
    const Touch<double> nearest = element.touch(A, B, state.t);
    f.normal = nearest.normal, f.point = nearest.point_A;
  });
  const auto t = tangents(f.normal, *contact.law);
  const bool known = contact.row + contact.rows <= impulses.P.size();
  if (known) f.P_N = impulses.P[contact.row], f.P = f.P_N * f.normal;
  for (int r = 1; r < std::min(contact.rows, 3); ++r) {
    f.slip = std::hypot(f.slip, gamma_[row + r]);
    if (known) f.P += impulses.P[contact.row + r] * t[r - 1];
  }
  if (touch.body_A < 0) {  // the force is that on the moving body
    std::swap(f.A, f.B);
    f.normal = -1.0 * f.normal, f.P = -1.0 * f.P;
  }
  return f;
}

}  // namespace tappet
