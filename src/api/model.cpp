// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/inside.h"
#include "run/models.h"

namespace tappet::api {

namespace {

Overrides overrides(const Settings& parameters) {
  Overrides set;
  for (const Setting& parameter : parameters) set.emplace_back(parameter.name, parameter.value);
  return set;
}

Model handle(tappet::Model model, Settings parameters, const ElementTypes& types) {
  return Model(std::make_shared<const Model::Inside>(Model::Inside{std::move(model), std::move(parameters), types}));
}

}  // namespace

Setting::Setting(std::string parameter, double number) : name(std::move(parameter)), value(fmt::format("{}", number)) {}

const std::string& Model::name() const { return inside().model.name; }
const std::string& Model::title() const { return inside().model.title; }
const std::string& Model::file() const { return inside().model.file; }
const std::string& Model::text() const { return inside().model.text; }
const std::string& Model::scheme() const { return inside().model.run.scheme; }
double Model::dt() const { return inside().model.run.dt; }
double Model::end() const { return inside().model.run.end; }
std::vector<std::string> Model::warnings() const { return inside().model.warnings; }

std::vector<Parameter> Model::parameters() const {
  std::vector<Parameter> list;
  for (const tappet::Parameter& parameter : inside().model.parameters)
    list.push_back({parameter.name, parameter.value});
  return list;
}

Model Model::with(const Settings& parameters) const {
  Settings all = inside().parameters;
  for (const Setting& parameter : parameters) {
    std::erase_if(all, [&](const Setting& other) { return other.name == parameter.name; });
    all.push_back(parameter);
  }
  return parse_model(text(), file(), all, inside().types);
}

Model load(const std::filesystem::path& file, const Settings& parameters, const ElementTypes& types) {
  return handle(tappet::load(file, overrides(parameters), types), parameters, types);
}

Model parse_model(const std::string& text, const std::string& name, const Settings& parameters,
                  const ElementTypes& types) {
  return handle(tappet::parse_model(text, name, overrides(parameters), types), parameters, types);
}

std::vector<std::filesystem::path> shipped_models() { return tappet::shipped_models(); }
std::filesystem::path find_example(const std::string& name) { return tappet::find_example(name); }

}  // namespace tappet::api
