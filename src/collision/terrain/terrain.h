// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/narrow_phase.h"
#include "collision/solid.h"
#include "math/height_field.h"

namespace tappet {

// A ground z = h(x, y) over a rectangle, solid below. Beyond the rectangle there is nothing.
class Terrain : public Solid {
 public:
  explicit Terrain(HeightField field);

  Shape::Kind kind() const override { return Shape::Kind::terrain; }
  bool is_flat() const override { return false; }
  MassProperties mass_properties(double) const override { return {}; }  // it has none
  std::string summary() const override;

  const HeightField& field() const { return field_; }

 private:
  HeightField field_;
};

// The pairs of a terrain B. Boxes and convex solids touch it with their vertices.
namespace narrow {
void refer_to_terrain(const Placed& B, TouchPoint& touch);
void sphere_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void capsule_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void box_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void convex_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void wheel_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
}  // namespace narrow

}  // namespace tappet
