// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "collision/shape.h"

namespace tappet {

struct MassProperties {
  double mass = 0.0;
  Vec3d center{};   // in the frame of the geometry
  Mat3d inertia{};  // about the centre, along the axes of the geometry
};

// A shape of the section `geometry:`: a profile, a polyhedron, … It never changes, and all colliders and bodies that
// use it share it. Its numbers are in the frame of the geometry, which is that of the file or of the drawing from which
// it comes.
class Solid {
 public:
  virtual ~Solid() = default;

  virtual Shape::Kind kind() const = 0;
  // A flat solid lies in the plane z = 0. Its mass is that of a plate, so it needs a thickness.
  virtual bool is_flat() const = 0;
  // For the density 1 kg/m³. `thickness` is that of a flat solid; others ignore it.
  virtual MassProperties mass_properties(double thickness) const = 0;
  virtual std::string summary() const = 0;  // "48 pieces, 0.04 x 0.04 m, 1 hole": one line for `tappet check`

  // An axis-aligned box about it: its centre, and half of its edges.
  const Vec3d& mid() const { return mid_; }
  const Vec3d& half() const { return half_; }

 protected:
  Vec3d mid_{}, half_{};
};

}  // namespace tappet
