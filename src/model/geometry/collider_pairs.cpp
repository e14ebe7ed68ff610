// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/geometry/collider_pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "collision/narrow_phase.h"
#include "collision/profile/outline.h"

namespace tappet {
namespace {

bool has_profile(const ColliderEntry& entry) { return entry.shapes[0].shape.kind == Shape::Kind::profile; }

bool in_plane(const Model& model, const ColliderEntry& entry) {
  return entry.first_body < 0 ||
         std::visit([](const auto& element) { return element.is_planar; }, model.bodies[entry.first_body].element);
}

std::shared_ptr<const PlanarProfile> profile_of_outline(const Outline& outline) {
  return std::make_shared<const PlanarProfile>(std::vector<std::vector<Piece>>{pieces_of(outline, false)});
}

// A box is a rectangle if one of its axes is along z.
bool flatten_box(Collider& box) {
  int axis = 0;
  while (axis < 3 && std::abs(box.pose.R[axis].z) < 1.0 - 1e-12) ++axis;
  if (axis == 3) return false;
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  const Vec2 h{box.shape.half[first], box.shape.half[second]};
  const Vec3d x = box.pose.R[first];
  box.shape =
      Shape::of(profile_of_outline({{.at = {-h.x, -h.y}}, {.at = {h.x, -h.y}}, {.at = h}, {.at = {-h.x, h.y}}}));
  box.pose.R = {{x.x, x.y, 0.0}, {-x.y, x.x, 0.0}, {0.0, 0.0, 1.0}};
  return true;
}

// A capsule is a disc if its axis is along z, and a slot if its axis lies in the plane.
bool flatten_capsule(Collider& capsule) {
  const Vec3d axis = capsule.pose.R.z;
  const double r = capsule.shape.radius, l = capsule.shape.half.z;
  if (std::abs(axis.z) > 1.0 - 1e-12) {
    capsule.shape = Shape::sphere(r);
    return true;
  }
  if (std::abs(axis.z) > 1e-12) return false;
  capsule.shape = Shape::of(profile_of_outline({{.at = {-l, -r}},
                                                {.at = {l, -r}, .arc = true, .center = {l, 0.0}},
                                                {.at = {l, r}},
                                                {.at = {-l, r}, .arc = true, .center = {-l, 0.0}}}));
  capsule.pose.R = {{axis.x, axis.y, 0.0}, {-axis.y, axis.x, 0.0}, {0.0, 0.0, 1.0}};
  return true;
}

bool joined(const Model& model, int a, int b) {
  const auto joins = [&](const auto& entries) {
    return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
      const auto [first, second] = std::minmax(entry.bodies[0].body, entry.bodies[1].body);
      return first >= 0 && first == std::min(a, b) && second == std::max(a, b);
    });
  };
  return joins(model.joints) || joins(model.velocity_joints);
}

}  // namespace

void flatten_shapes(Model& model, const std::vector<Item>& items) {
  if (std::none_of(model.colliders.begin(), model.colliders.end(), has_profile)) return;
  for (size_t i = 0; i < items.size(); ++i) {
    ColliderEntry& entry = model.colliders[i];
    if (!in_plane(model, entry))
      items[i].find("body")->fail(
          has_profile(entry)
              ? "the body moves in space, but the profile is flat; expected `thickness`, a planar body or ground"
              : "the body moves in space, but the model has profiles without `thickness`, which lie in the plane; "
                "expected a planar body, a point in the plane, or ground");
    if (entry.shapes[0].shape.kind == Shape::Kind::plate)
      items[i].fail_at_key(
          "it has a thickness, but other profiles of the model are flat; expected `thickness` for all of "
          "them or for none");
    for (Collider& collider : entry.shapes) {
      bool flat = true;
      if (collider.shape.kind == Shape::Kind::box) flat = flatten_box(collider);
      if (collider.shape.kind == Shape::Kind::capsule) flat = flatten_capsule(collider);
      if (collider.shape.kind == Shape::Kind::profile) flat = std::abs(collider.pose.R.z.z - 1.0) < 1e-12;
      if (!flat)
        items[i]
            .find("rotation")
            ->fail(fmt::format("the {} does not lie in the plane of the profiles; expected a rotation about z",
                               entry.type));
    }
  }
}

void check_pairs(const Model& model, const std::vector<Item>& items) {
  const auto& colliders = model.colliders;
  for (size_t j = 0; j < colliders.size(); ++j)
    for (size_t i = 0; i < j; ++i) {
      const ColliderEntry &a = colliders[i], &b = colliders[j];
      if (a.bodies == 1 && b.bodies == 1 && (a.first_body == b.first_body || joined(model, a.first_body, b.first_body)))
        continue;
      if (a.first_body < 0 && b.first_body < 0) continue;
      const Shape::Kind p = a.shapes[0].shape.kind, q = b.shapes[0].shape.kind;
      if (can_touch(p, q) || (p == Shape::Kind::half_space && q == p)) continue;
      items[j].fail_at_key(
          fmt::format("a {} cannot touch the {} '{}'; expected another shape for one of them", b.type, a.type, a.name));
    }
}

}  // namespace tappet
