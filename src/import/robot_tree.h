// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "import/urdf.h"

namespace tappet::urdf {

// A link in the world at the start. A link without mass that is fixed to another link belongs to the body of that link.
struct PlacedLink {
  const Link* link = nullptr;
  Frame frame;
  int body = -1;  // the index of the link whose body carries it; −1 is the ground
};

struct PlacedJoint {
  const Joint* joint = nullptr;
  int parent = -1, child = -1;  // links
  double start = 0.0;           // rad, m
};

// Links and joints in an order in which a parent comes before its children.
struct Tree {
  std::vector<PlacedLink> links;
  std::vector<PlacedJoint> joints;

  bool is_body(int link) const { return links[link].body == link; }
};

// `pose` holds values of joints. Joints that it does not name start at 0, or in the middle of their limits if these
// exclude 0. Throws a ModelError if the links are no tree or if a link that moves has no mass, and a UsageError if
// `pose` does not fit the robot.
Tree place(const Robot& robot, const std::map<std::string, double>& pose, bool fixed);

void move(Tree& tree, const Vec3d& by);

}  // namespace tappet::urdf
