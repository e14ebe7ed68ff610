// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "model/loading.h"
#include "model/model_text.h"
#include "model/names.h"
#include "model/reading/repeat.h"

namespace tappet {
namespace {

StagedNumber positive_time(const Loading& loading, const Item& item) {
  const StagedNumber time = loading.values.staged(item);
  if (!loading.values.decide(ParameterStage::Condition::positive, time))
    item.fail(fmt::format("found {}; expected a positive time in seconds", time.value));
  return time;
}

int read_every(const Loading& loading, const Item& item) {
  return item.is_scalar() && item.text() == "none" ? 0 : loading.values.integer(item, 1);
}

// Reads `record: N`, `record: none`, or `record: {every: N, only: [names], contacts: found}`.
void read_record(const Loading& loading, const Item& item, RunSettings& run) {
  if (!item.is_map()) {
    run.record_every = read_every(loading, item);
    return;
  }
  item.allow({"every", "only", "contacts"});
  if (const auto every = item.find("every")) run.record_every = read_every(loading, *every);
  if (const auto only = item.find("only"))
    for (const Item& name : only->list("a list of names")) run.record_only.push_back(name.text("a name"));
  if (const auto contacts = item.find("contacts")) {
    if (!contacts->is_scalar() || contacts->text() != "found")
      contacts->fail_expecting("`found`: the contacts between colliders, one by one");
    if (loading.model.colliders.empty())
      contacts->fail("found no `colliders:` in the model; expected some, whose contacts are then recorded one by one");
    run.record_found = true;
  }
}

// Reads `start: project`, or `start: {project: LIMIT}`.
void read_start(const Loading& loading, const Item& item, RunSettings& run) {
  run.start_place = item.place();
  run.project_start = default_project_limit;
  if (item.is_scalar() && item.text() == "project") return;
  if (!item.is_map()) item.fail_expecting("`project` or a map `{project: LIMIT}`");
  item.allow({"project"});
  const Item limit = item.at("project", "how far a coordinate may be moved at most, a positive number");
  run.project_start = loading.values.number(limit);
  if (!(run.project_start > 0.0))
    limit.fail(fmt::format("found {}; expected a positive number: how far a coordinate may be moved at most",
                           run.project_start));
}

// Reads `sleeping: false`, or `sleeping: {speed: m/s, after: s}`.
void read_sleeping(const Loading& loading, const Item& item, SleepingRule& sleeping) {
  if (item.is_scalar() && item.text() == "false") return;
  if (!item.is_map()) item.fail_expecting("`false` or a map `{speed: .., after: ..}`");
  item.allow({"speed", "after"});
  const Model& model = loading.model;
  if (model.colliders.empty()) item.fail("found no `colliders:` in the model; expected some, whose bodies may sleep");
  if (!model.formulas.coordinates.empty() || !model.formulas.joints.empty() || !model.formulas.contacts.empty())
    item.fail("found formulas in addition to the bodies of the model; expected only bodies");
  sleeping.speed = 1e-3;
  if (const auto speed = item.find("speed")) {
    sleeping.speed = loading.values.number(*speed);
    if (!(sleeping.speed >= 0.0))
      speed->fail(fmt::format("found {}; expected a speed in m/s, 0 for no sleep", sleeping.speed));
  }
  if (const auto after = item.find("after")) {
    const StagedNumber time = positive_time(loading, *after);
    sleeping.after = time.value;
    loading.use(time, [](Model& m) -> double& { return m.run.sleeping.after; });
  }
}

// Options belong to schemes and solvers, which know their names. A formula is replaced by its value. Words are kept as
// they are.
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
  run.place = section->key_place();
  for (const Item& item : section->map("a map `{scheme: .., dt: .., end: ..}`")) {
    const std::string& key = item.key();
    if (key == "scheme") {
      run.scheme = item.text("the name of a scheme");
      run.scheme_place = item.place();
    } else if (key == "dt") {
      const StagedNumber dt = positive_time(loading, item);
      run.dt = dt.value;
      loading.use(dt, [](Model& m) -> double& { return m.run.dt; });
    } else if (key == "end") {
      const StagedNumber end = positive_time(loading, item);
      run.end = end.value;
      loading.use(end, [](Model& m) -> double& { return m.run.end; });
    } else if (key == "record") {
      read_record(loading, item, run);
    } else if (key == "start") {
      read_start(loading, item, run);
    } else if (key == "sleeping") {
      read_sleeping(loading, item, run.sleeping);
    } else {
      run.options.push_back({key, option_text(loading, item), item.place()});
    }
  }
}

struct ModelText::Inside {
  Inside(const std::string& text, const std::string& file)
      : source(file, text), yaml(parse_yaml(source)), written(source, yaml) {}

  const Source source;
  const Yaml yaml;
  const Item written;
};

ModelText::ModelText(const std::string& text, const std::string& file, const ElementTypes& types)
    : inside_(std::make_unique<Inside>(text, file)), types_(types) {
  const Item& written = inside_->written;
  if (!written.is_map()) written.fail_expecting("a model: a map with `coordinates:` or `bodies:`");
  written.allow({"title", "source", "parameters", "coordinates", "define", "lagrangian", "mass", "geometry", "bodies",
                 "joints", "contacts", "colliders", "forces", "run", "draw"});
}
ModelText::~ModelText() = default;

Model ModelText::model(const Overrides& set, ParameterUses* uses) const { return model(set, nullptr, uses); }

Model ModelText::model(const Overrides& set, KeptParameters& kept) const { return model(set, &kept, nullptr); }

Model ModelText::model(const Overrides& set, KeptParameters* kept, ParameterUses* uses) const {
  const auto& [source, yaml, written] = *inside_;
  Model model;
  model.file = source.file();
  model.name = std::filesystem::path(source.file()).stem().string();
  model.text = source.text();
  model.title = text_of(written, "title");
  model.source = text_of(written, "source");
  const Values values(written.find("parameters"), set, source, kept, uses);
  if (uses) model.formulas.graph.record_into(uses->stage());
  const Yaml all = repeated(written, values);
  Loading loading{Item(source, all), values, model, types_, {}};
  model.parameters = loading.values.parameters();
  load_geometry(loading);
  load_bodies(loading);
  load_coordinates(loading);
  load_dynamics(loading);
  load_joints(loading);
  load_forces(loading);
  load_formula_joints(loading);
  load_contacts(loading);
  load_colliders(loading);
  load_draw(loading);
  load_run(loading);
  if (kept)
    for (const Parameter& parameter : model.parameters)
      kept->parameters[parameter.name] = loading.scope.at(parameter.name);
  return model;
}

Model parse_model(const std::string& text, const std::string& file, const Overrides& set, const ElementTypes& types) {
  return ModelText(text, file, types).model(set);
}

Model load(const std::filesystem::path& file, const Overrides& set, const ElementTypes& types) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw std::runtime_error(fmt::format("{}: the file cannot be read; expected a model file", file.string()));
  std::ostringstream text;
  text << in.rdbuf();
  return parse_model(text.str(), file.string(), set, types);
}

}  // namespace tappet
