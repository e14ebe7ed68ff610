// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/hull/hull.h"
#include "collision/plate/plate_pairs.h"
#include "math/feet/curve_feet.h"

// Rounded edges of plates and of convex solids, and where two of them touch.
namespace tappet::narrow {

// An edge in some frame: a line or an arc with a tube around it. A round wall is one too: its axis, with the radius of
// the wall.
struct Edge {
  enum class Kind { rim, wall, solid, segment };

  Kind kind = Kind::rim;
  std::uint64_t number = 0;     // among the edges of its shape
  CurveOf<double> curve{};      // an angle is counted from `first`
  Vec3d axis{};                 // of the circle, or the direction of the line
  double from = 0.0, to = 0.0;  // places where a contact may be
  double tube = 0.0;            // negative: a hollow wall
  // A contact pushes outward between these two directions. They are the normals of the two surfaces that meet in the
  // edge. Of an arc the first one is that at the foot (side = 1), or the opposite (side = −1).
  Vec3d normals[2]{};
  double side = 1.0;

  Vec3d middle() const { return curve.at(0.5 * (from + to)); }
  double reach() const {  // from the middle
    const double half = 0.5 * (to - from);
    return curve.is_line() ? half : half >= 1.57 ? 2.0 * curve.radius : 2.0 * curve.radius * std::sin(0.5 * half);
  }
};

// The edges of a plate that begin with one of its pieces: its two rims (0 and 1) and its round wall (2). Returns false
// if there is no such edge.
bool edge_of_plate(const Plate& plate, int piece, int which, Edge& edge);
bool edge_of_hull(const Hull& hull, int index, Edge& edge);
Edge circle_of_wheel(const Shape& wheel);  // it pushes in all directions
Edge moved(const Edge& edge, const Pose<double>& motion);
// Whether an edge may push outward along a unit vector at one of its places. `size` is that of the parts.
bool allows(const Edge& edge, double place, const Vec3d& out, double size);

// Whether there are contacts of two edges of these kinds. Hollow walls are those of b.
bool can_touch(const Edge& a, const Edge& b);
// The place on a curve that is nearest to a point.
double nearest_place(const CurveOf<double>& curve, const Vec3d& x);

// The places on two edges that are nearest to each other, and the normal of the contact from b to a.
struct EdgeFeet {
  Vec3d on_a, on_b, normal;
  double u, v;
};
// Returns false if the edges meet, so that the normal is not known.
bool choose_normal(const Edge& a, const Edge& b, double size, EdgeFeet& feet);
// Makes the contact of an edge of A, seen from B, with an edge of B. The motion is that of A, seen from B.
TouchPoint touch_of_edges(const Placed& A, const Placed& B, const Pose<double>& motion, const Edge& a, const Edge& b,
                          const EdgeFeet& feet, const EdgesFeature& feature);

// The same as the functions for outlines in the plane (profile/walk.h). A contact goes on along the rim of a plate, and
// around a round wall.
TouchPoint walk_edges(const TouchPoint& touch, const Placed& A, const Placed& B, const Pose<double>& frame_A,
                      const Pose<double>& frame_B);

// Where contacts of a pair are, so that none is found twice.
struct Spot {
  Vec3d point, normal;  // in the world; the normal points to the first shape of the pair
};
class Spots {
 public:
  explicit Spots(double size) : near_(1e-6 * size) { list().clear(); }
  bool is_new(const Vec3d& point, const Vec3d& normal) const {
    for (const Spot& spot : list()) {
      const Vec3d d = point - spot.point;
      if (dot(d, d) < near_ * near_ && dot(normal, spot.normal) > 1.0 - 1e-6) return false;
    }
    list().push_back({point, normal});
    return true;
  }

 private:
  static std::vector<Spot>& list() {
    thread_local std::vector<Spot> spots;
    return spots;
  }
  const double near_;
};

// Adds the contacts of an edge of A, seen from B, with an edge of B. Deeper than `deepest` there is none. Hollow walls
// are those of B. `swapped` says that A is the second shape of the pair. `tilt` is the sine of the angle between two
// plates whose walls were searched before, and which may end at the same height: the contact of an arc of a rim is then
// that of a wall, unless its normal is tilted more. −1: there are no such plates.
struct EdgeSearch {
  double margin, deepest, size;
  bool swapped = false;
  double tilt = -1.0;
};
class EdgePairs {
 public:
  EdgePairs(const Placed& A, const Placed& B, const Pose<double>& motion, const EdgeSearch& search, const Spots& spots,
            std::vector<TouchPoint>& out)
      : A_(A),
        B_(B),
        motion_(motion),
        margin_(search.margin),
        deepest_(search.deepest),
        size_(search.size),
        swapped_(search.swapped),
        tilt_(search.tilt),
        spots_(spots),
        out_(out) {}

  void add(const Edge& a, const Edge& b);

 private:
  void cross_lines(const Edge& a, const Edge& b);
  template <bool on_A>
  void search_circle(const Edge& a, const Edge& b);
  void try_feet(const Edge& a, const Edge& b, double u, double v);
  bool is_of_walls(const Edge& a, const Edge& b, const Vec3d& normal) const;

  const Placed &A_, &B_;
  const Pose<double> motion_;  // of A, seen from B
  const double margin_, deepest_, size_;
  const bool swapped_;
  const double tilt_;
  const Spots& spots_;
  std::vector<TouchPoint>& out_;
  int found_ = 0;  // of the present pair of edges
};

}  // namespace tappet::narrow
