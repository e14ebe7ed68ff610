// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/fclib.h"

#include <fmt/format.h>

#include <Eigen/SparseCore>

#include "math/block_matrix.h"
#include "problem/fclib_file.h"

namespace tappet {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse to_sparse(const Triplets& T) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(T.value.size());
  for (size_t k = 0; k < T.value.size(); ++k) entries.emplace_back(T.row[k], T.column[k], T.value[k]);
  Sparse A(T.rows, T.columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

void expect_size(const FclibReader& file, const std::string& where, int rows, int columns, const Sparse& A) {
  if (A.rows() != rows || A.cols() != columns)
    file.fail(where, fmt::format("is {} × {}, expected {} × {}", A.rows(), A.cols(), rows, columns));
}

void expect_size(const FclibReader& file, const std::string& where, size_t size, const std::vector<double>& x) {
  if (x.size() != size) file.fail(where, fmt::format("has {} entries, expected {}", x.size(), size));
}

// The joints have the first rows, with one law each because they are scalar equations. The contacts follow.
void set_laws(const FclibReader& file, const std::string& root, int joints, ContactProblem& problem) {
  const int dimension = file.integer(root + "/spacedim");
  if (dimension != 2 && dimension != 3) file.fail(root + "/spacedim", fmt::format("is {}, expected 2 or 3", dimension));
  const auto mu = file.numbers(root + "/vectors/mu");
  for (int i = 0; i < joints; ++i) problem.laws.push_back({Law::Kind::bilateral, i, 1, 0.0});
  for (size_t k = 0; k < mu.size(); ++k) {
    if (mu[k] < 0.0) file.fail(root + "/vectors/mu", fmt::format("entry {} is {}, expected 0 or more", k, mu[k]));
    problem.laws.push_back({Law::Kind::contact, joints + dimension * static_cast<int>(k), dimension, mu[k]});
  }
  const int rows = joints + dimension * static_cast<int>(mu.size());
  if (rows != problem.size())
    file.fail(root, fmt::format("{} friction coefficients in {} dimensions make {} rows, expected {}", mu.size(),
                                dimension, rows - joints, problem.size() - joints));
}

void set_matrix(const Sparse& A, Delassus& G) {
  const int n = static_cast<int>(A.rows());
  if (n <= Delassus::dense_rows) {
    Mat& D = G.dense(n);
    D.set_zero();
    for (int j = 0; j < n; ++j)
      for (Sparse::InnerIterator it(A, j); it; ++it) D(static_cast<int>(it.row()), j) = it.value();
    return;
  }
  SparseColumns& S = G.sparse(n);
  S.start.assign(1, 0), S.row.clear(), S.value.clear();
  for (int j = 0; j < n; ++j) {
    for (Sparse::InnerIterator it(A, j); it; ++it)
      if (it.value() != 0.0 || it.row() == j)
        S.row.push_back(static_cast<int>(it.row())), S.value.push_back(it.value());
    S.start.push_back(static_cast<int>(S.row.size()));
  }
}

ContactProblem read_local(const FclibReader& file) {
  const std::string root = "/fclib_local";
  const Sparse W = to_sparse(file.matrix(root + "/W"));
  const int n = static_cast<int>(W.rows());
  expect_size(file, root + "/W", n, n, W);
  const auto q = file.numbers(root + "/vectors/q");
  expect_size(file, root + "/vectors/q", static_cast<size_t>(n), q);
  ContactProblem problem;
  if (!file.has(root + "/V")) {
    set_matrix(W, problem.G);
    problem.c.assign(n, 0.0);
    std::copy(q.begin(), q.end(), problem.c.begin());
    set_laws(file, root, 0, problem);
    return problem;
  }
  const Sparse V = to_sparse(file.matrix(root + "/V")), R = to_sparse(file.matrix(root + "/R"));
  const int b = static_cast<int>(R.rows());
  expect_size(file, root + "/R", b, b, R);
  expect_size(file, root + "/V", n, b, V);
  const auto s = file.numbers(root + "/vectors/s");
  expect_size(file, root + "/vectors/s", static_cast<size_t>(b), s);
  std::vector<Eigen::Triplet<double>> entries;
  const auto place = [&](const Sparse& A, int row, int column, bool transposed) {
    for (int j = 0; j < A.cols(); ++j)
      for (Sparse::InnerIterator it(A, j); it; ++it)
        transposed ? entries.emplace_back(row + j, column + static_cast<int>(it.row()), it.value())
                   : entries.emplace_back(row + static_cast<int>(it.row()), column + j, it.value());
  };
  place(R, 0, 0, false), place(V, b, 0, false), place(V, 0, b, true), place(W, b, b, false);
  Sparse G(n + b, n + b);
  G.setFromTriplets(entries.begin(), entries.end());
  set_matrix(G, problem.G);
  problem.c.assign(n + b, 0.0);
  std::copy(s.begin(), s.end(), problem.c.begin());
  std::copy(q.begin(), q.end(), problem.c.begin() + b);
  set_laws(file, root, b, problem);
  return problem;
}

// Appends columns of H (one per row of ξ) as blocks of Wᵀ, `rows` columns at a time.
void append_columns(const Sparse& H, int rows, BlockRows& W) {
  std::vector<int> columns;
  for (int first = 0; first < H.cols(); first += rows) {
    const int count = std::min<int>(rows, static_cast<int>(H.cols()) - first);
    columns.clear();
    for (int j = first; j < first + count; ++j)
      for (Sparse::InnerIterator it(H, j); it; ++it)
        if (it.value() != 0.0) columns.push_back(static_cast<int>(it.row()));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    double* w = W.append(count, columns);
    for (int r = 0; r < count; ++r, w += columns.size())
      for (Sparse::InnerIterator it(H, first + r); it; ++it)
        if (it.value() != 0.0) {
          const int v = static_cast<int>(it.row());
          w[std::lower_bound(columns.begin(), columns.end(), v) - columns.begin()] = it.value();
        }
  }
}

ContactProblem read_global(const FclibReader& file) {
  const std::string root = "/fclib_global";
  const Sparse M = to_sparse(file.matrix(root + "/M")), H = to_sparse(file.matrix(root + "/H"));
  const int velocities = static_cast<int>(M.rows());
  expect_size(file, root + "/M", velocities, velocities, M);
  expect_size(file, root + "/H", velocities, static_cast<int>(H.cols()), H);
  const auto f = file.numbers(root + "/vectors/f"), w = file.numbers(root + "/vectors/w");
  expect_size(file, root + "/vectors/f", static_cast<size_t>(velocities), f);
  expect_size(file, root + "/vectors/w", static_cast<size_t>(H.cols()), w);
  Sparse joints(velocities, 0);
  std::vector<double> b;
  if (file.has(root + "/G")) {
    joints = to_sparse(file.matrix(root + "/G"));
    b = file.numbers(root + "/vectors/b");
    expect_size(file, root + "/G", velocities, static_cast<int>(joints.cols()), joints);
    expect_size(file, root + "/vectors/b", static_cast<size_t>(joints.cols()), b);
  }
  Coupling coupling(velocities);
  for (int j = 0; j < velocities; ++j)
    for (Sparse::InnerIterator it(M, j); it; ++it)
      if (it.value() != 0.0) coupling.tie(static_cast<int>(it.row()), j);
  BlockMatrix inertia(coupling, BlockMatrix::Kind::general);
  inertia.set_zero();
  for (int j = 0; j < velocities; ++j)
    for (Sparse::InnerIterator it(M, j); it; ++it)
      if (it.value() != 0.0) inertia.add(static_cast<int>(it.row()), j, it.value());
  if (!inertia.factor()) file.fail(root + "/M", "is singular");
  ContactProblem problem;
  BlockRows W;
  append_columns(joints, 1, W);
  append_columns(H, file.integer(root + "/spacedim") == 2 ? 2 : 3, W);
  problem.G.assemble(inertia, W, Delassus::form_of(W.rows()));
  Vec v(velocities);
  for (int i = 0; i < velocities; ++i) v[i] = f[i];
  inertia.solve(v);
  problem.c.resize(W.rows());
  W.multiply(v, problem.c);
  for (size_t i = 0; i < b.size(); ++i) problem.c[static_cast<int>(i)] += b[i];
  for (size_t i = 0; i < w.size(); ++i) problem.c[static_cast<int>(b.size() + i)] += w[i];
  set_laws(file, root, static_cast<int>(b.size()), problem);
  return problem;
}

}  // namespace

ContactProblem read_fclib(const std::string& path) {
  const FclibReader file(path);
  if (file.has("/fclib_global")) return read_global(file);
  if (file.has("/fclib_local")) return read_local(file);
  file.fail("", "holds no problem, expected a group /fclib_local or /fclib_global");
}

}  // namespace tappet
