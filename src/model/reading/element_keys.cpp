// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/element_keys.h"

#include "elements/contacts/contact_law.h"
#include "elements/lists.h"
#include "model/collider_shapes.h"
#include "model/geometry/geometry.h"
#include "model/geometry/types.h"
#include "model/joints/joint_actions.h"

namespace tappet {

namespace {

template <class Described>
std::vector<KeyTable::Row> rows_of() {
  KeyTable table;
  Described{}.describe(table);
  return table.rows;
}

template <class... Lists>
void add_section(const char* section, std::vector<ElementKeys>& all) {
  const auto add = [&]<class Element>() {
    all.push_back({section, std::string(Element::name), std::string(Element::about), rows_of<Element>()});
  };
  (for_each<Lists>(add), ...);
}

}  // namespace

std::vector<ElementKeys> element_keys() {
  std::vector<ElementKeys> all;
  add_section<Bodies, FlexibleBodies>("bodies", all);
  all.push_back({"bodies", "", "a body with `geometry`", rows_of<GeometryKeys>()});
  add_section<Joints, VelocityJoints>("joints", all);
  all.push_back({"joints", "", "revolute and prismatic joints without a drive, also", rows_of<JointActionKeys>()});
  add_section<Contacts, ContactGroups>("contacts", all);
  all.push_back({"contacts", "", "every contact", rows_of<ContactLaw>()});
  add_section<Forces>("forces", all);
  add_section<Geometries>("geometry", all);
  add_section<Shapes>("colliders", all);
  return all;
}

}  // namespace tappet
