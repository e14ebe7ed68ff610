// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "formula/parser.h"

// Calls of functions, and the conditions of `if`.
namespace tappet::formula_text {
namespace {

struct Function {
  std::string_view name;
  Operation op;
};

constexpr Function functions[] = {
    {"sin", Operation::sin},   {"cos", Operation::cos},   {"tan", Operation::tan},     {"asin", Operation::asin},
    {"acos", Operation::acos}, {"atan", Operation::atan}, {"atan2", Operation::atan2}, {"sqrt", Operation::sqrt},
    {"exp", Operation::exp},   {"log", Operation::log},   {"abs", Operation::abs},     {"min", Operation::min},
    {"max", Operation::max},   {"sign", Operation::sign}, {"step", Operation::step},   {"sinh", Operation::sinh},
    {"cosh", Operation::cosh}, {"tanh", Operation::tanh}, {"floor", Operation::floor}};

const Function* function_named(std::string_view name) {
  for (const Function& f : functions)
    if (f.name == name) return &f;
  return nullptr;
}

}  // namespace

Node Parser::call(std::string_view name, std::size_t start) {
  const std::size_t open = at_;
  accept('(');
  if (name == "if") return branch(start, open);
  if (name == "sum") return repeated_sum(start, open);
  if (name == "table") return table(Table::Kind::linear, start, open);
  if (name == "spline") return table(Table::Kind::spline, start, open);
  std::vector<Node> arguments;
  if (peek() != ')') {
    do arguments.push_back(sum());
    while (accept(','));
  }
  close(open, "',' or ')'");
  const int given = static_cast<int>(arguments.size());
  if (name == "mod") return check_count(name, given, 2, start), graph_.mod(arguments[0], arguments[1]);
  const Operation op = function_named(name)->op;
  if (op == Operation::min || op == Operation::max) return nested(op, arguments, name, start);
  check_count(name, given, operands(op), start);
  return graph_.apply(op, arguments);
}

void Parser::check_count(std::string_view name, int given, int expected, std::size_t start) {
  if (given != expected)
    fail_at(start, fmt::format("'{}' has {} argument{}; expected {}", name, given, given == 1 ? "" : "s", expected));
}

// max(a, b, c) is max(max(a, b), c).
Node Parser::nested(Operation op, const std::vector<Node>& x, std::string_view name, std::size_t start) {
  if (x.size() < 2)
    fail_at(start,
            fmt::format("'{}' has {} argument{}; expected at least 2", name, x.size(), x.size() == 1 ? "" : "s"));
  Node result = x[0];
  for (std::size_t i = 1; i < x.size(); ++i)
    result = op == Operation::min ? graph_.min(result, x[i]) : graph_.max(result, x[i]);
  return result;
}

void Parser::expect_comma(std::string_view what) {
  if (!accept(',')) fail(fmt::format("found {}; expected ',' and {}", found(), what));
}

// if(condition, a, b)
Node Parser::branch(std::size_t start, std::size_t open) {
  if (peek() == ')') fail_at(start, "'if' has no arguments; expected if(condition, a, b)");
  const Node which = condition();
  expect_comma("the value if the condition holds: if(condition, a, b)");
  const Node yes = sum();
  expect_comma("the value if the condition does not hold: if(condition, a, b)");
  const Node no = sum();
  close(open, "')'");
  return graph_.select(which, yes, no);
}

// Conditions are 1 or 0.
Node Parser::condition() {
  Node result = conjunction();
  while (accept_word("or")) result = opposite(graph_.multiply(opposite(result), opposite(conjunction())));
  return result;
}

Node Parser::conjunction() {
  Node result = negation();
  while (accept_word("and")) result = graph_.multiply(result, negation());
  return result;
}

Node Parser::negation() {
  if (++depth_ > deepest) fail(fmt::format("nested more than {} deep", deepest));
  Node result;
  if (accept_word("not")) {
    result = opposite(negation());
  } else if (opens_condition()) {
    const std::size_t open = at_;
    accept('(');
    result = condition();
    close(open, "')'");
  } else {
    result = comparison();
  }
  --depth_;
  return result;
}

bool Parser::is_comparison() const {
  return peek() == '<' || peek() == '>' || (peek() == '=' && peek(1) == '=') || (peek() == '!' && peek(1) == '=');
}

Node Parser::comparison() {
  const Node a = sum();
  if (!is_comparison()) fail(fmt::format("found {}; expected a comparison: < <= > >= == !=", found()));
  const char op = peek();
  ++at_;
  const bool equal = peek() == '=';
  if (equal) ++at_;
  skip_space();
  const Node b = sum();
  if (op == '<') return equal ? opposite(graph_.less(b, a)) : graph_.less(a, b);
  if (op == '>') return equal ? opposite(graph_.less(a, b)) : graph_.less(b, a);
  const Node same = graph_.multiply(opposite(graph_.less(a, b)), opposite(graph_.less(b, a)));
  return op == '=' ? same : opposite(same);
}

// Whether the parenthesis that begins here contains a condition, as in (a < b), and not a number, as in (a + b) < c.
bool Parser::opens_condition() const {
  if (peek() != '(') return false;
  int depth = 0;
  for (std::size_t i = at_; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return false;
    if (depth == 1 && (c == '<' || c == '>' || c == '=' || c == '!')) return true;
    if (depth == 2 && c == '(' && Parser(graph_, text_.substr(i), scope_, context_).opens_condition()) return true;
  }
  return false;
}

bool Parser::accept_word(std::string_view word) {
  if (text_.substr(at_, word.size()) != word) return false;
  const char next = peek(word.size());
  if (is_letter(next) || is_digit(next) || next == '.' || next == '\'') return false;
  at_ += word.size();
  skip_space();
  return true;
}

}  // namespace tappet::formula_text
