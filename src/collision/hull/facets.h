// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "collision/hull/hull.h"

namespace tappet {

// The surface of a core as a mesh gave it, before coplanar triangles were merged: every triangle is a face, with the
// plane of the merged face in which it lies. Points in the middle of a face or of an edge are vertices too. Only the
// full set of contacts needs it (narrow::all_pairs).
struct Facets {
  Hull surface;               // empty if there is none
  std::vector<int> plane_of;  // by face of the surface: the merged face

  bool empty() const { return surface.faces.empty(); }
};

// A point of the surface of a hull moves into the planes of the given faces, and from there inwards by the radius.
Vec3d core_point(const Hull& hull, std::span<const int> faces, const Vec3d& x, double radius);

// `sharp` is the hull of the triangles with merged faces; the core lies inside it by `radius`. Empty if a triangle lies
// in no face of the hull, if triangles vanish because they are smaller than the rounding, or if they do not fit
// together.
Facets facets_of(const Hull& sharp, std::span<const Vec3d> points, std::span<const std::array<int, 3>> triangles,
                 double radius, double tolerance);
}  // namespace tappet
