// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// A contact that slides onto the next piece of an outline, over an edge or along the ground gets another id. It is
// still the same contact: impulses, gaps and the state of its restitution are those of the contact that was there
// before.
#include <algorithm>

#include "system/contact_list.h"
#include "system/visit_touch.h"

namespace tappet {

namespace {

constexpr double near_share = 0.01;  // of the size of the smaller shape: how far apart the two places may be
constexpr double same_normal = 0.9;  // cosine of the angle by which the normal may turn at once

// Feet on the ground and places of two curves are numbered as they are found. The number says nothing if there are
// several.
bool is_numbered(const TouchPoint& touch) {
  return touch.is_on_terrain() || touch.form == TouchPoint::Form::curve_curve;
}

// Whether two shapes have neighbouring features between which a contact can slide without a jump of its normal.
bool may_slide(const Shape& a, const Shape& b) {
  using Kind = Shape::Kind;
  const auto has_pieces = [](const Shape& shape) {
    return has_outline(shape) || shape.kind == Kind::wheel || shape.kind == Kind::terrain;
  };
  const auto is_round = [](const Shape& shape) { return shape.kind == Kind::sphere || shape.kind == Kind::capsule; };
  const auto has_edges = [](const Shape& shape) { return shape.kind == Kind::box || shape.kind == Kind::convex; };
  return has_pieces(a) || has_pieces(b) || (is_round(a) && has_edges(b)) || (has_edges(a) && is_round(b));
}

double size_of(const Shape& shape) { return shape.is_unbounded() ? 1e300 : norm(shape.half) + shape.radius; }

}  // namespace

void ContactList::remember_slid() {
  slid_before_.clear();
  const auto colliders = world_->colliders();
  for (size_t i = 0; i < touches_.size(); ++i) {
    const TouchPoint& touch = touches_[i];
    if (!may_slide(colliders[touch.collider_A].shape, colliders[touch.collider_B].shape)) continue;
    make_room_anew(slid_before_, slid_before_.empty() ? touches_.size() : 0);
    slid_before_.push_back({touch, static_cast<int>(i)});
  }
}

void ContactList::follow_slid_contacts(const Vec& q) {
  if (slid_before_.empty()) return;
  make_room_anew(slid_now_, found());
  for (int first = 0; first < found();) {
    int last = first + 1;
    while (last < found() && touches_[last].id.pair == touches_[first].id.pair) ++last;
    follow_slid_contacts(first, last, q);
    first = last;
  }
}

// The contacts of one pair. Those of the previous list are looked at where they would be now: a contact goes on along
// the outlines or on the ground to its new foot. The nearest one is the same contact.
void ContactList::follow_slid_contacts(int first, int last, const Vec& q) {
  const auto pair = touches_[first].id.pair;
  const auto start = std::lower_bound(slid_before_.begin(), slid_before_.end(), pair,
                                      [](const Slid& slid, std::uint64_t p) { return slid.touch.id.pair < p; });
  auto end = start;
  while (end != slid_before_.end() && end->touch.id.pair == pair) ++end;
  const std::span<Slid> olds(start, end);
  int known = 0;
  bool numbered = false;
  for (int i = first; i < last; ++i) {
    known += list_[named_ + i].before >= 0;
    numbered |= is_numbered(touches_[i]);
  }
  const int count = last - first, count_before = static_cast<int>(olds.size());
  numbered &= count > 1 || count_before > 1;
  if (count_before == 0 || (!numbered && (known == count || known == count_before))) return;

  // The roles of the two bodies may differ from contact to contact.
  const TouchPoint& any = touches_[first];
  const auto pose_of = [&](int body) { return body < 0 ? Pose<double>{} : poses_at(q)(body); };
  const Pose<double> pose_A = pose_of(any.body_A), pose_B = pose_of(any.body_B);
  const auto locate = [&](Slid& slid) {
    const bool same_roles = slid.touch.body_A == any.body_A;
    const Pose<double>&A = same_roles ? pose_A : pose_B, &B = same_roles ? pose_B : pose_A;
    visit_form(slid.touch.walks() ? walked(slid.touch, A, B) : slid.touch, [&](const auto& element) {
      const auto touch = element.touch(A, B, 0.0);
      slid.point = touch.point_B, slid.normal = same_roles ? touch.normal : -touch.normal;
    });
    slid.is_free = true;
  };
  slid_now_.clear();
  for (int i = first; i < last; ++i) {
    Contact& contact = list_[named_ + i];
    if (numbered) contact.before = contact.row_before = -1;
    if (contact.before < 0) locate(slid_now_.emplace_back(Slid{touches_[i], i}));
  }
  for (Slid& old : olds) {
    old.is_free = false;
    if (numbered) found_before_[old.place].is_kept = false;
    if (!found_before_[old.place].is_kept) locate(old);
  }
  const auto keep = [&](Slid& now, Slid& old) {
    now.is_free = old.is_free = false;
    found_before_[old.place].is_kept = true;
    list_[named_ + now.place].before = named_ + old.place;
    list_[named_ + now.place].row_before = found_before_[old.place].row;
  };
  const auto colliders = world_->colliders();
  const double near =
      near_share * std::min(size_of(colliders[any.collider_A].shape), size_of(colliders[any.collider_B].shape));
  while (true) {
    Slid *now = nullptr, *old = nullptr;
    double least = near;
    for (Slid& i : slid_now_)
      for (Slid& j : olds) {
        if (!i.is_free || !j.is_free || dot(i.normal, j.normal) < same_normal) continue;
        if (const double apart = norm(i.point - j.point); apart < least) least = apart, now = &i, old = &j;
      }
    if (!now) break;
    keep(*now, *old);
  }
  for (Slid& now : slid_now_)
    for (Slid& old : olds)
      if (now.is_free && old.is_free && now.touch.id == old.touch.id) keep(now, old);
}

}  // namespace tappet
