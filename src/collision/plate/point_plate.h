// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "collision/plate/edges.h"
#include "collision/profile/facing.h"
#include "collision/profile/outline.h"

namespace tappet::narrow {

// The contacts of a ball of A, which may be a rounded corner of it, with a plate B. The centre of the ball is beside
// the wall, over a face, or beyond a rim. `swapped` says that A is the second shape of the pair.
class PointOnPlate {
 public:
  PointOnPlate(const Placed& A, const Placed& B, bool swapped, bool with_faces, double margin, const Spots& spots,
               std::vector<TouchPoint>& out);

  // The centre is in the frame of A. `number` names it. allows(direction in the frame of A) tells whether A may push
  // outward along a direction there.
  template <class Allows>
  void find(const Vec3d& center, double radius, std::uint64_t number, Allows&& allows) const;

 private:
  enum class Part { wall, lower_rim, upper_rim, lower_face, upper_face };
  struct Found {
    double gap;
    Vec3d normal;  // from the plate to the ball, in the frame of the plate
  };
  bool over_face(const Vec3d& c, bool upper, double radius, Found& found) const;
  bool beside_wall(const Vec3d& c, const Piece& piece, double radius, Found& found) const;
  bool beyond_rim(const Vec3d& c, const Piece& piece, bool upper, double radius, Found& found) const;
  void put(const Vec3d& center, const Vec3d& c, double radius, std::uint64_t feature, Part part, const Piece* piece,
           const Found& found) const;
  // A ball that sits on a hole touches it all around, within the margin. Then points of the rim hold it, of which the
  // first one is nearest. The one nearest point alone would jump from side to side.
  static constexpr int seat_points = 8;
  bool sits_on(const Vec3d& c, const Piece& piece, bool upper, double radius) const;
  bool seat_point(const Vec3d& c, const Piece& piece, bool upper, double radius, int k, Vec3d& at, Found& found) const;
  static constexpr size_t names_of_piece = 32;  // parts, and after them the points of the two rims
  std::uint64_t feature(std::uint64_t number, size_t piece, Part part) const {
    return point_feature(swapped_, number, names_of_piece * piece + static_cast<std::uint64_t>(part));
  }
  std::uint64_t feature_of_seat(std::uint64_t number, size_t piece, bool upper, int k) const {
    return point_feature(swapped_, number, names_of_piece * piece + 8 + (upper ? seat_points : 0) + k);
  }

  const Placed &A_, &B_;
  const Plate& plate_;
  const bool swapped_, with_faces_;  // and with walls, not only with rims
  const double margin_;
  const Spots& spots_;
  std::vector<TouchPoint>& out_;
};

template <class Allows>
void PointOnPlate::find(const Vec3d& center, double radius, std::uint64_t number, Allows&& allows) const {
  const Vec3d c = B_.to_shape(A_.world.point(center)), d = c - plate_.mid(), &half = plate_.half();
  const double near = radius + margin_;
  if (std::abs(d.x) > half.x + near || std::abs(d.y) > half.y + near || std::abs(d.z) > half.z + near) return;
  const auto is_new = [&](const Found& found) {
    const Vec3d normal = B_.world.direction(found.normal);
    return allows(-transposed_times(A_.world.R, normal)) &&
           spots_.is_new(A_.world.point(center) - (radius + found.gap) * normal, swapped_ ? -normal : normal);
  };
  const auto try_part = [&](bool is_there, size_t index, Part part, const Piece* piece, const Found& found) {
    if (is_there && is_new(found)) put(center, c, radius, feature(number, index, part), part, piece, found);
  };
  Found found;
  const bool upper = c.z > plate_.mid().z;
  if (over_face(c, upper, radius, found))
    return try_part(with_faces_, 0, upper ? Part::upper_face : Part::lower_face, nullptr, found);
  const bool beyond = upper ? c.z > plate_.level(true) : c.z < plate_.level(false);
  const auto pieces = plate_.profile().pieces();
  for (size_t i = 0; i < pieces.size(); ++i)
    if (beyond && sits_on(c, pieces[i], upper, radius))
      for (int k = 0; k < seat_points; ++k) {
        Vec3d at;
        if (seat_point(c, pieces[i], upper, radius, k, at, found) && is_new(found))
          add_ball_ball(A_, center, radius, B_, at, plate_.rim(), found.gap, feature_of_seat(number, i, upper, k),
                        out_);
      }
    else if (beyond)
      try_part(beyond_rim(c, pieces[i], upper, radius, found), i, upper ? Part::upper_rim : Part::lower_rim, &pieces[i],
               found);
    else if (with_faces_)
      try_part(beside_wall(c, pieces[i], radius, found), i, Part::wall, &pieces[i], found);
}

}  // namespace tappet::narrow
