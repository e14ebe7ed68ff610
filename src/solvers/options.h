// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "describe/describe.h"

namespace tappet {

struct SolverOptions {
  double tolerance = 1e-8;  // of residual(); small problems end at round-off in any case
  int max_iterations = 0;   // in the unit of the solver; 0 for its default
  double budget_s = 60.0;   // no solver continues after this time
  int facets = 8;           // only for `lemke`: edges of the pyramid that replaces the friction cone, an even number
  int seed = 0;             // only for `path`: seed of the random weights with which it starts again

  template <class V>
  void describe(V& v) {
    v.optional("tolerance", tolerance, Range{0, 1}, "residual at which the contact solver stops");
    v.optional("max_iterations", max_iterations, Range{0, 1000000000},
               "largest number of iterations of the contact solver; 0: its default");
    v.optional("facets", facets, Range{2, 1000}, "number of edges of the friction pyramid in lemke");
    v.optional("budget", budget_s, Range{0, 1e9}, "seconds after which auto starts no further solver");
    v.optional("seed", seed, Range{0, 1000000000}, "seed of the random weights with which path starts again");
  }

  void check() const;  // throws a std::invalid_argument that names the option
};

}  // namespace tappet
