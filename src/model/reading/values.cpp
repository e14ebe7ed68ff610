// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/names.h"
#include "model/reading/nearest.h"

namespace tappet {
namespace {

constexpr const char* constant_hint = " (a constant: it may use parameters, not t or coordinates)";

Scope scope_of(Graph& graph, const std::map<std::string, double>& known) {
  Scope scope;
  for (const auto& [name, value] : known) scope.emplace(name, graph.constant(value));
  return scope;
}

// YAML and C take these words for numbers, but a model cannot use them.
bool is_not_finite_word(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.erase(0, 1);
  if (!text.empty() && text[0] == '.') text.erase(0, 1);
  return text == "inf" || text == "nan" || text == "infinity";
}

}  // namespace

Node parse_formula(Graph& graph, const Item& item, const Scope& scope, const std::string& hint,
                   const std::function<Node(std::string_view)>& resolve) {
  const std::string& text = item.node().written.empty() ? item.text("a number or a formula") : item.node().written;
  const auto is_parameter = [&] { return scope.contains(text); };
  if (is_not_finite_word(text) && !is_parameter()) item.fail_expecting("a finite number");
  try {
    FormulaContext context{.resolve = resolve};
    if (item.node().indices) context.numbers = item.node().indices->values;
    context.table = [&](const std::string& file, int column, Table::Kind kind) {
      return item.source().table(file, column, kind);
    };
    return parse(graph, text, scope, context);
  } catch (const FormulaError& e) {
    std::string what = e.what();
    if (what.find("unknown name") != std::string::npos) what += hint;
    // YAML cuts `[atan2(y, x)]` at the comma.
    const auto count = [&](char c) { return std::count(text.begin(), text.end(), c); };
    if (count('(') > count(')')) what += "; a formula with commas needs quotes inside {} and []";
    item.fail_at(item.source().place_in(item.node(), e.column()), fmt::format("in the formula: {}", what));
  }
}

struct Values::Pending {
  Item item;
  std::string text;
  bool replaced = false, resolved = false;
  double value = 0;
};

Values::Values(const std::optional<Item>& section, const Overrides& set, const Source& source, KeptParameters* kept)
    : kept_(kept) {
  std::vector<Pending> pending;
  if (section && !section->is_null())
    for (const Item& item : section->map("a map of parameters `{name: number or formula}`")) {
      check_formula_name(item, "a parameter");
      pending.push_back({item, item.text("a number or a formula")});
    }
  apply(set, source, pending);
  // All names are in the scope from the start, so that the message for a mistyped name can suggest its neighbour. No
  // name is read before it is resolved.
  for (const Pending& p : pending) known_[p.item.key()] = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::size_t> chain;
  for (std::size_t i = 0; i < pending.size(); ++i) resolve(pending, i, chain);
  for (const Pending& p : pending) parameters_.push_back({p.item.key(), p.value, p.item.key_place()});
}

void Values::apply(const Overrides& set, const Source& source, std::vector<Pending>& pending) const {
  for (const auto& [name, text] : set) {
    const auto named = [&name = name](const Pending& p) { return p.item.key() == name; };
    const auto found = std::find_if(pending.begin(), pending.end(), named);
    if (found == pending.end()) {
      std::vector<std::string> names;
      for (const Pending& p : pending) names.push_back(p.item.key());
      throw ModelError(source.file(), {}, fmt::format("--set {}", name),
                       names.empty() ? "the model has no parameters"
                                     : fmt::format("unknown parameter{}; expected one of: {}", suggestion(name, names),
                                                   listed(names)));
    }
    found->text = text;
    found->replaced = true;
  }
}

void Values::resolve(std::vector<Pending>& pending, std::size_t index, std::vector<std::size_t>& chain) {
  Pending& p = pending[index];
  if (p.resolved) return;
  if (const auto loop = std::find(chain.begin(), chain.end(), index); loop != chain.end()) {
    std::string names;
    for (auto i = loop; i != chain.end(); ++i) names += pending[*i].item.key() + " → ";
    p.item.fail(fmt::format("the parameters name each other in a circle: {}{}; expected a formula of other parameters",
                            names, p.item.key()));
  }
  chain.push_back(index);
  for (const std::string& name : names_in(p.text))
    for (std::size_t i = 0; i < pending.size(); ++i)
      if (pending[i].item.key() == name) resolve(pending, i, chain);
  chain.pop_back();
  if (p.replaced) {
    Graph graph;
    const std::string key = fmt::format("--set {}", p.item.key());
    try {
      const Node node = parse(graph, p.text, scope_of(graph, known_));
      p.value = graph.evaluate(node, {});
    } catch (const FormulaError& e) {
      throw ModelError(p.item.source().file(), {}, key,
                       fmt::format("in the formula '{}', column {}: {}", p.text, e.column() + 1, e.what()));
    }
    if (!std::isfinite(p.value))
      throw ModelError(p.item.source().file(), {}, key,
                       fmt::format("'{}' is {}; expected a finite number", p.text, p.value));
  } else {
    p.value = number(p.item);
  }
  p.resolved = true;
  known_[p.item.key()] = p.value;
  if (kept_ && std::find(kept_->names.begin(), kept_->names.end(), p.item.key()) == kept_->names.end() &&
      depends_on_kept(p.text)) {
    dependent_.push_back({p.item, p.replaced ? p.text : ""});
    kept_->fixed.erase(p.item.path());
  }
}

bool Values::depends_on_kept(const std::string& text) const {
  const auto depends = [&](const std::string& name) {
    return std::find(kept_->names.begin(), kept_->names.end(), name) != kept_->names.end() ||
           std::any_of(dependent_.begin(), dependent_.end(),
                       [&](const Dependent& parameter) { return parameter.item.key() == name; });
  };
  const std::vector<std::string> names = names_in(text);
  return std::any_of(names.begin(), names.end(), depends);
}

Scope Values::scope(Graph& graph) const {
  Scope scope = scope_of(graph, known_);
  if (!kept_) return scope;
  for (size_t i = 0; i < kept_->names.size(); ++i)
    scope[kept_->names[i]] = graph.input(KeptParameters::first_slot + static_cast<int>(i));
  for (const Dependent& parameter : dependent_)
    scope[parameter.item.key()] = parameter.text.empty() ? parse_formula(graph, parameter.item, scope, constant_hint)
                                                         : parse(graph, parameter.text, scope);
  return scope;
}

void Values::note_value(const Item& item) const {
  if (kept_ && depends_on_kept(item.text())) kept_->fixed[item.path()] = {item.path(), item.place()};
}

void Values::keep_formula(Graph& graph, const Item& item) const {
  if (!kept_ || !item.is_scalar() || !depends_on_kept(item.text())) return;
  kept_->fixed.erase(item.path());
  kept_->numbers[item.path()] = parse_formula(graph, item, scope(graph), constant_hint);
}

std::vector<std::pair<Node, Node>> Values::values_of_kept(Graph& graph) const {
  std::vector<std::pair<Node, Node>> list;
  for (size_t i = 0; kept_ && i < kept_->names.size(); ++i)
    list.emplace_back(graph.input(KeptParameters::first_slot + static_cast<int>(i)),
                      graph.constant(known_.at(kept_->names[i])));
  return list;
}

double Values::number(const Item& item) const {
  const std::string& text = item.text("a number or a formula");
  double plain;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), plain);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(plain)) return plain;
  Graph graph;
  note_value(item);
  const Node node = parse_formula(graph, item, scope_of(graph, known_), constant_hint);
  const double value = graph.evaluate(node, {});
  if (!std::isfinite(value)) item.fail(fmt::format("'{}' is {}; expected a finite number", item.text(), value));
  return value;
}

int Values::integer(const Item& item, int least) const {
  const double value = number(item);
  if (value != std::round(value) || value < least || value > std::numeric_limits<int>::max())
    item.fail_expecting(least == std::numeric_limits<int>::min() ? "a whole number"
                                                                 : fmt::format("a whole number of at least {}", least));
  return static_cast<int>(value);
}

std::vector<double> Values::numbers(const Item& item, std::size_t least, std::size_t most,
                                    const std::string& expected) const {
  const std::vector<Item> items = item.list(expected);
  if (items.size() < least || items.size() > most) item.fail_expecting(expected);
  std::vector<double> numbers;
  for (const Item& i : items) numbers.push_back(number(i));
  return numbers;
}

Node Values::formula(Graph& graph, const Item& item, const std::vector<std::pair<std::string, int>>& inputs) const {
  note_value(item);
  Scope scope = scope_of(graph, known_);
  std::string names;
  for (const auto& [name, slot] : inputs) {
    scope[name] = graph.input(slot);
    names += name + ", ";
  }
  const Node node = parse_formula(graph, item, scope, fmt::format(" (a formula of {}and parameters)", names));
  if (!graph.is_constant(node)) return node;
  const double value = graph.evaluate(node, {});
  if (!std::isfinite(value)) item.fail(fmt::format("'{}' is {}; expected a finite number", item.text(), value));
  return node;
}

TimeFunction Values::time_function(const Item& item) const {
  Graph graph;
  const Node node = formula(graph, item, {{"t", 0}});
  return graph.is_constant(node) ? TimeFunction(graph.evaluate(node, {})) : TimeFunction(graph, node);
}

}  // namespace tappet
