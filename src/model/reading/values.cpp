// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "model/names.h"
#include "model/reading/nearest.h"

namespace tappet {
namespace {

constexpr const char* constant_hint = " (a constant: it may use parameters, not t or coordinates)";

// YAML and C take these words for numbers, but a model cannot use them.
bool is_not_finite_word(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.erase(0, 1);
  if (!text.empty() && text[0] == '.') text.erase(0, 1);
  return text == "inf" || text == "nan" || text == "infinity";
}

// A parameter is a number or a formula, or `{value: .., from: .., to: ..}` with the range of its slider in the studio.
Item value_item(const Item& item) {
  if (!item.is_map()) return item;
  item.allow({"value", "from", "to"});
  return item.at("value", "a number or a formula");
}

void check_range(const Item& parameter, const Values& values) {
  if (!parameter.is_map()) return;
  const auto from = parameter.find("from"), to = parameter.find("to");
  const double low = from ? values.number(*from) : 0.0, high = to ? values.number(*to) : 0.0;
  if (from && to && !(low < high))
    to->fail(fmt::format("the range goes from {:g} to {:g}; expected an end above its beginning", low, high));
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
  Item item;        // named by its key
  Item value_item;  // the item itself, or its key `value`
  std::string text;
  bool replaced = false;
};

// Finds the values of parameters that name each other, each after those that it names. It has its own stack, because a
// chain of parameters may be longer than the stack of the program is deep.
class Values::Resolver {
 public:
  Resolver(Values& values, const std::vector<Pending>& pending)
      : values_(values), pending_(pending), stage_(pending.size(), Stage::untouched) {
    for (std::size_t i = 0; i < pending.size(); ++i) number_.emplace(pending[i].item.key(), i);
  }

  void resolve(std::size_t index) {
    open(index);
    while (!chain_.empty()) {
      Link& link = chain_.back();
      if (link.next < link.needs.size())
        open(link.needs[link.next++]);
      else
        close();
    }
  }

 private:
  enum class Stage : char { untouched, open, resolved };
  struct Link {
    std::size_t index;
    std::vector<std::size_t> needs;  // the parameters that it names
    std::size_t next = 0;
  };

  void open(std::size_t index) {
    if (stage_[index] == Stage::resolved) return;
    if (stage_[index] == Stage::open) fail(index);
    stage_[index] = Stage::open;
    Link link{index, {}};
    for (const std::string& name : names_in(pending_[index].text))
      if (const auto found = number_.find(name); found != number_.end()) link.needs.push_back(found->second);
    chain_.push_back(std::move(link));
  }

  void close() {
    const std::size_t index = chain_.back().index;
    values_.known_[pending_[index].item.key()] = values_.value_of(pending_[index]);
    values_.note_dependent(pending_[index]);
    stage_[index] = Stage::resolved;
    chain_.pop_back();
  }

  [[noreturn]] void fail(std::size_t index) const {
    const auto is_index = [&](const Link& link) { return link.index == index; };
    std::string names;
    for (auto link = std::find_if(chain_.begin(), chain_.end(), is_index); link != chain_.end(); ++link)
      names += pending_[link->index].item.key() + " → ";
    const Item& item = pending_[index].item;
    item.fail(fmt::format("the parameters name each other in a circle: {}{}; expected a formula of other parameters",
                          names, item.key()));
  }

  Values& values_;
  const std::vector<Pending>& pending_;
  std::unordered_map<std::string, std::size_t> number_;
  std::vector<Stage> stage_;
  std::vector<Link> chain_;
};

Values::Values(const std::optional<Item>& section, const Overrides& set, const Source& source, KeptParameters* kept,
               ParameterUses* uses)
    : kept_(kept), uses_(uses) {
  std::vector<Pending> pending;
  if (section && !section->is_null())
    for (const Item& item : section->map("a map of parameters `{name: number or formula}`")) {
      check_formula_name(item, "a parameter");
      const Item value = value_item(item);
      pending.push_back({item, value, value.text("a number or a formula")});
    }
  apply(set, source, pending);
  // All names are known from the start, so that the message for a mistyped name can suggest its neighbour. No name is
  // read before it is resolved.
  for (const Pending& p : pending) known_[p.item.key()] = {std::numeric_limits<double>::quiet_NaN()};
  Resolver resolver(*this, pending);
  for (std::size_t i = 0; i < pending.size(); ++i) resolver.resolve(i);
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Item& item = pending[i].item;
    check_range(item, *this);
    const StagedNumber value = known_.at(item.key());
    parameters_.push_back({item.key(), value.value, item.key_place()});
    if (uses_) uses_->add(value, [i](Model& model) -> double& { return model.parameters[i].value; });
  }
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

StagedNumber Values::value_of(const Pending& p) const {
  const std::string& name = p.item.key();
  if (!p.replaced) return staged(p.value_item);
  Graph formulas = graph();
  const std::string key = fmt::format("--set {}", name);
  StagedNumber value;
  try {
    value = formulas.number(parse_text(formulas, p.text));
  } catch (const FormulaError& e) {
    throw ModelError(p.item.source().file(), {}, key,
                     fmt::format("in the formula '{}', column {}: {}", p.text, e.column() + 1, e.what()));
  }
  if (const int i = uses_ ? uses_->index_of(name) : -1; i >= 0) value = uses_->stage()->parameter(i);
  if (!decide(ParameterStage::Condition::finite, value))
    throw ModelError(p.item.source().file(), {}, key,
                     fmt::format("'{}' is {}; expected a finite number", p.text, value.value));
  return value;
}

bool Values::decide(ParameterStage::Condition condition, StagedNumber x, StagedNumber y) const {
  return uses_ ? uses_->stage()->decide(condition, x, y) : ParameterStage::is_true(condition, x.value, y.value);
}

Graph Values::graph() const {
  Graph graph;
  if (uses_) graph.record_into(uses_->stage());
  return graph;
}

// A graph that is not recorded cannot follow a parameter that varies.
Node Values::constant(Graph& graph, StagedNumber parameter) const {
  if (parameter.place >= 0 && !graph.stage()) uses_->stage()->hold(parameter);
  return graph.constant(parameter);
}

Scope Values::scope(Graph& graph, const std::string& formula) const {
  Scope scope;
  for (const std::string& name : names_in(formula))
    if (const auto found = known_.find(name); found != known_.end() && !scope.contains(name))
      scope.emplace(name, constant(graph, found->second));
  return scope;
}

void Values::add_all(Graph& graph, Scope& scope) const {
  for (const auto& [name, number] : known_)
    if (!scope.contains(name)) scope.emplace(name, constant(graph, number));
}

// Only if something is wrong, all names are put into the scope, so that the message can suggest one of them.
Node Values::parse_text(Graph& graph, const std::string& text) const {
  Scope names = scope(graph, text);
  try {
    return parse(graph, text, names);
  } catch (const FormulaError&) {
    add_all(graph, names);
    return parse(graph, text, names);
  }
}

Node Values::parse_parameters(Graph& graph, const Item& item, const std::vector<std::pair<std::string, int>>& inputs,
                              const std::string& hint) const {
  const std::string& written = item.node().written;
  Scope names = scope(graph, written.empty() ? item.text("a number or a formula") : written);
  for (const auto& [name, slot] : inputs) names[name] = graph.input(slot);
  try {
    return parse_formula(graph, item, names, hint);
  } catch (const ModelError&) {
    add_all(graph, names);
    return parse_formula(graph, item, names, hint);
  }
}

void Values::note_dependent(const Pending& p) {
  if (!kept_ || std::find(kept_->names.begin(), kept_->names.end(), p.item.key()) != kept_->names.end() ||
      !depends_on_kept(p.text))
    return;
  dependent_.push_back({p.item, p.replaced ? p.text : ""});
  kept_->fixed.erase(p.item.path());
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
  Scope scope;
  add_all(graph, scope);
  if (!kept_) return scope;
  for (size_t i = 0; i < kept_->names.size(); ++i)
    scope[kept_->names[i]] = graph.input(KeptParameters::first_slot + static_cast<int>(i));
  for (const Dependent& parameter : dependent_)
    scope[parameter.item.key()] = parameter.text.empty()
                                      ? parse_formula(graph, value_item(parameter.item), scope, constant_hint)
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
  const StagedNumber number = staged(item);
  if (number.place >= 0) uses_->stage()->hold(number);
  return number.value;
}

StagedNumber Values::staged(const Item& item) const {
  const std::string& text = item.text("a number or a formula");
  double plain;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), plain);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(plain)) return {plain};
  note_value(item);
  Graph formulas = graph();
  const Node node = parse_parameters(formulas, item, {}, constant_hint);
  const StagedNumber number = formulas.number(node);
  if (!decide(ParameterStage::Condition::finite, number))
    item.fail(fmt::format("'{}' is {}; expected a finite number", item.text(), number.value));
  return number;
}

int Values::integer(const Item& item, int least) const {
  const double value = number(item);
  if (value == std::round(value) && value >= least && value <= std::numeric_limits<int>::max())
    return static_cast<int>(value);
  const std::string expected =
      least == std::numeric_limits<int>::min() ? "a whole number" : fmt::format("a whole number of at least {}", least);
  if (fmt::format("{}", value) == item.text()) item.fail_expecting(expected);
  item.fail(fmt::format("'{}' is {}; expected {}", item.text(), value, expected));
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
  std::string names;
  for (const auto& [name, slot] : inputs) names += name + ", ";
  const Node node = parse_parameters(graph, item, inputs, fmt::format(" (a formula of {}and parameters)", names));
  if (!graph.is_constant(node) || graph.is_finite(node)) return node;
  item.fail(fmt::format("'{}' is {}; expected a finite number", item.text(), graph.value(node)));
}

TimeFunction Values::time_function(const Item& item) const {
  Graph formulas;
  const Node node = formula(formulas, item, {{"t", 0}});
  if (kept_ && !formulas.is_constant(node)) kept_->times.push_back({formulas, node});
  return formulas.is_constant(node) ? TimeFunction(formulas.value(node)) : TimeFunction(formulas, node);
}

}  // namespace tappet
