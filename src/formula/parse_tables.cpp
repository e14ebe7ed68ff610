// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "formula/parser.h"

// Sums over an index, and tables.
namespace tappet::formula_text {

// sum(i, 1, 5, formula of i)
Node Parser::repeated_sum(std::size_t start, std::size_t open) {
  constexpr const char* expected = "sum(index, first, last, formula)";
  if (!is_letter(peek())) fail(fmt::format("found {}; expected {}", found(), expected));
  const std::size_t index_start = at_;
  const std::string index = name();
  if (known(index) >= 0) fail_at(index_start, fmt::format("'{}' already has a meaning; expected another index", index));
  expect_comma(expected);
  const std::size_t first_start = at_;
  const int first = whole(sum(), first_start);
  expect_comma(expected);
  const std::size_t last_start = at_;
  const int last = whole(sum(), last_start);
  expect_comma(expected);
  if (last - first >= most_terms) fail_at(start, fmt::format("more than {} terms; expected fewer", most_terms));
  const std::size_t body = at_;
  Node result = graph_.constant(0.0);
  indices_.emplace_back(index, 0.0);
  for (int i = first; i <= last; ++i) {
    at_ = body;
    indices_.back().second = i;
    result = graph_.add(result, sum());
  }
  indices_.pop_back();
  if (last < first) skip_argument();
  close(open, "')'");
  return result;
}

// Skips everything up to the parenthesis that closes this one.
void Parser::skip_argument() {
  for (int depth = 0; !at_end(); ++at_) {
    if (peek() == '(') ++depth;
    if (peek() == ')' && depth-- == 0) return;
  }
}

// Reads table(x, [x, y], [x, y], …), table(x, 'file.csv') or table(x, 'file.csv', column), and spline in the same way.
Node Parser::table(Table::Kind kind, std::size_t start, std::size_t open) {
  if (peek() == ')') fail("expected a formula, then points [x, y], [x, y], … or the name of a file");
  const Node x = sum();
  expect_comma("points [x, y], [x, y], … or the name of a file");
  std::shared_ptr<const Table> data;
  try {
    data = peek() == '[' ? points(kind) : file(kind);
  } catch (const FormulaError&) {
    throw;
  } catch (const std::exception& e) {
    fail_at(start, e.what());
  }
  close(open, "',' or ')'");
  return graph_.table(x, std::move(data));
}

std::shared_ptr<const Table> Parser::points(Table::Kind kind) {
  std::vector<double> x, y;
  do {
    if (!accept('[')) fail(fmt::format("found {}; expected a point [x, y]", found()));
    x.push_back(number_of_a_point());
    if (!accept(',')) fail(fmt::format("found {}; expected a point [x, y]", found()));
    y.push_back(number_of_a_point());
    if (!accept(']')) fail(fmt::format("found {}; expected ']' at the end of a point [x, y]", found()));
  } while (accept(','));
  return std::make_shared<const Table>(std::move(x), std::move(y), kind);
}

double Parser::number_of_a_point() {
  const std::size_t start = at_;
  const Node node = sum();
  if (!graph_.is_constant(node)) fail_at(start, "depends on a coordinate or t; expected a number");
  return graph_.value(node);
}

std::shared_ptr<const Table> Parser::file(Table::Kind kind) {
  const char quote = peek() == '\'' || peek() == '"' ? peek() : '\0';
  if (quote) ++at_;
  const std::size_t start = at_;
  while (!at_end() && (quote ? peek() != quote : peek() != ',' && peek() != ')')) ++at_;
  std::string name(text_.substr(start, at_ - start));
  while (!quote && !name.empty() && is_space(name.back())) name.pop_back();
  if (quote && at_end()) fail_at(start, "a quote that is not closed; expected the name of a file in quotes");
  if (quote) ++at_, skip_space();
  if (name.empty()) fail_at(start, "expected the name of a file, or points [x, y], [x, y], …");
  int column = 2;
  if (accept(',')) {
    const std::size_t column_start = at_;
    column = whole(sum(), column_start);
    if (column < 2) fail_at(column_start, fmt::format("column {}; expected 2 or more, x is column 1", column));
  }
  if (!context_.table) fail_at(start, "no file can be read here; expected points [x, y], [x, y], …");
  return context_.table(name, column, kind);
}

}  // namespace tappet::formula_text
