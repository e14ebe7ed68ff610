// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "formula/parse.h"
#include "formula/program.h"

namespace tappet {
namespace {

double at(std::string_view text, double x, const FormulaContext& context = {}) {
  Graph graph;
  const Scope scope{{"x", graph.input(0)}, {"a.3", graph.input(0)}, {"a.4'", graph.constant(10.0)}};
  const Node f = parse(graph, text, scope, context);
  const Program program(graph, {&f, 1}, 1);
  std::vector<double> registers(program.register_count());
  double result;
  program.run(&x, &result, registers.data());
  EXPECT_EQ(result, graph.evaluate(f, {&x, 1})) << text;
  return result;
}

std::string refusal(std::string_view text) {
  try {
    at(text, 0.0);
  } catch (const FormulaError& e) {
    return std::to_string(e.column()) + ": " + e.what();
  }
  return "accepted";
}

TEST(functions, of_several_arguments_choose_among_all_of_them) {
  EXPECT_EQ(at("max(x, 2, 3)", 1.0), 3.0);
  EXPECT_EQ(at("max(x, 2, 3)", 4.0), 4.0);
  EXPECT_EQ(at("min(5, x, 2, 7)", 3.0), 2.0);
  EXPECT_EQ(at("min(5, x, 2, 7)", -1.0), -1.0);
}

TEST(functions, floor_and_mod_round_downwards) {
  EXPECT_EQ(at("floor(x)", 2.7), 2.0);
  EXPECT_EQ(at("floor(x)", -2.3), -3.0);
  EXPECT_DOUBLE_EQ(at("mod(x, 0.5)", 1.7), 0.2);
  EXPECT_DOUBLE_EQ(at("mod(x, 0.5)", -0.2), 0.3);
}

TEST(functions, hyperbolic_ones_are_those_of_the_library) {
  for (double x : {-1.3, 0.0, 1e-9, 2.0}) {
    EXPECT_EQ(at("sinh(x)", x), std::sinh(x));
    EXPECT_EQ(at("cosh(x)", x), std::cosh(x));
    EXPECT_EQ(at("tanh(x)", x), std::tanh(x));
  }
}

TEST(functions, if_chooses_by_every_comparison) {
  const std::pair<const char*, std::array<double, 3>> cases[] = {
      {"if(x < 1, 5, 6)", {5, 6, 6}},  {"if(x <= 1, 5, 6)", {5, 5, 6}}, {"if(x > 1, 5, 6)", {6, 6, 5}},
      {"if(x >= 1, 5, 6)", {6, 5, 5}}, {"if(x == 1, 5, 6)", {6, 5, 6}}, {"if(x != 1, 5, 6)", {5, 6, 5}},
  };
  for (const auto& [text, expected] : cases)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(at(text, i), expected[i]) << text << " at " << i;
}

TEST(functions, conditions_are_joined_by_and_or_not_and_parentheses) {
  const char* between = "if(x > 1 and x < 2, 1, 0)";
  EXPECT_EQ(at(between, 1.5), 1.0);
  EXPECT_EQ(at(between, 2.5), 0.0);
  const char* outside = "if(not (x > 1 and x < 2), 1, 0)";
  EXPECT_EQ(at(outside, 1.5), 0.0);
  EXPECT_EQ(at(outside, 2.5), 1.0);
  const char* either = "if((x + 1)*2 < 0 or ((x > 3)), 1, 0)";
  EXPECT_EQ(at(either, -2.0), 1.0);
  EXPECT_EQ(at(either, 0.0), 0.0);
  EXPECT_EQ(at(either, 4.0), 1.0);
  // `and` binds tighter than `or`
  EXPECT_EQ(at("if(x > 0 or x > 5 and x < -5, 1, 0)", 1.0), 1.0);
}

TEST(functions, the_branch_that_is_not_taken_may_be_undefined) {
  EXPECT_EQ(at("if(x > 0, sqrt(x), 0)", -1.0), 0.0);
  Graph graph;
  const Node f = parse(graph, "if(x > 0, sqrt(x), 0)", {{"x", graph.input(0)}});
  const double x = -1.0;
  EXPECT_EQ(graph.evaluate(graph.derivative(f, graph.input(0)), {&x, 1}), 0.0);
}

TEST(functions, sum_repeats_a_formula_and_names_compute_their_numbers) {
  EXPECT_EQ(at("sum(i, 1, 4, i*x)", 2.0), 20.0);
  EXPECT_EQ(at("sum(i, 1, 3, sum(j, i, 3, i*j))", 0.0), 25.0);
  EXPECT_EQ(at("sum(i, 3, 2, i*nothing)", 0.0), 0.0);
  EXPECT_EQ(at("a.(1+2) + a.{2*2}'", 1.0), 11.0);
  const std::pair<std::string, double> indices[] = {{"i", 2.0}};
  EXPECT_EQ(at("i*a.(i+1)", 7.0, {.numbers = indices}), 14.0);
}

TEST(functions, wrong_calls_are_refused_with_what_was_expected) {
  EXPECT_EQ(refusal("max(x)"), "0: 'max' has 1 argument; expected at least 2");
  EXPECT_EQ(refusal("1 + mod(x)"), "4: 'mod' has 1 argument; expected 2");
  EXPECT_EQ(refusal("if(x, 1, 2)"), "4: found ','; expected a comparison: < <= > >= == !=");
  EXPECT_EQ(refusal("if(x < 1, 2)"),
            "11: found ')'; expected ',' and the value if the condition does not hold: if(condition, a, b)");
  EXPECT_EQ(refusal("x < 1"), "2: found '<'; comparisons are only allowed in if(condition, a, b)");
  EXPECT_EQ(refusal("flor(x)"), "0: unknown function 'flor'; did you mean 'floor'?");
  EXPECT_EQ(refusal("tbale(x, [0, 0], [1, 1])"), "0: unknown function 'tbale'; did you mean 'table'?");
  EXPECT_EQ(refusal("a.(x)"), "3: depends on a coordinate or t; expected a whole number of parameters and indices");
  EXPECT_EQ(refusal("a.(1/2)"), "3: is 0.5; expected a whole number");
  EXPECT_EQ(refusal("sum(x, 1, 2, x)"), "4: 'x' already has a meaning; expected another index");
  EXPECT_EQ(refusal("table(x, [0, 0])"), "0: a table of 1 points; expected at least two");
  EXPECT_EQ(refusal("table(x, [0, 0], [0, 1])"),
            "0: point 2 of the table has x = 0 after x = 0; expected x to increase");
  EXPECT_EQ(refusal("table(x, 'a.csv')"), "10: no file can be read here; expected points [x, y], [x, y], …");
}

// sin has no second derivative at 0 and π, so that its natural spline converges with order 4 up to the ends.
TEST(tables, splines_converge_with_order_four_and_lines_with_order_two) {
  const auto error = [](Table::Kind kind, int n) {
    std::vector<double> x, y;
    for (int i = 0; i <= n; ++i) x.push_back(M_PI * i / n), y.push_back(std::sin(x.back()));
    const Table table(x, y, kind);
    double worst = 0.0;
    for (double s = 0.0; s < M_PI; s += 0.003) worst = std::max(worst, std::abs(table.evaluate(s, 0) - std::sin(s)));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(Table::Kind::spline, 20) / error(Table::Kind::spline, 40)), 4.0, 0.1);
  EXPECT_NEAR(std::log2(error(Table::Kind::linear, 20) / error(Table::Kind::linear, 40)), 2.0, 0.1);
}

TEST(tables, go_through_their_points_and_on_along_their_last_slope) {
  EXPECT_EQ(at("table(x, [0, 1], [1, 3], [3, 2])", 1.0), 3.0);
  EXPECT_EQ(at("table(x, [0, 1], [1, 3], [3, 2])", 2.0), 2.5);
  EXPECT_EQ(at("table(x, [0, 1], [1, 3], [3, 2])", -1.0), -1.0);
  EXPECT_EQ(at("table(x, [0, 1], [1, 3], [3, 2])", 5.0), 1.0);
  for (double x : {0.0, 1.0, 3.0})
    EXPECT_NEAR(at("spline(x, [0, 1], [1, 3], [3, 2])", x), x == 0 ? 1 : x == 1 ? 3 : 2, 1e-15);
  // straight data has a straight spline, beyond its ends too
  for (double x : {-2.0, 0.3, 2.2, 7.0}) EXPECT_NEAR(at("spline(x, [0, 1], [1, 3], [3, 7])", x), 1.0 + 2.0 * x, 1e-14);
}

}  // namespace
}  // namespace tappet
