// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "record/hdf5/result_file.h"
#include "report/embed.h"
#include "report/page.h"
#include "report/run_data.h"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

constexpr long most_samples = 40'000;  // a browser plots this many without delay

Json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return json_object({std::istreambuf_iterator<char>(stream), {}});
}

// The model as it was run: its text, with the parameters after --set.
Model recorded_model(const ResultFile& result) {
  const Json settings = json_object(result.text("model/settings"));
  Overrides set;
  if (settings.contains("parameters"))
    for (const auto& [name, value] : settings["parameters"].items())
      if (value.is_number()) set.emplace_back(name, fmt::format("{:.17g}", value.get<double>()));
  const std::filesystem::path file = std::filesystem::path(settings.value("folder", "")) / result.text("model/name");
  Model model = parse_model(result.text("model/text"), file, set);
  // If the run did not start where the file says, take its actual start, without checking whether it fits.
  const bool elsewhere = settings.contains("start") || settings.contains("project_start");
  if (elsewhere && result.has("q") && result.has("u") && result.samples() > 0) {
    const std::vector<long> first{0};
    constexpr double anything = std::numeric_limits<double>::infinity();
    model.start = {"",      result.rows("t", first)[0], result.rows("q", first), result.rows("u", first), anything,
                   anything};
    model.run.project_start = 0.0;
  }
  return model;
}

// The page of a run. Samples are left out until it is small enough.
std::string page_of(const std::filesystem::path& folder, const std::string& page_template) {
  const ResultFile result(folder / "result.h5");
  const System system(recorded_model(result));
  const RunData run(system, result, read_json(folder / "summary.json"));
  const double decades = std::log10(std::max(1.0, static_cast<double>(run.samples()) / 1e5));
  const auto limit = static_cast<size_t>(1e6 * std::min(16.0, 7.0 + 9.0 * decades));
  for (long most = std::clamp(static_cast<long>(limit) / run.bytes_per_sample(), 200L, most_samples);; most /= 2) {
    PageArrays arrays;
    const Json json = run.write(most, arrays);
    std::string text = filled_page(page_template, json, arrays);
    if (text.size() <= limit || most < 100) return text;
  }
}

constexpr const char* without_page = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Tappet run</title>
<body style="font: 16px system-ui; max-width: 40em; margin: 15vh auto; padding: 0 1em">
<h1>No report page</h1>
<p>This program was built without the page that shows a run, because Node was missing. The results are complete:
<code>result.h5</code> and <code>summary.json</code> stand beside this file.</p>
<p>Install Node and npm (Debian: <code>apt install nodejs npm</code>), build again, and call
<code>tappet report</code> with this folder.</p>
)";

}  // namespace

std::filesystem::path write_report(const std::filesystem::path& folder) {
  const std::string page_text = page_template();
  const std::string page = page_text.empty() ? without_page : page_of(folder, page_text);
  const std::filesystem::path file = folder / "report.html";
  std::ofstream stream(file, std::ios::binary);
  stream << page;
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("{}: the report could not be written", file.string()));
  return file;
}

}  // namespace tappet
