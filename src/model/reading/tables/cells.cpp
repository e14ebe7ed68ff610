// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/tables/cells.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tappet {

std::vector<std::string_view> cells_of(std::string_view line) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF", spaces = " \t\r", marks = ",;";
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  const auto skip_spaces = [&] { line.remove_prefix(std::min(line.find_first_not_of(spaces), line.size())); };
  std::vector<std::string_view> cells;
  bool after_mark = false;
  for (skip_spaces(); !line.empty() || after_mark; skip_spaces()) {
    const size_t end = std::min(line.find_first_of(",; \t\r"), line.size());
    cells.push_back(line.substr(0, end));
    line.remove_prefix(end);
    skip_spaces();
    after_mark = !line.empty() && marks.find(line[0]) != std::string_view::npos;
    if (after_mark) line.remove_prefix(1);
  }
  return cells;
}

bool read_number(std::string_view cell, double& value) {
  if (!cell.empty() && cell[0] == '+') cell.remove_prefix(1);
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
}

}  // namespace tappet
