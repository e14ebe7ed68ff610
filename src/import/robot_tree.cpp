// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "import/robot_tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace tappet::urdf {
namespace {

bool has_mass(const Link& link) { return link.inertial && link.inertial->mass > 0.0; }

[[noreturn]] void fail(const Robot& robot, int line, const std::string& key, const std::string& what) {
  throw ModelError(robot.file, {line, 1}, key, what);
}

// The one link that is no child. Every other link must be the child of exactly one joint.
const Link& root_of(const Robot& robot) {
  std::map<std::string, const Joint*> parent;
  for (const Joint& joint : robot.joints)
    if (const auto [other, is_new] = parent.emplace(joint.child, &joint); !is_new)
      fail(robot, joint.line, "joint",
           fmt::format("link '{}' is the child of '{}' and of '{}'; expected one parent, because URDF has no closed "
                       "loops",
                       joint.child, other->second->name, joint.name));
  const Link* root = nullptr;
  for (const Link& link : robot.links) {
    if (parent.contains(link.name)) continue;
    if (root)
      fail(
          robot, link.line, "link",
          fmt::format("neither '{}' nor '{}' is the child of a joint; expected one first link", root->name, link.name));
    root = &link;
  }
  if (!root) fail(robot, robot.links[0].line, "link", "every link is the child of another one; expected a first link");
  return *root;
}

double start_of(const Robot& robot, const Joint& joint, const std::map<std::string, double>& pose) {
  const auto given = pose.find(joint.name);
  const double value = given != pose.end() ? given->second
                       : joint.has_limits() && (joint.lower > 0.0 || joint.upper < 0.0)
                           ? 0.5 * (joint.lower + joint.upper)
                           : 0.0;
  if (joint.has_limits() && (value < joint.lower || value > joint.upper))
    throw UsageError(fmt::format("joint '{}' starts at {:g}; expected a value from {:g} to {:g}, its limits",
                                 joint.name, value, joint.lower, joint.upper));
  return value;
}

Frame motion(const Joint& joint, double value) {
  if (joint.type == Joint::Type::prismatic) return {value * joint.axis, {}};
  if (joint.type == Joint::Type::revolute || joint.type == Joint::Type::continuous)
    return {{}, axis_angle(joint.axis, value)};
  return {};
}

int body_of(const Robot& robot, const Joint& joint, const Link& child, int parent_body, int index) {
  if (joint.type == Joint::Type::fixed && (parent_body < 0 || !has_mass(child))) return parent_body;
  if (!has_mass(child))
    fail(robot, child.line, "link",
         fmt::format("link '{}' moves and has no mass; expected <inertial> with a positive mass", child.name));
  return index;
}

}  // namespace

Tree place(const Robot& robot, const std::map<std::string, double>& pose, bool fixed) {
  for (const auto& [name, value] : pose)
    if (std::none_of(robot.joints.begin(), robot.joints.end(),
                     [&](const Joint& j) { return j.name == name && j.moves(); }))
      throw UsageError(
          fmt::format("the robot has no joint '{}' that moves; expected a revolute, continuous or "
                      "prismatic joint",
                      name));
  Tree tree;
  const Link& root = root_of(robot);
  tree.links.push_back({&root, {}, fixed || !has_mass(root) ? -1 : 0});
  for (int parent = 0; parent < static_cast<int>(tree.links.size()); ++parent)
    for (const Joint& joint : robot.joints) {
      if (joint.parent != tree.links[parent].link->name) continue;
      const auto child =
          std::find_if(robot.links.begin(), robot.links.end(), [&](const Link& l) { return l.name == joint.child; });
      const int index = static_cast<int>(tree.links.size());
      const double start = start_of(robot, joint, pose);
      const Frame frame = tree.links[parent].frame * joint.origin * motion(joint, start);
      tree.links.push_back({&*child, frame, body_of(robot, joint, *child, tree.links[parent].body, index)});
      tree.joints.push_back({&joint, parent, index, start});
    }
  for (const Link& link : robot.links)
    if (std::none_of(tree.links.begin(), tree.links.end(), [&](const PlacedLink& p) { return p.link == &link; }))
      fail(robot, link.line, "link",
           fmt::format("link '{}' is not connected to the first link '{}'; expected a tree", link.name, root.name));
  return tree;
}

void move(Tree& tree, const Vec3d& by) {
  for (PlacedLink& link : tree.links) link.frame.p += by;
}

}  // namespace tappet::urdf
