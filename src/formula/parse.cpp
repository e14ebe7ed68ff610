// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "formula/parser.h"

namespace tappet {
namespace formula_text {
namespace {

// All functions. Those after `floor` have a special syntax.
constexpr std::string_view names[] = {"sin",  "cos",  "tan",   "asin", "acos", "atan", "atan2", "sqrt",
                                      "exp",  "log",  "abs",   "min",  "max",  "sign", "step",  "sinh",
                                      "cosh", "tanh", "floor", "mod",  "if",   "sum",  "table", "spline"};

bool is_function(std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

constexpr std::pair<std::string_view, double> constants[] = {{"pi", std::numbers::pi},
                                                             {"deg", std::numbers::pi / 180.0}};

// The number of edits from a to b. Swapping two neighbours is one edit.
int edit_distance(std::string_view a, std::string_view b) {
  const int n = static_cast<int>(b.size());
  std::vector<int> before(n + 1), last(n + 1), row(n + 1);
  for (int j = 0; j <= n; ++j) last[j] = j;
  for (int i = 1; i <= static_cast<int>(a.size()); ++i) {
    row[0] = i;
    for (int j = 1; j <= n; ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[n];
}

}  // namespace

Node Parser::formula() {
  skip_space();
  if (at_end()) fail("an empty formula; expected a number or an expression");
  const Node result = sum();
  if (!at_end()) {
    if (peek() == ')') fail("found ')' without a matching '('");
    if (is_comparison()) fail(fmt::format("found {}; comparisons are only allowed in if(condition, a, b)", found()));
    fail(fmt::format("found {}; expected an operator (+ - * / ^) or the end", found()));
  }
  return result;
}

// The whole word at this place: a name, a number, or one character (all bytes of a UTF-8 character).
std::string Parser::found() const {
  if (at_end()) return "the end";
  std::size_t end = at_ + 1;
  if (is_letter(peek()) || is_digit(peek()))
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
  else
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
  return fmt::format("'{}'", text_.substr(at_, end - at_));
}

Node Parser::sum() {
  Node result = product();
  for (;;) {
    if (accept('+'))
      result = graph_.add(result, product());
    else if (accept('-'))
      result = graph_.subtract(result, product());
    else
      return result;
  }
}

Node Parser::product() {
  Node result = signed_power();
  for (;;) {
    if (peek() == '*' && peek(1) == '*') fail("found '**'; powers are written with '^'");
    if (accept('*'))
      result = graph_.multiply(result, signed_power());
    else if (accept('/'))
      result = graph_.divide(result, signed_power());
    else
      return result;
  }
}

Node Parser::signed_power() {
  if (++depth_ > deepest) fail(fmt::format("nested more than {} deep", deepest));
  Node result;
  if (accept('-'))
    result = graph_.negate(signed_power());
  else if (accept('+'))
    result = signed_power();
  else {
    result = operand();
    if (accept('^')) result = graph_.power(result, signed_power());
  }
  --depth_;
  return result;
}

Node Parser::operand() {
  if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
  if (is_letter(peek())) return named();
  const std::size_t open = at_;
  if (accept('(')) {
    const Node result = sum();
    close(open, "')'");
    return result;
  }
  fail(fmt::format("found {}; expected a number, a name or '('", found()));
}

void Parser::close(std::size_t open, std::string_view expected) {
  if (accept(')')) return;
  if (at_end()) fail(fmt::format("found the end; expected {} to match '(' at column {}", expected, open));
  fail(fmt::format("found {}; expected an operator or {}", found(), expected));
}

Node Parser::number() {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (error != std::errc()) fail(fmt::format("the number at {} is out of range", found()));
  at_ = end - text_.data();
  skip_space();
  return graph_.constant(value);
}

// Reads letters, digits, dots inside, whole numbers that are computed, and primes at the end.
std::string Parser::name() {
  std::string name;
  for (;;) {
    const bool dot = peek() == '.';
    if (is_letter(peek()) || is_digit(peek()) || (dot && (is_letter(peek(1)) || is_digit(peek(1)))))
      name += text_[at_++];
    else if (dot && (peek(1) == '(' || peek(1) == '{'))
      name += "." + computed();
    else
      break;
  }
  while (peek() == '\'') name += text_[at_++];
  skip_space();
  return name;
}

// Reads `.(i+1)` or `.{i+1}` in a name.
std::string Parser::computed() {
  const std::size_t start = at_ + 2;
  const char close = peek(1) == '(' ? ')' : '}';
  at_ = start;
  skip_space();
  const int number = whole(sum(), start);
  if (peek() != close) fail(fmt::format("found {}; expected '{}'", found(), close));
  ++at_;
  return fmt::format("{}", number);
}

int Parser::whole(Node node, std::size_t start) const {
  const double value = graph_.is_constant(node) ? graph_.value(node) : 0.5;
  if (!graph_.is_constant(node))
    fail_at(start, "depends on a coordinate or t; expected a whole number of parameters and indices");
  if (value != std::round(value) || std::abs(value) > 1e9)
    fail_at(start, fmt::format("is {}; expected a whole number", value));
  return static_cast<int>(value);
}

// Returns −1 if the name is unknown.
Node Parser::known(std::string_view name) const {
  for (const auto& [index, value] : indices_)
    if (index == name) return graph_.constant(value);
  for (const auto& [index, value] : context_.numbers)
    if (index == name) return graph_.constant(value);
  if (const auto place = scope_.find(name); place != scope_.end()) return place->second;
  return context_.resolve ? context_.resolve(name) : -1;
}

Node Parser::named() {
  const std::size_t start = at_;
  const std::string name = this->name();
  if (peek() == '(' && is_function(name)) return call(name, start);
  if (const Node node = known(name); node >= 0) {
    if (peek() == '(') fail(fmt::format("found '('; '{}' is not a function, expected an operator", name));
    return node;
  }
  for (const auto& [known, value] : constants)
    if (known == name && peek() != '(') return graph_.constant(value);
  if (is_function(name)) fail_at(start, fmt::format("'{0}' is a function; expected '{0}('", name));
  unknown(name, start, peek() == '(');
}

void Parser::unknown(std::string_view name, std::size_t start, bool called) const {
  std::string_view nearest;
  int best = 1 + std::max<int>(1, static_cast<int>(name.size()) / 3);
  const auto consider = [&](std::string_view candidate) {
    const int distance = edit_distance(name, candidate);
    if (distance < best && distance < static_cast<int>(candidate.size())) best = distance, nearest = candidate;
  };
  if (!called) {
    for (const auto& [known, node] : scope_) consider(known);
    for (const auto& [known, value] : context_.numbers) consider(known);
    for (const auto& [known, value] : indices_) consider(known);
    for (const auto& [known, value] : constants) consider(known);
  }
  for (const std::string_view f : names) consider(f);
  std::string what = fmt::format("unknown {} '{}'", called ? "function" : "name", name);
  if (!nearest.empty()) what += fmt::format("; did you mean '{}'?", nearest);
  fail_at(start, what);
}

}  // namespace formula_text

std::span<const std::string_view> function_names() { return formula_text::names; }

Node parse(Graph& graph, std::string_view text, const Scope& scope, const FormulaContext& context) {
  return formula_text::Parser(graph, text, scope, context).formula();
}

}  // namespace tappet
