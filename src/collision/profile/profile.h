// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "collision/solid.h"
#include "math/vec2.h"

namespace tappet {

// A straight or round part of an outline. The outline runs from `from` to `to` with the material on its left, and its
// normals point outward, away from the material.
struct Piece {
  bool is_arc = false;
  Vec2 from, to;
  Vec2 n0, n1;          // the normals at `from` and `to`; a segment has one normal
  double length = 0.0;  // of a segment
  Vec2 center;          // of an arc
  double rho = 0.0;     // radius of an arc: positive if it is convex, negative if it is hollow, zero for a sharp corner
  // The neighbours on the outline whose normal continues that of this piece, so that a contact can slide onto them. −1:
  // the outline has a sharp inner corner there.
  int previous = -1, next = -1;
  // How deep another part may lie behind this piece and still be pushed back through it [m]: about half of the local
  // thickness. The other side of a thin part therefore does not push.
  double depth = 0.0;
  int written = -1;  // the corner of the file to which it belongs, or from which it begins

  bool is_segment() const { return !is_arc; }
  bool is_round() const { return is_arc && rho >= 0.0; }
  bool is_hollow() const { return is_arc && rho < 0.0; }
  Vec2 along() const { return (1.0 / length) * (to - from); }  // of a segment
  double turn() const { return angle_between(n0, n1); }        // negative for a hollow arc
  Vec2 at(double s) const;                                     // a point, s from 0 to 1
  Vec2 normal_at(double s) const;
  // On which side of an arc the unit vector m lies: −1 before n0, 1 beyond n1, 0 between them. `slack` is the sine of
  // an angle by which m may be outside.
  int side_of(const Vec2& m, double slack) const;
};

struct Box2 {
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  void add(const Vec2& p);
  void add(const Box2& b) { add(b.low), add(b.high); }
};
Box2 box_of(const Piece& piece);

// A flat part: closed loops of segments and arcs. The first loop is its outline, the others are holes in it.
class PlanarProfile : public Solid {
 public:
  explicit PlanarProfile(std::vector<std::vector<Piece>> loops);

  Shape::Kind kind() const override { return Shape::Kind::profile; }
  bool is_flat() const override { return true; }
  MassProperties mass_properties(double thickness) const override;
  std::string summary() const override;

  std::span<const Piece> pieces() const { return pieces_; }
  int loops() const { return static_cast<int>(loop_start_.size()) - 1; }
  std::span<const Piece> loop(int k) const {
    return pieces().subspan(loop_start_[k], loop_start_[k + 1] - loop_start_[k]);
  }
  double area() const { return area_; }  // negative if the loops run the wrong way round
  double size() const { return size_; }  // the diagonal of the box about it [m]
  // The distance from a point of the outline through the material, against the normal there, to the other side.
  double thickness_at(const Vec2& point, const Vec2& normal) const;
  // The points of a loop as a polygon that deviates from it by at most `tolerance`.
  std::vector<Vec2> polygon(int loop, double tolerance) const;

  // A tree of boxes about the pieces, each grown by how deep another part may lie behind it. A node without children
  // (left < 0) has the pieces first … last − 1. Node 0 is the root.
  struct Branch {
    Box2 box;
    int first = 0, last = 0, left = -1, right = -1;
  };
  std::span<const Branch> tree() const { return tree_; }
  // Visits the pieces of all leaves whose box, and those above it, are `wanted`.
  template <class Wanted, class Visit>
  void visit(const Wanted& wanted, const Visit& visit_piece, int branch = 0) const {
    const Branch& at = tree_[branch];
    if (!wanted(at.box)) return;
    if (at.left >= 0) visit(wanted, visit_piece, at.left), visit(wanted, visit_piece, at.right);
    for (int i = at.first; at.left < 0 && i < at.last; ++i) visit_piece(i);
  }

 private:
  int grow_tree(int first, int last);
  void measure();
  void set_depths();

  std::vector<Piece> pieces_;
  std::vector<int> loop_start_;
  std::vector<Branch> tree_;
  double area_ = 0.0;
  Vec2 center_;
  double xx_ = 0.0, yy_ = 0.0, xy_ = 0.0;  // ∫x² dA, ∫y² dA, ∫xy dA about the centre
  double size_ = 0.0;
};

inline const PlanarProfile& profile_of(const Shape& shape) { return static_cast<const PlanarProfile&>(*shape.solid); }

}  // namespace tappet
