// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The thousand spheres with the frictional contact solver of Siconos, for the last steps before they are at rest (block
// storage, its splitting method, tolerance 1e-4, warm starts). Only its solver is timed. Finding contacts and
// assembling are not, although its users pay for them too (siconos_pile.cpp measures the whole).
#include <cmath>
#include <cstring>
#include <map>

#include "measures.h"
#include "pile.h"
#include "row.h"

extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>
}

namespace peers {
namespace {

constexpr double tolerance = 1e-4;

// Returns the seconds of the solver and applies the result.
double solve(Pile& pile, int& iterations) {
  const auto& contacts = pile.contacts;
  const int m = static_cast<int>(contacts.size()), n = 3 * m;
  // Scaled as the error measure of Siconos expects: W by its mean diagonal, q to length 1.
  const double rho = pile.mass;
  std::vector<double> q(n), mu(m, pile.scene.mu), r(n), u(n);
  double length = 0.0;
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < 3; ++i) {
      q[3 * k + i] = pile.velocity(contacts[k], i) + (i == 0 ? contacts[k].gap / Pile::dt : 0.0);
      length += q[3 * k + i] * q[3 * k + i];
    }
  length = std::sqrt(length);
  for (int j = 0; j < n; ++j) q[j] /= length, r[j] = pile.r[j / 3][j % 3] / (length * rho);

  std::vector<std::vector<std::pair<int, double>>> of(pile.n);
  for (int k = 0; k < m; ++k) {
    of[contacts[k].A].emplace_back(k, 1.0);
    if (contacts[k].B >= 0) of[contacts[k].B].emplace_back(k, -1.0);
  }
  std::map<std::pair<int, int>, double> W;  // column, row; two contacts may share two bodies
  for (const auto& list : of)
    for (const auto& [k, s] : list)
      for (const auto& [l, t] : list)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            W[{3 * l + j, 3 * k + i}] += rho * (s * t / pile.mass * dot(contacts[k].d[i], contacts[l].d[j]) +
                                                dot(contacts[k].torque[i], contacts[l].torque[j]) / pile.J);
  NumericsMatrix* sparse = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(sparse, static_cast<int>(W.size()));
  for (const auto& [at, value] : W) NM_entry(sparse, at.second, at.first, value);
  NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, n, n);
  blocks->matrix1 = SBM_new();
  SBM_from_csparse(3, NM_csc(sparse), blocks->matrix1);

  FrictionContactProblem problem{3, m, blocks, q.data(), mu.data()};
  ::SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 20000;
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  const double from = processor_seconds();
  fc3d_driver(&problem, r.data(), u.data(), options);
  const double seconds = processor_seconds() - from;
  iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  solver_options_delete(options);
  NM_clear(blocks);
  NM_clear(sparse);
  for (int j = 0; j < n; ++j) pile.r[j / 3][j % 3] = r[j] * length * rho;
  for (int k = 0; k < m; ++k) pile.apply(contacts[k], pile.r[k]);
  return seconds;
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  using namespace peers;
  if (argc > 1 && std::strcmp(argv[1], "spheres_in_box") != 0) return 0;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 2000, late = 20;
  Pile pile;
  double seconds = 0.0, penetration = 0.0;
  int sum = 0;
  for (int k = 0; k < steps; ++k) {
    pile.begin();
    if (k < steps - late) {
      pile.sweep(30);
    } else {
      int iterations = 0;
      seconds += solve(pile, iterations);
      sum += iterations;
    }
    pile.finish();
    if (k >= steps - late) penetration = std::max(penetration, pile.deepest());
  }
  print({"spheres_in_box", siconos_name, "fc3d NSGS, its solver alone", steps, 1e6 * seconds / late, penetration,
         text("%d contacts, %d iterations, e <= 1e-4, the last %d steps", static_cast<int>(pile.contacts.size()),
              sum / late, late)});
}
