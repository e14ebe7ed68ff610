// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Two plates: faces, flat walls, edges and corners. Round walls side by side are in walls.cpp.
#include <algorithm>

#include "collision/plate/patches.h"
#include "collision/plate/point_plate.h"

namespace tappet::narrow {
namespace {

constexpr int stack_size = 256;

// Whether boxes about pieces of two plates, over their whole thickness, come within the margin of each other. The
// motion is that of A, seen from B.
bool boxes_meet(const Plate& A, const Box2& a, const Plate& B, const Box2& b, const Pose<double>& motion,
                double margin) {
  const Vec3d half{0.5 * (a.high.x - a.low.x), 0.5 * (a.high.y - a.low.y), A.half().z};
  const Vec3d mid = motion.point(Vec3d{0.5 * (a.low.x + a.high.x), 0.5 * (a.low.y + a.high.y), A.mid().z});
  const Vec3d low{b.low.x, b.low.y, B.low()}, high{b.high.x, b.high.y, B.high()};
  for (int k = 0; k < 3; ++k) {
    const double reach =
        std::abs(motion.R.x[k]) * half.x + std::abs(motion.R.y[k]) * half.y + std::abs(motion.R.z[k]) * half.z + margin;
    if (mid[k] + reach < low[k] || mid[k] - reach > high[k]) return false;
  }
  return true;
}

// Calls f(i, j) for pieces of A and B whose boxes come within the margin of each other.
template <class F>
void for_pieces(const Plate& A, const Plate& B, const Pose<double>& motion, double margin, F&& f) {
  std::pair<int, int> stack[stack_size];
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const auto [i, j] = stack[--top];
    const PlanarProfile::Branch &p = A.profile().tree()[i], &q = B.profile().tree()[j];
    if (!boxes_meet(A, p.box, B, q.box, motion, margin)) continue;
    if (p.left < 0 && q.left < 0) {
      for (int k = p.first; k < p.last; ++k)
        for (int l = q.first; l < q.last; ++l) f(k, l);
    } else if (q.left < 0 || (p.left >= 0 && p.last - p.first >= q.last - q.first)) {
      stack[top++] = {p.left, j}, stack[top++] = {p.right, j};
    } else {
      stack[top++] = {i, q.left}, stack[top++] = {i, q.right};
    }
  }
}

}  // namespace

double deepest_of(const Plate& plate) {
  constexpr double share = 0.02;  // of the thickness
  return plate.rim() + share * (plate.high() - plate.low());
}

void plate_patches(const Placed& A, const Placed& B, bool with_walls, bool swapped, double margin, const Spots& spots,
                   std::vector<TouchPoint>& out) {
  const Plate& plate = plate_of(B.shape);
  const double deepest = plate.rim() + std::min(deepest_of(plate_of(A.shape)), deepest_of(plate));
  for_patches(plate, with_walls, [&](const Patch& patch, const auto& covers, double depth) {
    rims_on_patch(A, B, patch, swapped, margin, std::min(deepest, depth), spots, covers, out);
  });
}

// If they are swapped, only the hollow walls of B are looked at, since the others are found the other way round.
void plate_edges(const Placed& A, const Placed& B, bool with_walls, bool swapped, double margin, const Spots& spots,
                 std::vector<TouchPoint>& out) {
  const Plate &a = plate_of(A.shape), &b = plate_of(B.shape);
  const Pose<double> motion = motion_of(A, B);
  const double tilt = norm(in_plane(motion.R.z));
  const EdgeSearch search{margin, std::max(deepest_of(a), deepest_of(b)),
                          std::min(a.profile().size(), b.profile().size()), swapped,
                          tilt < almost_parallel ? tilt : -1.0};
  EdgePairs pairs(A, B, motion, search, spots, out);
  const int kinds = with_walls ? 3 : 2;
  for_pieces(a, b, motion, margin, [&](int i, int j) {
    if (swapped && !b.profile().pieces()[j].is_hollow()) return;
    Edge of_A[3];
    bool has[3];
    for (int k = 0; k < kinds; ++k)
      if ((has[k] = edge_of_plate(a, i, k, of_A[k]))) of_A[k] = moved(of_A[k], motion);
    for (int l = swapped ? 2 : 0; l < kinds; ++l) {
      Edge of_B;
      if (!edge_of_plate(b, j, l, of_B)) continue;
      for (int k = 0; k < kinds; ++k)
        if (has[k]) pairs.add(of_A[k], of_B);
    }
  });
}

// A sharp corner of a rim, or one that is rounded with no more than the rim.
void plate_corners(const Placed& A, const Placed& B, bool with_walls, bool swapped, double margin, const Spots& spots,
                   std::vector<TouchPoint>& out) {
  const PointOnPlate search(A, B, swapped, with_walls, margin, spots, out);
  const Plate& plate = plate_of(A.shape);
  for_corners(plate, [&](const Piece& corner, bool upper, std::uint64_t number) {
    search.find(in_space(corner.center, plate.level(upper)), plate.rim(), number,
                [&](const Vec3d& out_of_A) { return allows_corner(corner, upper, out_of_A); });
  });
}

}  // namespace tappet::narrow
