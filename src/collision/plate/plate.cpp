// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/plate/plate.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>

namespace tappet {

double Plate::largest_rim(const PlanarProfile& profile, double low, double high) {
  constexpr double most = 0.49;  // of the thickness; between the rims there is a wall
  double rim = most * (high - low);
  for (const Piece& piece : profile.pieces())
    if (piece.is_round()) rim = std::min(rim, piece.rho);
  return rim;
}

Plate::Plate(std::shared_ptr<const PlanarProfile> profile, double low, double high, double rim)
    : profile_(std::move(profile)), low_(low), high_(high), rim_(rim) {
  if (!(high > low)) throw std::invalid_argument(fmt::format("a thickness from {:g} to {:g}", low, high));
  if (!(rim >= 0.0 && rim <= largest_rim(*profile_, low, high)))
    throw std::invalid_argument(fmt::format("a rim of {:g}", rim));
  const Vec3d &mid = profile_->mid(), &half = profile_->half();
  mid_ = {mid.x, mid.y, 0.5 * (low + high)}, half_ = {half.x, half.y, 0.5 * (high - low)};
  for (const Piece& piece : profile_->pieces()) {
    const int parts =
        piece.is_segment()
            ? 1
            : std::max(1, static_cast<int>(std::ceil(std::abs(piece.turn()) / (std::numbers::pi / 6.0) - 1e-9)));
    for (int k = 0; k < parts; ++k) {
      const double s = static_cast<double>(k) / parts;
      const Vec2 p = piece.at(s) - rim * piece.normal_at(s);
      if (rim_points_.empty() || norm(p - rim_points_.back()) > 1e-9 * profile_->size()) rim_points_.push_back(p);
    }
  }
}

MassProperties Plate::mass_properties(double) const {
  MassProperties mass = profile_->mass_properties(high_ - low_);
  mass.center.z = mid_.z;
  return mass;
}

std::string Plate::summary() const {
  return fmt::format("{}, from z = {:.6g} to {:.6g} m, rims rounded by {:.6g} m", profile_->summary(), low_, high_,
                     rim_);
}

}  // namespace tappet
