// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace tappet {

// Each function adds its subcommand. The exit codes are 0 (done), 1 (not converged) and 2 (wrong usage or file).
void add_solve(CLI::App& app, int& exit_code);    // tappet solve FILE
void add_problem(CLI::App& app, int& exit_code);  // tappet problem KIND
void add_profile(CLI::App& app, int& exit_code);  // tappet profile FOLDER

}  // namespace tappet
