// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "judge/reproduction_loader.h"
#include "model/reading/nearest.h"

namespace tappet {

// Formulas of numbers are replaced by their values, so `2^-5` can be given wherever a number is meant. Words are kept
// as they are.
std::string ReproductionLoader::plain(const Item& item) const {
  const std::string& word = item.text("a number, a formula of numbers or a word");
  Graph graph;
  Scope scope;
  for (const auto& [name, value] : values_.known()) scope[name] = graph.constant(value);
  try {
    return fmt::format("{}", graph.evaluate(parse(graph, word, scope), {}));
  } catch (const FormulaError&) {
    return word;
  }
}

// Spreads a list in a run over the members of its family.
template <class Set>
void ReproductionLoader::spread(RunFamily& family, const Item& item, const std::string& name, Set set) const {
  const std::vector<Item> list = one_or_more(item);
  if (list.empty()) item.fail_expecting("a value, or a list of values");
  const size_t count = list.size();
  if (item.is_list()) {
    if (family.lists && count != family.members.size())
      item.fail(fmt::format("found a list of {}; expected {}, as in the other list of this run", count,
                            family.members.size()));
    family.members.resize(count, family.members.front());
    family.lists = true;
  }
  for (size_t k = 0; k < family.members.size(); ++k) {
    RunFamily::Member& member = family.members[k];
    const Item& value = list[item.is_list() ? k : 0];
    set(member, value);
    if (item.is_list()) member.label += fmt::format("{}{} = {}", member.label.empty() ? "" : ", ", name, plain(value));
  }
}

RunFamily ReproductionLoader::family(const Item& item) const {
  item.allow({"model", "scheme", "dt", "end", "set", "options", "record"});
  RunFamily family;
  family.name = item.key(), family.place = item.place();
  family.members.resize(1);
  const Item model = item.at("model", "the name of a model");
  family.model = model.text("the name of a model");
  const std::filesystem::path beside = std::filesystem::path(result_.file).parent_path() / family.model;
  // A name without an extension is that of an example, even if there is a file with this name.
  if (std::error_code ignored; beside.has_extension() && std::filesystem::is_regular_file(beside, ignored))
    family.model_file = beside.lexically_normal().string();
  using Member = RunFamily::Member;
  if (const auto x = item.find("scheme"))
    spread(family, *x, "scheme", [](Member& m, const Item& v) { m.scheme = v.text("the name of a scheme"); });
  if (const auto x = item.find("dt"))
    spread(family, *x, "dt", [&](Member& m, const Item& v) { m.dt = values_.number(v); });
  if (const auto x = item.find("end"))
    spread(family, *x, "end", [&](Member& m, const Item& v) { m.end = values_.number(v); });
  if (const auto set = item.find("set"))
    for (const Item& x : set->map())
      spread(family, x, x.key(), [&](Member& m, const Item& v) { m.set.emplace_back(x.key(), plain(v)); });
  if (const auto options = item.find("options"))
    for (const Item& x : options->map())
      spread(family, x, x.key(), [&](Member& m, const Item& v) { m.options.push_back({x.key(), plain(v), {}}); });
  if (const auto x = item.find("record")) family.record_every = values_.integer(*x, 1);
  return family;
}

int ReproductionLoader::run_named(const Item& item) const {
  std::vector<std::string> names;
  for (size_t k = 0; k < result_.runs.size(); ++k) {
    names.push_back(result_.runs[k].name);
    if (names.back() == item.text("the name of a run")) return static_cast<int>(k);
  }
  item.fail(
      fmt::format("no run '{}'{}; expected one of {}", item.text(), suggestion(item.text(), names), listed(names)));
}

// Refuses a run that nothing is measured in. It is a mistake, or a waste of time.
void ReproductionLoader::refuse_idle_runs() const {
  std::set<int> used;
  for (const Measure& m : result_.measures) used.insert(m.runs.begin(), m.runs.end());
  for (const Figure& f : result_.figures) used.insert(f.runs.begin(), f.runs.end());
  size_t index = 0;
  for (const Item& item : root_.at("runs", "a map of runs").map())
    if (!used.contains(static_cast<int>(index++))) item.fail_at_key("no measure, check or figure uses this run");
}

}  // namespace tappet
