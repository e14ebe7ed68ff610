// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"
#include "model/reading/element_keys.h"

namespace {

void print_rows(const std::vector<tappet::KeyTable::Row>& rows) {
  for (const auto& row : rows)
    fmt::print("    {:<16} {}{}\n", row.key, row.expects,
               row.required        ? " (required)"
               : row.value.empty() ? ""
                                   : fmt::format(" ({})", row.value));
}

void print_joint_actions() {
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
  std::string section;
  for (const tappet::ElementKeys& element : tappet::element_keys()) {
    if (element.section != section) fmt::print("{}:\n", section = element.section);
    if (element.name.empty())
      fmt::print("  {}\n", element.about);
    else
      fmt::print("  {:<16} {}\n", element.name, element.about);
    print_rows(element.rows);
    if (element.name.empty() && section == "joints") print_joint_actions();
  }
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
