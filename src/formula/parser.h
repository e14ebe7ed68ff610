// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "formula/parse.h"

// The parser of formulas. It is used only by parse.cpp and the files beside it.
namespace tappet::formula_text {

// Character classes that do not depend on the locale.
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Scope& scope, const FormulaContext& context)
      : graph_(graph), text_(text), scope_(scope), context_(context) {}

  Node formula();

 private:
  static constexpr int deepest = 500, most_terms = 1'000'000;

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
  std::string found() const;
  Node sum();
  Node product();
  Node signed_power();
  Node operand();
  void close(std::size_t open, std::string_view expected);
  Node number();
  std::string name();
  std::string computed();
  int whole(Node node, std::size_t start) const;
  Node known(std::string_view name) const;
  Node named();
  Node call(std::string_view name, std::size_t start);
  static void check_count(std::string_view name, int given, int expected, std::size_t start);
  Node nested(Operation op, const std::vector<Node>& x, std::string_view name, std::size_t start);
  void expect_comma(std::string_view what);
  Node branch(std::size_t start, std::size_t open);
  Node one() { return graph_.constant(1.0); }
  Node opposite(Node condition) { return graph_.subtract(one(), condition); }
  Node condition();
  Node conjunction();
  Node negation();
  bool is_comparison() const;
  Node comparison();
  bool opens_condition() const;
  bool accept_word(std::string_view word);
  Node repeated_sum(std::size_t start, std::size_t open);
  void skip_argument();
  Node table(Table::Kind kind, std::size_t start, std::size_t open);
  std::shared_ptr<const Table> points(Table::Kind kind);
  double number_of_a_point();
  std::shared_ptr<const Table> file(Table::Kind kind);
  [[noreturn]] void unknown(std::string_view name, std::size_t start, bool called) const;

  Graph& graph_;
  std::string_view text_;
  const Scope& scope_;
  const FormulaContext& context_;
  std::vector<std::pair<std::string, double>> indices_;  // the indices of the sums that enclose this place
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace tappet::formula_text
