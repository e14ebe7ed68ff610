// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

namespace tappet {
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

// All of them; those behind `floor` have a syntax of their own.
constexpr std::string_view names[] = {"sin",  "cos",  "tan",   "asin", "acos", "atan", "atan2", "sqrt",
                                      "exp",  "log",  "abs",   "min",  "max",  "sign", "step",  "sinh",
                                      "cosh", "tanh", "floor", "mod",  "if",   "sum",  "table", "spline"};

bool is_function(std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

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

// Edits from a to b; two neighbours that were swapped are one edit.
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

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Scope& scope, const FormulaContext& context)
      : graph_(graph), text_(text), scope_(scope), context_(context) {}

  Node formula() {
    skip_space();
    if (at_end()) fail("an empty formula; expected a number or an expression");
    const Node result = sum();
    if (!at_end()) {
      if (peek() == ')') fail("found ')' without a matching '('");
      if (is_comparison()) fail(fmt::format("found {}; comparisons belong into if(condition, a, b)", found()));
      fail(fmt::format("found {}; expected an operator (+ - * / ^) or the end", found()));
    }
    return result;
  }

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

  // Letters, digits, dots inside, whole numbers that are computed, primes at the end.
  std::string name() {
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

  // `.(i+1)` or `.{i+1}` in a name
  std::string computed() {
    const std::size_t start = at_ + 2;
    const char close = peek(1) == '(' ? ')' : '}';
    at_ = start;
    skip_space();
    const int number = whole(sum(), start);
    if (peek() != close) fail(fmt::format("found {}; expected '{}'", found(), close));
    ++at_;
    return fmt::format("{}", number);
  }

  int whole(Node node, std::size_t start) const {
    const double value = graph_.is_constant(node) ? graph_[node].value : 0.5;
    if (!graph_.is_constant(node))
      fail_at(start, "depends on a coordinate or t; expected a whole number of parameters and indices");
    if (value != std::round(value) || std::abs(value) > 1e9)
      fail_at(start, fmt::format("is {}; expected a whole number", value));
    return static_cast<int>(value);
  }

  // −1: unknown.
  Node known(std::string_view name) const {
    for (const auto& [index, value] : indices_)
      if (index == name) return graph_.constant(value);
    for (const auto& [index, value] : context_.numbers)
      if (index == name) return graph_.constant(value);
    if (const auto place = scope_.find(name); place != scope_.end()) return place->second;
    return context_.resolve ? context_.resolve(name) : -1;
  }

  Node named() {
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

  Node call(std::string_view name, std::size_t start) {
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

  static void check_count(std::string_view name, int given, int expected, std::size_t start) {
    if (given != expected)
      fail_at(start, fmt::format("'{}' has {} argument{}; expected {}", name, given, given == 1 ? "" : "s", expected));
  }

  // max(a, b, c) is max(max(a, b), c).
  Node nested(Operation op, const std::vector<Node>& x, std::string_view name, std::size_t start) {
    if (x.size() < 2)
      fail_at(start,
              fmt::format("'{}' has {} argument{}; expected at least 2", name, x.size(), x.size() == 1 ? "" : "s"));
    Node result = x[0];
    for (std::size_t i = 1; i < x.size(); ++i)
      result = op == Operation::min ? graph_.min(result, x[i]) : graph_.max(result, x[i]);
    return result;
  }

  void expect_comma(std::string_view what) {
    if (!accept(',')) fail(fmt::format("found {}; expected ',' and {}", found(), what));
  }

  // if(condition, a, b)
  Node branch(std::size_t start, std::size_t open) {
    if (peek() == ')') fail_at(start, "'if' has no arguments; expected if(condition, a, b)");
    const Node which = condition();
    expect_comma("the value where the condition holds: if(condition, a, b)");
    const Node yes = sum();
    expect_comma("the value where the condition does not hold: if(condition, a, b)");
    const Node no = sum();
    close(open, "')'");
    return graph_.select(which, yes, no);
  }

  Node one() { return graph_.constant(1.0); }
  Node opposite(Node condition) { return graph_.subtract(one(), condition); }

  // Conditions are 1 or 0.
  Node condition() {
    Node result = conjunction();
    while (accept_word("or")) result = opposite(graph_.multiply(opposite(result), opposite(conjunction())));
    return result;
  }
  Node conjunction() {
    Node result = negation();
    while (accept_word("and")) result = graph_.multiply(result, negation());
    return result;
  }
  Node negation() {
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

  bool is_comparison() const {
    return peek() == '<' || peek() == '>' || (peek() == '=' && peek(1) == '=') || (peek() == '!' && peek(1) == '=');
  }
  Node comparison() {
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

  // Whether the parenthesis that begins here holds a condition, (a < b), and not a number, (a + b) < c.
  bool opens_condition() const {
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

  bool accept_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    const char next = peek(word.size());
    if (is_letter(next) || is_digit(next) || next == '.' || next == '\'') return false;
    at_ += word.size();
    skip_space();
    return true;
  }

  // sum(i, 1, 5, formula of i)
  Node repeated_sum(std::size_t start, std::size_t open) {
    constexpr const char* expected = "sum(index, first, last, formula)";
    if (!is_letter(peek())) fail(fmt::format("found {}; expected {}", found(), expected));
    const std::size_t index_start = at_;
    const std::string index = name();
    if (known(index) >= 0)
      fail_at(index_start, fmt::format("'{}' has a meaning already; expected another index", index));
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

  // Past what stands before the parenthesis that closes this one.
  void skip_argument() {
    for (int depth = 0; !at_end(); ++at_) {
      if (peek() == '(') ++depth;
      if (peek() == ')' && depth-- == 0) return;
    }
  }

  // table(x, [x, y], [x, y], …), table(x, 'file.csv'), table(x, 'file.csv', column); spline likewise
  Node table(Table::Kind kind, std::size_t start, std::size_t open) {
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

  std::shared_ptr<const Table> points(Table::Kind kind) {
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
  double number_of_a_point() {
    const std::size_t start = at_;
    const Node node = sum();
    if (!graph_.is_constant(node)) fail_at(start, "depends on a coordinate or t; expected a number");
    return graph_[node].value;
  }

  std::shared_ptr<const Table> file(Table::Kind kind) {
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

  [[noreturn]] void unknown(std::string_view name, std::size_t start, bool called) const {
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

  Graph& graph_;
  std::string_view text_;
  const Scope& scope_;
  const FormulaContext& context_;
  std::vector<std::pair<std::string, double>> indices_;  // of the sums around this place
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::span<const std::string_view> function_names() { return names; }

Node parse(Graph& graph, std::string_view text, const Scope& scope, const FormulaContext& context) {
  return Parser(graph, text, scope, context).formula();
}

}  // namespace tappet
