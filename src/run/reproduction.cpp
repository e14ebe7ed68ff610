// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "model/nearest.h"
#include "model/values.h"
#include "run/models.h"
#include "run/options.h"

namespace tappet {

namespace {

class Loader {
 public:
  Loader(const Item& root, Reproduction& result)
      : root_(root), values_(root.find("parameters"), {}, root.source()), result_(result) {}

  void load() {
    root_.allow({"title", "source", "note", "example", "quick", "missing", "parameters", "runs", "measures", "checks",
                 "figures"});
    result_.title = root_.at("title", "a text").text("a text");
    result_.source = root_.at("source", "a text: paper, table or figure").text("a text");
    result_.example = text(root_, "example");
    result_.note = text(root_, "note");
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
  }

 private:
  static std::string text(const Item& item, const std::string& key) {
    const auto found = item.find(key);
    return found ? found->text("a text") : "";
  }
  static bool flag(const Item& item) {
    if (item.text() != "true" && item.text() != "false") item.fail_expecting("true or false");
    return item.text() == "true";
  }
  static std::vector<Item> one_or_more(const Item& item) { return item.is_list() ? item.list() : std::vector{item}; }
  std::vector<double> numbers(const Item& item) const {
    std::vector<double> result;
    for (const Item& one : one_or_more(item)) result.push_back(values_.number(one));
    return result;
  }
  static std::vector<PlacedText> texts(const Item& item) {
    std::vector<PlacedText> result;
    for (const Item& one : one_or_more(item)) result.push_back({one.text("a formula"), one.place()});
    return result;
  }
  // Formulas of constants become their values, so that `2^-5` reads as a number wherever one is meant.
  std::string plain(const Item& item) const {
    const std::string& word = item.text("a number, a formula of numbers or a word");
    Graph graph;
    try {
      return fmt::format("{}", graph.evaluate(parse(graph, word, {}), {}));
    } catch (const FormulaError&) {
      return word;
    }
  }

  // A formula of measures: they must be known before anything is run.
  void check_formula(const Item& formula) const {
    Graph graph;
    Scope scope;
    for (const Measure& m : result_.measures)
      if (!m.name.starts_with('#')) scope[m.name] = graph.input(0);
    parse_formula(graph, formula, scope, " (a formula of measures)");
  }

  // What a list in a run is spread over.
  template <class Set>
  void spread(RunFamily& family, const Item& item, const std::string& name, Set set) const {
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
      if (item.is_list())
        member.label += fmt::format("{}{} = {}", member.label.empty() ? "" : ", ", name, plain(value));
    }
  }

  RunFamily family(const Item& item) const {
    item.allow({"model", "scheme", "dt", "end", "set", "options", "record"});
    RunFamily family;
    family.name = item.key(), family.place = item.place();
    family.members.resize(1);
    const Item model = item.at("model", "the name of a model");
    family.model = model.text("the name of a model");
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

  int run_named(const Item& item) const {
    std::vector<std::string> names;
    for (size_t k = 0; k < result_.runs.size(); ++k) {
      names.push_back(result_.runs[k].name);
      if (names.back() == item.text("the name of a run")) return static_cast<int>(k);
    }
    item.fail(
        fmt::format("no run '{}'{}; expected one of {}", item.text(), suggestion(item.text(), names), listed(names)));
  }

  std::string measure(const Item& item, const std::string& name, const std::vector<std::string>& other_keys) {
    static const std::vector<std::string> kinds = [] {
      std::vector<std::string> all = reductions();
      for (const char* kind : {"at", "distance", "order", "event", "events", "cost"}) all.emplace_back(kind);
      return all;
    }();
    std::vector<std::string> keys{"run", "runs", "of", "where", "from", "to", "norm", "contact", "number"};
    keys.insert(keys.end(), kinds.begin(), kinds.end());
    keys.insert(keys.end(), other_keys.begin(), other_keys.end());
    item.allow(keys);
    Measure m;
    m.name = name, m.place = item.place();
    for (const std::string& kind : kinds)
      if (const auto found = item.find(kind)) {
        if (!m.kind.empty()) found->fail_at_key(fmt::format("a measure has one kind, and this has {} too", m.kind));
        m.kind = kind;
        if (kind == "at")
          m.at = values_.number(*found);
        else
          m.of = texts(*found);
      }
    if (m.kind.empty()) item.fail(fmt::format("no measure; expected one of {}", fmt::join(kinds, ", ")));
    if (const auto x = item.find("run")) m.runs.push_back(run_named(*x));
    if (const auto x = item.find("runs"))
      for (const Item& run : x->list("a list of runs")) m.runs.push_back(run_named(run));
    const size_t expected = m.kind == "distance" ? 2 : m.kind == "order" ? 0 : 1;
    if (m.runs.size() != expected)
      item.fail(fmt::format("{} runs; a measure of kind {} expects {}", m.runs.size(), m.kind, expected));
    if (const auto x = item.find("of")) m.of = texts(*x);
    if (m.kind == "at" && m.of.size() != 1) item.fail("expected `of:`, a formula");
    if (const auto x = item.find("where")) m.where = {x->text("a formula"), x->place()};
    if (const auto x = item.find("from")) m.from = values_.number(*x);
    if (const auto x = item.find("to")) m.to = values_.number(*x);
    if (const auto x = item.find("norm")) {
      m.norm = x->text();
      if (std::find(norms().begin(), norms().end(), m.norm) == norms().end())
        x->fail_expecting(fmt::format("one of {}", fmt::join(norms(), ", ")));
    }
    if (m.kind == "order") check_formula(item.at("order", "a measure"));
    m.contact = text(item, "contact");
    if (const auto x = item.find("number")) m.number = values_.integer(*x, 1);
    result_.measures.push_back(std::move(m));
    return name;
  }

  void read_within(const Item& item, Check& check) const {
    for (const Item& one : one_or_more(item)) {
      std::string number = one.text("a number or a share such as 5 %");
      if (number.ends_with('%')) {
        check.relative = true;
        number.pop_back();
      }
      try {
        Graph graph;
        check.within.push_back(graph.evaluate(parse(graph, number, {}), {}) * (check.relative ? 0.01 : 1.0));
      } catch (const FormulaError&) {
        one.fail_expecting("a number or a share such as 5 %");
      }
    }
  }

  Check check(const Item& item) {
    const std::vector<std::string> keys{"what", "value", "published", "within", "below", "above", "differs", "note"};
    Check c;
    c.place = item.place();
    c.what = item.at("what", "what is measured, in words").text("a text");
    if (const auto value = item.find("value")) {
      item.allow(keys);
      c.value = {value->text("a formula of measures"), value->place()};
    } else {
      c.value = {measure(item, fmt::format("#{}", result_.measures.size() + 1), keys), item.place()};
    }
    const Item published = item.at("published", "the published number or numbers, or what was published in words");
    const auto within = item.find("within"), below = item.find("below"), above = item.find("above");
    if (within) {
      c.published = numbers(published);
      read_within(*within, c);
      if (c.within.size() != 1 && c.within.size() != c.published.size())
        within->fail(fmt::format("{} bars for {} numbers", c.within.size(), c.published.size()));
    } else {
      for (const Item& one : one_or_more(published)) c.published_words.push_back(one.text("a text"));
    }
    if (below) c.below = texts(*below);
    if (above) c.above = texts(*above);
    if (!within && !below && !above) item.fail("no bar; expected `within:`, `below:` or `above:`");
    c.differs = text(item, "differs");
    c.note = text(item, "note");
    return c;
  }

  Figure figure(const Item& item) const {
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
    f.x_label = item.find("x_label") ? text(item, "x_label")
                : f.over_dt          ? "dt, s"
                : f.x.text == "t"    ? "t, s"
                                     : f.x.text;
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

  const Item& root_;
  Values values_;
  Reproduction& result_;
};

}  // namespace

Reproduction parse_reproduction(const std::string& text, const std::string& file) {
  const Source source(file, text);
  const Yaml yaml = parse_yaml(source);
  const Item root(source, yaml);
  if (!root.is_map()) root.fail_expecting("a reproduction: a map with `title:`, `source:`, `runs:`, `checks:`");
  Reproduction result;
  result.file = file;
  result.name = std::filesystem::path(file).stem().string();
  Loader(root, result).load();
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
