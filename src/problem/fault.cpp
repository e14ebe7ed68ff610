// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "problem/contact_problem.h"

namespace tappet {

namespace {

std::string fault_of_laws(const ContactProblem& problem) {
  int row = 0;
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    if (law.row != row) return fmt::format("law {} starts at row {}, expected {}", k, law.row, row);
    if (law.rows < 1) return fmt::format("law {} has {} rows, expected at least 1", k, law.rows);
    if (law.kind == Law::Kind::contact && law.rows > 4)
      return fmt::format("contact law {} has {} rows, expected 1 to 4", k, law.rows);
    if (!std::isfinite(law.mu) || law.mu < 0.0)
      return fmt::format("friction coefficient mu of law {} is {}, expected a finite number, zero or more", k, law.mu);
    row += law.rows;
  }
  if (row != problem.size()) return fmt::format("the laws cover {} rows, c has {}", row, problem.size());
  return {};
}

// Four sums side by side for speed, because this reads every number of every problem.
bool all_finite(std::span<const double> values) {
  double sum[4] = {};
  size_t i = 0;
  for (; i + 4 <= values.size(); i += 4)
    for (int k = 0; k < 4; ++k) sum[k] += 0.0 * values[i + k];
  for (; i < values.size(); ++i) sum[0] += 0.0 * values[i];
  return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

std::string fault_of_matrix(const Delassus& G) {
  if (G.form() == Delassus::Form::dense) {
    for (int j = 0; j < G.size(); ++j)
      for (int i = 0; i < G.size(); ++i)
        if (!std::isfinite(G.dense()(i, j)))
          return fmt::format("G({}, {}) is {}, expected a finite number", i, j, G.dense()(i, j));
  } else if (G.form() == Delassus::Form::sparse) {
    const SparseColumns& S = G.sparse();
    if (static_cast<int>(S.start.size()) != G.size() + 1)
      return fmt::format("G has {} column starts, expected {}", S.start.size(), G.size() + 1);
    for (int j = 0; j < G.size(); ++j)
      for (int k = S.start[j]; k < S.start[j + 1]; ++k)
        if (!std::isfinite(S.value[k]))
          return fmt::format("G({}, {}) is {}, expected a finite number", S.row[k], j, S.value[k]);
  } else if (&G.W() == &G.Y() && std::isfinite(G.trace())) {
    return {};  // a sum of squares of all its numbers
  } else if (!all_finite(G.W().all_values()) || (&G.W() != &G.Y() && !all_finite(G.Y().all_values()))) {
    for (int k = 0; k < G.W().blocks(); ++k) {
      const auto& w = G.W().block(k);
      const auto& y = G.Y().block(k);
      for (int i = 0; i < w.rows * w.columns; ++i)
        if (!std::isfinite(G.W().values(k)[i])) return fmt::format("W of contact {} is not finite", k);
      for (int i = 0; i < y.rows * y.columns; ++i)
        if (!std::isfinite(G.Y().values(k)[i])) return fmt::format("the response of contact {} is not finite", k);
    }
  }
  return {};
}

}  // namespace

std::string fault(const ContactProblem& problem) {
  if (problem.G.size() != problem.size())
    return fmt::format("G has {} rows, c has {}", problem.G.size(), problem.size());
  for (int i = 0; i < problem.size(); ++i)
    if (!std::isfinite(problem.c[i])) return fmt::format("c[{}] is {}, expected a finite number", i, problem.c[i]);
  if (auto text = fault_of_laws(problem); !text.empty()) return text;
  return fault_of_matrix(problem.G);
}

std::string_view name(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::not_converged:
      return "not converged";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::bad_input:
      return "bad input";
  }
  return "unknown";
}

}  // namespace tappet
