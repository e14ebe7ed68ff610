// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/hull/hull.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace tappet {

int Hull::support(const Vec3d& d, int from) const {
  double best = dot(vertices[from], d);
  for (;;) {
    int next = -1;
    for (int k = start[from]; k < start[from + 1]; ++k) {
      const double height = dot(vertices[around[k].vertex], d);
      if (height > best) best = height, next = around[k].vertex;
    }
    if (next < 0) return from;
    from = next;
  }
}

int Hull::face_towards(int vertex, const Vec3d& d, double& cosine) const {
  int best = -1;
  cosine = -2.0;
  for (int k = start[vertex]; k < start[vertex + 1]; ++k) {
    const int face = around[k].face;
    if (face < 0) continue;
    const double c = dot(faces[face].normal, d);
    if (c > cosine) cosine = c, best = face;
  }
  return best;
}

int Hull::edge_between(int v, int w) const {
  for (int k = start[v]; k < start[v + 1]; ++k)
    if (around[k].vertex == w) return around[k].edge;
  return -1;
}

Hull Hull::point(double radius) {
  Hull hull;
  hull.vertices = {Vec3d{}};
  hull.start = {0, 0};
  hull.radius = radius;
  return hull;
}

Hull Hull::segment(double half_length, double radius) {
  Hull hull;
  hull.vertices = {{0, 0, -half_length}, {0, 0, half_length}};
  hull.edges = {{0, 1, -1, -1, {0, 0, 1}}};
  hull.start = {0, 1, 2};
  hull.around = {{1, 0, -1, {0, 0, 1}}, {0, 0, -1, {0, 0, -1}}};
  hull.radius = radius, hull.reach = half_length;
  return hull;
}

Hull Hull::box(const Vec3d& half) {
  Hull hull;
  for (int corner = 0; corner < 8; ++corner)
    hull.vertices.push_back(
        {corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z});
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const int base = side << axis, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
      Face face{{}, half[axis], static_cast<int>(hull.loop.size()), 4};
      face.normal[axis] = side == 1 ? 1.0 : -1.0;
      if (side == 1)
        hull.loop.insert(hull.loop.end(), {base, base | u, base | u | v, base | v});
      else
        hull.loop.insert(hull.loop.end(), {base, base | v, base | u | v, base | u});
      hull.faces.push_back(face);
    }
  connect(hull);
  return hull;
}

void connect(Hull& hull) {
  std::map<std::pair<int, int>, int> edge_at;
  hull.edges.clear(), hull.sides.clear();
  std::vector<std::vector<Hull::Neighbour>> around(hull.vertices.size());
  for (size_t f = 0; f < hull.faces.size(); ++f) {
    const Hull::Face& face = hull.faces[f];
    for (int k = 0; k < face.count; ++k) {
      const int i = hull.loop[face.first + k], j = hull.loop[face.first + (k + 1) % face.count];
      const Vec3d along = normalized(hull.vertices[j] - hull.vertices[i]);
      const auto [at, is_new] = edge_at.insert({std::minmax(i, j), static_cast<int>(hull.edges.size())});
      if (is_new)
        hull.edges.push_back({i, j, static_cast<int>(f), -1, along});
      else if (hull.edges[at->second].right >= 0 || hull.edges[at->second].from == i)
        throw std::invalid_argument("the faces of the hull do not fit together");
      else
        hull.edges[at->second].right = static_cast<int>(f);
      const Vec3d inward = normalized(cross(face.normal, along));
      hull.sides.push_back({inward, dot(inward, hull.vertices[i]), at->second});
      around[i].push_back({j, at->second, static_cast<int>(f), along});
    }
  }
  hull.start.assign(1, 0), hull.around.clear();
  for (const auto& list : around) {
    if (list.size() < 3) throw std::invalid_argument("the faces of the hull do not fit together");
    hull.around.insert(hull.around.end(), list.begin(), list.end());
    hull.start.push_back(static_cast<int>(hull.around.size()));
  }
  hull.reach = 0.0;
  for (const Vec3d& v : hull.vertices) hull.reach = std::max(hull.reach, norm(v));
}

// Sums over tetrahedra between the mean of the vertices and the triangles of the faces.
VolumeMoments moments_of(const Hull& hull) {
  Vec3d mean{};
  for (const Vec3d& v : hull.vertices) mean += (1.0 / hull.vertices.size()) * v;
  double volume = 0.0;
  Vec3d first{};
  Mat3d second{};  // ∫ x xᵀ about the mean
  for (const Hull::Face& face : hull.faces)
    for (int k = 1; k + 1 < face.count; ++k) {
      const Vec3d a = hull.vertices[hull.loop[face.first]] - mean, b = hull.vertices[hull.loop[face.first + k]] - mean,
                  c = hull.vertices[hull.loop[face.first + k + 1]] - mean, s = a + b + c;
      const double v = dot(a, cross(b, c)) / 6.0;
      volume += v;
      first += (0.25 * v) * s;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) second(i, j) += 0.05 * v * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
    }
  VolumeMoments moments{volume, (1.0 / volume) * first, {}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) second(i, j) -= volume * moments.center[i] * moments.center[j];
  const double trace = second(0, 0) + second(1, 1) + second(2, 2);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) moments.inertia(i, j) = (i == j ? trace : 0.0) - second(i, j);
  moments.center += mean;
  return moments;
}

double inner_radius(const Hull& hull) {
  const Vec3d center = moments_of(hull).center;
  double least = 1e300;
  for (const Hull::Face& face : hull.faces) least = std::min(least, face.offset - dot(face.normal, center));
  return least;
}

}  // namespace tappet
