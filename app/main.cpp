// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"
#include "model/model.h"
#include "run/options.h"
#include "run/version.h"
#include "solve.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet models                                    examples that ship
  tappet run first_model                           run one; results in out/first_model
  tappet run my.yaml --dt 1e-5 --set mu=0.3        your own model, another step and parameter
  tappet check my.yaml                             what the program understood
  tappet schemes                                   schemes, their papers and options

Exit codes: 0 done; 1 the computation failed (results so far are kept); 2 wrong usage or model; 130 ended by Ctrl-C.
)";

int usage(const char* message) {
  fmt::print(stderr, "tappet: {}\n", message);
  return exit_usage;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Tappet simulates mechanisms whose parts touch: impacts, friction, rest.", "tappet");
  app.set_version_flag("--version", fmt::format("tappet {}", tappet::version));
  app.require_subcommand(1);
  app.footer(examples);
  int exit_code = exit_done;
  tappet::add_run(app, exit_code);
  tappet::add_check(app, exit_code);
  tappet::add_solve(app, exit_code);
  tappet::add_schemes(app, exit_code);
  tappet::add_solvers(app, exit_code);
  tappet::add_models(app, exit_code);
  tappet::add_elements(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    app.exit(error);
    return exit_usage;
  } catch (const tappet::ModelError& error) {
    return usage(error.what());
  } catch (const tappet::UsageError& error) {
    return usage(error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "tappet: {}\n", error.what());
    return exit_failed;
  }
  return exit_code;
}
