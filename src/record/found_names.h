// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace tappet {

// What takes part in contacts between colliders, by name: the body, or the ground; `body:collider` for a body that
// several entries of `colliders:` belong to.
struct FoundNames {
  std::vector<int> party_of_collider;  // by the index of the collider in the system
  std::vector<std::string> names;      // by party
  std::vector<int> entry;              // by party: into Model::colliders

  static FoundNames of(const Model& model);
};

// "foot-ground"
std::string pair_name(const FoundNames& names, int party_A, int party_B);

}  // namespace tappet
