// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "collision/profile/profile.h"

namespace tappet {

// A profile extruded along z, from `low` to `high`. Its two rims, the edges between its wall and its flat faces, are
// rounded with the radius `rim`: it consists of the points closer than that to a thinner plate whose outline lies
// further inside. So a rim is a curve of segments and arcs, the outline moved inward, with a tube around it.
class Plate : public Solid {
 public:
  // The largest rim that the outline and the thickness allow. Sharp corners allow none.
  static double largest_rim(const PlanarProfile& profile, double low, double high);
  // Throws std::invalid_argument if there is no such plate.
  Plate(std::shared_ptr<const PlanarProfile> profile, double low, double high, double rim);

  Shape::Kind kind() const override { return Shape::Kind::plate; }
  bool is_flat() const override { return false; }
  MassProperties mass_properties(double) const override;  // as if the rims were sharp
  std::string summary() const override;

  const PlanarProfile& profile() const { return *profile_; }
  double low() const { return low_; }
  double high() const { return high_; }
  double rim() const { return rim_; }
  double level(bool upper) const { return upper ? high_ - rim_ : low_ + rim_; }  // of a rim, along z
  // The signed radius of the curve of a rim where the outline has an arc.
  double ring(const Piece& arc) const { return arc.rho - rim_; }
  // Points of the curve of a rim in the plane: the ends of its pieces, and points on its arcs at most 30 degrees apart.
  const std::vector<Vec2>& rim_points() const { return rim_points_; }

 private:
  std::shared_ptr<const PlanarProfile> profile_;
  double low_, high_, rim_;
  std::vector<Vec2> rim_points_;
};

inline const Plate& plate_of(const Shape& shape) { return static_cast<const Plate&>(*shape.solid); }

}  // namespace tappet
