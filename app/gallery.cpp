// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/gallery.h"

#include <fmt/format.h>
#include <unistd.h>

#include "commands.h"
#include "shared/interrupt.h"
#include "study/page/study_figures.h"

namespace {

struct Arguments {
  std::string folder;
  tappet::GalleryOptions options;
};

int gallery(Arguments& arguments) {
  auto& options = arguments.options.reproduce;
  options.stop = &interrupted();
  const bool bar = isatty(STDERR_FILENO);
  if (bar) options.progress = [](int done, int all) { fmt::print(stderr, "\r\033[K{} of {} runs", done, all); };
  arguments.options.figures = [&](const std::string& model) {
    return tappet::study_figures(model, options.threads, options.stop);
  };
  const auto results = tappet::write_gallery(arguments.folder, arguments.options);
  if (bar) fmt::print(stderr, "\r\033[K");
  fmt::print("{}\n{}\n", summary_line(results), (std::filesystem::path(arguments.folder) / "README.md").string());
  return exit_done;
}

}  // namespace

void tappet::add_gallery(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("gallery", "Write a page for every example: system, figures, verdicts");
  command->add_option("DIR", arguments->folder, "Folder for the pages")->required();
  command->add_flag("--pictures", arguments->options.pictures,
                    "Also write a picture of every mechanism (needs Chromium)");
  command->add_option("--only", arguments->options.only, "Write only the page of this example")->type_name("EXAMPLE");
  command->add_option("--threads", arguments->options.reproduce.threads,
                      "Number of simultaneous runs; default: one per core");
  command->footer(
      "\nExamples:\n  tappet gallery docs/gallery\n  tappet gallery my_gallery --pictures\n"
      "  tappet gallery docs/gallery --only impact_oscillator\n");
  command->callback([arguments, &exit_code] { exit_code = gallery(*arguments); });
}
