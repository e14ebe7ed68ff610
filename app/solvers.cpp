// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"
#include "run/make_stepper.h"

void tappet::add_solvers(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("solvers", "List the solvers of the contact problem");
  command->footer("\nExamples:\n  tappet solvers\n  tappet run slider_crank --option solver=newton\n");
  command->callback([] {
    for (const auto& solver : tappet::solvers()) fmt::print("{:<16} {}\n", solver.name, solver.summary);
  });
}
