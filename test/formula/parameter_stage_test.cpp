// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/stage/parameter_stage.h"

#include <gtest/gtest.h>

#include "formula/parse.h"

namespace tappet {
namespace {

// A graph that is recorded, with parameters a and b that vary, and x as input 0.
struct Recorded {
  std::shared_ptr<ParameterStage> stage;
  Graph graph;
  Scope scope;

  Recorded(double a, double b) : stage(std::make_shared<ParameterStage>(std::vector{a, b})) {
    graph.record_into(stage);
    scope["a"] = graph.constant(stage->parameter(0));
    scope["b"] = graph.constant(stage->parameter(1));
    scope["x"] = graph.input(0);
  }
};

// The formula with other values of a and b: from a fresh graph, and from the recorded one. They must be the same graph.
void expect_same(const std::string& formula, Recorded recorded, double a, double b) {
  const Node f = parse(recorded.graph, formula, recorded.scope);
  const Node slope = recorded.graph.derivative(f, recorded.graph.input(0));
  const auto constants = recorded.graph.staged_constants();
  ASSERT_TRUE(recorded.stage->evaluate(std::vector{a, b})) << formula;
  recorded.graph.record_into(nullptr);
  recorded.graph.set_constants(constants, *recorded.stage);
  Recorded fresh(a, b);
  EXPECT_EQ(f, parse(fresh.graph, formula, fresh.scope)) << formula;
  EXPECT_EQ(slope, fresh.graph.derivative(f, fresh.graph.input(0))) << formula;
  ASSERT_EQ(recorded.graph.size(), fresh.graph.size()) << formula;
  for (Node node = 0; node < fresh.graph.size(); ++node) {
    ASSERT_EQ(recorded.graph[node].op, fresh.graph[node].op);
    if (!fresh.graph.is_constant(node)) continue;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(recorded.graph.value(node)),
              std::bit_cast<std::uint64_t>(fresh.graph.number(node).value))
        << formula;
    EXPECT_EQ(recorded.graph.constant(recorded.graph.value(node)), node);  // its index knows the new constants
  }
}

bool follows(const std::string& formula, Recorded recorded, double a, double b) {
  parse(recorded.graph, formula, recorded.scope);
  recorded.graph.staged_constants();
  return recorded.stage->evaluate(std::vector{a, b});
}

TEST(ParameterStage, other_values_give_the_constants_of_a_fresh_graph) {
  for (const char* formula : {"a*x", "a*b*x + b", "(a + b)*x^2/a", "sin(a*x)/b", "a/(b*x)", "-(a*x)", "x/a",
                              "max(a, b)*x", "sqrt(a^2 + b^2)*x", "x^3*a^b", "atan2(a, b) - x", "if(a > 0, x, b)",
                              "2*(a*(3*x))", "exp(-a*x)*cos(b)", "a*x - b*x"})
    expect_same(formula, {0.7, 1.9}, 0.31, 5.3);
}

TEST(ParameterStage, a_value_that_changes_the_formula_is_noticed) {
  EXPECT_FALSE(follows("a*x", {0.7, 1.9}, 0.0, 1.9));              // the product disappears
  EXPECT_FALSE(follows("a*x", {0.7, 1.9}, 1.0, 1.9));              // and so does the factor
  EXPECT_FALSE(follows("a*x", {0.0, 1.9}, 0.7, 1.9));              // and the other way round
  EXPECT_FALSE(follows("x^a", {3.5, 1.9}, 2.0, 1.9));              // a square
  EXPECT_FALSE(follows("x/a", {0.7, 1.9}, 0.5, 1.9));              // an exact reciprocal
  EXPECT_FALSE(follows("if(a > b, x, 2*x)", {0.7, 1.9}, 3, 1.9));  // the other branch
  EXPECT_FALSE(follows("a*x + b*x", {0.7, 1.9}, 1.9, 1.9));        // two constants become one
  EXPECT_FALSE(follows("a*x + b*x", {1.9, 1.9}, 0.7, 1.9));        // one constant becomes two
  EXPECT_FALSE(follows("a*x + 3*x", {0.7, 1.9}, 3.0, 1.9));        // the same with a number of the formula
  EXPECT_FALSE(follows("a*x + 3*x", {3.0, 1.9}, 0.7, 1.9));
  EXPECT_TRUE(follows("a*x + 3*x", {0.7, 1.9}, 0.8, 1.9));
}

TEST(ParameterStage, terms_of_a_sum_are_followed_as_long_as_they_cancel_alike) {
  Recorded r(0.7, 1.9);
  const Node x = r.graph.input(0), ax = r.graph.multiply(r.scope["a"], x), bx = r.graph.multiply(r.scope["b"], x);
  const std::pair<double, Node> terms[] = {{1.0, ax}, {-1.0, bx}, {-1.0, ax}, {2.0, bx}};
  const Node f = r.graph.sum(terms);
  r.graph.staged_constants();
  EXPECT_NEAR(r.graph.evaluate(f, std::vector{3.0}), 1.9 * 3, 1e-14);
  EXPECT_FALSE(r.stage->evaluate(std::vector{0.7, -1.9}));  // the sign of the term changes
}

TEST(ParameterStage, a_value_that_someone_has_read_is_held) {
  Recorded r(0.7, 1.9);
  EXPECT_EQ(r.graph.value(r.scope["a"]), 0.7);
  EXPECT_TRUE(r.stage->evaluate(std::vector{0.7, 2.5}));
  EXPECT_FALSE(r.stage->evaluate(std::vector{0.8, 2.5}));
}

TEST(ParameterStage, a_decision_holds_for_other_values_or_is_noticed) {
  ParameterStage stage({2.0});
  using Condition = ParameterStage::Condition;
  const StagedNumber x = stage.apply(Operation::subtract, stage.parameter(0), {1.5});
  EXPECT_TRUE(stage.decide(Condition::positive, x));
  EXPECT_TRUE(stage.decide(Condition::finite, stage.apply(Operation::divide, {1.0}, x)));
  EXPECT_TRUE(stage.evaluate(std::vector{7.0}));
  EXPECT_EQ(stage[x.place], 5.5);
  EXPECT_FALSE(stage.evaluate(std::vector{1.0}));
  EXPECT_FALSE(stage.evaluate(std::vector{1.5}));
}

}  // namespace
}  // namespace tappet
