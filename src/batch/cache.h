// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tappet {

// The folder in which compiled code is kept: TAPPET_CACHE, or `tappet` in the folder for such files of the user. It is
// made if it does not exist.
std::filesystem::path cache_folder();

void write_file(const std::filesystem::path& file, const std::string& text);  // throws a std::runtime_error

}  // namespace tappet
