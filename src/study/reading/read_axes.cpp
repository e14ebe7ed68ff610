// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/reading/nearest.h"
#include "study/plan/study_table.h"
#include "study/reading/study_reader.h"

namespace tappet {

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
  const bool searched = study_.until || study_.chooses_values();
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

}  // namespace tappet
