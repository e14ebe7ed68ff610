// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "files/fingerprint.h"
#include "judge/measure.h"
#include "model/model.h"
#include "model/reading/item.h"
#include "model/reading/nearest.h"
#include "model/reading/values.h"
#include "run/models.h"
#include "study/plan/study_table.h"
#include "study/study.h"

namespace tappet {

namespace {

// Reads a study from its file. Every function throws a ModelError if the file does not hold what is asked for.
class StudyReader {
 public:
  StudyReader(const Item& root, Study& study)
      : root_(root), study_(study), values_(root.find("parameters"), {}, root.source()) {}

  void read();

 private:
  void read_model();
  void read_run();
  void read_axes();
  StudyAxis axis(const Item& item) const;
  StudyAxis grid(const Item& item) const;
  StudyAxis random(const Item& item, StudyAxis::Kind kind, const std::string& expected) const;
  void read_table(std::vector<StudyAxis>& axes) const;
  Sampling sampling(bool& given) const;
  void check_axes(const std::vector<StudyAxis>& axes) const;
  void check_count(const std::vector<StudyAxis>& axes, long samples) const;
  StudyMeasure measure(const Item& item) const;
  void read_at(const Item& item, StudyMeasure& m) const;
  void check_measure(const Item& item, const StudyMeasure& m) const;
  void read_threshold(const Item& item);
  void read_until(const Item& item);
  void read_fit(const Item& item);
  void check_search() const;
  int measure_named(const Item& item, const std::string& name, bool many_too = false) const;
  FitTarget fit_target(const Item& item) const;
  static StudyFormula formula(const Item& item, const std::string& key);

  const Item& root_;
  Study& study_;
  Values values_;
  Model model_;
};

std::string text_of(const std::filesystem::path& file, const std::string& expected) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw UsageError(fmt::format("{}: the file cannot be read; expected {}", file.string(), expected));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void StudyReader::read() {
  root_.allow({"title", "model", "parameters", "set", "scheme", "dt", "end", "options", "record", "vary", "table",
               "samples", "sampling", "seed", "measure", "threshold", "until", "fit"});
  if (const auto title = root_.find("title")) study_.title = title->text("a text");
  read_model();
  read_run();
  const Item measures = root_.at("measure", "a map of measures");
  for (const Item& item : measures.map("a map `{name: {max: violation}}`")) study_.measures.push_back(measure(item));
  if (study_.measures.empty()) measures.fail("nothing is measured; expected at least one measure");
  if (const auto item = root_.find("threshold")) read_threshold(*item);
  if (const auto item = root_.find("until")) read_until(*item);
  if (const auto item = root_.find("fit")) read_fit(*item);
  if (study_.threshold.has_value() + study_.until.has_value() + study_.fit.has_value() > 1)
    root_.fail("expected only one of `threshold:`, `until:` and `fit:`");
  read_axes();
  check_search();
}

void StudyReader::read_model() {
  const Item model = root_.at("model", "the name of an example, or the path of a model file");
  study_.model = model.text("the name of an example, or the path of a model file");
  const std::filesystem::path beside = std::filesystem::path(study_.file).parent_path() / study_.model;
  std::error_code ignored;
  try {
    study_.model_file = beside.has_extension() && std::filesystem::is_regular_file(beside, ignored)
                            ? beside.lexically_normal().string()
                            : find_example(study_.model).string();
    study_.model_text = text_of(study_.model_file, "a model file");
    if (const auto set = root_.find("set"))
      for (const Item& item : set->map()) study_.set.emplace_back(item.key(), fmt::format("{}", values_.number(item)));
    model_ = parse_model(study_.model_text, study_.model_file, study_.set);
  } catch (const UsageError& error) {
    model.fail(error.what());
  }
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

// The points of `{from: a, to: b, count: n}`, of equal distance, or of equal ratio with `spacing: log`.
StudyAxis StudyReader::grid(const Item& item) const {
  item.allow({"from", "to", "count", "spacing"});
  const Item from = item.at("from", "the first value"), to = item.at("to", "the last value");
  const double a = values_.number(from), b = values_.number(to);
  const Item count_item = item.at("count", "the number of values");
  const double asked = values_.number(count_item);
  if (!(asked >= 1) || asked != std::floor(asked)) count_item.fail_expecting("a whole number, at least 1");
  if (asked > most_runs) count_item.fail_expecting(fmt::format("at most {:.0f} values", most_runs));
  const int count = static_cast<int>(asked);
  bool logarithmic = false;
  if (const auto spacing = item.find("spacing")) {
    if (spacing->text() != "log" && spacing->text() != "linear") spacing->fail_expecting("linear or log");
    logarithmic = spacing->text() == "log";
  }
  if (logarithmic && !(a > 0 && b > 0)) item.fail("expected positive `from:` and `to:` with `spacing: log`");
  if (count > 1 && a == b) to.fail_expecting("another value than `from:`");
  StudyAxis axis;
  for (int k = 0; k < count; ++k) {
    const double share = count == 1 ? 0.0 : static_cast<double>(k) / (count - 1);
    double value = logarithmic ? a * std::pow(b / a, share) : a + (b - a) * share;
    if (k == count - 1 && count > 1) value = b;
    axis.values.push_back(value);
  }
  return axis;
}

StudyAxis StudyReader::random(const Item& item, StudyAxis::Kind kind, const std::string& expected) const {
  const std::vector<double> two = values_.numbers(item, 2, 2, expected);
  StudyAxis axis;
  axis.kind = kind, axis.low = two[0], axis.high = two[1];
  if (kind == StudyAxis::Kind::uniform && !(axis.low < axis.high))
    item.fail_expecting("two numbers, the smaller one first");
  if (kind == StudyAxis::Kind::normal && !(axis.high > 0))
    item.fail_expecting("a mean and a positive standard deviation");
  return axis;
}

StudyAxis StudyReader::axis(const Item& item) const {
  StudyAxis axis;
  if (item.is_list()) {
    for (const Item& one : item.list()) axis.values.push_back(values_.number(one));
    if (axis.values.empty()) item.fail("found an empty list; expected at least one value");
  } else if (!item.is_map()) {
    item.fail_expecting("a list, {from, to, count}, {uniform: [a, b]} or {normal: [mean, deviation]}");
  } else if (const auto uniform = item.find("uniform")) {
    item.allow({"uniform"});
    axis = random(*uniform, StudyAxis::Kind::uniform, "two numbers, between which values are drawn");
  } else if (const auto normal = item.find("normal")) {
    item.allow({"normal"});
    axis = random(*normal, StudyAxis::Kind::normal, "a mean and a standard deviation");
  } else {
    axis = grid(item);
  }
  axis.parameter = item.key(), axis.place = item.key_place();
  return axis;
}

void StudyReader::read_table(std::vector<StudyAxis>& axes) const {
  const auto item = root_.find("table");
  if (!item) return;
  const std::filesystem::path file =
      std::filesystem::path(study_.file).parent_path() / item->text("a file of comma-separated values");
  try {
    for (StudyColumn& column : read_study_table(file)) {
      StudyAxis axis;
      axis.parameter = column.name, axis.kind = StudyAxis::Kind::column, axis.values = std::move(column.values);
      axis.place = item->place();
      axes.push_back(std::move(axis));
    }
  } catch (const std::runtime_error& error) {
    item->fail(error.what());
  }
}

Sampling StudyReader::sampling(bool& given) const {
  const auto item = root_.find("sampling");
  given = item.has_value();
  if (!item) return Sampling::independent;
  const std::string& word = item->text();
  if (word == "random") return Sampling::independent;
  if (word == "latin-hypercube") return Sampling::latin_hypercube;
  if (word == "sobol") return Sampling::sobol;
  item->fail_expecting("random, latin-hypercube or sobol");
}

void StudyReader::check_axes(const std::vector<StudyAxis>& axes) const {
  std::vector<std::string> names;
  for (const Parameter& parameter : model_.parameters) names.push_back(parameter.name);
  const std::vector<std::string> known = names;
  names.insert(names.end(), {"dt", "end"});
  std::vector<std::string> seen;
  for (const StudyAxis& axis : axes) {
    if (std::find(names.begin(), names.end(), axis.parameter) == names.end())
      root_.fail_at(axis.place, fmt::format("the model {} has no parameter '{}'{}; expected one of {}", study_.model,
                                            axis.parameter, suggestion(axis.parameter, names), listed(known)));
    if (std::find(seen.begin(), seen.end(), axis.parameter) != seen.end())
      root_.fail_at(axis.place, fmt::format("'{}' is varied twice", axis.parameter));
    for (const auto& [name, value] : study_.set)
      if (name == axis.parameter)
        root_.fail_at(axis.place, fmt::format("'{}' is varied, and `set:` fixes it", axis.parameter));
    seen.push_back(axis.parameter);
  }
}

void StudyReader::check_count(const std::vector<StudyAxis>& axes, long samples) const {
  const double count = Plan::count(axes, samples);
  if (count > most_runs)
    root_.at("vary", "what varies").fail_at_key(fmt::format("{:.6g} runs; expected at most {:.0f}", count, most_runs));
}

void StudyReader::read_axes() {
  std::vector<StudyAxis> axes;
  if (const auto vary = root_.find("vary"))
    for (const Item& item : vary->map("a map `{parameter: values}`")) axes.push_back(axis(item));
  read_table(axes);
  if (axes.empty()) root_.fail("nothing varies; expected `vary:` or `table:`");
  check_axes(axes);
  const bool random = std::any_of(axes.begin(), axes.end(), [](const StudyAxis& axis) { return axis.random(); });
  long samples = study_.until ? study_.until->most : 1;
  const bool searched = study_.until || study_.fit || study_.threshold;
  if (const auto item = root_.find("samples"); item && searched)
    item->fail_at_key("the search chooses the number of runs; expected no `samples:`");
  if (random && !searched) {
    const Item item = root_.at("samples", "the number of samples, because a parameter is random");
    const double asked = values_.number(item);
    if (!(asked >= 1) || asked != std::floor(asked) || asked > 1e15) item.fail_expecting("a whole number, at least 1");
    samples = static_cast<long>(asked);
  } else if (const auto item = root_.find("samples"); item && !random) {
    item->fail_at_key("no parameter is random; expected {uniform: …} or {normal: …} in `vary:`");
  }
  bool given = false;
  const Sampling kind = sampling(given);
  if (given && !random) root_.at("sampling", "").fail_at_key("no parameter is random");
  if (kind == Sampling::sobol &&
      std::count_if(axes.begin(), axes.end(), [](const StudyAxis& a) { return a.random(); }) > Plan::most_sobol_axes)
    root_.at("sampling", "").fail(fmt::format("expected at most {} random parameters", Plan::most_sobol_axes));
  check_count(axes, samples);
  const auto seed = root_.find("seed");
  study_.plan = Plan(std::move(axes), kind, samples, seed ? values_.integer(*seed, 0) : 1);
}

StudyFormula StudyReader::formula(const Item& item, const std::string& key) {
  const auto found = item.find(key);
  return found ? StudyFormula{found->text("a formula"), found->place()} : StudyFormula{};
}

// `at:` is a time, or one of the words first, last, every.
void StudyReader::read_at(const Item& item, StudyMeasure& m) const {
  m.at = formula(item, "at");
  if (m.at.text == "first" || m.at.text == "last")
    m.kind = "at_" + m.at.text;
  else
    m.kind = m.at.text == "every" ? "every" : "at";
}

StudyMeasure StudyReader::measure(const Item& item) const {
  std::vector<std::string> keys{"of", "where", "when", "from", "to", "period", "contact", "number"};
  std::vector<std::string> kinds = reductions();
  kinds.insert(kinds.end(), {"at", "event", "events"});
  keys.insert(keys.end(), kinds.begin(), kinds.end());
  item.allow(keys);
  StudyMeasure m;
  m.name = item.key(), m.place = item.place();
  for (const std::string& kind : kinds) {
    const auto found = item.find(kind);
    if (!found) continue;
    if (!m.kind.empty()) found->fail_at_key(fmt::format("a measure has one kind, and this has {} too", m.kind));
    m.kind = kind;
    if (kind == "at")
      read_at(item, m);
    else if (found->is_list())
      for (const Item& one : found->list()) m.of.push_back({one.text("a kind of event"), one.place()});
    else
      m.of.push_back({found->text("a formula"), found->place()});
  }
  if (m.kind.empty()) item.fail(fmt::format("no measure; expected one of {}", fmt::join(kinds, ", ")));
  if (const auto of = item.find("of")) m.of = {{of->text("a formula"), of->place()}};
  m.where = formula(item, "where"), m.when = formula(item, "when"), m.period = formula(item, "period");
  m.from = formula(item, "from"), m.to = formula(item, "to");
  if (const auto contact = item.find("contact")) m.contact = contact->text("the name of a contact");
  if (const auto number = item.find("number")) m.number = values_.integer(*number, 1);
  check_measure(item, m);
  return m;
}

void StudyReader::check_measure(const Item& item, const StudyMeasure& m) const {
  const bool crossing = m.kind == "at_first" || m.kind == "at_last";
  if (crossing && !m.when.given()) item.fail("expected `when:`, a condition such as x > 1.2");
  if (m.kind == "every" && m.when.given() == m.period.given())
    item.fail("expected either `period:`, a time, or `when:`, a condition");
  if ((m.kind == "every" || m.kind == "at") && m.of.size() != 1) item.fail("expected `of:`, a formula");
  if (m.when.given() && !crossing && m.kind != "every")
    item.find("when")->fail_at_key("`when:` belongs to `at: first`, `at: last` and `at: every`");
  if (m.period.given() && m.kind != "every") item.find("period")->fail_at_key("`period:` belongs to `at: every`");
  if (m.where.given() && (crossing || m.many() || m.kind == "at"))
    item.find("where")->fail_at_key("`where:` belongs to reductions such as `max:`");
  if (item.find("contact") && m.kind != "event" && m.kind != "events")
    item.find("contact")->fail_at_key("`contact:` belongs to `event:` and `events:`");
}

int StudyReader::measure_named(const Item& item, const std::string& name, bool many_too) const {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < study_.measures.size(); ++m) {
    names.push_back(study_.measures[m].name);
    if (names.back() != name) continue;
    if (study_.measures[m].many() && !many_too)
      item.fail(fmt::format("'{}' has many values; expected a measure with one", name));
    return static_cast<int>(m);
  }
  item.fail(fmt::format("no measure '{}'{}; expected one of {}", name, suggestion(name, names), listed(names)));
}

void StudyReader::read_threshold(const Item& item) {
  item.allow({"of", "level", "tolerance"});
  Threshold threshold;
  threshold.place = item.place();
  const Item of = item.at("of", "the name of a measure");
  threshold.measure = measure_named(of, of.text("the name of a measure"));
  if (const auto level = item.find("level")) threshold.level = values_.number(*level);
  if (const auto tolerance = item.find("tolerance")) {
    threshold.tolerance = values_.number(*tolerance);
    if (!(threshold.tolerance > 0)) tolerance->fail_expecting("a positive number");
  }
  study_.threshold = threshold;
}

void StudyReader::read_until(const Item& item) {
  item.allow({"of", "quantile", "within", "confidence", "most"});
  Until until;
  until.place = item.place();
  const Item of = item.at("of", "the name of a measure");
  until.measure = measure_named(of, of.text("the name of a measure"));
  const auto share = [&](const char* key, double& value) {
    const auto found = item.find(key);
    if (found) value = values_.number(*found);
    if (!(value > 0 && value < 1)) found->fail_expecting("a number between 0 and 1");
  };
  share("quantile", until.quantile);
  share("confidence", until.confidence);
  const Item within = item.at("within", "how well the quantile is to be known");
  until.within = values_.number(within);
  if (!(until.within > 0)) within.fail_expecting("a positive number");
  const auto most = item.find("most");
  until.most = most ? values_.integer(*most, 10) : 100000;
  study_.until = until;
}

// Measured values: a number, [number, standard deviation], or {file: …, column: …, deviation: …}.
FitTarget StudyReader::fit_target(const Item& item) const {
  FitTarget target;
  target.measure = measure_named(item, item.key(), true);
  const bool many = study_.measures[target.measure].many();
  if (many != item.is_map())
    item.fail_expecting(many
                            ? "{file: values.csv, column: name, deviation: number}, because the measure has many values"
                            : "a value, or [value, standard deviation]");
  if (!many) {
    const std::vector<double> numbers = item.is_list()
                                            ? values_.numbers(item, 1, 2, "a value, or [value, standard deviation]")
                                            : std::vector<double>{values_.number(item)};
    target.values = {numbers[0]};
    if (numbers.size() == 2) target.deviation = numbers[1];
    if (numbers.size() == 2 && !(target.deviation > 0)) item.fail_expecting("a positive standard deviation");
    return target;
  }
  item.allow({"file", "column", "deviation"});
  const Item file = item.at("file", "a file of comma-separated values"), column = item.at("column", "its title");
  try {
    const std::filesystem::path path = std::filesystem::path(study_.file).parent_path() / file.text();
    std::vector<std::string> titles;
    for (StudyColumn& one : read_study_table(path)) {
      titles.push_back(one.name);
      if (one.name == column.text()) target.values = std::move(one.values);
    }
    if (target.values.empty())
      column.fail(fmt::format("no column '{}'; expected one of {}", column.text(), listed(titles)));
  } catch (const ModelError&) {
    throw;
  } catch (const std::runtime_error& error) {
    file.fail(error.what());
  }
  if (const auto deviation = item.find("deviation")) {
    target.deviation = values_.number(*deviation);
    if (!(target.deviation > 0)) deviation->fail_expecting("a positive number");
  }
  return target;
}

void StudyReader::read_fit(const Item& item) {
  item.allow({"data", "method", "most", "tolerance"});
  Fit fit;
  fit.place = item.place();
  for (const Item& one : item.at("data", "measured values, {measure: value}").map())
    fit.targets.push_back(fit_target(one));
  if (const auto method = item.find("method")) {
    fit.method = method->text();
    if (fit.method != "trust-region" && fit.method != "nelder-mead")
      method->fail_expecting("trust-region or nelder-mead");
  }
  if (const auto most = item.find("most")) fit.most_runs = values_.integer(*most, 1);
  if (const auto tolerance = item.find("tolerance")) {
    fit.tolerance = values_.number(*tolerance);
    if (!(fit.tolerance > 0)) tolerance->fail_expecting("a positive number");
  }
  study_.fit = fit;
}

// What a search asks of the axes.
void StudyReader::check_search() const {
  const std::vector<StudyAxis>& axes = study_.plan.axes();
  const auto uniform =
      std::count_if(axes.begin(), axes.end(), [](const StudyAxis& a) { return a.kind == StudyAxis::Kind::uniform; });
  if (study_.threshold && uniform != 1)
    root_.find("threshold")
        ->fail_at_key(fmt::format(
            "expected one parameter with {{uniform: [a, b]}}, between which the threshold is sought; found {}",
            uniform));
  for (const StudyAxis& axis : axes) {
    if (study_.threshold && axis.kind == StudyAxis::Kind::normal)
      root_.fail_at(axis.place, "with `threshold:` no parameter is random; expected a list or {from, to, count}");
    if (study_.until && !axis.random())
      root_.fail_at(axis.place, "with `until:` every parameter is random; expected {uniform: …} or {normal: …}");
    if (study_.fit && axis.kind != StudyAxis::Kind::uniform)
      root_.fail_at(axis.place, "with `fit:` every parameter has bounds; expected {uniform: [a, b]}");
  }
  if (study_.fit && study_.fit->numbers() < static_cast<int>(axes.size()))
    root_.find("fit")->fail_at_key(fmt::format("{} measured values for {} parameters; expected at least as many",
                                               study_.fit->numbers(), axes.size()));
}

}  // namespace

std::string Study::fingerprint() const {
  std::string all = text + '\0' + model_text + '\0' + version;
  for (const StudyAxis& axis : plan.axes())  // a table is in a file of its own
    if (axis.kind == StudyAxis::Kind::column) all += fmt::format("{} {}", axis.parameter, fmt::join(axis.values, " "));
  return tappet::fingerprint(all);
}

Study parse_study(const std::string& text, const std::string& file) {
  const Source source(file, text);
  const Yaml yaml = parse_yaml(source);
  const Item root(source, yaml);
  if (!root.is_map()) root.fail_expecting("a study: a map with `model:`, `vary:`, `measure:`");
  Study study;
  study.file = file, study.text = text;
  study.name = std::filesystem::path(file).stem().string();
  StudyReader(root, study).read();
  return study;
}

Study load_study(const std::filesystem::path& file) { return parse_study(text_of(file, "a study"), file.string()); }

}  // namespace tappet
