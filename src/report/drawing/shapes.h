// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace tappet {

// A shape to draw whose points are fixed in bodies. The kinds are those of docs/report-format.md.
struct DrawnShape {
  std::string kind, label = {}, color = {};
  std::vector<Attachment> frames;  // one per point; the rotation of the first turns spheres and boxes
  std::vector<Vec3d> points;
  double radius = 0, width = 0;  // 0: the page chooses
  Vec3d size{};
  std::string type = {};  // of a joint
  bool fixed = false, fill = true;
  std::vector<int> loops = {};  // of a polygon with holes: the number of points of each of its closed curves
  // Of a solid: vertices from its one point, along the axes of its body, and the corners of its faces.
  std::vector<Vec3d> vertices = {};
  std::vector<std::vector<int>> faces = {};
};

// Shapes for a model without a draw section: surfaces from its contacts, rods between the joints of a body, springs,
// joint symbols, and a point if nothing else is known.
std::vector<DrawnShape> default_shapes(const System& system);

// One entry of `colliders:`, on every body that carries it.
std::vector<DrawnShape> collider_shapes(const System& system, const std::string& name);

// Flexible bodies as lines through their nodes, since a draw section cannot describe them.
std::vector<DrawnShape> flexible_shapes(const System& system);

// The nodes of a flexible body along its length, at most this number; empty for other bodies.
inline constexpr int most_line_points = 65;
std::vector<Attachment> line_of_nodes(const System& system, int body, int most_points);

}  // namespace tappet
