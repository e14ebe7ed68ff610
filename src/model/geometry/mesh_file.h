// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <array>
#include <filesystem>
#include <vector>

namespace tappet {

// The triangles of an STL, OBJ or PLY file. Such files hold numbers of single precision, so that points that were meant
// to lie in a plane do so up to about `tolerance`.
struct Mesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  double tolerance = 0.0;

  double volume() const;
};

// Lengths are multiplied by `scale`. Throws std::invalid_argument that says what is wrong: there is no such file, it
// cannot be read, it has no triangles, or they do not enclose a volume.
Mesh read_mesh(const std::filesystem::path& file, double scale);

}  // namespace tappet
