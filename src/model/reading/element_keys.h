// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "elements/key_table.h"

namespace tappet {

// A type of element and its keys. If `name` is empty, the keys are those that every entry of the section has.
struct ElementKeys {
  std::string section;  // of the model file: bodies, joints, …
  std::string name, about;
  std::vector<KeyTable::Row> rows;
};

// All types that a model file may use, section by section: bodies, joints, contacts, forces, geometry, colliders.
std::vector<ElementKeys> element_keys();

}  // namespace tappet
