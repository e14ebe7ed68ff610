// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "elements/keys.h"
#include "model/loading.h"

namespace tappet {

// The index of the geometry that an item names.
int geometry_named(const Loading& loading, const Item& item);

// The keys of a body that has a geometry, beside those of its type.
struct GeometryKeys {
  std::string geometry;
  std::optional<double> density, thickness;
  std::optional<Vec3d> origin, center;

  template <class V>
  void describe(V& v) {
    v.required("geometry", geometry);
    v.optional("density", density, positive);      // instead of mass and inertia
    v.optional("thickness", thickness, positive);  // of a flat part
    v.optional("origin", origin);  // the origin of the geometry in the world at the start, instead of `position`
    v.optional("center", center);  // the centre of mass in the frame of the geometry, if mass and inertia are given
  }
};

// If the body has a `geometry`, this fills what belongs to it in `body`, and returns the entry of the file with mass,
// inertia and position as the geometry gives them. Otherwise it returns the entry as it is.
Yaml with_geometry(const Loading& loading, const Item& item, BodyEntry& body);

}  // namespace tappet
