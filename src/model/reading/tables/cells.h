// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace tappet {

// The cells of a line of a table, separated by commas, semicolons, tabs or spaces. A cell is empty if nothing stands
// between two commas or semicolons, or before the first one or after the last one. A byte order mark, which some
// programs write at the start of a file, does not count.
std::vector<std::string_view> cells_of(std::string_view line);

// Whether the whole cell is a finite number.
bool read_number(std::string_view cell, double& value);

}  // namespace tappet
