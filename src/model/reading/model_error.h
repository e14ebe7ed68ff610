// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace tappet {

// The place of something in the model file, counted from 1. 0 means that it is not in the file (a default).
struct Place {
  int line = 0, column = 0;
};

// An error in a model file. what() reads "file:line:column: key: what was found; expected …".
struct ModelError : std::runtime_error {
  ModelError(const std::string& file, Place place, const std::string& key, const std::string& message);
  Place place;
  std::string key;
};

}  // namespace tappet
