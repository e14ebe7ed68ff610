// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "import/link_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collision/hull/hull.h"
#include "model/geometry/mesh_file.h"

namespace tappet::urdf {
namespace {

// The path of a mesh. `package://name/rest` is looked for beside the file and in the folders above it, once with and
// once without `name`. Empty if there is no such file.
std::filesystem::path find_mesh(const Robot& robot, const std::string& written) {
  const auto exists = [](const std::filesystem::path& p) { return std::filesystem::is_regular_file(p); };
  const std::filesystem::path here = std::filesystem::absolute(robot.file).parent_path();
  constexpr std::string_view package = "package://", plain = "file://";
  if (written.starts_with(plain)) return exists(written.substr(plain.size())) ? written.substr(plain.size()) : "";
  if (!written.starts_with(package)) return exists(here / written) ? here / written : std::filesystem::path();
  const std::string whole = written.substr(package.size());
  const auto slash = whole.find('/');
  const std::string rest = slash == std::string::npos ? whole : whole.substr(slash + 1);
  for (auto folder = here;; folder = folder.parent_path()) {
    for (const auto& path : {folder / whole, folder / rest})
      if (exists(path)) return path;
    if (folder == folder.parent_path()) return {};
  }
}

// Says why the mesh cannot be a convex solid of the model; empty if it can.
std::string check_mesh(const Robot& robot, LinkShape& shape) {
  constexpr double volume_allowed = 0.005;  // as for `type: convex` with a file
  const Vec3d s = shape.shape->scale;
  if (s.x != s.y || s.y != s.z || !(s.x > 0.0)) return "its scale differs from axis to axis";
  shape.file = find_mesh(robot, shape.shape->file);
  if (shape.file.empty()) return "the file was not found";
  try {
    const Mesh mesh = read_mesh(shape.file, s.x);
    const double part = std::abs(mesh.volume()) / moments_of(convex_hull(mesh.vertices, mesh.tolerance)).volume;
    if (std::abs(1.0 - part) > volume_allowed)
      return fmt::format("it is not convex: it fills {:.3g} % of its hull", 100.0 * part);
    shape.lowest = HUGE_VAL;
    for (const Vec3d& v : mesh.vertices) shape.lowest = std::min(shape.lowest, shape.world.point(v).z);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

double lowest_of(const LinkShape& shape) {
  const Shape& s = *shape.shape;
  const Mat3d R = rotation_matrix(shape.world.q);
  const double z = shape.world.p.z;
  if (s.kind == Shape::Kind::sphere) return z - s.radius;
  if (s.kind == Shape::Kind::box)
    return z - 0.5 * (std::abs(R.x.z) * s.size.x + std::abs(R.y.z) * s.size.y + std::abs(R.z.z) * s.size.z);
  const double across = std::sqrt(std::max(0.0, 1.0 - R.z.z * R.z.z));
  return z - s.radius * across - 0.5 * s.length * std::abs(R.z.z);
}

}  // namespace

std::vector<LinkShape> shapes_of(const Robot& robot, const Tree& tree, std::vector<std::string>& left_out) {
  std::vector<LinkShape> shapes;
  for (int k = 0; k < static_cast<int>(tree.links.size()); ++k) {
    if (tree.links[k].body < 0 && !tree.links[k].link->collision.empty())
      left_out.push_back(fmt::format("line {}: the shapes of link '{}' have no collider: the link does not move",
                                     tree.links[k].link->line, tree.links[k].link->name));
    if (tree.links[k].body < 0) continue;
    for (const Shape& shape : tree.links[k].link->collision) {
      LinkShape here{k, &shape, tree.links[k].frame * shape.origin};
      if (shape.kind == Shape::Kind::mesh) {
        if (const std::string why = check_mesh(robot, here); !why.empty()) {
          left_out.push_back(fmt::format("line {}: the mesh '{}' of link '{}' has no collider: {}", shape.line,
                                         shape.file, tree.links[k].link->name, why));
          continue;
        }
      } else {
        here.lowest = lowest_of(here);
      }
      shapes.push_back(std::move(here));
    }
  }
  return shapes;
}

}  // namespace tappet::urdf
