// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/hull/facets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace tappet {
namespace {

constexpr double least_edge = 1e-9;  // of the size: an edge of the core that is shorter than this has vanished

// Faces of a hull by the direction of their normal, so that a large mesh finds the face of each triangle quickly.
class FacesByNormal {
 public:
  FacesByNormal(const Hull& hull, double tolerance) : hull_(hull), tolerance_(tolerance) {
    for (size_t f = 0; f < hull.faces.size(); ++f) at_[cell_of(hull.faces[f].normal)].push_back(static_cast<int>(f));
  }

  // The face in whose plane all corners of a triangle lie, and whose normal is nearest to that of the triangle; −1 if
  // there is none.
  int face_of(const std::array<Vec3d, 3>& corners) const {
    const Vec3d area = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const double size = norm(area);
    int best = -1;
    double cosine = 0.0;
    const auto consider = [&](int f) {
      const double c = size > 0.0 ? dot(hull_.faces[f].normal, area) / size : 1.0;
      if (c > cosine && contains(f, corners)) best = f, cosine = c;
    };
    if (size > 0.0) {
      const Cell cell = cell_of((1.0 / size) * area);
      for (int around = 0; around < 27; ++around) {
        const auto found = at_.find({cell[0] + around % 3 - 1, cell[1] + around / 3 % 3 - 1, cell[2] + around / 9 - 1});
        if (found == at_.end()) continue;
        for (int f : found->second) consider(f);
      }
    }
    // The normal of a sliver is only known roughly.
    for (int f = 0; best < 0 && f < static_cast<int>(hull_.faces.size()); ++f) consider(f);
    return best;
  }

 private:
  using Cell = std::array<int, 3>;
  static constexpr double width = 0.02;

  static Cell cell_of(const Vec3d& n) {
    return {static_cast<int>(std::floor(n.x / width)), static_cast<int>(std::floor(n.y / width)),
            static_cast<int>(std::floor(n.z / width))};
  }
  bool contains(int f, const std::array<Vec3d, 3>& corners) const {
    return std::all_of(corners.begin(), corners.end(), [&](const Vec3d& x) {
      return std::abs(dot(hull_.faces[f].normal, x) - hull_.faces[f].offset) <= 4.0 * tolerance_;
    });
  }

  const Hull& hull_;
  double tolerance_;
  std::map<Cell, std::vector<int>> at_;
};

bool has_vanished_edges(const Hull& hull, double size) {
  for (const Hull::Face& face : hull.faces)
    for (int k = 0; k < 3; ++k) {
      const Vec3d d = hull.vertices[hull.loop[face.first + k]] - hull.vertices[hull.loop[face.first + (k + 1) % 3]];
      if (norm(d) <= least_edge * size) return true;
    }
  return false;
}

}  // namespace

Facets facets_of(const Hull& sharp, std::span<const Vec3d> points, std::span<const std::array<int, 3>> triangles,
                 double radius, double tolerance) {
  Facets facets;
  const FacesByNormal faces(sharp, tolerance);
  std::vector<std::vector<int>> planes(points.size());  // of each point
  for (const auto& t : triangles) {
    const int plane = faces.face_of({points[t[0]], points[t[1]], points[t[2]]});
    if (plane < 0) return {};
    facets.plane_of.push_back(plane);
    for (int i : t)
      if (std::find(planes[i].begin(), planes[i].end(), plane) == planes[i].end()) planes[i].push_back(plane);
  }
  Hull& surface = facets.surface;
  for (size_t i = 0; i < points.size(); ++i)
    surface.vertices.push_back(core_point(sharp, planes[i], points[i], radius));
  for (size_t k = 0; k < triangles.size(); ++k) {
    const Hull::Face& plane = sharp.faces[facets.plane_of[k]];
    surface.faces.push_back({plane.normal, plane.offset - radius, static_cast<int>(surface.loop.size()), 3});
    surface.loop.insert(surface.loop.end(), triangles[k].begin(), triangles[k].end());
  }
  if (has_vanished_edges(surface, sharp.reach)) return {};
  try {
    connect(surface);
  } catch (const std::invalid_argument&) {
    return {};
  }
  surface.radius = radius;
  return facets;
}

}  // namespace tappet
