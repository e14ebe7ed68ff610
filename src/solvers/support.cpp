// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/support.h"

#include <stdexcept>

#include "solvers/options.h"

namespace tappet {

void row_velocity(const Delassus& G, int part, const Law& law, const Vec& velocity, const Vec& c, double* xi) {
  const BlockRows& W = G.W();
  const auto columns = W.columns(part);
  const double* w = W.values(part) + (law.row - W.block(part).row) * columns.size();
  for (int i = 0; i < law.rows; ++i, w += columns.size()) {
    xi[i] = c[law.row + i];
    for (size_t a = 0; a < columns.size(); ++a) xi[i] += w[a] * velocity[columns[a]];
  }
}

void add_velocity(const Delassus& G, int part, const Law& law, const double* dP, Vec& velocity) {
  const BlockRows& Y = G.Y();
  const auto columns = Y.columns(part);
  const double* y = Y.values(part) + (law.row - Y.block(part).row) * columns.size();
  for (int i = 0; i < law.rows; ++i, y += columns.size())
    for (size_t a = 0; a < columns.size(); ++a) velocity[columns[a]] += y[a] * dP[i];
}

// ξ of all rows after P changed by dP at `row` (G by columns).
void add_response(const Delassus& G, int row, int rows, const double* dP, Vec& xi) {
  for (int j = 0; j < rows; ++j) {
    if (dP[j] == 0.0) continue;
    if (G.form() == Delassus::Form::dense) {
      const double* g = G.dense().column(row + j);
      for (int i = 0; i < xi.size(); ++i) xi[i] += g[i] * dP[j];
    } else {
      const SparseColumns& S = G.sparse();
      for (int k = S.start[row + j]; k < S.start[row + j + 1]; ++k) xi[S.row[k]] += S.value[k] * dP[j];
    }
  }
}

void SolverOptions::check() const {
  const auto require = [](bool fine, const char* text) {
    if (!fine) throw std::invalid_argument(text);
  };
  require(tolerance > 0.0 && tolerance < 1.0, "solver option tolerance: expected a number between 0 and 1");
  require(max_iterations >= 0, "solver option max_iterations: expected 0 (the solver's default) or more");
  require(budget_s > 0.0, "solver option budget_s: expected a positive time in seconds");
  require(facets >= 4 && facets % 2 == 0 && facets <= 64, "solver option facets: expected an even number from 4 to 64");
  require(seed >= 0, "solver option seed: expected 0 or more");
}

}  // namespace tappet
