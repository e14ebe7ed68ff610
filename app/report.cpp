// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <fmt/format.h>

#include "commands.h"
#include "run/options.h"

namespace {

struct Arguments {
  std::string folder;
  bool thumbnail = false;
};

// A folder with results, or the name of a model whose results are under out/.
std::filesystem::path results(const std::string& folder) {
  for (const std::filesystem::path& path : {std::filesystem::path(folder), std::filesystem::path("out") / folder})
    if (std::filesystem::exists(path / "result.h5")) return path;
  throw tappet::UsageError(fmt::format("{}: no result.h5 there; expected a folder that `tappet run` wrote", folder));
}

void report(const Arguments& arguments) {
  const std::filesystem::path folder = results(arguments.folder);
  fmt::print("{}\n", tappet::write_report(folder).string());
  if (!arguments.thumbnail) return;
  if (const auto picture = tappet::write_thumbnail(folder))
    fmt::print("{}\n", picture->string());
  else
    fmt::print(stderr, "warning: no thumbnail: Chromium was not found, or it failed (Debian: chromium)\n");
}

void view(const Arguments& arguments) {
  const std::filesystem::path folder = results(arguments.folder);
  const std::filesystem::path page = folder / "report.html";
  if (!std::filesystem::exists(page)) tappet::write_report(folder);
  if (!tappet::open_in_browser(page)) fmt::print("open {} in a browser\n", std::filesystem::absolute(page).string());
}

CLI::App* add(CLI::App& app, const char* name, const char* what, const std::shared_ptr<Arguments>& arguments) {
  CLI::App* command = app.add_subcommand(name, what);
  command->add_option("DIR", arguments->folder, "Folder with the results, or the name of a model that was run before")
      ->required();
  return command;
}

}  // namespace

void tappet::add_report(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = add(app, "report", "Write the page of a run again from its results", arguments);
  command->add_flag("--thumbnail", arguments->thumbnail, "Also write a picture, thumbnail.png (needs Chromium)");
  command->footer("\nExamples:\n  tappet report out/slider_crank\n  tappet report slider_crank --thumbnail\n");
  command->callback([arguments] { report(*arguments); });
}

void tappet::add_view(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = add(app, "view", "Show a run in the browser, or print the path of its page", arguments);
  command->footer("\nExamples:\n  tappet view slider_crank\n");
  command->callback([arguments] { view(*arguments); });
}
