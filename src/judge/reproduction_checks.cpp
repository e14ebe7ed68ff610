// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "judge/reproduction_loader.h"

namespace tappet {

namespace {

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names = reductions();
    for (const char* kind : {"at", "distance", "order", "event", "events", "cost"}) names.emplace_back(kind);
    return names;
  }();
  return all;
}

}  // namespace

// The name under which it is known.
std::string ReproductionLoader::measure(const Item& item, const std::string& name,
                                        const std::vector<std::string>& other_keys) {
  std::vector<std::string> keys{"run", "runs", "of", "where", "from", "to", "norm", "contact", "number"};
  keys.insert(keys.end(), kinds().begin(), kinds().end());
  keys.insert(keys.end(), other_keys.begin(), other_keys.end());
  item.allow(keys);
  Measure m;
  m.name = name, m.place = item.place();
  for (const std::string& kind : kinds())
    if (const auto found = item.find(kind)) {
      if (!m.kind.empty()) found->fail_at_key(fmt::format("a measure has one kind, and this has {} too", m.kind));
      m.kind = kind;
      if (kind == "at")
        m.at = values_.number(*found);
      else
        m.of = texts(*found);
    }
  if (m.kind.empty()) item.fail(fmt::format("no measure; expected one of {}", fmt::join(kinds(), ", ")));
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

void ReproductionLoader::read_within(const Item& item, Check& check) const {
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

Check ReproductionLoader::check(const Item& item) {
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

}  // namespace tappet
