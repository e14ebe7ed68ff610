// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "collision/hull/hull_pairs.h"

// What the searches for contacts of two hulls have in common.
namespace tappet::narrow {

inline constexpr double beside = 0.98;      // cosine: a face within 11 degrees of the normal takes part as a whole
inline constexpr double across = 0.2;       // an edge within 11 degrees of the plane across the normal does so too
inline constexpr double crossing = 0.05;    // sine: edges that cross at a smaller angle have no normal of their own
inline constexpr double same_point = 1e-6;  // in units of the size
inline constexpr double on_the_side = 1e-9;

inline Relative relative(const Pose<double>& A, const Pose<double>& B) {
  return {{transposed_times(A.R, B.R.x), transposed_times(A.R, B.R.y), transposed_times(A.R, B.R.z)},
          transposed_times(A.R, B.p - A.p)};
}

// The vertices of a hull that are near a plane.
inline void vertices_on_plane(const Placed& A, const Hull& hull, const Placed& B, double margin,
                              std::vector<TouchPoint>& out) {
  const Vec3d n = transposed_times(A.world.R, B.world.R.z);
  const double level = dot(B.world.R.z, A.world.p - B.world.p) - hull.radius;
  for (size_t v = 0; v < hull.vertices.size(); ++v) {
    const double gap = dot(n, hull.vertices[v]) + level;
    if (gap <= margin)
      add_ball_plane(A, hull.vertices[v], hull.radius, B, {}, {0.0, 0.0, 1.0}, gap,
                     hull_vertex_of_A(static_cast<int>(v)), out);
  }
}

// A surface that takes part with all its features.
struct Features {
  const Hull& surface;
  std::span<const int> plane_of;  // by face; empty if every face has its own plane
  int plane(int face) const { return plane_of.empty() ? face : plane_of[face]; }
};

// Adds touch points between features of two hulls.
class HullContacts {
 public:
  HullContacts(const Placed& A, const Placed& B, const Relative& T, const Vec3d& normal, double margin,
               std::vector<Vec3d>& points, std::vector<TouchPoint>& out)
      : HullContacts(A, *A.shape.core, B, *B.shape.core, T, normal, margin, points, out) {}
  // Between all features of the two solids, of which none is left out because it lies where another one does.
  HullContacts(const Placed& A, const Features& a, const Placed& B, const Features& b, const Relative& T,
               const Vec3d& normal, double margin, std::vector<Vec3d>& points, std::vector<TouchPoint>& out)
      : HullContacts(A, a.surface, B, b.surface, T, normal, margin, points, out) {
    all_A_ = &a, all_B_ = &b;
  }

  void forget_points() { points_.clear(); }

  void vertex_face(int vertex, int face) {
    const Hull::Face& f = hull_B_.faces[face];
    const Vec3d& x = hull_A_.vertices[vertex];
    const Vec3d n = f.normal;
    const double gap = dot(n, T_.point_back(x)) - f.offset - radii_;
    if (gap <= margin_ && is_new(x))
      plane_of_B(x, face, gap, all_B_ ? facet_vertex_of_A(vertex, all_B_->plane(face)) : hull_vertex_of_A(vertex));
  }
  void face_vertex(int face, int vertex) {
    const Hull::Face& f = hull_A_.faces[face];
    const Vec3d x = T_.point(hull_B_.vertices[vertex]);
    const double gap = dot(f.normal, x) - f.offset - radii_;
    if (gap <= margin_ && is_new(x))
      plane_of_A(hull_B_.vertices[vertex], face, gap,
                 all_A_ ? facet_vertex_of_B(vertex, all_A_->plane(face)) : hull_vertex_of_B(vertex));
  }
  void vertex_vertex(int a, int b) {
    const Vec3d d = hull_A_.vertices[a] - T_.point(hull_B_.vertices[b]);
    const double gap = norm(d) - radii_;
    if (gap > margin_ || !is_new(hull_A_.vertices[a])) return;
    TouchPoint& touch = add(TouchPoint::Form::ball_ball, gap, hull_vertex_of_A(a));
    touch.point_A = A_.local.point(hull_A_.vertices[a]);
    touch.point_B = B_.local.point(hull_B_.vertices[b]);
  }
  void vertex_edge(int a, int edge) {
    const Vec3d &from = hull_B_.vertices[hull_B_.edges[edge].from], &e = hull_B_.edges[edge].along;
    const Vec3d d = T_.point_back(hull_A_.vertices[a]) - from;
    const double gap = norm(d - dot(d, e) * e) - radii_;
    if (gap > margin_ || !is_new(hull_A_.vertices[a])) return;
    TouchPoint& touch = add(TouchPoint::Form::ball_edge, gap, hull_vertex_of_A(a));
    touch.point_A = A_.local.point(hull_A_.vertices[a]);
    touch.point_B = B_.local.point(from);
    touch.normal = B_.local.direction(e);
  }
  void edge_vertex(int edge, int b) {
    const Vec3d &from = hull_A_.vertices[hull_A_.edges[edge].from], &e = hull_A_.edges[edge].along;
    const Vec3d x = T_.point(hull_B_.vertices[b]), d = x - from;
    const double gap = norm(d - dot(d, e) * e) - radii_;
    if (gap > margin_ || !is_new(x)) return;
    TouchPoint& touch = add(TouchPoint::Form::edge_ball, gap, hull_vertex_of_B(b));
    touch.point_A = A_.local.point(from);
    touch.point_B = B_.local.point(hull_B_.vertices[b]);
    touch.normal = A_.local.direction(e);
  }
  // Two edges with feet inside both, or beyond their ends by this share of their length. The order of the two
  // directions makes e × g point from B to A, close to n.
  void edge_edge(int edge_A, int edge_B, const Vec3d& n, double least_cosine, double beyond) {
    const Hull::Edge &h = hull_A_.edges[edge_A], &f = hull_B_.edges[edge_B];
    const Vec3d &x = hull_A_.vertices[h.from], y = T_.point(hull_B_.vertices[f.from]);
    edge_edge(edge_A, x, hull_A_.vertices[h.to] - x, edge_B, y, T_.point(hull_B_.vertices[f.to]) - y, n, least_cosine,
              beyond);
  }
  // The same if the edges from x along e and from y along g are known in the frame of A.
  void edge_edge(int edge_A, const Vec3d& x, const Vec3d& e, int edge_B, const Vec3d& y, const Vec3d& g, const Vec3d& n,
                 double least_cosine, double beyond) {
    const Vec3d m = cross(e, g);
    const double mm = dot(m, m), ee = dot(e, e), gg = dot(g, g), along = dot(m, n);
    if (along * along < least_cosine * least_cosine * mm) return;
    const Vec3d d = x - y;
    const double eg = dot(e, g), de = dot(d, e), dg = dot(d, g), s = (eg * dg - gg * de) / mm,
                 t = (ee * dg - eg * de) / mm;
    if (s < -beyond || s > 1.0 + beyond || t < -beyond || t > 1.0 + beyond) return;
    const double sign = along < 0.0 ? -1.0 : 1.0, gap = sign / std::sqrt(mm) * dot(m, d) - radii_;
    const Vec3d foot = x + s * e;
    if (gap > margin_ || !is_new(foot)) return;
    // The points of the lines may be any. The feet are recorded, so that the point of the contact is near them.
    const Hull::Edge& f = hull_B_.edges[edge_B];
    const Vec3d& from = hull_B_.vertices[f.from];
    TouchPoint& touch =
        add(TouchPoint::Form::edge_edge, gap, all_A_ ? facet_edges(edge_A, edge_B) : hull_edges(edge_A, edge_B));
    touch.point_A = A_.local.point(foot);
    touch.point_B = B_.local.point(from + t * (hull_B_.vertices[f.to] - from));
    touch.normal = B_.local.direction(f.along);
    touch.along = sign * A_.local.direction(hull_A_.edges[edge_A].along);
  }
  // A point on an edge of A over a face of B, or the other way round, where two edges cross at a small angle.
  void point_face(const Vec3d& x, int face, int edge_A, int edge_B) {
    const Hull::Face& f = hull_B_.faces[face];
    const double gap = dot(f.normal, T_.point_back(x)) - f.offset - radii_;
    if (gap <= margin_ && is_new(x)) plane_of_B(x, face, gap, hull_edges(edge_A, edge_B));
  }
  void face_point(int face, const Vec3d& in_B, int edge_A, int edge_B) {
    const Hull::Face& f = hull_A_.faces[face];
    const Vec3d x = T_.point(in_B);
    const double gap = dot(f.normal, x) - f.offset - radii_;
    if (gap <= margin_ && is_new(x)) plane_of_A(in_B, face, gap, hull_edges(edge_A, edge_B));
  }

  // The nearest features, which are found in any case.
  void add_nearest(const Separation& at) {
    forget_points();
    switch (at.form) {
      case Separation::Form::vertex_vertex:
        return vertex_vertex(at.a, at.b);
      case Separation::Form::vertex_edge:
        return vertex_edge(at.a, at.b);
      case Separation::Form::edge_vertex:
        return edge_vertex(at.a, at.b);
      case Separation::Form::vertex_face:
        return vertex_face(at.a, at.b);
      case Separation::Form::face_vertex:
        return face_vertex(at.a, at.b);
      case Separation::Form::unknown:
        return;
      case Separation::Form::edge_edge:
        edge_edge(at.a, at.b, at.normal, 0.0, 1e300);
    }
  }

  double size() const { return size_; }
  double least() const { return least_; }
  double margin() const { return margin_; }
  double radii() const { return radii_; }

 private:
  HullContacts(const Placed& A, const Hull& hull_A, const Placed& B, const Hull& hull_B, const Relative& T,
               const Vec3d& normal, double margin, std::vector<Vec3d>& points, std::vector<TouchPoint>& out)
      : A_(A),
        B_(B),
        hull_A_(hull_A),
        hull_B_(hull_B),
        T_(T),
        normal_(normal),
        margin_(margin),
        out_(out),
        points_(points) {
    radii_ = hull_A_.radius + hull_B_.radius;
    size_ = std::max(hull_A_.reach, hull_B_.reach);
    if (hull_A_.reach > 0.0 && hull_B_.reach > 0.0) size_ = std::min(hull_A_.reach, hull_B_.reach);
    forget_points();
  }

  // Seen along the normal, whether there is no touch point yet.
  bool is_new(const Vec3d& x) {
    if (all_A_) return true;
    const double near = same_point * size_;
    for (const Vec3d& p : points_) {
      const Vec3d d = x - p;
      const double along = dot(d, normal_);
      if (dot(d, d) - along * along < near * near) return false;
    }
    points_.push_back(x);
    return true;
  }
  void plane_of_B(const Vec3d& x, int face, double gap, std::uint64_t feature) {
    const Hull::Face& f = hull_B_.faces[face];
    TouchPoint& touch = add(TouchPoint::Form::ball_plane, gap, feature);
    touch.point_A = A_.local.point(x);
    touch.point_B = B_.local.point(hull_B_.vertices[hull_B_.loop[f.first]] + hull_B_.radius * f.normal);
    touch.normal = B_.local.direction(f.normal);
  }
  void plane_of_A(const Vec3d& x, int face, double gap, std::uint64_t feature) {
    const Hull::Face& f = hull_A_.faces[face];
    TouchPoint& touch = add(TouchPoint::Form::plane_ball, gap, feature);
    touch.point_A = A_.local.point(hull_A_.vertices[hull_A_.loop[f.first]] + hull_A_.radius * f.normal);
    touch.point_B = B_.local.point(x);
    touch.normal = A_.local.direction(f.normal);
  }
  TouchPoint& add(TouchPoint::Form form, double gap, std::uint64_t feature) {
    TouchPoint& touch = out_.emplace_back();
    touch.form = form;
    touch.body_A = A_.body, touch.body_B = B_.body;
    touch.collider_A = A_.collider, touch.collider_B = B_.collider;
    touch.radius_A = form == TouchPoint::Form::plane_ball ? 0.0 : hull_A_.radius;
    touch.radius_B = form == TouchPoint::Form::ball_plane ? 0.0 : hull_B_.radius;
    touch.gap = gap;
    touch.id = touch_id(A_.collider, B_.collider, feature);
    least_ = std::min(least_, gap);
    return touch;
  }

  const Placed &A_, &B_;
  const Hull &hull_A_, &hull_B_;
  const Features *all_A_ = nullptr, *all_B_ = nullptr;  // null for hulls with merged faces
  const Relative& T_;
  const Vec3d normal_;  // from B to A, in the frame of A
  double margin_, radii_, size_, least_ = 1e300;
  std::vector<TouchPoint>& out_;
  std::vector<Vec3d>& points_;  // of the touch points that were added, in the frame of A
};

}  // namespace tappet::narrow
