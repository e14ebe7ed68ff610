// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/tables/read_table.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "model/reading/file_beside.h"
#include "model/reading/tables/cells.h"
#include "model/reading/tables/read_points.h"
#include "model/reading/yaml.h"

namespace tappet {
namespace {

// Tables often end their lines with separators.
std::vector<std::string_view> cells_of_row(std::string_view line) {
  std::vector<std::string_view> cells = cells_of(line);
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

bool is_comment(std::string_view cell) { return cell.starts_with('#'); }

}  // namespace

std::vector<PointOfFile> read_points(const std::string& text, std::size_t least, std::size_t most) {
  std::istringstream in(text);
  std::vector<PointOfFile> points;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto cells = cells_of_row(line);
    if (cells.empty() || is_comment(cells[0])) continue;
    PointOfFile point{{}, number};
    for (const std::string_view cell : cells)
      if (double value; read_number(cell, value)) point.numbers.push_back(value);
    if (number == 1 && point.numbers.empty()) continue;  // titles
    if (point.numbers.size() != cells.size() || cells.size() < least || cells.size() > most)
      throw std::runtime_error(fmt::format("{}: '{}'; expected {} to {} numbers", number, line, least, most));
    points.push_back(std::move(point));
  }
  return points;
}

Table read_table(const std::filesystem::path& file, int column, Table::Kind kind) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file))
    throw std::runtime_error(
        fmt::format("the file '{}' cannot be read; expected a table with two columns x, y", file.string()));
  std::vector<double> x, y;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto cells = cells_of_row(line);
    if (cells.empty() || is_comment(cells[0])) continue;
    double first, second;
    const bool titles = x.empty() && !read_number(cells[0], first);
    if (titles && number == 1) continue;
    if (static_cast<int>(cells.size()) < column || !read_number(cells[0], first) ||
        !read_number(cells[column - 1], second))
      throw std::runtime_error(
          fmt::format("{}:{}: '{}'; expected a number in columns 1 and {}", file.string(), number, line, column));
    x.push_back(first), y.push_back(second);
  }
  try {
    return {std::move(x), std::move(y), kind};
  } catch (const std::invalid_argument& e) {
    throw std::runtime_error(fmt::format("{}: {}", file.string(), e.what()));
  }
}

std::shared_ptr<const Table> Source::table(const std::string& file, int column, Table::Kind kind) const {
  auto& known = tables_[{file, column, kind}];
  if (!known) known = std::make_shared<const Table>(read_table(file_beside(file_, file), column, kind));
  return known;
}

}  // namespace tappet
