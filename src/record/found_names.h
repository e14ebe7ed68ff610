// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace tappet {

// The names of those that take part in contacts between colliders. It is the name of the body, or ground, or
// `body:collider` if a body belongs to several entries of `colliders:`.
struct FoundNames {
  std::vector<int> party_of_collider;  // by the index of the collider in the system
  std::vector<std::string> names;      // by party
  std::vector<int> entry;              // by party: into Model::colliders

  static FoundNames of(const Model& model);
};

// Returns "foot-ground".
std::string pair_name(const FoundNames& names, int party_A, int party_B);

}  // namespace tappet
