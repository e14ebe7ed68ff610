// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/models.h"

#include <fmt/format.h>

#include "commands.h"
#include "model/model.h"

namespace {

int print_models() {
  const auto files = tappet::shipped_models();
  if (files.empty()) {
    fmt::print(stderr, "tappet: no models found{}\n", std::getenv("TAPPET_MODELS") ? " in $TAPPET_MODELS" : "");
    return exit_failed;
  }
  for (const auto& file : files) {
    try {
      const tappet::Model model = tappet::load(file);
      fmt::print("{:<28} {}{}\n", file.stem().string(), model.title,
                 model.source.empty() ? "" : fmt::format(" ({})", model.source));
    } catch (const std::runtime_error& error) {
      fmt::print("{:<28} cannot be read: {}\n", file.stem().string(), error.what());
    }
  }
  return exit_done;
}

}  // namespace

void tappet::add_models(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("models", "List the examples that come with Tappet: name, title, source");
  command->footer(
      "\nExamples:\n  tappet models\n  tappet run bouncing_ball\n\nThe variable TAPPET_MODELS names another folder "
      "with models.\n");
  command->callback([&exit_code] { exit_code = print_models(); });
}
