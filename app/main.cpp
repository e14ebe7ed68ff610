// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <tappet/error.h>

#include <csignal>
#include <new>

#include "commands.h"
#include "model/model.h"
#include "model/reading/nearest.h"
#include "run/options.h"
#include "solve.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet models                                    lists the examples that come with Tappet
  tappet run first_model                           runs one of them; the results are in out/first_model
  tappet run my.yaml --dt 1e-5 --set mu=0.3        runs your own model with another step and parameter
  tappet studio slider_crank                       change a number and see the motion, in the browser
  tappet check my.yaml                             shows how your model was understood
  tappet view first_model                          shows the motion in the browser
  tappet compare slider_crank --dt 1e-4,1e-5       compares all schemes on one model: error, order, cost
  tappet reproduce --quick                         computes published numbers again
  tappet schemes                                   lists the schemes, their papers and options

Exit codes: 0 done; 1 the computation failed (results so far are kept); 2 wrong usage or model; 130 stopped by Ctrl-C.
)";

int usage(const std::string& message) {
  fmt::print(stderr, "tappet: {}\n", message);
  return exit_usage;
}

// The message if the first word is not a command, otherwise an empty text.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return "";
  return fmt::format("no command '{}'{}; expected one of {}", argv[1], tappet::suggestion(argv[1], names),
                     fmt::join(names, ", "));
}

}  // namespace

// Large arrays are requested from the operating system one by one, and are returned to it when they grow. Otherwise the
// heap would keep a tenth of the memory of a model with many bodies.
void keep_heap_small() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

int main(int argc, char** argv) {
  keep_heap_small();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that becomes too large is an error of writing it
  CLI::App app("Tappet simulates mechanisms whose parts touch: impacts, friction, rest.", "tappet");
  app.set_version_flag("--version", fmt::format("tappet {}", tappet::version));
  app.require_subcommand(1);
  app.footer(examples);
  int exit_code = exit_done;
  tappet::add_run(app, exit_code);
  tappet::add_check(app, exit_code);
  tappet::add_solve(app, exit_code);
  tappet::add_problem(app, exit_code);
  tappet::add_profile(app, exit_code);
  tappet::add_schemes(app, exit_code);
  tappet::add_solvers(app, exit_code);
  tappet::add_models(app, exit_code);
  tappet::add_elements(app, exit_code);
  tappet::add_report(app, exit_code);
  tappet::add_view(app, exit_code);
  tappet::add_compare(app, exit_code);
  tappet::add_studio(app, exit_code);
  tappet::add_study(app, exit_code);
  tappet::add_batch(app, exit_code);
  tappet::add_gradient(app, exit_code);
  tappet::add_orbit(app, exit_code);
  tappet::add_reproduce(app, exit_code);
  tappet::add_import(app, exit_code);
  tappet::add_gallery(app, exit_code);
  if (const std::string wrong = unknown_command(app, argc, argv); !wrong.empty()) return usage(wrong);
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
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "tappet: there is not enough memory\n");
    return exit_failed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tappet: {}\n", error.what());
    return exit_failed;
  }
  return exit_code;
}
