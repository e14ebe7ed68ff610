// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/geometry/convex_geometry.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "collision/hull/convex.h"
#include "model/geometry/mesh_file.h"
#include "model/reading/file_beside.h"

namespace tappet {
namespace {

constexpr double round_off = 1e-12;       // of the size: vertices in the model file have double precision
constexpr double volume_allowed = 0.005;  // by which a convex mesh may differ from its hull

std::vector<Vec3d> read_vertices(const Item& item, const Loading& loading) {
  std::vector<Vec3d> points;
  for (const Item& point : item.list("a list of points [x, y, z]")) {
    const auto x = loading.values.numbers(point, 3, 3, "a point [x, y, z]");
    points.push_back({x[0], x[1], x[2]});
  }
  return points;
}

double size_of(const std::vector<Vec3d>& points) {
  double size = 0.0;
  for (const Vec3d& p : points) size = std::max(size, norm(p - points[0]));
  return size;
}

// How far below the surface of the hull the deepest corner of the mesh lies [m].
double deepest_dent(const Mesh& mesh, const Hull& hull) {
  std::set<std::array<double, 3>> corners;
  for (const Vec3d& v : hull.vertices) corners.insert({v.x, v.y, v.z});
  double deepest = 0.0;
  for (const Vec3d& x : mesh.vertices) {
    if (corners.contains({x.x, x.y, x.z})) continue;
    double depth = 1e300;
    for (const Hull::Face& face : hull.faces) depth = std::min(depth, face.offset - dot(face.normal, x));
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

// The mesh itself is not used for contacts, only its hull. So both must agree.
void check_convex(const Item& item, const Mesh& mesh, const Hull& hull, std::vector<std::string>& warnings) {
  const double volume = std::abs(mesh.volume()), whole = moments_of(hull).volume;
  if (std::abs(volume - whole) > volume_allowed * whole)
    item.fail(
        fmt::format("the solid in '{}' is not convex: it fills {:.3g} % of its hull; expected a convex solid, or one "
                    "file for each convex piece, each with a geometry and a collider of its own",
                    item.text(), 100.0 * volume / whole));
  constexpr double clear = 10.0;  // times the precision of the file
  if (const double dent = deepest_dent(mesh, hull); dent > clear * mesh.tolerance)
    warnings.push_back(
        fmt::format("{}: the solid in '{}' is not quite convex: it has dents or holes that are {:.3g} m "
                    "deep. Its mass and its contacts are those of its convex hull, without them",
                    item.path(), item.text(), dent));
}

}  // namespace

std::shared_ptr<const Solid> ConvexGeometry::make(const Item& item, Loading& loading) const {
  if (vertices.item.has_value() == file.item.has_value())
    item.fail_at_key("a convex solid has either `vertices` or a `file`; expected one of them");
  if (vertices.item && item.find("scale"))
    item.find("scale")->fail_at_key(
        "`scale` is that of a file, but the solid has `vertices` in metres; expected no `scale`");
  const Item& from = vertices.item ? *vertices.item : *file.item;
  Hull sharp;
  Mesh mesh;
  double tolerance = 0.0;
  try {
    if (vertices.item) {
      const std::vector<Vec3d> points = read_vertices(from, loading);
      tolerance = points.empty() ? 0.0 : round_off * size_of(points);
      sharp = convex_hull(points, tolerance);
    } else {
      mesh = read_mesh(file_named_by(from), scale);
      tolerance = mesh.tolerance;
      sharp = convex_hull(mesh.vertices, tolerance);
      check_convex(from, mesh, sharp, loading.model.warnings);
    }
  } catch (const std::invalid_argument& e) {
    from.fail(e.what());
  }
  const double radius = rounding.value_or(default_rounding * inner_radius(sharp));
  try {
    Hull core = rounded(sharp, radius, tolerance);
    Facets facets = facets_of(sharp, mesh.vertices, mesh.triangles, radius, tolerance);
    if (facets.empty() && !mesh.triangles.empty())
      loading.model.warnings.push_back(
          fmt::format("geometry.{}: the triangles of '{}' do not survive its rounding of {:g} m; the full set of "
                      "contacts (`reduction: off`) takes the faces of its hull instead",
                      item.key(), from.text(), radius));
    return std::make_shared<const Convex>(std::move(sharp), std::move(core), std::move(facets));
  } catch (const std::invalid_argument& e) {
    (rounding ? *item.find("rounding") : from).fail(e.what());
  }
}

}  // namespace tappet
