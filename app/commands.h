// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace tappet {

// There is one function per command, each in its own file. It adds the subcommand, and its callback sets the exit code.
void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_schemes(CLI::App& app, int& exit_code);
void add_solvers(CLI::App& app, int& exit_code);
void add_models(CLI::App& app, int& exit_code);
void add_elements(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_studio(CLI::App& app, int& exit_code);
void add_study(CLI::App& app, int& exit_code);
void add_batch(CLI::App& app, int& exit_code);
void add_reproduce(CLI::App& app, int& exit_code);
void add_import(CLI::App& app, int& exit_code);
void add_gradient(CLI::App& app, int& exit_code);
void add_orbit(CLI::App& app, int& exit_code);
void add_gallery(CLI::App& app, int& exit_code);

}  // namespace tappet

// 0: done. 1: the computation failed; the results so far are kept. 2: wrong usage, or an error in the model. 130:
// stopped by Ctrl-C; the results so far are kept.
enum ExitCode { exit_done = 0, exit_failed = 1, exit_usage = 2, exit_interrupted = 130 };
