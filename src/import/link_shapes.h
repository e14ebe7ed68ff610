// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/robot_tree.h"

namespace tappet::urdf {

// What the collision shape of a link becomes.
struct LinkShape {
  int link = -1;
  const Shape* shape = nullptr;
  Frame world;
  std::filesystem::path file;  // of a mesh, found
  double lowest = 0.0;         // the z of its lowest point
};

// Corners of the prism that stands for a cylinder, about its axis.
inline constexpr int prism_corners = 48;

// Shapes that cannot be used are left out and named in `left_out`.
std::vector<LinkShape> shapes_of(const Robot& robot, const Tree& tree, std::vector<std::string>& left_out);

}  // namespace tappet::urdf
