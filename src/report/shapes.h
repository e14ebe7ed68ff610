// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace tappet {

// A thing to draw whose points are fixed in bodies; kinds as in docs/report-format.md.
struct DrawnShape {
  std::string kind, label = {};
  std::vector<Attachment> frames;  // of each point; the first one's rotation turns spheres and boxes
  std::vector<Vec3d> points;
  double radius = 0, width = 0;  // 0: as the page thinks fit
  Vec3d size{};
  std::string type = {};  // of a joint
  bool fixed = false, fill = true;
};

// For a model that says nothing about its looks: surfaces from its contacts, rods between the joints of a body,
// springs, joint symbols, a point where nothing else is known.
std::vector<DrawnShape> default_shapes(const System& system);

// Flexible bodies, as lines through their nodes; a draw section has no words for them.
std::vector<DrawnShape> flexible_shapes(const System& system);

// Nodes of a flexible body along its length, at most so many; none of other bodies.
inline constexpr int most_line_points = 65;
std::vector<Attachment> line_of_nodes(const System& system, int body, int most_points);

}  // namespace tappet
