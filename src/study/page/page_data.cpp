// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/page/page_data.h"

#include <tappet/error.h>

#include <algorithm>

#include "study/page/settings.h"

namespace tappet {

namespace {

// About `most` of the runs 0 … all − 1. They are chosen by a hash of their numbers: every n-th run would be a poor
// choice, because it may always meet the same values of a grid.
std::vector<long> chosen_runs(long all, long most) {
  std::vector<long> runs;
  runs.reserve(std::min(all, most + most / 8));
  const double share = static_cast<double>(most) / static_cast<double>(all);
  for (long run = 0; run < all; ++run) {
    std::uint64_t x = static_cast<std::uint64_t>(run) + 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    if (share >= 1 || static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53 < share) runs.push_back(run);
  }
  return runs;
}

long columns(const StudyResults& results) {
  const Study& study = results.study();
  const auto single =
      std::count_if(study.measures.begin(), study.measures.end(), [](const StudyMeasure& m) { return !m.many(); });
  const auto& axes = study.plan.axes();
  const auto drawn = std::count_if(axes.begin(), axes.end(),
                                   [](const StudyAxis& axis) { return axis.kind != StudyAxis::Kind::values; });
  return std::max(1L, static_cast<long>(single + drawn));
}

// What a measure means, in words.
std::string described(const StudyMeasure& m) {
  std::string text = m.kind;
  std::replace(text.begin(), text.end(), '_', ' ');
  for (const StudyFormula& formula : m.of) text += " " + formula.text;
  const std::pair<const char*, const StudyFormula&> parts[] = {{" at ", m.at},     {" where ", m.where},
                                                               {" when ", m.when}, {" from ", m.from},
                                                               {" to ", m.to},     {" period ", m.period}};
  for (const auto& [word, formula] : parts)
    if (formula.given()) text += word + formula.text;
  if (!m.contact.empty()) text += " of " + m.contact;
  return text;
}

}  // namespace

StudyPageData::StudyPageData(const StudyResults& results, const StudyPageLimits& limits)
    : results_(results),
      study_(results.study()),
      limits_(limits),
      runs_(chosen_runs(results.runs(), std::max(1L, limits.numbers / columns(results)))) {}

template <class F>
std::vector<double> StudyPageData::of_runs(F&& value) const {
  std::vector<double> values;
  values.reserve(runs_.size());
  for (const long run : runs_) values.push_back(value(run));
  return values;
}

// Searches choose the values of their runs; then nothing follows from the number of a run.
bool StudyPageData::on_grid(int axis) const {
  return !study_.chooses_values() && study_.plan.axes()[axis].kind == StudyAxis::Kind::values;
}

// A parameter on a grid is a list of its values, and the number of a run tells which one it has. Otherwise there is one
// value per run.
nlohmann::ordered_json StudyPageData::parameter(int index) {
  const std::vector<StudyAxis>& axes = study_.plan.axes();
  const StudyAxis& axis = axes[index];
  constexpr const char* kinds[] = {"grid", "uniform", "normal", "table"};
  Json json = {{"name", axis.parameter}, {"kind", kinds[static_cast<int>(axis.kind)]}};
  if (on_grid(index)) {
    long stride = 1;
    for (std::size_t i = index + 1; i < axes.size(); ++i)
      if (axes[i].kind == StudyAxis::Kind::values) stride *= static_cast<long>(axes[i].values.size());
    json["stride"] = stride, json["data"] = arrays_.doubles(axis.values), json["exact"] = true;
    return json;
  }
  std::vector<double> one;
  const auto values = of_runs([&](long run) { return results_.values(run, one), one[index]; });
  const bool exact = static_cast<long>(runs_.size()) <= limits_.exact_runs;
  json["stride"] = 0, json["data"] = exact ? arrays_.doubles(values) : arrays_.floats(values), json["exact"] = exact;
  return json;
}

nlohmann::ordered_json StudyPageData::measure(int index) {
  const StudyMeasure& m = study_.measures[index];
  Json json = {{"name", m.name}, {"meaning", described(m)}, {"many", m.many()}};
  if (m.many())
    json.update(series(index));
  else
    json["data"] = arrays_.floats(of_runs([&](long run) { return results_.measured(run, index); }));
  return json;
}

// If there are too many values, the last ones of each run are kept: the first ones often belong to a transient.
nlohmann::ordered_json StudyPageData::series(int index) {
  long all = 0, longest = 0, kept = 0;
  for (const long run : runs_) {
    const long size = static_cast<long>(results_.series(run, index).size());
    all += size, longest = std::max(longest, size);
  }
  const auto many = std::count_if(study_.measures.begin(), study_.measures.end(), [](auto& m) { return m.many(); });
  const long limit = std::max(1L, limits_.series / many), runs = std::max(1L, static_cast<long>(runs_.size()));
  const long most = all <= limit ? longest : std::max(1L, limit / runs);
  std::vector<double> values, counts;
  for (const long run : runs_) {
    const std::vector<double>& series = results_.series(run, index);
    const long size = std::min(most, static_cast<long>(series.size()));
    values.insert(values.end(), series.end() - size, series.end());
    counts.push_back(static_cast<double>(size)), kept += size;
  }
  return {{"counts", arrays_.floats(counts)},
          {"data", arrays_.floats(values)},
          {"all", all},
          {"kept", kept},
          {"most", most}};
}

nlohmann::ordered_json StudyPageData::costs() {
  Json list = Json::array();
  if (static_cast<long>(runs_.size()) > limits_.exact_runs) return list;
  const auto add = [&](const char* name, const char* meaning, const std::vector<double>& values) {
    list.push_back({{"name", name}, {"meaning", meaning}, {"many", false}, {"data", arrays_.floats(values)}});
  };
  add("steps", "steps of the run", of_runs([&](long run) { return static_cast<double>(results_.steps(run)); }));
  add("iterations", "iterations of the contact solver, all steps together",
      of_runs([&](long run) { return results_.iterations(run); }));
  add("unconverged", "steps that did not converge",
      of_runs([&](long run) { return static_cast<double>(results_.unconverged(run)); }));
  return list;
}

nlohmann::ordered_json StudyPageData::messages() {
  std::vector<double> runs;
  Json texts = Json::array();
  long characters = 0;
  for (const auto& [run, text] : results_.messages()) {
    characters += static_cast<long>(text.size());
    if (static_cast<long>(runs.size()) >= limits_.messages || characters > limits_.texts) break;
    runs.push_back(static_cast<double>(run)), texts.push_back(text);
  }
  return {{"all", results_.messages().size()}, {"runs", arrays_.doubles(runs)}, {"texts", texts}};
}

nlohmann::ordered_json StudyPageData::counts() const {
  Json json = {{"runs", results_.runs()}, {"kept", runs_.size()}};
  for (const OutcomeStatus status : {OutcomeStatus::missing, OutcomeStatus::done, OutcomeStatus::failed,
                                     OutcomeStatus::refused, OutcomeStatus::interrupted})
    json[std::string(name(status))] = results_.count(status);
  return json;
}

nlohmann::ordered_json StudyPageData::search(const Json& found) const {
  Json json = found.is_object() ? found : Json::object();
  if (study_.threshold)
    json["asked"] = {{"kind", "threshold"},
                     {"measure", study_.measures[study_.threshold->measure].name},
                     {"level", study_.threshold->level}};
  if (study_.until)
    json["asked"] = {{"kind", "quantile"},
                     {"measure", study_.measures[study_.until->measure].name},
                     {"quantile", study_.until->quantile},
                     {"confidence", study_.until->confidence},
                     {"within", study_.until->within}};
  if (study_.fit) {
    Json targets = Json::array();
    for (const FitTarget& target : study_.fit->targets) targets.push_back(study_.measures[target.measure].name);
    json["asked"] = {
        {"kind", "fit"}, {"method", study_.fit->method}, {"numbers", study_.fit->numbers()}, {"targets", targets}};
  }
  if (study_.optimum)
    json["asked"] = {{"kind", "optimum"},
                     {"measure", study_.measures[study_.optimum->measure].name},
                     {"largest", study_.optimum->largest}};
  return json;
}

nlohmann::ordered_json StudyPageData::json(const Json& found) {
  Json json = {{"format", 1},
               {"title", study_.title},
               {"name", study_.name},
               {"version", version},
               {"settings", study_settings(study_)},
               {"counts", counts()}};
  if (!all()) json["run"] = arrays_.doubles(of_runs([](long run) { return static_cast<double>(run); }));
  json["parameters"] = Json::array();
  for (std::size_t i = 0; i < study_.plan.axes().size(); ++i)
    json["parameters"].push_back(parameter(static_cast<int>(i)));
  json["measures"] = Json::array();
  for (std::size_t m = 0; m < study_.measures.size(); ++m) json["measures"].push_back(measure(static_cast<int>(m)));
  json["costs"] = costs();
  std::vector<std::uint8_t> status;
  for (const long run : runs_) status.push_back(static_cast<std::uint8_t>(results_.status(run)));
  json["status"] = arrays_.bytes(status);
  json["messages"] = messages();
  json["found"] = search(found);
  json["study_text"] = study_.text;
  return json;
}

}  // namespace tappet
