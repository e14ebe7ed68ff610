// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "problem/fclib.h"
#include "problem/fclib_file.h"

namespace tappet {

namespace {

void write_matrix(FclibWriter& file, const std::string& group, int rows, const SparseColumns& A) {
  file.group(group);
  file.integers(group + "/m", {rows}), file.integers(group + "/n", {static_cast<int>(A.start.size()) - 1});
  file.integers(group + "/nz", {-1}), file.integers(group + "/nzmax", {static_cast<int>(A.row.size())});
  file.integers(group + "/p", A.start), file.integers(group + "/i", A.row), file.numbers(group + "/x", A.value);
}

// Rows `row` … `row + rows − 1` of the columns `column` … `column + columns − 1` of G.
SparseColumns part_of(const Delassus& G, int row, int rows, int column, int columns) {
  SparseColumns part{{0}, {}, {}};
  std::vector<double> full(G.size()), unit(G.size(), 0.0);
  const auto append = [&](int i, double value) {
    if (i >= row && i < row + rows && value != 0.0) part.row.push_back(i - row), part.value.push_back(value);
  };
  for (int j = column; j < column + columns; ++j) {
    if (G.form() == Delassus::Form::sparse) {
      for (int e = G.sparse().start[j]; e < G.sparse().start[j + 1]; ++e)
        append(G.sparse().row[e], G.sparse().value[e]);
    } else {
      unit[j] = 1.0;
      G.multiply(unit, full);
      unit[j] = 0.0;
      for (int i = 0; i < G.size(); ++i) append(i, full[i]);
    }
    part.start.push_back(static_cast<int>(part.row.size()));
  }
  return part;
}

// Rows first … first + count − 1 of Wᵀ as columns of W.
SparseColumns columns_of(const BlockRows& W, int first, int count) {
  SparseColumns columns{{0}, {}, {}};
  for (int k = 0; k < W.blocks(); ++k) {
    const double* w = W.values(k);
    for (int r = W.block(k).row; r < W.block(k).row + W.block(k).rows; ++r, w += W.block(k).columns) {
      if (r < first || r >= first + count) continue;
      for (int c = 0; c < W.block(k).columns; ++c)
        if (w[c] != 0.0) columns.row.push_back(W.columns(k)[c]), columns.value.push_back(w[c]);
      columns.start.push_back(static_cast<int>(columns.row.size()));
    }
  }
  return columns;
}

struct Contents {
  int joints = 0, dimension = 0;  // rows of joints, of a contact
  std::vector<double> mu;
};

Contents contents_of(const std::string& path, const ContactProblem& problem) {
  Contents contents;
  for (const Law& law : problem.laws) {
    if (law.kind == Law::Kind::bilateral) {
      if (!contents.mu.empty())
        throw ProblemFileError(fmt::format("{}: joints must come before contacts in this layout", path));
      contents.joints += law.rows;
      continue;
    }
    if (contents.dimension == 0) contents.dimension = law.rows;
    if (law.rows != contents.dimension || (contents.dimension != 2 && contents.dimension != 3))
      throw ProblemFileError(fmt::format("{}: contacts must all have 2 or all have 3 rows in this layout", path));
    contents.mu.push_back(law.mu);
  }
  if (contents.dimension == 0) contents.dimension = 3;
  return contents;
}

void write_head(FclibWriter& file, const std::string& root, const Contents& contents, const std::string& title,
                const std::string& description) {
  file.group(root), file.group(root + "/vectors"), file.group(root + "/info");
  file.integers(root + "/spacedim", {contents.dimension});
  file.numbers(root + "/vectors/mu", contents.mu);
  file.text(root + "/info/title", title), file.text(root + "/info/description", description);
  file.text(root + "/info/math_info", "");
}

void write_local(FclibWriter& file, const ContactProblem& problem, int joints) {
  const std::string root = "/fclib_local";
  const int n = problem.size() - joints;
  write_matrix(file, root + "/W", n, part_of(problem.G, joints, n, joints, n));
  if (joints > 0) {
    write_matrix(file, root + "/V", n, part_of(problem.G, joints, n, 0, joints));
    write_matrix(file, root + "/R", joints, part_of(problem.G, 0, joints, 0, joints));
    file.numbers(root + "/vectors/s", {problem.c.begin(), problem.c.begin() + joints});
  }
  file.numbers(root + "/vectors/q", {problem.c.begin() + joints, problem.c.end()});
}

void write_global(FclibWriter& file, const ContactProblem& problem, int joints, const FreeMotion& motion) {
  const std::string root = "/fclib_global";
  const int n = problem.size() - joints, velocities = motion.u_free.size();
  write_matrix(file, root + "/M", velocities, motion.M);
  write_matrix(file, root + "/H", velocities, columns_of(problem.G.W(), joints, n));
  std::vector<double> f(velocities, 0.0);
  for (int j = 0; j < velocities; ++j)
    for (int e = motion.M.start[j]; e < motion.M.start[j + 1]; ++e)
      f[motion.M.row[e]] += motion.M.value[e] * motion.u_free[j];
  file.numbers(root + "/vectors/f", f);
  file.numbers(root + "/vectors/w", std::vector<double>(n, 0.0));
  if (joints == 0) return;
  write_matrix(file, root + "/G", velocities, columns_of(problem.G.W(), 0, joints));
  file.numbers(root + "/vectors/b", std::vector<double>(joints, 0.0));
}

}  // namespace

void write_fclib(const std::string& path, const ContactProblem& problem, const std::string& title,
                 const std::string& description, const FreeMotion* motion) {
  const Contents contents = contents_of(path, problem);
  FclibWriter file(path);
  write_head(file, "/fclib_local", contents, title, description);
  write_local(file, problem, contents.joints);
  if (!motion || !problem.G.has_factors()) return;
  write_head(file, "/fclib_global", contents, title, description);
  write_global(file, problem, contents.joints, *motion);
}

}  // namespace tappet
