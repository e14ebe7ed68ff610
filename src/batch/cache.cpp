// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace tappet {

std::filesystem::path cache_folder() {
  const auto given = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text ? text : "");
  };
  std::filesystem::path folder;
  if (const std::string own = given("TAPPET_CACHE"); !own.empty())
    folder = own;
  else if (const std::string cache = given("XDG_CACHE_HOME"); !cache.empty())
    folder = std::filesystem::path(cache) / "tappet";
  else if (const std::string home = given("HOME"); !home.empty())
    folder = std::filesystem::path(home) / ".cache" / "tappet";
  else
    folder = std::filesystem::temp_directory_path() / "tappet";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw std::runtime_error(fmt::format("cannot create folder {}: {}; the variable TAPPET_CACHE can name another one",
                                         folder.string(), error.message()));
  return folder;
}

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

}  // namespace tappet
