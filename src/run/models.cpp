// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "model/reading/nearest.h"
#include "run/options.h"

namespace tappet {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const char* variable, const char* name, const char* source, const char* installed) {
  if (const char* chosen = std::getenv(variable)) return chosen;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (const fs::path& folder :
       {program.parent_path().parent_path() / "share/tappet" / name, fs::path(source), fs::path(installed)})
    if (fs::is_directory(folder, ignored)) return folder;
  return {};
}

}  // namespace

fs::path models_folder() { return folder_of("TAPPET_MODELS", "models", TAPPET_SOURCE_MODELS, TAPPET_INSTALLED_MODELS); }

fs::path reproductions_folder() {
  return folder_of("TAPPET_REPRODUCTIONS", "reproductions", TAPPET_SOURCE_REPRODUCTIONS,
                   TAPPET_INSTALLED_REPRODUCTIONS);
}

fs::path studies_folder() {
  return folder_of("TAPPET_STUDIES", "studies", TAPPET_SOURCE_STUDIES, TAPPET_INSTALLED_STUDIES);
}

std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".yaml") files.push_back(entry->path());
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) { return a.stem() < b.stem(); });
  return files;
}

std::vector<fs::path> shipped_models() { return yaml_files(models_folder()); }

fs::path find_example(const std::string& name) {
  std::vector<std::string> names;
  for (const fs::path& file : shipped_models()) {
    names.push_back(file.stem().string());
    if (names.back() == name || names.back() + ".yaml" == name) return file;
  }
  throw UsageError(fmt::format("no model '{}': neither a file nor an example{} (`tappet models` lists the examples)",
                               name, suggestion(name, names)));
}

fs::path find_model(const std::string& file_or_name) {
  std::error_code ignored;
  if (fs::exists(file_or_name, ignored) && !fs::is_directory(file_or_name, ignored)) return file_or_name;
  return find_example(file_or_name);
}

}  // namespace tappet
