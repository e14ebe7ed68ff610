// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"
#include "report/page.h"
#include "run/models.h"
#include "run/options.h"
#include "shared/serve.h"
#include "studio/server.h"
#include "studio/worker.h"

namespace {

namespace fs = std::filesystem;

constexpr const char* examples = R"(
Examples:
  tappet studio slider_crank                an example; saving writes slider_crank.yaml in the present folder
  tappet studio my.yaml                     your own model; a new file starts from a template
  tappet studio my.yaml --headless          prints the address and opens no browser
  tappet studio my.yaml --port 8080         with a port of your choice

The page shows the model file, the motion and the plots side by side, with a slider for every parameter. The file on
disk changes only if you save. Only this computer can open the address, and only who knows it. Ctrl-C ends the studio.
)";

struct Arguments {
  std::string model, worker;
  int port = 0;
  bool headless = false;
  tappet::studio::Limits limits;
};

// An example is never overwritten: it is saved in the present folder. A file that does not exist is a new model.
tappet::studio::Document document_of(const std::string& name) {
  if (fs::is_regular_file(name)) return {name, name};
  if (fs::path(name).extension() == ".yaml" && !fs::exists(name)) {
    if (!fs::is_directory(fs::absolute(name).parent_path()))
      throw tappet::UsageError(fmt::format("{}: there is no such folder; expected one that exists", name));
    return {name, tappet::find_example("first_model")};
  }
  const fs::path example = tappet::find_model(name);
  return {example.filename(), example};
}

int serve(const Arguments& arguments) {
  if (tappet::studio_page_template().empty())
    throw tappet::UsageError(
        "this program was built without its pages, because Node was missing; install nodejs and npm and build again");
  auto document = document_of(arguments.model);
  tappet::studio::Server server(document, arguments.limits, arguments.port);
  serve_until_interrupted(server.http(), arguments.headless, "the studio");
  return exit_done;
}

}  // namespace

void tappet::add_studio(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("studio", "Edit a model in the browser and see its motion while you do");
  command->add_option("MODEL", arguments->model, "Model file, or the name of an example (`tappet models` lists them)");
  command->add_option("--port", arguments->port, "Port of the address; default: any that is free")
      ->check(CLI::Range(0, 65535));
  command->add_flag("--headless", arguments->headless, "Print the address and open no browser");
  command->add_option("--most-steps", arguments->limits.steps, "The largest number of steps of a run")
      ->check(CLI::PositiveNumber);
  command->add_option("--most-seconds", arguments->limits.seconds, "The longest time that a run may take")
      ->check(CLI::PositiveNumber);
  command->add_option("--most-memory", arguments->limits.megabytes, "The memory of a page in MB")
      ->check(CLI::Range(256, 1 << 20));
  command->add_option("--worker", arguments->worker)->group("");  // the studio starts its workers with this
  command->footer(examples);
  command->callback([arguments, &exit_code] {
    if (!arguments->worker.empty()) {
      exit_code = tappet::studio::work(arguments->worker, arguments->limits);
      return;
    }
    if (arguments->model.empty()) throw UsageError("studio: expected a model file, or the name of an example");
    exit_code = serve(*arguments);
  });
}
