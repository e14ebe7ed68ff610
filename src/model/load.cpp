// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "model/loading.h"
#include "model/names.h"
#include "model/reading/repeat.h"

namespace tappet {
namespace {

double positive_time(const Loading& loading, const Item& item) {
  const double value = loading.values.number(item);
  if (!(value > 0.0)) item.fail(fmt::format("found {}; expected a positive time in seconds", value));
  return value;
}

int read_every(const Loading& loading, const Item& item) {
  return item.is_scalar() && item.text() == "none" ? 0 : loading.values.integer(item, 1);
}

// `record: N`, `record: none`, or `record: {every: N, only: [names]}`.
void read_record(const Loading& loading, const Item& item, RunSettings& run) {
  if (!item.is_map()) {
    run.record_every = read_every(loading, item);
    return;
  }
  item.allow({"every", "only"});
  if (const auto every = item.find("every")) run.record_every = read_every(loading, *every);
  if (const auto only = item.find("only"))
    for (const Item& name : only->list("a list of names")) run.record_only.push_back(name.text("a name"));
}

// `sleeping: false`, or `sleeping: {speed: m/s, after: s}`.
void read_sleeping(const Loading& loading, const Item& item, SleepingRule& sleeping) {
  if (item.is_scalar() && item.text() == "false") return;
  if (!item.is_map()) item.fail_expecting("`false` or a map `{speed: .., after: ..}`");
  item.allow({"speed", "after"});
  const Model& model = loading.model;
  if (model.colliders.empty()) item.fail("found no `colliders:` in the model; expected some, whose bodies may sleep");
  if (!model.formulas.coordinates.empty() || !model.formulas.joints.empty() || !model.formulas.contacts.empty())
    item.fail("found formulas beside the bodies of the model; expected bodies alone");
  sleeping.speed = 1e-3;
  if (const auto speed = item.find("speed")) {
    sleeping.speed = loading.values.number(*speed);
    if (!(sleeping.speed >= 0.0))
      speed->fail(fmt::format("found {}; expected a speed in m/s, 0 for no sleep", sleeping.speed));
  }
  if (const auto after = item.find("after")) sleeping.after = positive_time(loading, *after);
}

// Options belong to schemes and solvers, which know their names. A formula becomes its value; words stay words.
std::string option_text(const Loading& loading, const Item& item) {
  const std::string& text = item.text("a number or a word");
  const bool word = names_in(text) == std::vector<std::string>{text} || text.find_first_of("-") != std::string::npos;
  double number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (word || (error == std::errc() && end == text.data() + text.size())) return text;
  return fmt::format("{}", loading.values.number(item));
}

std::string text_of(const Item& root, const std::string& key) {
  const auto item = root.find(key);
  return item ? item->text("a text") : "";
}

}  // namespace

void load_run(Loading& loading) {
  const auto section = loading.root.find("run");
  if (!section || section->is_null()) return;
  RunSettings& run = loading.model.run;
  for (const Item& item : section->map("a map `{scheme: .., dt: .., end: ..}`")) {
    const std::string& key = item.key();
    if (key == "scheme") {
      run.scheme = item.text("the name of a scheme");
      run.scheme_place = item.place();
    } else if (key == "dt") {
      run.dt = positive_time(loading, item);
    } else if (key == "end") {
      run.end = positive_time(loading, item);
    } else if (key == "record") {
      read_record(loading, item, run);
    } else if (key == "sleeping") {
      read_sleeping(loading, item, run.sleeping);
    } else {
      run.options.push_back({key, option_text(loading, item), item.place()});
    }
  }
}

Model parse_model(const std::string& text, const std::string& file, const Overrides& set) {
  const Source source(file, text);
  const Yaml yaml = parse_yaml(source);
  const Item written(source, yaml);
  if (!written.is_map()) written.fail_expecting("a model: a map with `coordinates:` or `bodies:`");
  written.allow({"title", "source", "parameters", "coordinates", "define", "lagrangian", "mass", "bodies", "joints",
                 "contacts", "colliders", "forces", "run", "draw"});
  Model model;
  model.file = file;
  model.name = std::filesystem::path(file).stem().string();
  model.text = text;
  model.title = text_of(written, "title");
  model.source = text_of(written, "source");
  const Values values(written.find("parameters"), set, source);
  const Yaml all = repeated(written, values);
  Loading loading{Item(source, all), values, model, {}};
  model.parameters = loading.values.parameters();
  load_bodies(loading);
  load_coordinates(loading);
  load_dynamics(loading);
  load_forces(loading);
  load_joints(loading);
  load_contacts(loading);
  load_colliders(loading);
  load_draw(loading);
  load_run(loading);
  return model;
}

Model load(const std::filesystem::path& file, const Overrides& set) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw std::runtime_error(fmt::format("{}: the file cannot be read; expected a model file", file.string()));
  std::ostringstream text;
  text << in.rdbuf();
  return parse_model(text.str(), file.string(), set);
}

}  // namespace tappet
