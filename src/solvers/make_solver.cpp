// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/make_solver.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "solvers/auto.h"
#include "solvers/coloured/coloured_sweeps.h"
#include "solvers/dense/lemke_contact.h"
#include "solvers/iterative/admm.h"
#include "solvers/iterative/apgd.h"
#include "solvers/iterative/gauss_seidel.h"
#include "solvers/iterative/prox.h"
#include "solvers/path/newton.h"
#include "solvers/path/path_solver.h"

namespace tappet {

namespace {

template <class Solver, auto... arguments>
std::unique_ptr<ContactSolver> make(const SolverOptions& options) {
  return std::make_unique<Solver>(options, arguments...);
}

constexpr SolverEntry entries[] = {
    {"auto", "chooses a solver, and tries the next one if it fails", make<Auto>},
    {"path", "path following on exact Coulomb friction, polish, fold tracking, restarts", make<PathSolver>},
    {"gauss-seidel", "nonsmooth block Gauss-Seidel, each contact solved exactly", make<GaussSeidel>},
    {"coloured-gauss-seidel", "the same for many bodies, in parallel; the bits do not depend on the threads",
     make<ColouredSweeps>},
    {"newton", "semismooth Newton on the Alart-Curnier functions, minimum-norm steps", make<Newton>},
    {"prox", "prox fixed point, contact after contact", make<Prox, Prox::Order::gauss_seidel>},
    {"prox-jacobi", "prox fixed point, all contacts at once", make<Prox, Prox::Order::jacobi>},
    {"apgd", "accelerated projected gradient", make<Apgd>},
    {"admm", "alternating directions with spectral penalty updates", make<Admm>},
    {"lemke", "Lemke's pivoting on the polyhedral friction cone", make<LemkeContact>},
};

}  // namespace

std::span<const SolverEntry> solver_names() { return entries; }

std::unique_ptr<ContactSolver> make_solver(std::string_view name, const SolverOptions& options) {
  options.check();
  std::string known;
  for (const SolverEntry& entry : entries) {
    if (entry.name == name) return entry.make(options);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  throw std::invalid_argument(fmt::format("unknown solver '{}', expected one of: {}", name, known));
}

}  // namespace tappet
