// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tappet/element.h>

#include <stdexcept>

#include "elements/lists.h"

namespace tappet {

namespace {

template <class... Lists>
bool is_built_in(std::string_view name) {
  bool found = false;
  (for_each<Lists>([&]<class Element>() { found = found || Element::name == name; }), ...);
  return found;
}

}  // namespace

void ElementTypes::check_name(std::string_view name) const {
  if (name.empty()) throw std::invalid_argument("the name of an element type is empty; expected a word for `type:`");
  if (is_built_in<Joints, VelocityJoints, Contacts, ContactGroups, Forces>(name) || contacts_.contains(name) ||
      joints_.contains(name) || forces_.contains(name))
    throw std::invalid_argument(fmt::format("there is an element type '{}' already; expected another name", name));
}

}  // namespace tappet
