// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

struct SolverOptions {
  double tolerance = 1e-8;  // of residual(); small problems end at round-off whatever it says
  int max_iterations = 0;   // in the solver's own unit; 0: the solver's default
  double budget_s = 60.0;   // no solver goes on after this time
  int facets = 8;           // `lemke` alone: edges of the pyramid in place of the friction cone, even
  unsigned seed = 0;        // of the restarts

  void check() const;  // throws std::invalid_argument naming the option
};

}  // namespace tappet
