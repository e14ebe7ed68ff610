// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/state_names.h"

namespace tappet {

std::vector<std::string> q_names(const Model& model) {
  std::vector<std::string> names;
  for (const Coordinate& c : model.formulas.coordinates) names.push_back(c.name);
  for (const BodyEntry& body : model.bodies)
    for (std::string& name : coordinate_names(body)) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> u_names(const Model& model) {
  std::vector<std::string> names;
  for (const Coordinate& c : model.formulas.coordinates) names.push_back(c.name);
  for (const BodyEntry& body : model.bodies)
    std::visit(
        [&]<class Element>(const Element&) {
          if constexpr (requires { requires Element::nq > Element::nu; }) {
            for (std::string_view own : Element::velocities) names.push_back(body.name + "." + std::string(own));
          } else {  // q̇ = u: a velocity has the name of its position
            for (std::string& name : coordinate_names(body)) names.push_back(std::move(name));
          }
        },
        body.element);
  return names;
}

}  // namespace tappet
