// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "import/unread_urdf.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>

namespace tappet::urdf {
namespace {

using tinyxml2::XMLElement;

// The attributes and elements of an element that the reader knows. Elements without an entry are not looked into.
struct Known {
  std::set<std::string_view> attributes, elements;
};
const std::map<std::string_view, Known>& known() {
  static const std::map<std::string_view, Known> table{
      {"link", {{"name"}, {}}},
      {"inertial", {{}, {"origin", "mass", "inertia"}}},
      {"mass", {{"value"}, {}}},
      {"inertia", {{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}}},
      {"collision", {{"name"}, {"origin", "geometry"}}},
      {"geometry", {{}, {"box", "cylinder", "sphere", "mesh"}}},
      {"box", {{"size"}, {}}},
      {"cylinder", {{"radius", "length"}, {}}},
      {"sphere", {{"radius"}, {}}},
      {"mesh", {{"filename", "scale"}, {}}},
      {"joint", {{"name", "type"}, {}}},
      {"origin", {{"xyz", "rpy", "quat_xyzw"}, {}}},
      {"parent", {{"link"}, {}}},
      {"child", {{"link"}, {}}},
      {"axis", {{"xyz"}, {}}},
      {"limit", {{"lower", "upper", "effort", "velocity"}, {}}},
      {"dynamics", {{"damping", "friction"}, {}}},
  };
  return table;
}

void look(const XMLElement& e, const std::string& of, bool top, std::vector<std::string>& list) {
  const auto entry = known().find(e.Name());
  if (entry == known().end()) return;
  const auto& [attributes, elements] = entry->second;
  for (const auto* a = e.FirstAttribute(); a; a = a->Next())
    if (!attributes.contains(a->Name()))
      list.push_back(fmt::format("line {}: {}=\"{}\" of <{}>{}: Tappet has nothing like it", e.GetLineNum(), a->Name(),
                                 a->Value(), e.Name(), of));
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
    const bool second = c != e.FirstChildElement(c->Name());
    if (!top && (second || !elements.contains(c->Name())))
      list.push_back(fmt::format("line {}: <{}> in <{}>{}: {}", c->GetLineNum(), c->Name(), e.Name(), of,
                                 second ? "only the first one counts" : "Tappet has nothing like it"));
    else
      look(*c, of, false, list);
  }
}

}  // namespace

std::vector<std::string> unread(const XMLElement& e) {
  std::vector<std::string> list;
  const char* name = e.Attribute("name");
  look(e, name ? fmt::format(" of {} '{}'", e.Name(), name) : "", true, list);
  return list;
}

}  // namespace tappet::urdf
