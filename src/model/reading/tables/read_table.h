// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "formula/table.h"

namespace tappet {

// Reads a table from a text file with one point per line. Numbers are separated by commas, semicolons, tabs or spaces.
// The first number of a line is x, and y is in `column`, counted from 1. Empty lines, lines that begin with # and a
// first line with titles are skipped. Throws a std::runtime_error that names the line.
Table read_table(const std::filesystem::path& file, int column, Table::Kind kind);

}  // namespace tappet
