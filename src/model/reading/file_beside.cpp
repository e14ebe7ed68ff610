// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/file_beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace tappet {

namespace fs = std::filesystem;

namespace {

std::atomic<bool> only_beside = false;

}  // namespace

void keep_files_beside_models() { only_beside = true; }

fs::path file_beside(const std::string& model_file, const std::string& name) {
  const fs::path folder = fs::path(model_file).parent_path(), file = folder / name;
  if (!only_beside) return file;
  // Symbolic links are followed, so that one in the folder leads nowhere else.
  std::error_code error;
  const fs::path home = fs::weakly_canonical(fs::absolute(folder)),
                 real = fs::weakly_canonical(fs::absolute(file), error);
  const auto [rest, unused] = std::mismatch(home.begin(), home.end(), real.begin(), real.end());
  if (error || rest != home.end() || fs::is_other(fs::status(real, error)))
    throw std::runtime_error(
        fmt::format("{}: this file lies outside the folder of the model; here only files in that "
                    "folder are read",
                    name));
  return file;
}

fs::path file_named_by(const Item& item) try {
  return file_beside(item.source().file(), item.text("the name of a file"));
} catch (const ModelError&) {
  throw;
} catch (const std::runtime_error& error) {
  item.fail(error.what());
}

}  // namespace tappet
