// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "math/dense.h"
#include "steppers/event_driven/balance.h"

namespace tappet::events {

void Balance::set_branch(int i, double b) {
  branches[i] = b;
  const bool whole = evaluate.system().switches()[i].whole;
  evaluate.set_branch(i, whole ? b : std::clamp(b, -1.0, 1.0));
}

void Balance::switch_rates(double b, int i, Vec& rates) {
  const double before = i < 0 ? 0.0 : branches[i];
  if (i >= 0) set_branch(i, b);
  place(at_.t, at_.q, at_.u);
  solve_held();
  evaluate.switch_rates(at_.t, at_.q, at_.u, a, first_, all_rates_);
  rates.resize(static_cast<int>(sliding.size()));
  for (size_t j = 0; j < sliding.size(); ++j) rates[static_cast<int>(j)] = all_rates_[sliding[j]];
  if (i >= 0) set_branch(i, before);
}

// Accelerations are affine in b if formulas hold one switch, and nearly so otherwise. So this takes one step of
// Newton's method from a point well inside [−1, 1], and another one if several switches slide.
bool Balance::slide() {
  constexpr double inside = 0.5;
  const int m = static_cast<int>(sliding.size());
  for (int pass = 0; pass < (m == 1 ? 1 : 3); ++pass) {
    for (int i : sliding) set_branch(i, std::clamp(branches[i], -inside, inside));
    switch_rates(0.0, -1, rates_);
    slopes_.resize(m, m);
    for (int j = 0; j < m; ++j) {
      const double step = branches[sliding[j]] > 0 ? -inside : inside;
      switch_rates(branches[sliding[j]] + step, sliding[j], rates_beside_);
      for (int i = 0; i < m; ++i) slopes_(i, j) = (rates_beside_[i] - rates_[i]) / step;
    }
    pivots_.resize(m);
    if (!dense::lu(slopes_.data(), m, pivots_.data())) break;
    dense::lu_solve(slopes_.data(), m, pivots_.data(), rates_.data());
    for (int j = 0; j < m; ++j) set_branch(sliding[j], branches[sliding[j]] - rates_[j]);
  }
  place(at_.t, at_.q, at_.u);
  return solve_held();
}

}  // namespace tappet::events
