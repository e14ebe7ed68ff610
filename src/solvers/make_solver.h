// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "problem/contact_problem.h"
#include "solvers/options.h"

namespace tappet {

struct SolverEntry {
  std::string_view name, description;
  std::unique_ptr<ContactSolver> (*make)(const SolverOptions&);
};

// All solvers, `auto` first.
std::span<const SolverEntry> solver_names();

// Throws std::invalid_argument for wrong options or for a name that does not exist. The message names those that do.
std::unique_ptr<ContactSolver> make_solver(std::string_view name, const SolverOptions& options = {});

}  // namespace tappet
