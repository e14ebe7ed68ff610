// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/state_names.h"

namespace tappet {
namespace {

// The pads of joints with dry friction (System::Pad).
void add_pads(const Model& model, std::vector<std::string>& names) {
  for (const JointEntry& joint : model.joints)
    if (joint.actions.friction > 0.0) names.push_back(joint.name + ".pad");
}

}  // namespace

std::vector<std::string> q_names(const Model& model) {
  std::vector<std::string> names;
  for (const Coordinate& c : model.formulas.coordinates) names.push_back(c.name);
  for (const BodyEntry& body : model.bodies)
    for (std::string& name : coordinate_names(body)) names.push_back(std::move(name));
  for (const JointEntry& joint : model.joints)
    if (joint.actions.measured)
      names.push_back(joint.name + (joint.actions.coordinate.slides ? ".displacement" : ".angle"));
  add_pads(model, names);
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
  add_pads(model, names);
  return names;
}

}  // namespace tappet
