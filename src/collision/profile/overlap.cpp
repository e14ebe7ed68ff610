// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/profile/overlap.h"

#include <algorithm>

#include "collision/profile/outline.h"
#include "collision/profile/walk.h"

namespace tappet {
namespace {

constexpr int samples = 16;  // points of each piece

bool is_profile(const Placed& c) { return c.shape.kind == Shape::Kind::profile; }

double distance(const Piece& piece, const Vec2& p) {
  if (piece.is_segment()) {
    const double along = std::clamp(dot(p - piece.from, piece.along()), 0.0, piece.length);
    return norm(p - (piece.from + along * piece.along()));
  }
  const Vec2 d = p - piece.center;
  const double r = norm(d);
  if (piece.rho != 0.0 && r > 0.0 && piece.side_of(((piece.rho > 0.0 ? 1.0 : -1.0) / r) * d, 0.0) == 0)
    return std::abs(r - std::abs(piece.rho));
  return std::min(norm(p - piece.from), norm(p - piece.to));
}

// How deep a point lies below the outline of a profile; 0 if it is outside.
double depth_in(const PlanarProfile& profile, const Vec2& p) {
  bool inside = false;
  for (int k = 0; k < profile.loops(); ++k) inside = inside != encloses(profile.loop(k), p);
  if (!inside) return 0.0;
  double nearest = 1e300;
  for (const Piece& piece : profile.pieces()) nearest = std::min(nearest, distance(piece, p));
  return nearest;
}

// How deep the outline of A reaches into B.
double reach(const Placed& A, const Placed& B) {
  const Motion2 motion = motion_between(B.world, A.world);
  double deepest = 0.0;
  for (const Piece& piece : profile_of(A.shape).pieces())
    for (int k = 0; k < samples; ++k)
      deepest = std::max(deepest, depth_in(profile_of(B.shape), motion.point(piece.at((k + 0.5) / samples))));
  return deepest;
}

double disc_in(const Placed& disc, const Placed& B) {
  const Vec3d center = transposed_times(B.world.R, disc.world.p - B.world.p);
  return depth_in(profile_of(B.shape), {center.x, center.y});
}

}  // namespace

double overlap_in_plane(const Placed& A, const Placed& B) {
  if (is_profile(A) && is_profile(B)) return std::max(reach(A, B), reach(B, A));
  if (is_profile(A) && B.shape.kind == Shape::Kind::sphere) return disc_in(B, A);
  if (is_profile(B) && A.shape.kind == Shape::Kind::sphere) return disc_in(A, B);
  return 0.0;
}

}  // namespace tappet
