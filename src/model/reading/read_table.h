// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "formula/table.h"

namespace tappet {

// A table from a text file: one point a line, numbers separated by commas, semicolons, tabs or spaces. The first number
// of a line is x, y stands in `column`, counted from 1. Empty lines and lines that begin with # are skipped, and so is
// a first line of titles. Throws std::runtime_error with the line of what is wrong.
Table read_table(const std::filesystem::path& file, int column, Table::Kind kind);

}  // namespace tappet
