// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "collision/hull/convex.h"
#include "collision/profile/overlap.h"
#include "kernels/choose.h"
#include "system/contact_list.h"
#include "system/contacts/all_pairs_world.h"
#include "system/contacts/reduction.h"
#include "system/system.h"

namespace tappet {

namespace {

constexpr double overlap_allowed = 1e-9;  // at the start [m]
constexpr double deep_overlap = 1e-6;     // of profiles; below it their contacts are found and judged one by one [m]

double extent_of(const Collider& collider) {
  if (collider.shape.is_unbounded()) return 0.0;  // the other collider of the pair has an extent
  return norm(collider.pose.point(collider.shape.mid)) + norm(collider.shape.half) + collider.shape.radius;
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

// The bodies stand for all bodies of two entries, and the element for all touch points between them. A planar body is
// taken for a spatial one, because touch points between planar bodies need not lie in the plane.
template <class Touching>
void System::use_found_kernel(const Touching& element, const std::array<Attachment, 2>& bodies, const ContactLaw& law) {
  const auto kind = [](const Attachment& a) { return a.body < 0 ? kernels::Kind::ground : kernels::Kind::spatial; };
  PairLayout layout;
  attach(bodies, layout);
  const auto choice = kernels::choose_contact(element, law, {kind(bodies[0]), kind(bodies[1])});
  auto& own = found_kernels_.emplace_back();
  if (!choice.kernel || choice.kernel->all_rows != law.rows() || choice.kernel->rows.size() != size_t(law.rows()))
    return;
  use(choice, layout, own);
}

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
      const std::array bodies{Attachment{entry.first_body}, Attachment{other.first_body}};
      law.resolve(is_planar(bodies));
      pair_laws_.push_back(law);
      use_found_kernel(SphereSphere{}, bodies, law);
      use_found_kernel(SpherePlane{}, bodies, law);
    }
  }
  directions_are_constant_ = false;
}

namespace {

CollisionWorld make_world(const Model& model, const Execution& execution, bool all_pairs) {
  std::vector<Collider> colliders;
  std::map<const Solid*, Shape> whole;  // solids that touch with all pairs of features
  for (const ColliderEntry& entry : model.colliders)
    for (int b = 0; b < entry.bodies; ++b)
      for (Collider collider : entry.shapes) {
        collider.body = entry.first_body < 0 ? -1 : entry.first_body + b;
        if (all_pairs && collider.shape.kind == Shape::Kind::convex) {
          Shape& shape = whole[collider.shape.solid.get()];
          if (!shape.solid) shape = Shape::of(convex_of(collider.shape).with_all_pairs());
          collider.shape = shape;
        }
        colliders.push_back(collider);
      }
  // Bodies that a joint connects do not collide.
  std::vector<std::pair<int, int>> joined;
  const auto join = [&](const auto& entries) {
    for (const auto& entry : entries)
      if (entry.bodies[0].body >= 0 && entry.bodies[1].body >= 0)
        joined.emplace_back(entry.bodies[0].body, entry.bodies[1].body);
  };
  join(model.joints), join(model.velocity_joints);
  return CollisionWorld(std::move(colliders), std::move(joined), execution);
}

}  // namespace

CollisionWorld System::collision_world(const Execution& execution) const {
  return make_world(model_, execution, !reduces_contacts(model_));
}

CollisionWorld all_pairs_world(const System& system, const Execution& execution) {
  return make_world(system.model(), execution, true);
}

bool has_reduced_contacts(const System& system) {
  const auto& entries = system.model().colliders;
  return std::any_of(entries.begin(), entries.end(), [](const ColliderEntry& entry) {
    return std::any_of(entry.shapes.begin(), entry.shapes.end(),
                       [](const Collider& c) { return c.shape.kind == Shape::Kind::convex; });
  });
}

const ContactLaw& System::law_between(int collider_A, int collider_B) const {
  return pair_laws_[entry_of_collider_[collider_A] * model_.colliders.size() + entry_of_collider_[collider_B]];
}

namespace {

bool are_joined(const Model& model, int a, int b) {
  const auto joins = [&](const auto& entries) {
    return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
      const int first = entry.bodies[0].body, second = entry.bodies[1].body;
      return first >= 0 && second >= 0 && std::minmax(first, second) == std::minmax(a, b);
    });
  };
  return joins(model.joints) || joins(model.velocity_joints);
}

// Whether a shape may lie so deep in another one that no contact is found.
bool may_hide(const Shape& shape) { return has_outline(shape) || shape.kind == Shape::Kind::wheel; }

// Two colliders that lie in each other, at least one of which may hide.
struct DeepOverlap {
  int first = -1, second = -1;  // −1: there are none
  double depth = 0.0;
};
DeepOverlap find_deep_overlap(const Model& model, std::span<const Placed> colliders) {
  for (size_t i = 0; i < colliders.size(); ++i)
    for (size_t j = i + 1; j < colliders.size(); ++j) {
      const Placed &a = colliders[i], &b = colliders[j];
      if (!may_hide(a.shape) && !may_hide(b.shape)) continue;
      if (a.body == b.body || are_joined(model, a.body, b.body)) continue;
      if (const double depth = overlap_of_outlines(a, b); depth > deep_overlap)
        return {static_cast<int>(i), static_cast<int>(j), depth};
    }
  return {};
}

}  // namespace

// Other forms, and contacts that walk along outlines, are evaluated by their elements.
const KernelUse<kernels::RowKernel>& System::found_kernel(const TouchPoint& touch) const {
  static const KernelUse<kernels::RowKernel> none;
  using Form = TouchPoint::Form;
  if (touch.walks() || (touch.form != Form::ball_ball && touch.form != Form::ball_plane)) return none;
  const size_t pair =
      entry_of_collider_[touch.collider_A] * model_.colliders.size() + entry_of_collider_[touch.collider_B];
  return found_kernels_[2 * pair + (touch.form == Form::ball_plane)];
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
  // Contacts push only from near the surface. Profiles and wheels that lie deep in others have none.
  const auto hides = [](const ColliderEntry& entry) { return may_hide(entry.shapes[0].shape); };
  if (std::none_of(model_.colliders.begin(), model_.colliders.end(), hides)) return;
  CollisionWorld world = collision_world(Execution::serial);
  std::vector<TouchPoint> touches;
  const std::vector<double> margins(world.colliders().size(), 0.0);
  world.find([&](int body) { return pose_of(frames()[bodies()[body].frame], initial_.q.data()); }, margins, touches);
  const DeepOverlap overlap = find_deep_overlap(model_, world.colliders());
  if (overlap.first < 0) return;
  const ColliderEntry &entry = model_.colliders[entry_of_collider_[overlap.first]],
                      &other = model_.colliders[entry_of_collider_[overlap.second]];
  throw ModelError(
      model_.file, entry.place, "colliders." + entry.name,
      fmt::format("at the start it lies in '{}' by {:.6g} m; expected them apart", other.name, overlap.depth));
}

}  // namespace tappet
