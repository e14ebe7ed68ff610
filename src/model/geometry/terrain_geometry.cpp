// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/geometry/terrain_geometry.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "collision/terrain/terrain.h"
#include "formula/program.h"
#include "model/reading/file_beside.h"
#include "model/reading/tables/cells.h"

namespace tappet {
namespace {

constexpr int most = 4000;  // heights along one side

struct Grid {
  int nx = 0, ny = 0;
  std::vector<double> heights;
};

// The numbers of a line.
std::vector<double> heights_of(const std::string& line, const std::string& where) {
  std::vector<double> numbers;
  for (const std::string_view cell : cells_of(line)) {
    double value = 0.0;
    if (!read_number(cell, value))
      throw std::runtime_error(
          fmt::format("{}: value {} is '{}'; expected a height in metres, since a terrain has no holes", where,
                      numbers.size() + 1, cell));
    numbers.push_back(value);
  }
  return numbers;
}

Grid read_grid(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in || std::filesystem::is_directory(path))
    throw std::runtime_error(fmt::format("'{}' cannot be read; expected a file with heights", path.string()));
  Grid grid;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    const std::string where = fmt::format("{}:{}", path.string(), number);
    const std::vector<double> row = heights_of(line, where);
    if (++grid.ny > most + 1) break;  // refused by the caller
    if (grid.ny == 1) grid.nx = static_cast<int>(row.size());
    if (static_cast<int>(row.size()) != grid.nx)
      throw std::runtime_error(fmt::format("{}: {} heights, but {} in the first line; expected lines of equal length",
                                           where, row.size(), grid.nx));
    grid.heights.insert(grid.heights.end(), row.begin(), row.end());
  }
  return grid;
}

std::array<double, 2> two_numbers(const Item& item, const Loading& loading) {
  const auto x = loading.values.numbers(item, 2, 2, std::string(TwoNumbers::expects));
  return {x[0], x[1]};
}

Grid sample_formula(const Item& item, const Loading& loading, int nx, int ny, const std::array<double, 2>& corner,
                    double spacing) {
  Graph graph;
  const Node height = loading.values.formula(graph, item, {{"x", 0}, {"y", 1}});
  const Program program(graph, std::array{height}, 2);
  std::vector<double> registers(program.register_count());
  Grid grid{nx, ny, {}};
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const double at[2] = {corner[0] + i * spacing, corner[1] + j * spacing};
      double z = 0.0;
      program.run(at, &z, registers.data());
      if (!std::isfinite(z))
        item.fail(fmt::format("the height at ({:g}, {:g}) is not finite; expected a number everywhere on the rectangle",
                              at[0], at[1]));
      grid.heights.push_back(z);
    }
  return grid;
}

}  // namespace

std::shared_ptr<const Solid> TerrainGeometry::make(const Item& item, Loading& loading) const {
  if (file.item.has_value() == height.item.has_value())
    item.fail_at_key("a terrain has either a `file` of heights or a formula `height`; expected one of them");
  if (height.item && !size.item)
    item.fail_at_key(
        "the key `size` is missing; expected it, because a formula does not say how far the terrain reaches");
  if (file.item && size.item) size.item->fail_at_key("the file and `spacing` give the size; expected no `size`");
  Grid grid;
  if (file.item) {
    const std::filesystem::path path = file_named_by(*file.item);
    try {
      grid = read_grid(path);
    } catch (const std::runtime_error& e) {
      file.item->fail(e.what());
    }
  } else {
    const auto edges = two_numbers(*size.item, loading);
    for (const double edge : edges)
      if (!(edge > 0.0) || edge / spacing > most)
        size.item->fail(
            fmt::format("{:g} m with a spacing of {:g} m; expected positive lengths with at most {} heights along "
                        "each side",
                        edge, spacing, most));
      else if (std::abs(edge / spacing - std::round(edge / spacing)) > 1e-6)
        size.item->fail(
            fmt::format("{:g} m is not a multiple of the spacing of {:g} m; expected one, since the terrain "
                        "ends at a height of the grid",
                        edge, spacing));
    grid.nx = static_cast<int>(std::lround(edges[0] / spacing)) + 1;
    grid.ny = static_cast<int>(std::lround(edges[1] / spacing)) + 1;
  }
  const Item& from = file.item ? *file.item : *size.item;
  if (grid.nx < 4 || grid.ny < 4 || grid.nx > most + 1 || grid.ny > most + 1)
    from.fail(fmt::format("{} x {} heights; expected from 4 to {} in each direction", grid.nx, grid.ny, most + 1));
  const std::array<double, 2> start =
      corner.item ? two_numbers(*corner.item, loading)
                  : std::array<double, 2>{-0.5 * (grid.nx - 1) * spacing, -0.5 * (grid.ny - 1) * spacing};
  if (height.item) grid = sample_formula(*height.item, loading, grid.nx, grid.ny, start, spacing);
  return std::make_shared<const Terrain>(HeightField(grid.nx, grid.ny, start, {spacing, spacing}, grid.heights));
}

}  // namespace tappet
