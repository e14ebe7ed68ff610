// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>
#include <vector>

namespace tappet {
namespace {

struct Function {
  std::string_view name;
  Operation op;
};

constexpr Function functions[] = {{"sin", Operation::sin},     {"cos", Operation::cos},   {"tan", Operation::tan},
                                  {"asin", Operation::asin},   {"acos", Operation::acos}, {"atan", Operation::atan},
                                  {"atan2", Operation::atan2}, {"sqrt", Operation::sqrt}, {"exp", Operation::exp},
                                  {"log", Operation::log},     {"abs", Operation::abs},   {"min", Operation::min},
                                  {"max", Operation::max},     {"sign", Operation::sign}, {"step", Operation::step}};

constexpr std::pair<std::string_view, double> constants[] = {{"pi", std::numbers::pi},
                                                             {"deg", std::numbers::pi / 180.0}};

const Function* function_named(std::string_view name) {
  for (const Function& f : functions)
    if (f.name == name) return &f;
  return nullptr;
}

// Character classes without the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Scope& scope) : graph_(graph), text_(text), scope_(scope) {}

  Node formula() {
    skip_space();
    if (at_end()) fail("an empty formula; expected a number or an expression");
    const Node result = sum();
    if (!at_end()) {
      if (peek() == ')') fail("found ')' without a matching '('");
      fail(fmt::format("found {}; expected an operator (+ - * / ^) or the end", found()));
    }
    return result;
  }

 private:
  static constexpr int deepest = 500;

  bool at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_space() {
    while (!at_end() && is_space(peek())) ++at_;
  }
  bool accept(char c) {
    if (at_end() || peek() != c) return false;
    ++at_;
    skip_space();
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
  [[noreturn]] static void fail_at(std::size_t column, const std::string& what) {
    throw FormulaError(static_cast<int>(column), what);
  }

  // What stands here, whole: a name, a number, or one character (all bytes of a UTF-8 one).
  std::string found() const {
    if (at_end()) return "the end";
    std::size_t end = at_ + 1;
    if (is_letter(peek()) || is_digit(peek()))
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    else
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return fmt::format("'{}'", text_.substr(at_, end - at_));
  }

  Node sum() {
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

  Node product() {
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

  Node signed_power() {
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

  Node operand() {
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

  void close(std::size_t open, std::string_view expected) {
    if (accept(')')) return;
    if (at_end()) fail(fmt::format("found the end; expected {} to match '(' at column {}", expected, open));
    fail(fmt::format("found {}; expected an operator or {}", found(), expected));
  }

  Node number() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail(fmt::format("the number at {} is out of range", found()));
    at_ = end - text_.data();
    skip_space();
    return graph_.constant(value);
  }

  Node named() {
    const std::size_t start = at_;
    while (is_letter(peek()) || is_digit(peek()) || (peek() == '.' && (is_letter(peek(1)) || is_digit(peek(1))))) ++at_;
    while (peek() == '\'') ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    skip_space();
    const auto place = scope_.find(name);
    const Function* function = function_named(name);
    if (peek() == '(' && function) return call(*function, start);
    if (place != scope_.end()) {
      if (peek() == '(') fail(fmt::format("found '('; '{}' is not a function, expected an operator", name));
      return place->second;
    }
    for (const auto& [known, value] : constants)
      if (known == name && peek() != '(') return graph_.constant(value);
    if (function) fail_at(start, fmt::format("'{0}' is a function; expected '{0}('", name));
    unknown(name, start, peek() == '(');
  }

  Node call(const Function& function, std::size_t start) {
    const std::size_t open = at_;
    accept('(');
    std::vector<Node> arguments;
    if (peek() != ')') {
      do arguments.push_back(sum());
      while (accept(','));
    }
    close(open, "',' or ')'");
    const int expected = operands(function.op);
    if (static_cast<int>(arguments.size()) != expected)
      fail_at(start, fmt::format("'{}' has {} argument{}; expected {}", function.name, arguments.size(),
                                 arguments.size() == 1 ? "" : "s", expected));
    return graph_.apply(function.op, arguments);
  }

  [[noreturn]] void unknown(std::string_view name, std::size_t start, bool called) const {
    std::string_view nearest;
    int best = 1 + std::max<int>(1, static_cast<int>(name.size()) / 3);
    const auto consider = [&](std::string_view candidate) {
      const int distance = edit_distance(name, candidate);
      if (distance < best && distance < static_cast<int>(candidate.size())) best = distance, nearest = candidate;
    };
    if (!called) {
      for (const auto& [known, node] : scope_) consider(known);
      for (const auto& [known, value] : constants) consider(known);
    }
    for (const Function& f : functions) consider(f.name);
    std::string what = fmt::format("unknown {} '{}'", called ? "function" : "name", name);
    if (!nearest.empty()) what += fmt::format("; did you mean '{}'?", nearest);
    fail_at(start, what);
  }

  Graph& graph_;
  std::string_view text_;
  const Scope& scope_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Node parse(Graph& graph, std::string_view text, const Scope& scope) { return Parser(graph, text, scope).formula(); }

}  // namespace tappet
