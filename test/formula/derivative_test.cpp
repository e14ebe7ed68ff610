// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "formula/parse.h"
#include "formula/program.h"
#include "formula/traced.h"

namespace tappet {
namespace {

using Real = long double;

Real evaluate(const Graph& graph, Node f, const std::vector<Real>& x) {
  const Program program(graph, {&f, 1}, static_cast<int>(x.size()));
  std::vector<Real> registers(program.register_count());
  Real result;
  program.run(x.data(), &result, registers.data());
  return result;
}

// Sixth-order central difference in extended precision, with errors near 1e-16.
Real difference(const Graph& graph, Node f, std::vector<Real> x, int slot) {
  const Real h = 1e-3L, x0 = x[slot];
  Real total = 0;
  const Real weight[] = {45.0L / 60, -9.0L / 60, 1.0L / 60};
  for (int k = 1; k <= 3; ++k) {
    x[slot] = x0 + k * h;
    const Real up = evaluate(graph, f, x);
    x[slot] = x0 - k * h;
    total += weight[k - 1] * (up - evaluate(graph, f, x)) / h;
  }
  return total;
}

const char* const formulas[] = {"x+y",
                                "x-y",
                                "x*y",
                                "x/y",
                                "x^y",
                                "x^2",
                                "x^3",
                                "x^4",
                                "x^7",
                                "x^-3",
                                "x^2.5",
                                "x^0.5",
                                "2^x",
                                "-x",
                                "sin(x)",
                                "sinh(x*y)",
                                "cosh(x-y)",
                                "tanh(x*y)",
                                "x*floor(10*x)",
                                "mod(x,0.7)*y",
                                "max(x, y, x*y)",
                                "min(x*y, x, y, 3)",
                                "if(x < y and not (x*y > 3 or x < 0), x^2*y, y^3)",
                                "sum(i, 1, 3, x^i/i)",
                                "table(x*y, [-9, 1], [9, 4])*x",
                                "spline(x, [-5, 1], [0.1, 2], [0.7, -1], [1.9, 0.5], [9, 4])*y",
                                "cos(x)",
                                "tan(x)",
                                "asin(x/3)",
                                "acos(y/3)",
                                "atan(x*y)",
                                "atan2(x,y)",
                                "atan2(y*x,x)",
                                "sqrt(x+y)",
                                "exp(x-y)",
                                "log(x*y)",
                                "abs(x)",
                                "abs(-x*y)",
                                "min(x, 3*y)",
                                "min(3*x, y)",
                                "max(x,3*y)",
                                "max(3*x, y)",
                                "sign(x)*y",
                                "step(x)*y",
                                "sin(x)*cos(y)/(1+x^2)",
                                "(x*cos(y)-y*sin(x))^2",
                                "exp(-x^2)*log(1+y^2)",
                                "max(x^2,min(y,5))*sin(x)",
                                "x^(y*x)",
                                "sqrt(x^2+y^2)",
                                "1/(1+exp(-x))",
                                "x/(y/(x/y))",
                                "-(-(x-y))*(y-x)",
                                "((x+y)^3-x^3)/(x*y)",
                                "(x+y)-(x-y)",
                                "tan(x*y)^2"};

class Differentiation : public testing::Test {
 protected:
  Graph graph;
  Scope scope{{"x", graph.input(0)}, {"y", graph.input(1)}};
  std::mt19937 random{7};
  std::uniform_real_distribution<double> number{0.4, 1.3};
};

TEST_F(Differentiation, agrees_with_differences_to_second_order_for_every_function) {
  for (const char* text : formulas) {
    const Node f = parse(graph, text, scope);
    for (int sample = 0; sample < 5; ++sample) {
      const std::vector<Real> x = {number(random), number(random)};
      for (int i = 0; i < 2; ++i) {
        const Node df = graph.derivative(f, graph.input(i));
        const Real exact = evaluate(graph, df, x);
        EXPECT_NEAR(exact, difference(graph, f, x, i), 2e-10L * (1 + std::abs(exact))) << text << " by " << i;
        for (int j = 0; j < 2; ++j) {
          const Real second = evaluate(graph, graph.derivative(df, graph.input(j)), x);
          EXPECT_NEAR(second, difference(graph, df, x, j), 2e-9L * (1 + std::abs(second))) << text;
        }
      }
    }
  }
}

TEST_F(Differentiation, of_jumps_is_zero_and_of_the_modulus_is_the_sign) {
  const Node x = graph.input(0);
  EXPECT_TRUE(graph.is_zero(graph.derivative(parse(graph, "sign(x)", scope), x)));
  EXPECT_TRUE(graph.is_zero(graph.derivative(parse(graph, "step(x*y)", scope), x)));
  EXPECT_EQ(graph.derivative(parse(graph, "abs(x)", scope), x), parse(graph, "sign(x)", scope));
}

TEST_F(Differentiation, of_a_selected_branch_ignores_what_is_undefined_in_the_other) {
  const Node f = parse(graph, "max(sqrt(x), y)", scope);
  EXPECT_EQ(graph.evaluate(graph.derivative(f, graph.input(1)), std::vector<double>{0.0, 1.0}), 1.0);
  EXPECT_EQ(graph.evaluate(graph.derivative(f, graph.input(0)), std::vector<double>{0.0, 1.0}), 0.0);
}

TEST_F(Differentiation, of_integer_powers_is_defined_at_zero) {
  for (const char* text : {"x^2", "x^3", "x^5"})
    EXPECT_EQ(graph.evaluate(graph.derivative(parse(graph, text, scope), graph.input(0)), std::vector<double>{0.0}),
              0.0);
}

struct Same {
  const char* a;
  const char* b;
};
TEST_F(Differentiation, equal_formulas_are_one_node) {
  const Same same[] = {{"x+y", "y+x"},
                       {"x*y", "y*x"},
                       {"x*1", "x"},
                       {"x+0", "x"},
                       {"0*x", "0"},
                       {"x-x", "0"},
                       {"x^1", "x"},
                       {"x^0", "1"},
                       {"--x", "x"},
                       {"x*x", "x^2"},
                       {"cos(x-y)", "cos(y-x)"},
                       {"(-x)*(-y)", "x*y"},
                       {"x/4", "0.25*x"},
                       {"2*(3*x)", "6*x"},
                       {"x+x", "2*x"}};
  for (const auto& [a, b] : same) EXPECT_EQ(parse(graph, a, scope), parse(graph, b, scope)) << a << " = " << b;
}

TEST_F(Differentiation, what_is_undefined_stays_undefined) {
  for (const char* text : {"x/x", "log(x)-log(y)", "sqrt(-1-x)^2", "x^-1*x"})
    EXPECT_TRUE(std::isnan(graph.evaluate(parse(graph, text, scope), std::vector<double>{0.0, 0.0}))) << text;
}

TEST_F(Differentiation, sum_cancels_equal_terms_written_differently) {
  const std::pair<double, Node> terms[] = {{1.0, parse(graph, "3*sin(x)*y*x", scope)},
                                           {-1.0, parse(graph, "x*(sin(x)*3)*y", scope)}};
  EXPECT_TRUE(graph.is_zero(graph.sum(terms)));
  const std::pair<double, Node> more[] = {{2.0, parse(graph, "x*y - (cos(x) - 4*x)/y", scope)},
                                          {-1.0, parse(graph, "x*y*2+1", scope)}};
  const std::vector<double> at{0.7, 1.9};
  EXPECT_NEAR(graph.evaluate(graph.sum(more), at), -2 * (std::cos(0.7) - 2.8) / 1.9 - 1, 1e-14);
}

TEST_F(Differentiation, substitute_replaces_inputs) {
  const Node f = parse(graph, "x*sin(y)+x^3/y", scope);
  const std::pair<Node, Node> replacement[] = {{graph.input(0), graph.constant(0.0)}};
  EXPECT_TRUE(graph.is_zero(graph.substitute(f, replacement)));
  const std::pair<Node, Node> swap[] = {{graph.input(0), graph.input(1)}, {graph.input(1), graph.input(0)}};
  EXPECT_EQ(graph.substitute(f, swap), parse(graph, "y*sin(x)+y^3/x", scope));
}

TEST_F(Differentiation, along_a_direction_it_is_the_sum_of_the_partial_derivatives) {
  const Node x = graph.input(0), y = graph.input(1), f = parse(graph, "sqrt(1+x*x)/(y+sin(x*y))", scope);
  const Node rate_x = parse(graph, "2*y", scope), rate_y = parse(graph, "x-1", scope);
  const std::pair<Node, Node> rates[] = {{x, rate_x}, {y, rate_y}};
  Graph::Direction direction(rates);
  const Node along = graph.derivative(f, direction);
  const Node sum =
      graph.add(graph.multiply(graph.derivative(f, x), rate_x), graph.multiply(graph.derivative(f, y), rate_y));
  const std::vector<double> at{0.7, 1.9};
  EXPECT_NEAR(graph.evaluate(along, at), graph.evaluate(sum, at), 1e-15);
}

// A function that is templated on its scalar, recorded.
template <class S>
S bent(const S& x, const S& y) {
  const auto left = less(x, 0.0);
  return select(left, x * y, sqrt(select(left, S(1.0), x)) - y / 2.0);
}

TEST_F(Differentiation, recorded_function_has_both_of_its_branches) {
  const Traced x(graph, graph.input(0)), y(graph, graph.input(1));
  const Node f = bent(x, y).node(graph);
  for (const double at_x : {-0.4, 0.9}) {
    const std::vector<double> at{at_x, 1.3};
    EXPECT_EQ(graph.evaluate(f, at), bent(at_x, 1.3));
    const double slope = at_x < 0.0 ? 1.3 : 0.5 / std::sqrt(at_x);
    EXPECT_DOUBLE_EQ(graph.evaluate(graph.derivative(f, graph.input(0)), at), slope);
  }
  EXPECT_TRUE((Traced(2.0) * Traced(3.0)).is_constant());
  EXPECT_TRUE(known_zero(x - x));
}

}  // namespace
}  // namespace tappet
