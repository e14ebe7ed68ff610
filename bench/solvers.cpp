// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The default solver on stored contact problems, from a cold start.
#include "entries.h"
#include "problem/fclib.h"
#include "solvers/make_solver.h"

namespace tappet::bench {

void add_solvers(Entries& entries) {
  for (const char* name : {"BoxesStack-52", "OneObject-24", "Rover-4", "Spheres-356", "synthetic-chain_n10"})
    entries.push_back({std::string("solve/") + name, 2, [=]() -> std::function<void()> {
                         auto problem = std::make_shared<ContactProblem>(
                             read_fclib(std::string(TAPPET_BENCH_DATA) + "/problems/" + name + ".hdf5"));
                         auto solver = std::shared_ptr<ContactSolver>(make_solver("auto"));
                         auto P = std::make_shared<Vec>(problem->size());
                         return [=] {
                           P->set_zero();
                           solver->solve(*problem, *P);
                         };
                       }});
}

}  // namespace tappet::bench
