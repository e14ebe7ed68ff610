// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tappet {

// The folder of the examples that ship: $TAPPET_MODELS where it is set; else share/tappet/models beside the
// program's bin/, the source tree the library was built from, or the prefix it was installed to.
// Empty where there is none.
std::filesystem::path models_folder();

// The same for published results: $TAPPET_REPRODUCTIONS, share/tappet/reproductions, …
std::filesystem::path reproductions_folder();

// The .yaml files in a folder and below, by name.
std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder);

// The files of the examples, by name.
std::vector<std::filesystem::path> shipped_models();

// The file of an example that ships, by name alone: files of the current folder are not looked at. Throws UsageError
// that suggests the nearest name.
std::filesystem::path find_example(const std::string& name);

// A file, or the name of an example that ships. Throws UsageError that suggests the nearest name.
std::filesystem::path find_model(const std::string& file_or_name);

}  // namespace tappet
