// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"
#include "elements/contacts/contact_law.h"
#include "elements/key_table.h"
#include "elements/lists.h"
#include "model/collider_shapes.h"
#include "model/geometry/geometry.h"
#include "model/geometry/types.h"
#include "model/joints/joint_actions.h"

namespace {

void print_rows(const tappet::KeyTable& table) {
  for (const auto& row : table.rows)
    fmt::print("    {:<16} {}{}\n", row.key, row.expects,
               row.required        ? " (required)"
               : row.value.empty() ? ""
                                   : fmt::format(" ({})", row.value));
}

template <class Element>
void print_element() {
  fmt::print("  {:<16} {}\n", Element::name, Element::about);
  tappet::KeyTable table;
  Element{}.describe(table);
  print_rows(table);
}

template <class... Lists>
void print_section(const char* section) {
  fmt::print("{}:\n", section);
  (tappet::for_each<Lists>([]<class Element>() { print_element<Element>(); }), ...);
}

void print_joint_actions() {
  fmt::print("  revolute and prismatic joints without a drive, also\n");
  tappet::KeyTable table;
  tappet::JointActionKeys{}.describe(table);
  print_rows(table);
  fmt::print(R"(      limits: {{from, to, restitution}}   stops, in rad or m since the start pose; 0 lies between them
      friction                          the largest dry friction, in N m or N
      damping                           in N m s/rad or N s/m
      motor: {{torque, most}}             a formula of t, `angle`, `speed` and the state
      motor: {{force, most}}              the same for a prismatic joint, with `displacement` instead of `angle`
      motor: {{position, kp, kd, most}}   kp (position - angle) + kd (position' - speed); `position` is a formula of t
      motor: {{speed, kd, most}}          kd (speed wanted - speed)
                                        `most` is the largest torque or force of the motor
)");
}

constexpr const char* conventions =
    R"(All elements between two bodies, `bodies: [A, B]`, share one convention: they count from A to B. A turn or
displacement is that of B relative to A, and a turn about an axis is right-handed. It counts from the start pose, where
it is zero. `at` and `axis` are given once, in the world at the start, or twice, in the frame of A and in that of B.
`ground` is a body that does not move.
)";

void print_elements() {
  fmt::print("{}\n", conventions);
  print_section<tappet::Bodies, tappet::FlexibleBodies>("bodies");
  print_section<tappet::Joints, tappet::VelocityJoints>("joints");
  print_joint_actions();
  print_section<tappet::Contacts, tappet::ContactGroups>("contacts");
  fmt::print("  every contact\n");
  tappet::KeyTable law;
  tappet::ContactLaw{}.describe(law);
  print_rows(law);
  print_section<tappet::Forces>("forces");
  print_section<tappet::Geometries>("geometry");
  fmt::print("  a body with `geometry`\n");
  tappet::KeyTable of_body;
  tappet::GeometryKeys{}.describe(of_body);
  print_rows(of_body);
  print_section<tappet::Shapes>("colliders");
  fmt::print(
      "  every collider\n    e_N, e_F, mu      as for a contact; a pair of colliders has the smaller values\n"
      "    frame            body | geometry: where its points are given, if the body has a geometry (body)\n");
}

}  // namespace

void tappet::add_elements(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "elements", "List bodies, joints, contacts, forces, geometry and colliders with their keys and signs");
  command->footer("\nExamples:\n  tappet elements\n  tappet elements | grep -A 8 revolute\n");
  command->callback(print_elements);
}
