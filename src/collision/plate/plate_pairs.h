// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/narrow_phase.h"
#include "collision/plate/plate.h"

// What the searches for contacts of plates have in common.
namespace tappet::narrow {

inline Vec2 in_plane(const Vec3d& a) { return {a.x, a.y}; }
inline Vec3d in_space(const Vec2& a, double z = 0.0) { return {a.x, a.y, z}; }

// Names of contacts that are not those of a rim on a wall (WallFeature): a point of a rim, by its number; and a contact
// of a piece, or of two pieces.
inline std::uint64_t point_feature(bool of_B, bool upper, size_t point) {
  return std::uint64_t{2} << 62 | static_cast<std::uint64_t>(of_B) << 61 | static_cast<std::uint64_t>(upper) << 60 |
         static_cast<std::uint64_t>(point);
}
inline std::uint64_t crossing_feature(bool upper, size_t a, size_t b, int which) {
  return std::uint64_t{3} << 62 | static_cast<std::uint64_t>(upper) << 61 | static_cast<std::uint64_t>(which) << 60 |
         static_cast<std::uint64_t>(a) << 30 | static_cast<std::uint64_t>(b);
}

// Each adds the contacts of two plates: those of their walls, and those of an end of one plate on a face of the other
// one.
void plate_walls(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void plate_faces(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);

}  // namespace tappet::narrow
