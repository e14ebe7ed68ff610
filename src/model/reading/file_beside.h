// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "model/reading/item.h"

namespace tappet {

// The file that a model file names: a path relative to the folder of the model file, or an absolute path. Throws a
// std::runtime_error after keep_files_beside_models() if the file lies elsewhere.
std::filesystem::path file_beside(const std::string& model_file, const std::string& name);

// The same for the name in an item. Throws a ModelError there.
std::filesystem::path file_named_by(const Item& item);

// From now on this process refuses files outside the folder of the model (and the folders in it). A page of the studio
// sends the texts of models, and none of them may read the rest of the disk.
void keep_files_beside_models();

}  // namespace tappet
