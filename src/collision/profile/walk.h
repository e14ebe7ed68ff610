// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/narrow_phase.h"
#include "collision/profile/profile.h"

namespace tappet {

// A motion in the plane: the frame of one shape seen from that of another one.
struct Motion2 {
  Vec2 p;
  double c = 1.0, s = 0.0;
  Vec2 turn(const Vec2& a) const { return {c * a.x - s * a.y, s * a.x + c * a.y}; }
  Vec2 turn_back(const Vec2& a) const { return {c * a.x + s * a.y, c * a.y - s * a.x}; }
  Vec2 point(const Vec2& a) const { return p + turn(a); }
  Vec2 point_back(const Vec2& a) const { return turn_back(a - p); }
};
Motion2 motion_between(const Pose<double>& A, const Pose<double>& B);  // of B, seen from A

// The forms of contacts between two pieces. Two segments never make one, since the corners at their ends do. Two hollow
// arcs cannot touch, and a round arc touches a hollow one only if it is the smaller of the two.
bool can_touch(const Piece& a, const Piece& b);

// Makes the contact of piece a of A with piece b of B. In place of a piece, −1 is the whole disc or plane of a shape
// that is no profile. The gap is not set.
TouchPoint touch_of_pieces(const Placed& A, int a, const Placed& B, int b);

// A contact between outlines at other poses of the bodies. While two parts slide on each other, the point of contact
// leaves a piece and goes on to its neighbour. Normals are continuous there, so the gap along this walk has a
// continuous derivative. Schemes that evaluate a gap at the end of the step therefore see the outline and not the piece
// on which the contact was found.
TouchPoint walked(const TouchPoint& touch, const Placed& A, const Placed& B, const Pose<double>& body_A,
                  const Pose<double>& body_B);

}  // namespace tappet
