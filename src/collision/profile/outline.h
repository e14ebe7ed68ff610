// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "collision/profile/profile.h"

namespace tappet {

// A corner of an outline as a user writes it, and the edge that leaves it.
struct OutlineCorner {
  Vec2 at;
  double rounding = 0.0;  // radius with which the corner is rounded; at an inner corner it is a fillet
  bool arc = false;       // the edge to the next corner is an arc about `center`, otherwise it is straight
  bool left = true;       // the arc turns left, that is counter-clockwise
  Vec2 center{};
  int written = 0;  // which corner of the file it comes from
};
using Outline = std::vector<OutlineCorner>;

// A circle as an outline.
Outline circle_outline(const Vec2& center, double radius);
// `count` copies of the corners, each turned about the origin by 2π/count more than the one before.
Outline repeated_outline(const Outline& outline, int count);
// The outline in the opposite direction.
Outline reversed_outline(const Outline& outline);

// What is wrong with an outline, and at which of its corners (OutlineCorner::written).
struct OutlineError : std::runtime_error {
  OutlineError(int at, const std::string& what) : std::runtime_error(what), corner(at) {}
  int corner;
};

// The pieces of a closed outline: edges and rounded corners. It runs counter-clockwise; a hole runs clockwise. The
// order in which the corners are given does not matter. Throws an OutlineError.
std::vector<Piece> pieces_of(const Outline& outline, bool is_hole);

// The points in which two pieces meet.
struct Meeting {
  std::array<Vec2, 2> at;
  int count = 0;
  void add(const Vec2& p) { at[count++] = p; }
};
Meeting meet(const Piece& a, const Piece& b);  // neither of them a sharp corner

// Two pieces of a profile that cross or touch each other without being neighbours.
struct Crossing {
  int first = -1, second = -1;  // pieces; −1: there is none
  Vec2 at;
};
Crossing find_crossing(const PlanarProfile& profile);

// Whether a point lies within a closed loop.
bool encloses(std::span<const Piece> loop, const Vec2& point);
// How deep a point lies below the outline of a profile; 0 if it is outside.
double depth_in(const PlanarProfile& profile, const Vec2& point);

}  // namespace tappet
