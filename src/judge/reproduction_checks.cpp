// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "judge/quotation.h"
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

bool is_number(const Item& item) {
  double number = 0;
  const std::string& text = item.text("a number, or the words of the paper");
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

// Reads a measure and returns the name under which it is known.
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

// Reads what the paper prints. A number comes with the passage that prints it, and the passage must contain the number.
void ReproductionLoader::read_published(const Item& item, Check& check) const {
  const auto published = item.find("published");
  const auto quote = item.find("quote");
  if (!published) {
    if (quote) quote->fail_at_key("a quote belongs to a `published:` number");
    return;
  }
  const std::vector<Item> entries = one_or_more(*published);
  if (!std::all_of(entries.begin(), entries.end(), is_number)) {
    if (item.find("within") && !item.find("reference"))
      published->fail_expecting("a number, since the check has `within:`");
    for (const Item& one : entries) check.published_words.push_back(one.text("the words of the paper"));
    if (quote) quote->fail_at_key("`published:` holds words, which are the quote already");
    return;
  }
  if (item.find("reference"))
    published->fail_at_key("a published number and a reference need a check each: which of them is the bar for?");
  check.published = numbers(*published);
  check.quote = item.at("quote", "the passage of the paper that prints the number").text("a text");
  for (const double number : check.published)
    if (!prints(check.quote, number))
      item.at("quote", "a passage").fail(fmt::format("the quote does not print {}", number));
}

// Reads our own comparison: a number with its origin, or a statement.
void ReproductionLoader::read_reference(const Item& item, bool as_numbers, Check& check) const {
  const auto reference = item.find("reference");
  const auto origin = item.find("origin");
  if (!reference) {
    if (origin) origin->fail_at_key("an origin belongs to a `reference:`");
    return;
  }
  if (as_numbers) {
    check.reference = numbers(*reference);
    item.at("origin", "where the reference comes from, in words");
  } else {
    for (const Item& one : one_or_more(*reference)) check.reference_words.push_back(one.text("a text"));
  }
  check.origin = text(item, "origin");
}

Check ReproductionLoader::check(const Item& item) {
  const std::vector<std::string> keys{"what",   "value", "published", "quote",   "reference", "origin",
                                      "within", "below", "above",     "differs", "note"};
  Check c;
  c.place = item.place();
  c.what = item.at("what", "what is measured, in words").text("a text");
  if (const auto value = item.find("value")) {
    item.allow(keys);
    c.value = {value->text("a formula of measures"), value->place()};
  } else {
    c.value = {measure(item, fmt::format("#{}", result_.measures.size() + 1), keys), item.place()};
  }
  const auto within = item.find("within"), below = item.find("below"), above = item.find("above");
  if (!item.find("published") && !item.find("reference"))
    item.fail("expected `published:` (what the paper prints) or `reference:` (our own comparison)");
  read_published(item, c);
  read_reference(item, within.has_value(), c);
  if (within) {
    read_within(*within, c);
    const size_t count = std::max(c.published.size(), c.reference.size());
    if (c.within.size() != 1 && c.within.size() != count)
      within->fail(fmt::format("{} bars for {} numbers", c.within.size(), count));
  }
  if (below) c.below = texts(*below);
  if (above) c.above = texts(*above);
  if (!within && !below && !above) item.fail("no bar; expected `within:`, `below:` or `above:`");
  c.differs = text(item, "differs");
  c.note = text(item, "note");
  return c;
}

}  // namespace tappet
