// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/path_system.h"

#include <cmath>

namespace tappet {

// The shift must be smaller than the blocks of D, which are of the size of κ. Otherwise refinement gains nothing if Ĝ
// is singular.
void PathSystem::factor(PathState& state) {
  for (double shift : {1e-13, 1e-9}) {
    state.system.factor(state.problem, nullptr, D.data(), shift, shift, inverse.empty() ? nullptr : inverse.data());
    if (state.system.perturbed() == 0) break;
  }
  ++state.factorisations;
}

// y −= (Ĝ + D) x
void PathSystem::subtract_product(const ScaledProblem& problem, const Vec& x, Vec& y) {
  problem.multiply(x, product_);
  for (int i = 0; i < x.size(); ++i) y[i] -= product_[i];
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const double* block = D.data() + 16 * k;
    for (int j = 0; j < law.rows; ++j)
      for (int i = 0; i < law.rows; ++i) y[law.row + i] -= block[4 * j + i] * x[law.row + j];
  }
}

// Refined once if Ĝ + D itself was factorised, and more often if the bodies were.
void PathSystem::solve(PathState& state, const Vec& b, bool refined, Vec& x) {
  x = b;
  state.solve(x);
  for (int pass = 0; refined && pass < (state.problem.formed() ? 1 : 3); ++pass) {
    correction_ = b;
    subtract_product(state.problem, x, correction_);
    state.solve(correction_);
    double size = 0.0, change = 0.0;
    for (int i = 0; i < x.size(); ++i) {
      x[i] += correction_[i];
      size += x[i] * x[i], change += correction_[i] * correction_[i];
    }
    if (change <= 1e-10 * size) break;  // each pass gains as much as the previous one
  }
}

}  // namespace tappet
