// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "collision/narrow_phase.h"
#include "collision/plate/plate.h"

namespace tappet {

// Where the walls of two plates touch, they touch along a line, of which the two ends are the contacts. At an end one
// of the plates ends, so this is a point of its rim on the wall of the other one.
struct RimOnWall {
  const Plate &rim, &wall;
  double level;         // of the rim, in its plate
  Pose<double> motion;  // of the plate of the rim, seen from that of the wall

  // The place of the contact if the rim has it on one piece and the wall on another one, both without end.
  struct Foot {
    double gap = 0.0;
    Vec2 on_rim, out_of_rim;    // a point of the outline and its normal, in the frame of the plate
    Vec2 on_wall, out_of_wall;  // the same on the wall
    double height = 0.0;        // of the foot on the wall
  };
  Foot foot(const Piece& rim_piece, const Piece& wall_piece) const;  // of pieces that can_touch()

 private:
  Foot arc_on_segment(const Piece& p, const Piece& q) const;
  Foot segment_on_arc(const Piece& p, const Piece& q) const;
  Foot arc_on_arc(const Piece& p, const Piece& q) const;
};
RimOnWall rim_on_wall(const Placed& rim, bool upper, const Placed& wall, const Pose<double>& rim_frame,
                      const Pose<double>& wall_frame);

// The name of such a contact among those of its two colliders: which of the two plates ends, at which end, and the two
// pieces.
struct WallFeature {
  bool rim_of_B = false, upper = false;
  int a = 0, b = 0;
  friend bool operator==(const WallFeature&, const WallFeature&) = default;

  std::uint64_t number() const;
  static WallFeature of(std::uint64_t number);
};
// The gap is not set.
TouchPoint touch_of_walls(const Placed& A, const Placed& B, const WallFeature& feature);

// The same as the functions for outlines in the plane (profile/walk.h).
WallFeature walk_walls(const Placed& A, const Placed& B, const Pose<double>& frame_A, const Pose<double>& frame_B,
                       WallFeature from);

}  // namespace tappet
