// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/hull/hull_pairs.h"

#include <algorithm>
#include <cmath>

namespace tappet::narrow {
namespace {

using Form = Separation::Form;

constexpr double beside = 0.98;      // cosine: a face within 11 degrees of the normal takes part as a whole
constexpr double across = 0.2;       // an edge within 11 degrees of the plane across the normal takes part as a whole
constexpr double crossing = 0.05;    // sine: edges that cross at a smaller angle have no normal of their own
constexpr double same_point = 1e-6;  // in units of the size
constexpr double on_the_side = 1e-9;

// The part of a hull that faces the other one: a face, an edge or a vertex. Corners are in the frame of A, and for hull
// A also in the frame of B.
struct Patch {
  const Hull* hull = nullptr;
  int face = -1, edge = -1;
  std::vector<int> corners;
  std::vector<Vec3d> here, there;  // in the frame of its own hull, in that of the other hull
  std::vector<double> gaps;        // of the corners over the face of the other patch; empty if it has none
  std::vector<double> within;      // of corner i from side j of that face, inward, at i · (number of its sides) + j
  int sides_there = 0;

  int size() const { return static_cast<int>(corners.size()); }
  int edges() const { return face >= 0 ? size() : edge >= 0 ? 1 : 0; }
  int edge_at(int k) const { return face >= 0 ? side(k).edge : edge; }
  const Hull::Side& side(int k) const { return hull->sides[hull->faces[face].first + k]; }
  int next(int k) const { return k + 1 < size() ? k + 1 : 0; }
  bool runs_backwards(int k) const { return hull->edges[edge_at(k)].from != corners[k]; }

  // d: the outward unit normal in the frame of the hull, at a vertex furthest along it.
  template <class ToOther>
  void choose(const Hull& of, int vertex, const Vec3d& d, ToOther&& to_other) {
    hull = &of, edge = -1;
    double cosine;
    face = of.face_towards(vertex, d, cosine);
    if (face >= 0 && cosine > beside) {
      const Hull::Face& f = of.faces[face];
      corners.assign(of.loop.begin() + f.first, of.loop.begin() + f.first + f.count);
    } else {
      face = -1;
      choose_edge(vertex, d);
    }
    here.resize(corners.size()), there.resize(corners.size());
    for (size_t k = 0; k < corners.size(); ++k) {
      here[k] = of.vertices[corners[k]];
      there[k] = to_other(here[k]);
    }
  }
  void choose_edge(int vertex, const Vec3d& d) {
    double least = across;
    for (const Hull::Neighbour& k : hull->neighbours(vertex)) {
      const double sine = std::abs(dot(k.along, d));
      if (sine < least) least = sine, edge = k.edge;
    }
    corners.assign(1, vertex);
    if (edge >= 0) corners = {hull->edges[edge].from, hull->edges[edge].to};
  }
  void measure(const Patch& other, double radii) {
    gaps.clear();
    if (other.face < 0) return;
    const Hull::Face& f = other.hull->faces[other.face];
    const Hull::Side* sides = other.hull->sides.data() + f.first;
    sides_there = f.count;
    gaps.resize(there.size()), within.resize(there.size() * f.count);
    double* to = within.data();
    for (size_t i = 0; i < there.size(); ++i) {
      gaps[i] = dot(f.normal, there[i]) - f.offset - radii;
      for (int j = 0; j < f.count; ++j) *to++ = dot(sides[j].inward, there[i]) - sides[j].offset;
    }
  }
  double inside(int i, int j) const { return within[i * sides_there + j]; }
  // Whether the side that begins at corner k may come within the margin of the other face.
  bool side_is_near(int k, double margin) const {
    return gaps.empty() || std::min(gaps[k], gaps[next(k)]) <= 1.05 * margin;
  }
  // Whether corner i lies over the face of the other patch.
  bool is_over(int i, double tolerance) const {
    for (int j = 0; j < sides_there; ++j)
      if (inside(i, j) < -tolerance) return false;
    return true;
  }
};

struct Scratch {
  Patch A, B;
  std::vector<Vec3d> points;
};

class Contacts {
 public:
  Contacts(const Placed& A, const Placed& B, const Relative& T, const Vec3d& normal, double margin,
           std::vector<Vec3d>& points, std::vector<TouchPoint>& out)
      : A_(A),
        B_(B),
        hull_A_(*A.shape.core),
        hull_B_(*B.shape.core),
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

  void forget_points() { points_.clear(); }

  void vertex_face(int vertex, int face) {
    const Hull::Face& f = hull_B_.faces[face];
    const Vec3d& x = hull_A_.vertices[vertex];
    const Vec3d n = f.normal;
    const double gap = dot(n, T_.point_back(x)) - f.offset - radii_;
    if (gap <= margin_ && is_new(x)) plane_of_B(x, face, gap, hull_vertex_of_A(vertex));
  }
  void face_vertex(int face, int vertex) {
    const Hull::Face& f = hull_A_.faces[face];
    const Vec3d x = T_.point(hull_B_.vertices[vertex]);
    const double gap = dot(f.normal, x) - f.offset - radii_;
    if (gap <= margin_ && is_new(x)) plane_of_A(hull_B_.vertices[vertex], face, gap, hull_vertex_of_B(vertex));
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
    TouchPoint& touch = add(TouchPoint::Form::edge_edge, gap, hull_edges(edge_A, edge_B));
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

  double size() const { return size_; }
  double least() const { return least_; }
  double margin() const { return margin_; }
  double radii() const { return radii_; }

 private:
  // Seen along the normal, whether there is no touch point yet.
  bool is_new(const Vec3d& x) {
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
  const Relative& T_;
  const Vec3d normal_;  // from B to A, in the frame of A
  double margin_, radii_, size_, least_ = 1e300;
  std::vector<TouchPoint>& out_;
  std::vector<Vec3d>& points_;  // of the touch points that were added, in the frame of A
};

// Where side i of one patch crosses side j of the other.
void add_crossing(const Patch& a, int i, const Patch& b, int j, const Vec3d& n, Contacts& contacts) {
  const int i2 = a.next(i), j2 = b.next(j);
  double on_a = -1.0, on_b = -1.0;  // where the crossing is on the edge, seen along the normal of the other's face
  if (b.face >= 0) {
    const double from = a.inside(i, j), to = a.inside(i2, j);
    if ((from < 0.0) == (to < 0.0)) return;
    on_a = from / (from - to);
  }
  if (a.face >= 0) {
    const double from = b.inside(j, i), to = b.inside(j2, i);
    if ((from < 0.0) == (to < 0.0)) return;
    on_b = from / (from - to);
  }
  const Vec3d e = a.here[i2] - a.here[i], g = b.there[j2] - b.there[j], m = cross(e, g);
  if (dot(m, m) > crossing * crossing * dot(e, e) * dot(g, g)) {
    const bool back_a = a.runs_backwards(i), back_b = b.runs_backwards(j);
    contacts.edge_edge(a.edge_at(i), a.here[back_a ? i2 : i], back_a ? -e : e, b.edge_at(j), b.there[back_b ? j2 : j],
                       back_b ? -g : g, n, beside, 1e-6);
  } else if (b.face >= 0) {
    contacts.point_face(a.here[i] + on_a * e, b.face, a.edge_at(i), b.edge_at(j));
  } else {
    contacts.face_point(a.face, b.here[j] + on_b * (b.here[j2] - b.here[j]), a.edge_at(i), b.edge_at(j));
  }
}

// The corners of the common patch.
void add_patch(const Patch& a, const Patch& b, const Vec3d& n, Contacts& contacts) {
  const double tolerance = on_the_side * contacts.size();
  if (b.face >= 0)
    for (int i = 0; i < a.size(); ++i)
      if (a.gaps[i] <= contacts.margin() && a.is_over(i, tolerance)) contacts.vertex_face(a.corners[i], b.face);
  if (a.face >= 0)
    for (int j = 0; j < b.size(); ++j)
      if (b.gaps[j] <= contacts.margin() && b.is_over(j, tolerance)) contacts.face_vertex(a.face, b.corners[j]);
  for (int i = 0; i < a.edges(); ++i) {
    if (!a.side_is_near(i, contacts.margin())) continue;
    for (int j = 0; j < b.edges(); ++j)
      if (b.side_is_near(j, contacts.margin())) add_crossing(a, i, b, j, n, contacts);
  }
}

// Two edges side by side: the ends of what they have in common.
void add_parallel_edges(const Patch& a, const Patch& b, Contacts& contacts) {
  const Vec3d e = a.here[1] - a.here[0], g = b.there[1] - b.there[0], m = cross(e, g);
  if (dot(m, m) > 0.01 * dot(e, e) * dot(g, g)) return;
  const auto beside_edge = [](const Vec3d& x, const Vec3d& from, const Vec3d& along) {
    const double t = dot(x - from, along);
    return t >= 0.0 && t <= dot(along, along);
  };
  for (int i = 0; i < 2; ++i)
    if (beside_edge(a.here[i], b.there[0], g)) contacts.vertex_edge(a.corners[i], b.edge);
  for (int j = 0; j < 2; ++j)
    if (beside_edge(b.there[j], a.here[0], e)) contacts.edge_vertex(a.edge, b.corners[j]);
}

void add_nearest(const Separation& at, Contacts& contacts) {
  contacts.forget_points();
  switch (at.form) {
    case Form::vertex_vertex:
      return contacts.vertex_vertex(at.a, at.b);
    case Form::vertex_edge:
      return contacts.vertex_edge(at.a, at.b);
    case Form::edge_vertex:
      return contacts.edge_vertex(at.a, at.b);
    case Form::vertex_face:
      return contacts.vertex_face(at.a, at.b);
    case Form::face_vertex:
      return contacts.face_vertex(at.a, at.b);
    case Form::unknown:
      return;
    case Form::edge_edge:
      contacts.edge_edge(at.a, at.b, at.normal, 0.0, 1e300);
  }
}

Relative relative(const Pose<double>& A, const Pose<double>& B) {
  return {{transposed_times(A.R, B.R.x), transposed_times(A.R, B.R.y), transposed_times(A.R, B.R.z)},
          transposed_times(A.R, B.p - A.p)};
}

}  // namespace

void hull_hull(const Placed& A, const Placed& B, double margin, WarmPair& warm, std::vector<TouchPoint>& out) {
  const Hull &hull_A = *A.shape.core, &hull_B = *B.shape.core;
  const Relative T = relative(A.world, B.world);
  Separation at = separation(hull_A, hull_B, T, hull_A.radius + hull_B.radius + margin, warm);
  if (at.state == Separation::State::beyond_reach) return;
  thread_local Scratch scratch;
  Contacts contacts(A, B, T, at.normal, margin, scratch.points, out);
  Patch &a = scratch.A, &b = scratch.B;
  a.choose(hull_A, at.at_A, -at.normal, [&](const Vec3d& x) { return T.point_back(x); });
  b.choose(hull_B, at.at_B, T.direction_back(at.normal), [&](const Vec3d& x) { return T.point(x); });
  a.measure(b, contacts.radii()), b.measure(a, contacts.radii());
  if (a.face >= 0 || b.face >= 0)
    add_patch(a, b, at.normal, contacts);
  else if (a.edge >= 0 && b.edge >= 0)
    add_parallel_edges(a, b, contacts);
  if (contacts.least() > at.distance - contacts.radii() + 1e-14 * contacts.size()) {
    if (at.form == Form::unknown) name_features(hull_A, hull_B, T, warm, at);
    add_nearest(at, contacts);
  }
}

void hull_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Hull& hull = *A.shape.core;
  const Vec3d n = transposed_times(A.world.R, B.world.R.z);
  const double level = dot(B.world.R.z, A.world.p - B.world.p) - hull.radius;
  for (size_t v = 0; v < hull.vertices.size(); ++v) {
    const double gap = dot(n, hull.vertices[v]) + level;
    if (gap <= margin)
      add_ball_plane(A, hull.vertices[v], hull.radius, B, {}, {0.0, 0.0, 1.0}, gap,
                     hull_vertex_of_A(static_cast<int>(v)), out);
  }
}

}  // namespace tappet::narrow
