// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The distance of two convex polyhedra by the algorithm of Gilbert, Johnson and Keerthi (1988): the point of A − B that
// is nearest to the origin, in the hull of at most four vertices of A − B, of which the worst is replaced by the one
// furthest towards the origin. Regions of segment and triangle are distinguished by signs of scalar products.
#include "collision/hull/nearest.h"

#include <algorithm>
#include <cmath>

namespace tappet::narrow {
namespace {

constexpr int max_rounds = 100;
constexpr double touching = 1e-9;   // in units of the size; nearer cores count as overlapping
constexpr double flatness = 1e-10;  // a flatter tetrahedron has no inside, only round-off
constexpr double same_normal = 1.0 - 1e-12;

struct Points {
  int n = 0;
  int a[4], b[4];
  Vec3d w[4];
  double weight[4];
};

double weight_on_segment(const Vec3d& a, const Vec3d& b) {  // of b
  const Vec3d d = b - a;
  const double along = -dot(a, d), length = dot(d, d);
  return along <= 0.0 ? 0.0 : along >= length ? 1.0 : along / length;
}

// Weights of the point of a triangle nearest to the origin. α_k is the squared area, with sign, of the part opposite to
// corner k.
void weights_on_triangle(const Vec3d* const p[3], double* weight) {
  const Vec3d &a = *p[0], &b = *p[1], &c = *p[2], ab = b - a, ac = c - a;
  const double a_ab = -dot(a, ab), a_ac = -dot(a, ac), b_ab = -dot(b, ab), b_ac = -dot(b, ac), c_ab = -dot(c, ab),
               c_ac = -dot(c, ac);
  const double alpha_c = a_ab * b_ac - b_ab * a_ac, alpha_b = c_ab * a_ac - a_ab * c_ac,
               alpha_a = b_ab * c_ac - c_ab * b_ac;
  weight[0] = weight[1] = weight[2] = 0.0;
  if (alpha_a > 0.0 && alpha_b > 0.0 && alpha_c > 0.0) {
    const double scale = 1.0 / (alpha_a + alpha_b + alpha_c);
    weight[1] = alpha_b * scale, weight[2] = alpha_c * scale, weight[0] = 1.0 - weight[1] - weight[2];
    return;
  }
  // On the boundary: the nearest of the sides that can carry it.
  double best = 1e300;
  for (int k = 0; k < 3; ++k) {
    const double opposite = k == 0 ? alpha_c : k == 1 ? alpha_a : alpha_b;
    if (opposite > 0.0) continue;
    const Vec3d &x = *p[k], &y = *p[(k + 1) % 3];
    const double s = weight_on_segment(x, y);
    const Vec3d at = x + s * (y - x);
    if (const double squared = dot(at, at); squared < best) {
      best = squared;
      weight[0] = weight[1] = weight[2] = 0.0;
      weight[k] = 1.0 - s, weight[(k + 1) % 3] = s;
    }
  }
}

// Returns false if the origin is inside the tetrahedron.
bool weights_on_tetrahedron(const Points& s, double* weight) {
  static constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  double best = 1e300;
  for (const auto& f : face) {
    const Vec3d *const p[3] = {&s.w[f[0]], &s.w[f[1]], &s.w[f[2]]}, &d = s.w[f[3]];
    const Vec3d n = cross(*p[1] - *p[0], *p[2] - *p[0]);
    const Vec3d edge = d - *p[0];
    const double height = dot(n, edge);
    const bool is_flat = height * height <= flatness * flatness * dot(n, n) * dot(edge, edge);
    if (!is_flat && height * -dot(n, *p[0]) > 0.0) continue;  // the origin is on the inner side
    double on[3];
    weights_on_triangle(p, on);
    const Vec3d x = on[0] * *p[0] + on[1] * *p[1] + on[2] * *p[2];
    if (const double squared = dot(x, x); squared < best) {
      best = squared;
      std::fill_n(weight, 4, 0.0);
      for (int k = 0; k < 3; ++k) weight[f[k]] = on[k];
    }
  }
  return best < 1e300;
}

// Keeps the points that carry the point v nearest to the origin. Returns false if the origin is inside.
bool reduce(Points& s, Vec3d& v) {
  double weight[4] = {1.0, 0.0, 0.0, 0.0};
  if (s.n == 2) {
    weight[1] = weight_on_segment(s.w[0], s.w[1]), weight[0] = 1.0 - weight[1];
  } else if (s.n == 3) {
    const Vec3d* const p[3] = {&s.w[0], &s.w[1], &s.w[2]};
    weights_on_triangle(p, weight);
  } else if (s.n == 4 && !weights_on_tetrahedron(s, weight)) {
    return false;
  }
  int kept = 0;
  v = {};
  for (int i = 0; i < s.n; ++i) {
    if (weight[i] <= 0.0) continue;
    v += weight[i] * s.w[i];
    s.w[kept] = s.w[i], s.a[kept] = s.a[i], s.b[kept] = s.b[i], s.weight[kept++] = weight[i];
  }
  s.n = kept;
  return true;
}

int distinct(const int* list, int n, int* out) {
  int count = 0;
  for (int i = 0; i < n; ++i)
    if (std::find(out, out + count, list[i]) == out + count) out[count++] = list[i];
  return count;
}

void remember(const Points& s, const Vec3d& v, const Separation& result, WarmPair& warm) {
  warm.count = s.n;
  std::copy_n(s.a, s.n, warm.a), std::copy_n(s.b, s.n, warm.b);
  warm.at_A = result.at_A, warm.at_B = result.at_B;
  warm.direction = v;
}

}  // namespace

Separation separation(const Hull& A, const Hull& B, const Relative& T, double reach, WarmPair& warm) {
  Separation result{.at_A = warm.at_A, .at_B = warm.at_B};
  Points s;
  s.n = warm.count;
  for (int i = 0; i < s.n; ++i) {
    s.a[i] = warm.a[i], s.b[i] = warm.b[i];
    s.w[i] = A.vertices[s.a[i]] - T.point(B.vertices[s.b[i]]);
  }
  Vec3d v = warm.direction;
  if (s.n > 0 && !reduce(s, v)) s.n = 0;
  if (s.n == 0) v = dot(T.p, T.p) > 0.0 ? -T.p : Vec3d{1.0, 0.0, 0.0};
  const double tiny = touching * std::max(A.reach, B.reach);
  for (int round = 0; round < max_rounds; ++round) {
    const double vv = dot(v, v);
    if (s.n > 0 && vv <= tiny * tiny) return smallest_overlap(A, B, T, warm);
    result.at_A = A.support(-v, result.at_A);
    result.at_B = B.support(T.direction_back(v), result.at_B);
    const Vec3d w = A.vertices[result.at_A] - T.point(B.vertices[result.at_B]);
    const double vw = dot(v, w);
    if (vw > 0.0 && vw * vw > vv * (reach * reach)) {
      remember(s, v, result, warm);
      return result;
    }
    bool known = false;
    for (int i = 0; i < s.n; ++i) known |= s.a[i] == result.at_A && s.b[i] == result.at_B;
    if (s.n > 0 && (known || vv - vw <= 1e-14 * vv)) break;
    const Points before = s;
    const Vec3d v_before = v;
    s.a[s.n] = result.at_A, s.b[s.n] = result.at_B, s.w[s.n++] = w;
    if (!reduce(s, v)) return smallest_overlap(A, B, T, warm);
    if (before.n > 0 && dot(v, v) >= vv) {  // round-off: no progress
      s = before, v = v_before;
      break;
    }
  }
  result.distance = norm(v);
  if (result.distance <= tiny) return smallest_overlap(A, B, T, warm);
  result.state = result.distance <= reach ? Separation::State::found : Separation::State::beyond_reach;
  result.normal = (1.0 / result.distance) * v;
  remember(s, v, result, warm);
  return result;
}

// The features that carry the nearest points. If the normal is that of a face, the face is taken: its normal is exact.
void name_features(const Hull& A, const Hull& B, const Relative& T, const WarmPair& warm, Separation& result) {
  using Form = Separation::Form;
  int a[4], b[4];
  const int na = distinct(warm.a, warm.count, a), nb = distinct(warm.b, warm.count, b);
  double cos_A, cos_B;
  const int face_A = A.face_towards(a[0], -result.normal, cos_A);
  const int face_B = B.face_towards(b[0], T.direction_back(result.normal), cos_B);
  const auto take = [&](Form form, int of_A, int of_B) { result.form = form, result.a = of_A, result.b = of_B; };
  if (face_B >= 0 && cos_B > same_normal) return take(Form::vertex_face, a[0], face_B);
  if (face_A >= 0 && cos_A > same_normal) return take(Form::face_vertex, face_A, b[0]);
  if (na == 1 && nb == 1) return take(Form::vertex_vertex, a[0], b[0]);
  const int edge_A = na == 2 ? A.edge_between(a[0], a[1]) : -1, edge_B = nb == 2 ? B.edge_between(b[0], b[1]) : -1;
  if (na == 1 && edge_B >= 0) return take(Form::vertex_edge, a[0], edge_B);
  if (nb == 1 && edge_A >= 0) return take(Form::edge_vertex, edge_A, b[0]);
  if (edge_A >= 0 && edge_B >= 0) {
    const Vec3d e = A.vertices[a[1]] - A.vertices[a[0]], g = T.direction(B.vertices[b[1]] - B.vertices[b[0]]);
    const Vec3d n = cross(e, g);
    if (dot(n, n) > 1e-6 * dot(e, e) * dot(g, g)) return take(Form::edge_edge, edge_A, edge_B);
    // Parallel edges: the end of one that lies beside the other.
    const auto beside = [&](const Vec3d& x, const Vec3d& from, const Vec3d& along) {
      const double t = dot(x - from, along);
      return t >= 0.0 && t <= dot(along, along);
    };
    const Vec3d from = T.point(B.vertices[b[0]]);
    for (int v : {a[0], a[1]})
      if (beside(A.vertices[v], from, g)) return take(Form::vertex_edge, v, edge_B);
    for (int v : {b[0], b[1]})
      if (beside(T.point(B.vertices[v]), A.vertices[a[0]], e)) return take(Form::edge_vertex, edge_A, v);
  }
  if (face_B >= 0 && (face_A < 0 || cos_B >= cos_A)) return take(Form::vertex_face, a[0], face_B);
  if (face_A >= 0) return take(Form::face_vertex, face_A, b[0]);
  if (edge_B >= 0) return take(Form::vertex_edge, a[0], edge_B);
  if (edge_A >= 0) return take(Form::edge_vertex, edge_A, b[0]);
  take(Form::vertex_vertex, a[0], b[0]);
}

}  // namespace tappet::narrow
