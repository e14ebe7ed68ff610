// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/reading/nearest.h"
#include "study/plan/study_table.h"
#include "study/reading/study_reader.h"

namespace tappet {

void StudyReader::read_threshold(const Item& item) {
  item.allow({"of", "level", "tolerance", "method"});
  Threshold threshold;
  threshold.place = item.place();
  const Item of = item.at("of", "the name of a measure");
  threshold.measure = measure_named(of, of.text("the name of a measure"));
  if (const auto level = item.find("level")) threshold.level = values_.number(*level);
  if (const auto tolerance = item.find("tolerance")) {
    threshold.tolerance = values_.number(*tolerance);
    if (!(threshold.tolerance > 0)) tolerance->fail_expecting("a positive number");
  }
  read_method(item, {"automatic", "bisection"}, threshold.method);
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
  fit.place = item.place(), fit.method = "automatic";
  for (const Item& one : item.at("data", "measured values, {measure: value}").map())
    fit.targets.push_back(fit_target(one));
  read_method(item, {"automatic", "gauss-newton", "trust-region", "nelder-mead"}, fit.method);
  if (const auto most = item.find("most")) fit.most_runs = values_.integer(*most, 1);
  if (const auto tolerance = item.find("tolerance")) {
    fit.tolerance = values_.number(*tolerance);
    if (!(fit.tolerance > 0)) tolerance->fail_expecting("a positive number");
  }
  study_.fit = fit;
}

void StudyReader::read_method(const Item& item, const std::vector<std::string>& methods, std::string& method) {
  const auto found = item.find("method");
  if (!found) return;
  method = found->text();
  if (std::find(methods.begin(), methods.end(), method) == methods.end())
    found->fail_expecting(fmt::format("one of {}", fmt::join(methods, ", ")));
}

void StudyReader::read_optimum(const Item& item, bool largest) {
  item.allow({"of", "method", "most", "tolerance"});
  Optimum optimum;
  optimum.place = item.place(), optimum.largest = largest;
  const Item of = item.at("of", "the name of a measure");
  optimum.measure = measure_named(of, of.text("the name of a measure"));
  read_method(item, {"automatic", "slopes", "trust-region", "nelder-mead"}, optimum.method);
  if (const auto most = item.find("most")) optimum.most_runs = values_.integer(*most, 1);
  if (const auto tolerance = item.find("tolerance")) {
    optimum.tolerance = values_.number(*tolerance);
    if (!(optimum.tolerance > 0)) tolerance->fail_expecting("a positive number");
  }
  study_.optimum = optimum;
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
    if ((study_.fit || study_.optimum) && axis.kind != StudyAxis::Kind::uniform)
      root_.fail_at(axis.place, fmt::format("with `{}:` every parameter has bounds; expected {{uniform: [a, b]}}",
                                            study_.fit                ? "fit"
                                            : study_.optimum->largest ? "maximise"
                                                                      : "minimise"));
  }
  if (study_.fit && study_.fit->numbers() < static_cast<int>(axes.size()))
    root_.find("fit")->fail_at_key(fmt::format("{} measured values for {} parameters; expected at least as many",
                                               study_.fit->numbers(), axes.size()));
}

}  // namespace tappet
