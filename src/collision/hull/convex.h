// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/hull/facets.h"
#include "collision/hull/hull.h"
#include "collision/solid.h"

namespace tappet {

// A rounded convex polyhedron of the section `geometry:`.
class Convex : public Solid {
 public:
  // The sharp polyhedron, which has the mass, and the core of the rounded one, which touches others. `facets` are the
  // triangles of the core, if they are known.
  Convex(Hull sharp, Hull core, Facets facets = {});

  Shape::Kind kind() const override { return Shape::Kind::convex; }
  bool is_flat() const override { return false; }
  MassProperties mass_properties(double thickness) const override;
  std::string summary() const override;

  const Hull& core() const { return core_; }
  const Hull& sharp() const { return sharp_; }  // for drawing
  const Facets& facets() const { return facets_; }

  // The same solid, but it touches others with all pairs of features and not only at the corners of a common patch.
  std::shared_ptr<const Convex> with_all_pairs() const;
  bool takes_all_pairs() const { return all_pairs_; }

 private:
  Hull sharp_, core_;
  Facets facets_;
  bool all_pairs_ = false;
};

inline const Convex& convex_of(const Shape& shape) { return static_cast<const Convex&>(*shape.solid); }

}  // namespace tappet
