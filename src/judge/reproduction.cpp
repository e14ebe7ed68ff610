// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "judge/reproduction_loader.h"
#include "model/reading/nearest.h"
#include "run/models.h"
#include "run/options.h"

namespace tappet {

namespace {

bool flag(const Item& item) {
  if (item.text() != "true" && item.text() != "false") item.fail_expecting("true or false");
  return item.text() == "true";
}

}  // namespace

std::string_view name(CheckKind kind) {
  return kind == CheckKind::number ? "number" : kind == CheckKind::trait ? "trait" : "reference";
}

std::string ReproductionLoader::text(const Item& item, const std::string& key) {
  const auto found = item.find(key);
  return found ? found->text("a text") : "";
}

std::vector<Item> ReproductionLoader::one_or_more(const Item& item) {
  return item.is_list() ? item.list() : std::vector{item};
}

std::vector<double> ReproductionLoader::numbers(const Item& item) const {
  std::vector<double> result;
  for (const Item& one : one_or_more(item)) result.push_back(values_.number(one));
  return result;
}

std::vector<PlacedText> ReproductionLoader::texts(const Item& item) {
  std::vector<PlacedText> result;
  for (const Item& one : one_or_more(item)) result.push_back({one.text("a formula"), one.place()});
  return result;
}

// Checks a formula of measures. They must be known before anything is run.
void ReproductionLoader::check_formula(const Item& formula) const {
  Graph graph;
  Scope scope;
  for (const Measure& m : result_.measures)
    if (!m.name.starts_with('#')) scope[m.name] = graph.input(0);
  parse_formula(graph, formula, scope, " (a formula of measures)");
}

void ReproductionLoader::load() {
  root_.allow({"title", "source", "note", "example", "quick", "weak", "missing", "parameters", "runs", "measures",
               "checks", "figures"});
  result_.title = root_.at("title", "a text").text("a text");
  result_.source = root_.at("source", "a text: paper, table or figure").text("a text");
  result_.example = text(root_, "example");
  result_.note = text(root_, "note");
  result_.weak = text(root_, "weak");
  result_.missing = text(root_, "missing");
  if (const auto quick = root_.find("quick")) result_.quick = flag(*quick);
  if (!result_.missing.empty()) return;
  for (const Item& item : root_.at("runs", "a map of runs").map()) result_.runs.push_back(family(item));
  if (result_.example.empty()) result_.example = result_.runs.front().model;
  if (const auto measures = root_.find("measures"))
    for (const Item& item : measures->map()) measure(item, item.key(), {});
  for (const Item& item : root_.at("checks", "a list of checks").list()) {
    result_.checks.push_back(check(item));
    for (const char* key : {"value", "below", "above"})
      if (const auto formulas = item.find(key))
        for (const Item& formula : one_or_more(*formulas)) check_formula(formula);
  }
  if (const auto figures = root_.find("figures"))
    for (const Item& item : figures->list()) result_.figures.push_back(figure(item));
  refuse_idle_runs();
}

Figure ReproductionLoader::figure(const Item& item) const {
  item.allow({"title", "x", "y", "over", "runs", "members", "log", "from", "to", "x_label", "y_label"});
  Figure f;
  f.place = item.place();
  f.title = item.at("title", "a text").text("a text");
  f.over_dt = item.find("over").has_value();
  if (const auto over = item.find("over"); over && over->text() != "dt") over->fail_expecting("dt");
  const Item y = item.at("y", "a formula, or a map {label: formula}");
  if (y.is_map()) {
    for (const Item& one : y.map()) f.y.emplace_back(one.key(), PlacedText{one.text("a formula"), one.place()});
  } else {
    for (const PlacedText& one : texts(y)) f.y.emplace_back(f.over_dt ? one.text : "", one);
  }
  if (const auto x = item.find("x")) f.x = {x->text("a formula"), x->place()};
  f.x_label = item.find("x_label") ? text(item, "x_label") : f.over_dt ? "dt, s" : f.x.text == "t" ? "t, s" : f.x.text;
  f.y_label = item.find("y_label") ? text(item, "y_label") : f.y.size() == 1 ? f.y[0].second.text : "";
  if (const auto runs = item.find("runs"))
    for (const Item& run : runs->list("a list of runs")) f.runs.push_back(run_named(run));
  if (const auto members = item.find("members"))
    for (const Item& label : members->list("labels of runs")) f.members.push_back(label.text());
  if (!f.over_dt && f.runs.empty()) item.fail("expected `runs:`");
  const std::string log = text(item, "log");
  f.log_x = log.find('x') != std::string::npos, f.log_y = log.find('y') != std::string::npos;
  if (const auto x = item.find("from")) f.from = values_.number(*x);
  if (const auto x = item.find("to")) f.to = values_.number(*x);
  return f;
}

Reproduction parse_reproduction(const std::string& text, const std::string& file) {
  const Source source(file, text);
  const Yaml yaml = parse_yaml(source);
  const Item root(source, yaml);
  if (!root.is_map()) root.fail_expecting("a reproduction: a map with `title:`, `source:`, `runs:`, `checks:`");
  Reproduction result;
  result.file = file;
  result.text = text;
  result.name = std::filesystem::path(file).stem().string();
  ReproductionLoader(root, result).load();
  return result;
}

Reproduction load_reproduction(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw UsageError(fmt::format("{}: the file cannot be read; expected a reproduction", file.string()));
  std::ostringstream text;
  text << in.rdbuf();
  return parse_reproduction(text.str(), file.string());
}

std::vector<Reproduction> reproductions(const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> files = yaml_files(reproductions_folder());
  std::vector<std::string> known;
  for (const auto& file : files) known.push_back(file.stem().string());
  std::vector<Reproduction> result;
  if (names.empty())
    for (const auto& file : files) result.push_back(load_reproduction(file));
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found != known.end()) {
      result.push_back(load_reproduction(files[found - known.begin()]));
    } else if (name.ends_with(".yaml")) {
      result.push_back(load_reproduction(name));
    } else {
      throw UsageError(
          fmt::format("no reproduction '{}'{} (`tappet reproduce --list` lists them)", name, suggestion(name, known)));
    }
  }
  return result;
}

}  // namespace tappet
