// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/plate/plate.h"

namespace tappet {

// The surface of a shape for the page: vertices in the frame of the shape, and the corners of its faces.
struct SolidFaces {
  std::vector<Vec3d> vertices;
  std::vector<std::vector<int>> faces;
};
// Of a convex solid, a terrain or a wheel. Other shapes have kinds of their own on the page.
SolidFaces faces_of(const Shape& shape);
SolidFaces faces_of(const Plate& plate);  // triangles; the rounding of its rims is too small to be seen

}  // namespace tappet
