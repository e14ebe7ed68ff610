// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/hull/hull.h"
#include "collision/solid.h"

namespace tappet {

// A rounded convex polyhedron of the section `geometry:`.
class Convex : public Solid {
 public:
  // The sharp polyhedron, which has the mass, and the core of the rounded one, which touches others.
  Convex(Hull sharp, Hull core);

  Shape::Kind kind() const override { return Shape::Kind::convex; }
  bool is_flat() const override { return false; }
  MassProperties mass_properties(double thickness) const override;
  std::string summary() const override;

  const Hull& core() const { return core_; }
  const Hull& sharp() const { return sharp_; }  // for drawing

 private:
  Hull sharp_, core_;
};

}  // namespace tappet
