// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/profile/profile.h"

// Whether a point of contact lies on a piece of an outline.
namespace tappet::narrow {

// A corner is a candidate on a face that is almost parallel to one of its own edges, up to this sine. Two faces that
// lie on each other therefore have two contacts, at the ends of their common part, even if one of them is tilted a
// little.
inline constexpr double parallel = 0.1;
inline constexpr double end_share = 1e-9;    // of the size: how far beyond its ends a segment still counts
inline constexpr double angle_slack = 1e-9;  // rad: the same for an arc
inline constexpr double merge_share = 1e-7;  // of the size: contacts of neighbouring pieces nearer than this are one
inline constexpr double shallow_share =
    1e-6;  // of the size: less deep than this the thickness of a part does not matter

// Whether an arc faces the direction m. It may be outside of the arc by `slack`, and by `parallel` on a side where the
// outline goes on with a segment.
inline bool faces(const PlanarProfile& profile, const Piece& arc, const Vec2& m, double slack, double parallel_slack) {
  const int side = arc.side_of(m, slack);
  if (side == 0) return true;
  const int next = side < 0 ? arc.previous : arc.next;
  return next >= 0 && profile.pieces()[next].is_segment() && arc.side_of(m, parallel_slack) == 0;
}

inline bool above(const Piece& segment, const Vec2& p, double beyond) {
  const double along = dot(p - segment.from, segment.along());
  return along >= -beyond && along <= segment.length + beyond;
}

// Whether a depth below the outline of a profile is less than half of its thickness there.
inline bool is_near_side(const PlanarProfile& profile, const Piece& piece, const Vec2& foot, const Vec2& normal,
                         double depth) {
  if (depth <= shallow_share * profile.size()) return true;
  return depth <= piece.depth && depth <= 0.5 * profile.thickness_at(foot, normal);
}

}  // namespace tappet::narrow
