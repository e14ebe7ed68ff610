// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/geometry/mesh_file.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <map>
#include <stdexcept>

namespace tappet {
namespace {

constexpr double single_precision = 4e-7;  // of the size

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw std::invalid_argument(fmt::format("'{}' {}", file.string(), what));
}

// Points that agree up to the precision of the file are one.
class Points {
 public:
  Points(Mesh& mesh, double tolerance) : mesh_(mesh), cell_(4.0 * tolerance) {}

  int index(const Vec3d& p) {
    std::array<long long, 3> cell;
    for (int k = 0; k < 3; ++k) cell[k] = std::llround(p[k] / cell_);
    for (int around = 0; around < 27; ++around) {
      const std::array<long long, 3> other{cell[0] + around % 3 - 1, cell[1] + around / 3 % 3 - 1,
                                           cell[2] + around / 9 - 1};
      const auto found = at_.find(other);
      if (found != at_.end() && norm(mesh_.vertices[found->second] - p) <= cell_) return found->second;
    }
    const int i = static_cast<int>(mesh_.vertices.size());
    mesh_.vertices.push_back(p);
    at_.emplace(cell, i);
    return i;
  }

 private:
  Mesh& mesh_;
  double cell_;
  std::map<std::array<long long, 3>, int> at_;
};

// Every edge of a closed surface belongs to two triangles, which pass it in opposite directions.
void check_closed(const Mesh& mesh, const std::filesystem::path& file) {
  std::map<std::pair<int, int>, int> passed;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++passed[{t[k], t[(k + 1) % 3]}];
  int open = 0, twisted = 0;
  for (const auto& [edge, count] : passed) {
    const auto back = passed.find({edge.second, edge.first});
    if (back != passed.end() && back->second == count) continue;
    ++(back == passed.end() && count == 2 ? twisted : open);
  }
  if (twisted > 0 && open == 0)
    refuse(file,
           fmt::format("has triangles whose corners are in the wrong order: at {} edges, two neighbours do not "
                       "agree on which side is outside; expected all corners counter-clockwise, seen from outside",
                       twisted));
  if (open + twisted > 0)
    refuse(file, fmt::format("is open: {} edges of its triangles have no neighbour; expected a closed surface",
                             open + twisted));
}

}  // namespace

double Mesh::volume() const {
  double sum = 0.0;
  for (const auto& [a, b, c] : triangles) sum += dot(vertices[a], cross(vertices[b], vertices[c]));
  return sum / 6.0;
}

Mesh read_mesh(const std::filesystem::path& file, double scale) {
  if (std::filesystem::is_directory(file)) refuse(file, "is a folder; expected an STL, OBJ or PLY file");
  if (!std::filesystem::is_regular_file(file)) refuse(file, "does not exist; expected an STL, OBJ or PLY file");
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(file.string(), aiProcess_Triangulate | aiProcess_PreTransformVertices);
  if (!scene)
    refuse(file, fmt::format("cannot be read ({}); expected an STL, OBJ or PLY file", importer.GetErrorString()));
  const auto point = [&](const aiVector3D& v) { return scale * Vec3d{v.x, v.y, v.z}; };
  double size = 0.0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m)
    for (unsigned v = 0; v < scene->mMeshes[m]->mNumVertices; ++v) {
      const Vec3d p = point(scene->mMeshes[m]->mVertices[v]);
      if (!std::isfinite(dot(p, p))) refuse(file, "has a coordinate that is not a number");
      size = std::max(size, norm(p));
    }
  Mesh mesh;
  mesh.tolerance = single_precision * size;
  Points points(mesh, mesh.tolerance);
  for (unsigned m = 0; m < scene->mNumMeshes; ++m)
    for (unsigned f = 0; f < scene->mMeshes[m]->mNumFaces; ++f) {
      const aiFace& face = scene->mMeshes[m]->mFaces[f];
      if (face.mNumIndices != 3) continue;
      std::array<int, 3> t;
      for (int k = 0; k < 3; ++k) t[k] = points.index(point(scene->mMeshes[m]->mVertices[face.mIndices[k]]));
      if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles.push_back(t);
    }
  if (mesh.triangles.empty()) refuse(file, "has no triangles; expected a surface of triangles");
  check_closed(mesh, file);
  if (mesh.volume() < 0.0)  // the file has it inside out
    for (auto& [a, b, c] : mesh.triangles) std::swap(b, c);
  return mesh;
}

}  // namespace tappet
