// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tappet {

// One line of a table with several numbers, and its number in the file.
struct PointOfFile {
  std::vector<double> numbers;
  int line;
};

// The lines of a table that have `least` to `most` numbers each, separated as in read_table.h. Empty lines, lines that
// begin with # and a first line with titles are skipped. Throws a std::runtime_error "12: …" that names the line.
std::vector<PointOfFile> read_points(const std::string& text, std::size_t least, std::size_t most);

}  // namespace tappet
