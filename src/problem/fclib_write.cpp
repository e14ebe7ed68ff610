// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "problem/fclib.h"
#include "problem/hdf5_file.h"

namespace tappet {

namespace {

struct Part {  // a block of G by compressed columns
  int row, rows, column, columns;
};

void write_part(Hdf5Writer& file, const std::string& group, const Delassus& G, const Part& part) {
  std::vector<int> start{0}, index;
  std::vector<double> value, full(G.size()), unit(G.size(), 0.0);
  for (int j = part.column; j < part.column + part.columns; ++j) {
    if (G.form() == Delassus::Form::sparse) {
      for (int e = G.sparse().start[j]; e < G.sparse().start[j + 1]; ++e)
        if (const int i = G.sparse().row[e] - part.row; i >= 0 && i < part.rows && G.sparse().value[e] != 0.0)
          index.push_back(i), value.push_back(G.sparse().value[e]);
    } else {
      unit[j] = 1.0;
      G.multiply(unit, full);
      unit[j] = 0.0;
      for (int i = 0; i < part.rows; ++i)
        if (full[part.row + i] != 0.0) index.push_back(i), value.push_back(full[part.row + i]);
    }
    start.push_back(static_cast<int>(index.size()));
  }
  file.group(group);
  file.integers(group + "/m", {part.rows}), file.integers(group + "/n", {part.columns});
  file.integers(group + "/nz", {-1}), file.integers(group + "/nzmax", {static_cast<int>(index.size())});
  file.integers(group + "/p", start), file.integers(group + "/i", index), file.numbers(group + "/x", value);
}

}  // namespace

void write_fclib(const std::string& path, const ContactProblem& problem, const std::string& title,
                 const std::string& description) {
  int joints = 0, dimension = 0;
  std::vector<double> mu;
  for (const Law& law : problem.laws) {
    if (law.kind == Law::Kind::bilateral) {
      if (!mu.empty()) throw ProblemFileError(fmt::format("{}: joints must come before contacts in this layout", path));
      joints += law.rows;
      continue;
    }
    if (dimension == 0) dimension = law.rows;
    if (law.rows != dimension || (dimension != 2 && dimension != 3))
      throw ProblemFileError(fmt::format("{}: contacts must all have 2 or all have 3 rows in this layout", path));
    mu.push_back(law.mu);
  }
  const int n = problem.size() - joints;
  Hdf5Writer file(path);
  file.group("/fclib_local"), file.group("/fclib_local/vectors"), file.group("/fclib_local/info");
  file.integers("/fclib_local/spacedim", {dimension == 0 ? 3 : dimension});
  write_part(file, "/fclib_local/W", problem.G, {joints, n, joints, n});
  if (joints > 0) {
    write_part(file, "/fclib_local/V", problem.G, {joints, n, 0, joints});
    write_part(file, "/fclib_local/R", problem.G, {0, joints, 0, joints});
    file.numbers("/fclib_local/vectors/s", {problem.c.begin(), problem.c.begin() + joints});
  }
  file.numbers("/fclib_local/vectors/q", {problem.c.begin() + joints, problem.c.end()});
  file.numbers("/fclib_local/vectors/mu", mu);
  file.text("/fclib_local/info/title", title), file.text("/fclib_local/info/description", description);
  file.text("/fclib_local/info/math_info", "");
}

}  // namespace tappet
