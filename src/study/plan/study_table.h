// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tappet {

struct StudyColumn {
  std::string name;
  std::vector<double> values;
};

// A table of parameters. The first line has their names, each further line the values of one run, separated by commas.
// Empty lines and lines that begin with # are skipped. Throws a std::runtime_error that names the line.
std::vector<StudyColumn> read_study_table(const std::filesystem::path& file);

}  // namespace tappet
