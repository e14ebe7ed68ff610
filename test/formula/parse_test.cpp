// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/parse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tappet {
namespace {

const std::vector<double> point = {0.25, 1.5, -0.75, 2.5, 0.3, -1.25, 0.6};

Scope scope_of(Graph& graph) {
  Scope scope;
  const char* names[] = {"t", "x", "y", "x'", "rod.x", "rod.x'", "theta1"};
  for (int i = 0; i < 7; ++i) scope[names[i]] = graph.input(i);
  return scope;
}

double value(std::string_view text) {
  Graph graph;
  const Scope scope = scope_of(graph);
  return graph.evaluate(parse(graph, text, scope), point);
}

TEST(parse, valid_texts_have_the_value_of_their_mathematics) {
  constexpr double pi = std::numbers::pi;
  const std::pair<const char*, double> cases[] = {{"1", 1},
                                                  {"1e-4", 1e-4},
                                                  {".5", 0.5},
                                                  {"2.", 2},
                                                  {"2.E+2", 200},
                                                  {" 1 + 2*3 ", 7},
                                                  {"(1+2)*3", 9},
                                                  {"8/4/2", 1},
                                                  {"8-4-2", 2},
                                                  {"2^3^2", 512},
                                                  {"-2^2", -4},
                                                  {"2^-1", 0.5},
                                                  {"-x^2", -2.25},
                                                  {"(-x)^2", 2.25},
                                                  {"--x", 1.5},
                                                  {"+x", 1.5},
                                                  {"2*-x", -3},
                                                  {"x-+y", 2.25},
                                                  {"x'^2", 6.25},
                                                  {"x'*x", 3.75},
                                                  {"rod.x + rod.x'", -0.95},
                                                  {"pi", pi},
                                                  {"90*deg", pi / 2},
                                                  {"sin(pi/6)", 0.5},
                                                  {"cos ( 0 )", 1},
                                                  {"tan(x)", std::tan(1.5)},
                                                  {"asin(y)", std::asin(-0.75)},
                                                  {"acos(y)", std::acos(-0.75)},
                                                  {"atan(y)", std::atan(-0.75)},
                                                  {"atan2(y, x)", std::atan2(-0.75, 1.5)},
                                                  {"sqrt(x)", std::sqrt(1.5)},
                                                  {"exp(y)", std::exp(-0.75)},
                                                  {"log(x)", std::log(1.5)},
                                                  {"abs(y)", 0.75},
                                                  {"min(x,y)", -0.75},
                                                  {"max(x,y)", 1.5},
                                                  {"sign(y)", -1},
                                                  {"sign(x)", 1},
                                                  {"sign(0*x)", 0},
                                                  {"step(y)", 0},
                                                  {"step(t-0.25)", 1},
                                                  {"x\n + y", 0.75},
                                                  {"((((x))))", 1.5},
                                                  {"2^0.5", std::sqrt(2.0)},
                                                  {"x^y", std::pow(1.5, -0.75)},
                                                  {"x^3", 3.375},
                                                  {"x^-2", 1 / 2.25},
                                                  {"x/y*2", -4},
                                                  {"1-(2-(3-x))", 0.5}};
  for (const auto& [text, expected] : cases)
    EXPECT_NEAR(value(text), expected, 1e-15 * (1 + std::abs(expected))) << text;
}

TEST(parse, invalid_texts_are_refused_at_their_column_with_the_reason) {
  struct Case {
    const char* text;
    int column;
    const char* says;
  };
  const Case cases[] = {{"", 0, "empty"},
                        {"   ", 3, "empty"},
                        {"1 +", 3, "found the end; expected a number"},
                        {"* x", 0, "found '*'"},
                        {"x ** 2", 2, "'^'"},
                        {"(x + 1", 6, "match '(' at column 0"},
                        {"2*(x + (1 - y)", 14, "match '(' at column 2"},
                        {"x + 1)", 5, "without a matching '('"},
                        {"x y", 2, "found 'y'; expected an operator"},
                        {"2x", 1, "found 'x'"},
                        {"1.2.3", 3, "found '.'"},
                        {"1e", 1, "found 'e'"},
                        {"1e999", 0, "out of range"},
                        {"theta2 + 1", 0, "did you mean 'theta1'"},
                        {"x + thta1", 4, "did you mean 'theta1'"},
                        {"quux", 0, "unknown name 'quux'"},
                        {"y'", 0, "unknown name 'y''"},
                        {"rod.y", 0, "did you mean 'rod.x'"},
                        {"sin", 0, "expected 'sin('"},
                        {"1 + sin x", 4, "expected 'sin('"},
                        {"sin()", 0, "0 arguments; expected 1"},
                        {"1+sin(x, y)", 2, "2 arguments; expected 1"},
                        {"atan2(x)", 0, "1 argument; expected 2"},
                        {"atan2(x, y, t)", 0, "3 arguments; expected 2"},
                        {"min(x, )", 7, "found ')'"},
                        {"sin(x", 5, "match '(' at column 3"},
                        {"sinn(x)", 0, "unknown function 'sinn'; did you mean 'sin'"},
                        {"x(2)", 1, "'x' is not a function"},
                        {"pi(2)", 0, "unknown function 'pi'"},
                        {"x & y", 2, "found '&'"},
                        {"x + $", 4, "found '$'"},
                        {"x = 2", 2, "found '='"},
                        {"2 + θ", 4, "found 'θ'"},
                        {"x^", 2, "found the end"},
                        {"x^^2", 2, "found '^'"},
                        {"()", 1, "found ')'"},
                        {"x, y", 1, "found ','"},
                        {"(x, y)", 2, "found ','; expected an operator or ')'"},
                        {". 5", 0, "found '.'"},
                        {"'x", 0, "found '''"},
                        {"x + rod.", 4, "unknown name 'rod'"}};
  for (const Case& c : cases) {
    try {
      value(c.text);
      ADD_FAILURE() << "accepted: " << c.text;
    } catch (const FormulaError& error) {
      EXPECT_EQ(error.column(), c.column) << c.text << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(c.says), std::string::npos) << c.text << ": " << error.what();
    }
  }
}

TEST(parse, time_is_known_only_where_the_scope_has_it) {
  Graph graph;
  EXPECT_THROW(parse(graph, "2*t", {}), FormulaError);
  EXPECT_NO_THROW(parse(graph, "2*pi", {}));
}

TEST(parse, a_parameter_may_be_called_like_a_constant) {
  Graph graph;
  EXPECT_EQ(graph.evaluate(parse(graph, "deg", {{"deg", graph.constant(7.0)}}), {}), 7.0);
}

TEST(parse, deep_nesting_is_refused_and_long_sums_are_not) {
  Graph graph;
  EXPECT_THROW(parse(graph, std::string(100000, '(') + "1", {}), FormulaError);
  EXPECT_THROW(parse(graph, std::string(100000, '-') + "1", {}), FormulaError);
  std::string text = "0";
  const Scope scope = scope_of(graph);
  for (int i = 0; i < 20000; ++i) text += "+x*" + std::to_string(i) + "*y";
  const Node f = parse(graph, text, scope);
  const double expected = 0.5 * 19999 * 20000 * -0.75;
  EXPECT_NEAR(graph.evaluate(graph.derivative(f, graph.input(1)), point) / expected, 1.0, 1e-12);
}

}  // namespace
}  // namespace tappet
