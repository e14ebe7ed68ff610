// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tappet {

// The folder of the examples. This is $TAPPET_MODELS if it is set. Otherwise it is share/tappet/models beside the
// program's bin/, the source tree from which the library was built, or the prefix to which it was installed. It is
// empty if there is none.
std::filesystem::path models_folder();

// The same for the published results, $TAPPET_REPRODUCTIONS, share/tappet/reproductions, …, and for the studies that
// come with Tappet.
std::filesystem::path reproductions_folder();
std::filesystem::path studies_folder();

// The .yaml files in a folder and its subfolders, sorted by name.
std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder);

// The files of the examples, sorted by name.
std::vector<std::filesystem::path> shipped_models();

// The file of an example, found by its name alone. Files in the current folder are ignored. If there is no such
// example, it throws a UsageError that suggests the nearest name.
std::filesystem::path find_example(const std::string& name);

// A file, or the name of an example. If there is neither, it throws a UsageError that suggests the nearest name.
std::filesystem::path find_model(const std::string& file_or_name);

}  // namespace tappet
