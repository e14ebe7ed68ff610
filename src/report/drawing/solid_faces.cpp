// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/drawing/solid_faces.h"

#include <algorithm>
#include <cmath>

#include "collision/hull/convex.h"
#include "collision/terrain/terrain.h"
#include "report/drawing/triangulate.h"

namespace tappet {
namespace {

// The sharp polyhedron: the rounding of its edges is too small to be seen.
SolidFaces polyhedron(const Hull& hull) {
  SolidFaces solid{hull.vertices, {}};
  for (const Hull::Face& face : hull.faces)
    solid.faces.emplace_back(hull.loop.begin() + face.first, hull.loop.begin() + face.first + face.count);
  return solid;
}

// Four corners for each cell of rows × columns of vertices. The columns may close to a ring, and so may the rows.
void add_cells(int rows, int columns, bool ring, std::vector<std::vector<int>>& faces) {
  const auto at = [&](int r, int c) { return r % rows * columns + c % columns; };
  for (int r = 0; r < rows - (ring ? 0 : 1); ++r)
    for (int c = 0; c < columns - (ring ? 0 : 1); ++c)
      faces.push_back({at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)});
}

SolidFaces ground(const HeightField& field) {
  constexpr int most = 64;  // cells along a side that a page shows
  SolidFaces solid;
  const int nx = std::min(most, 2 * (field.count()[0] - 1)), ny = std::min(most, 2 * (field.count()[1] - 1));
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const double x = field.start()[0] + (field.end(0) - field.start()[0]) * i / nx,
                   y = field.start()[1] + (field.end(1) - field.start()[1]) * j / ny;
      solid.vertices.push_back({x, y, field.at<false>(x, y).z});
    }
  add_cells(ny + 1, nx + 1, false, solid.faces);
  return solid;
}

SolidFaces torus(double circle, double tube) {
  constexpr int around = 32, across = 10;
  SolidFaces solid;
  for (int i = 0; i < around; ++i)
    for (int k = 0; k < across; ++k) {
      const double phi = 2.0 * M_PI * i / around, psi = -2.0 * M_PI * k / across, r = circle + tube * std::cos(psi);
      solid.vertices.push_back({r * std::cos(phi), r * std::sin(phi), tube * std::sin(psi)});
    }
  add_cells(around, across, true, solid.faces);
  return solid;
}

}  // namespace

SolidFaces faces_of(const Plate& plate) {
  const PlanarProfile& profile = plate.profile();
  std::vector<Vec2> points;
  std::vector<int> loops;
  for (int k = 0; k < profile.loops(); ++k) {
    const std::vector<Vec2> polygon = profile.polygon(k, 2e-4 * profile.size());
    points.insert(points.end(), polygon.begin(), polygon.end());
    loops.push_back(static_cast<int>(polygon.size()));
  }
  SolidFaces solid;
  const int count = static_cast<int>(points.size());
  for (const double z : {plate.low(), plate.high()})
    for (const Vec2& p : points) solid.vertices.push_back({p.x, p.y, z});
  for (const auto& [a, b, c] : triangulate(points, loops)) {
    solid.faces.push_back({c, b, a});
    solid.faces.push_back({a + count, b + count, c + count});
  }
  int first = 0;
  for (const int size : loops) {
    for (int k = 0; k < size; ++k) {
      const int a = first + k, b = first + (k + 1) % size;
      solid.faces.push_back({a, b, b + count});
      solid.faces.push_back({a, b + count, a + count});
    }
    first += size;
  }
  return solid;
}

SolidFaces faces_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::convex) return polyhedron(static_cast<const Convex&>(*shape.solid).sharp());
  if (shape.kind == Shape::Kind::terrain) return ground(static_cast<const Terrain&>(*shape.solid).field());
  if (shape.kind == Shape::Kind::wheel) return torus(shape.circle(), shape.radius);
  return {};
}

}  // namespace tappet
