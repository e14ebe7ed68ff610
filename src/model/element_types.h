// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "model/loading.h"
#include "model/reading/element_reader.h"

namespace tappet {

template <class... Lists>
std::vector<std::string> type_names() {
  std::vector<std::string> names;
  (for_each<Lists>([&]<class Element>() { names.emplace_back(Element::name); }), ...);
  return names;
}

// The same, and the names of the types that the program has added.
template <class... Lists, class Added>
std::vector<std::string> type_names(const Added& added) {
  std::vector<std::string> names = type_names<Lists...>();
  for (const auto& [name, prototype] : added) names.push_back(name);
  return names;
}

// The `type:` of an entry, which must be one of the names.
inline std::string type_of(const Item& item, const std::vector<std::string>& types, const std::string& others) {
  const std::string expected = fmt::format("one of: {}{}", listed(types), others);
  if (!item.is_map()) item.fail_expecting(fmt::format("a map with `type:`, {}", expected));
  const Item type = item.at("type", expected);
  const std::string& name = type.text(expected);
  if (std::find(types.begin(), types.end(), name) == types.end())
    type.fail(fmt::format("unknown type '{}'{}; expected {}", name, suggestion(name, types), expected));
  return name;
}

// Fills `variant` and returns true if the list has the type.
template <class List, class Variant>
bool read_type(const Item& item, const std::string& type, const Values& values, const std::vector<std::string>& others,
               Variant& variant) {
  bool found = false;
  for_each<List>([&]<class Element>() {
    if (type != Element::name) return;
    Element element{};
    read_element(item, values, others, element);
    variant = std::move(element);
    found = true;
  });
  return found;
}

// The same for a type that the program has added.
template <class Own, class Added, class Variant>
bool read_added_type(const Item& item, const std::string& type, const Values& values,
                     const std::vector<std::string>& others, const Added& added, Variant& variant) {
  const auto found = added.find(type);
  if (found == added.end()) return false;
  Own element;
  element.own = decltype(element.own)(found->second->clone());
  read_element(item, values, others, element);
  variant = std::move(element);
  return true;
}

// The entries of a section; there are none if the section is absent or empty.
inline std::vector<Item> section_of(const Loading& loading, const std::string& name) {
  const auto section = loading.root.find(name);
  if (!section || section->is_null()) return {};
  return section->map(fmt::format("a map of {} `{{name: {{..}}}}`", name));
}

}  // namespace tappet
