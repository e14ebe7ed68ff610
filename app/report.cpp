// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <fmt/format.h>

#include "commands.h"
#include "run/options.h"
#include "shared/serve.h"
#include "studio/study_viewer.h"

namespace {

constexpr const char* view_examples = R"(
Examples:
  tappet view slider_crank                  the page of a run; its path is printed if there is no browser
  tappet view out/slider_crank_study        the page of a study: a click on a run carries it out again and shows it

The page of a study is served to this computer only, until Ctrl-C.
)";

struct Arguments {
  std::string folder;
  bool thumbnail = false, headless = false;
  int port = 0;
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

// A folder with a study, or the name of a study whose results are under out/. Empty if it is neither.
std::filesystem::path study_folder(const std::string& folder) {
  for (const std::filesystem::path& path : {std::filesystem::path(folder), std::filesystem::path("out") / folder})
    if (std::filesystem::exists(path / "study.h5") && !std::filesystem::exists(path / "result.h5")) return path;
  return {};
}

void view_study(const std::filesystem::path& folder, const Arguments& arguments) {
  tappet::studio::StudyViewer viewer(folder, arguments.port);
  serve_until_interrupted(viewer.http(), arguments.headless, "the view of the study", [&] { viewer.stop(); });
}

void view(const Arguments& arguments) {
  if (const auto study = study_folder(arguments.folder); !study.empty()) return view_study(study, arguments);
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
  CLI::App* command = add(app, "view", "Show a run or a study in the browser", arguments);
  command->add_flag("--headless", arguments->headless, "Of a study: print the address and open no browser");
  command->add_option("--port", arguments->port, "Of a study: port of the address; default: any that is free")
      ->check(CLI::Range(0, 65535));
  command->footer(view_examples);
  command->callback([arguments] { view(*arguments); });
}
