// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/iterative/spectrum.h"

#include <cmath>

namespace tappet {

double largest_eigenvalue(const ContactProblem& problem, const Vec& scale, Vec& x, Vec& y) {
  const int n = problem.size();
  x.resize(n), y.resize(n);
  unsigned state = 12345;  // a start that no symmetry of the problem makes orthogonal to the eigenvector
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    x[i] = 0.5 + state / 8589934592.0;
  }
  double value = 0.0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    double norm = 0.0;
    for (double v : x) norm += v * v;
    norm = std::sqrt(norm);
    if (norm == 0.0) return 0.0;
    const double before = value;
    value = norm;
    if (iteration > 3 && std::abs(value - before) < 0.01 * value) break;
    const auto weigh = [&](Vec& v, double factor) {
      for (size_t k = 0; k < problem.laws.size(); ++k)
        for (int i = problem.laws[k].row; i < problem.laws[k].row + problem.laws[k].rows; ++i)
          v[i] *= factor * std::sqrt(scale[k]);
    };
    weigh(x, 1.0 / norm);
    problem.G.multiply(x, y);
    weigh(y, 1.0);
    std::swap(x, y);
  }
  return 1.05 * value;
}

}  // namespace tappet
