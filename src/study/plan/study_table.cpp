// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/plan/study_table.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace tappet {

namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result(1);
  for (const char c : line) {
    if (c == ',')
      result.emplace_back();
    else if (c != ' ' && c != '\t' && c != '\r' && c != '"')
      result.back() += c;
  }
  return result;
}

double number(const std::string& cell, const std::string& where) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
    throw std::runtime_error(fmt::format("{}: found '{}'; expected a number", where, cell));
  return value;
}

}  // namespace

std::vector<StudyColumn> read_study_table(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file))
    throw std::runtime_error(
        fmt::format("{}: the file cannot be read; expected a table of comma-separated values", file.string()));
  std::vector<StudyColumn> columns;
  std::string line;
  for (int row = 1; std::getline(in, line); ++row) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    const std::vector<std::string> found = cells(line);
    const std::string where = fmt::format("{}, line {}", file.string(), row);
    if (columns.empty()) {
      for (const std::string& name : found) columns.push_back({name, {}});
      continue;
    }
    if (found.size() != columns.size())
      throw std::runtime_error(fmt::format("{}: {} values; expected {}", where, found.size(), columns.size()));
    for (std::size_t i = 0; i < found.size(); ++i) columns[i].values.push_back(number(found[i], where));
  }
  if (columns.empty() || columns[0].values.empty())
    throw std::runtime_error(
        fmt::format("{}: no values; expected a line of names and lines of numbers", file.string()));
  return columns;
}

}  // namespace tappet
