// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"
#include "elements/contacts/contact_law.h"
#include "elements/key_table.h"
#include "elements/lists.h"

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
  fmt::print("  {}\n", Element::name);
  tappet::KeyTable table;
  Element{}.describe(table);
  print_rows(table);
}

template <class... Lists>
void print_section(const char* section) {
  fmt::print("{}:\n", section);
  (tappet::for_each<Lists>([]<class Element>() { print_element<Element>(); }), ...);
}

void print_elements() {
  print_section<tappet::Bodies, tappet::FlexibleBodies>("bodies");
  print_section<tappet::Joints, tappet::VelocityJoints>("joints");
  print_section<tappet::Contacts, tappet::ContactGroups>("contacts");
  fmt::print("  every contact\n");
  tappet::KeyTable law;
  tappet::ContactLaw{}.describe(law);
  print_rows(law);
  print_section<tappet::Forces>("forces");
}

}  // namespace

void tappet::add_elements(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("elements", "List bodies, joints, contacts and forces with their keys");
  command->footer("\nExamples:\n  tappet elements\n  tappet elements | grep -A 8 revolute\n");
  command->callback(print_elements);
}
