// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "elements/keys.h"
#include "model/loading.h"

namespace tappet {

// The index of the geometry that an item names.
int geometry_named(const Loading& loading, const Item& item);

// The thickness of a flat part, along the z axis of its geometry: from the first number to the second. One number h
// stands for −h/2 to h/2.
struct ThicknessRange {
  static constexpr std::string_view text = "a positive thickness, or where it begins and ends along z [low, high]";
  bool operator()(const OneOrTwo& x) const { return Finite{}(x) && (x[0] == x[1] ? x[0] > 0.0 : x[0] < x[1]); }
  bool operator()(const std::optional<OneOrTwo>& x) const { return !x || (*this)(*x); }
};
inline OneOrTwo from_low_to_high(const OneOrTwo& x) { return x[0] == x[1] ? OneOrTwo{-0.5 * x[0], 0.5 * x[0]} : x; }

// The keys of a body that has a geometry, beside those of its type.
struct GeometryKeys {
  std::string geometry;
  std::optional<double> density;
  std::optional<OneOrTwo> thickness;
  std::optional<Vec3d> origin, center;

  template <class V>
  void describe(V& v) {
    v.required("geometry", geometry);
    v.optional("density", density, positive);              // instead of mass and inertia
    v.optional("thickness", thickness, ThicknessRange{});  // of a flat part
    v.optional("origin", origin);  // the origin of the geometry in the world at the start, instead of `position`
    v.optional("center", center);  // the centre of mass in the frame of the geometry, if mass and inertia are given
  }
};

// If the body has a `geometry`, this fills what belongs to it in `body`, and returns the entry of the file with mass,
// inertia and position as the geometry gives them. Otherwise it returns the entry as it is.
Yaml with_geometry(const Loading& loading, const Item& item, BodyEntry& body);

}  // namespace tappet
