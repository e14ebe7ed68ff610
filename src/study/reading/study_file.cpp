// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "files/fingerprint.h"
#include "run/models.h"
#include "study/reading/study_reader.h"

namespace tappet {

namespace {

std::string text_of(const std::filesystem::path& file, const std::string& expected) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw UsageError(fmt::format("{}: the file cannot be read; expected {}", file.string(), expected));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

void StudyReader::read() {
  root_.allow({"title",   "model",     "parameters", "set",   "scheme",   "dt",       "end",
               "options", "record",    "vary",       "table", "samples",  "sampling", "seed",
               "measure", "threshold", "until",      "fit",   "minimise", "maximise"});
  if (const auto title = root_.find("title")) study_.title = title->text("a text");
  read_model();
  read_run();
  const Item measures = root_.at("measure", "a map of measures");
  for (const Item& item : measures.map("a map `{name: {max: violation}}`")) study_.measures.push_back(measure(item));
  if (study_.measures.empty()) measures.fail("nothing is measured; expected at least one measure");
  if (const auto item = root_.find("threshold")) read_threshold(*item);
  if (const auto item = root_.find("until")) read_until(*item);
  if (const auto item = root_.find("fit")) read_fit(*item);
  const auto least = root_.find("minimise"), most = root_.find("maximise");
  if (least) read_optimum(*least, false);
  if (most) read_optimum(*most, true);
  if (study_.threshold.has_value() + study_.until.has_value() + study_.fit.has_value() + least.has_value() +
          most.has_value() >
      1)
    root_.fail("expected only one of `threshold:`, `until:`, `fit:`, `minimise:` and `maximise:`");
  read_axes();
  check_search();
}

void StudyReader::read_model() {
  if (given_)
    take_given_model();
  else
    read_model_file();
  if (const auto set = root_.find("set"))
    for (const Item& item : set->map()) study_.set.emplace_back(item.key(), fmt::format("{}", values_.number(item)));
  model_ = parse_model(study_.model_text, study_.model_file, study_.set, study_.types);
}

void StudyReader::read_model_file() {
  const Item model = root_.at("model", "the name of an example, or the path of a model file");
  study_.model = model.text("the name of an example, or the path of a model file");
  const std::filesystem::path beside = std::filesystem::path(study_.file).parent_path() / study_.model;
  std::error_code ignored;
  try {
    study_.model_file = beside.has_extension() && std::filesystem::is_regular_file(beside, ignored)
                            ? beside.lexically_normal().string()
                            : find_example(study_.model).string();
    study_.model_text = text_of(study_.model_file, "a model file");
  } catch (const UsageError& error) {
    model.fail(error.what());
  }
}

void StudyReader::take_given_model() {
  if (const auto model = root_.find("model"))
    model->fail_at_key("the model is given by the program; expected none here");
  study_.model = given_->name, study_.model_file = given_->file, study_.model_text = given_->text;
  study_.set = given_->set, study_.types = given_->types;
}

void StudyReader::read_run() {
  study_.scheme_place = root_.place();
  if (const auto item = root_.find("scheme"))
    study_.scheme = item->text("the name of a scheme"), study_.scheme_place = item->place();
  study_.dt = formula(root_, "dt"), study_.end = formula(root_, "end");
  if (const auto options = root_.find("options"))
    for (const Item& item : options->map()) study_.options.push_back({item.key(), item.text("a value"), item.place()});
  if (const auto item = root_.find("record")) study_.record_every = values_.integer(*item, 1);
}

std::string Study::fingerprint() const {
  std::string all = text + '\0' + model_text + '\0' + version;
  for (const StudyAxis& axis : plan.axes())  // a table is in a file of its own
    if (axis.kind == StudyAxis::Kind::column) all += fmt::format("{} {}", axis.parameter, fmt::join(axis.values, " "));
  return tappet::fingerprint(all);
}

Study parse_study(const std::string& text, const std::string& file, const GivenModel* given) {
  const Source source(file, text);
  const Yaml yaml = parse_yaml(source);
  const Item root(source, yaml);
  if (!root.is_map()) root.fail_expecting("a study: a map with `model:`, `vary:`, `measure:`");
  Study study;
  study.file = file, study.text = text;
  study.name = std::filesystem::path(file).stem().string();
  StudyReader(root, study, given).read();
  return study;
}

Study load_study(const std::filesystem::path& file) { return parse_study(text_of(file, "a study"), file.string()); }

}  // namespace tappet
