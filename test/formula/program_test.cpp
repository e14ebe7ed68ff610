// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/program.h"

#include <gtest/gtest.h>

#include <random>

#include "formula/parse.h"
#include "formula/time_function.h"
#include "math/dual.h"
#include "tappet/keys.h"

namespace tappet {
namespace {

using First = Dual<double, 1>;

First variable(double x) {
  First y(x);
  y.d[0] = 1.0;
  return y;
}

const char* const formulas[] = {"x+y*x",
                                "x*y-t",
                                "t-x*y",
                                "x/y",
                                "x^y",
                                "x^2+y^2",
                                "x^3-y^5",
                                "x^-3",
                                "x^2.5",
                                "sin(x)*cos(x)",
                                "sin(y)-cos(x*y)",
                                "tan(x)",
                                "asin(x/3)*acos(y/3)",
                                "atan(x*y)+atan2(x,y)",
                                "sqrt(x+y)*exp(x-y)",
                                "log(x*y)",
                                "abs(x-y)",
                                "min(x,y)*max(x,y)",
                                "sign(x-y)*y",
                                "step(x-y)*y",
                                "-(x+y)",
                                "7",
                                "x",
                                "x*y+x*y*t",
                                "(x*y+t)*(x*y-t)",
                                "0*x"};

class Compiled : public testing::Test {
 protected:
  Compiled() {
    for (const char* text : formulas) nodes.push_back(parse(graph, text, scope));
  }
  Graph graph;
  Scope scope{{"t", graph.input(0)}, {"x", graph.input(1)}, {"y", graph.input(2)}};
  std::vector<Node> nodes;
  std::mt19937 random{3};
  std::uniform_real_distribution<double> number{0.3, 1.4};
};

TEST_F(Compiled, gives_the_bits_of_direct_evaluation_except_in_integer_powers) {
  const Program program(graph, nodes, 3);
  std::vector<double> registers(program.register_count()), out(nodes.size());
  for (int sample = 0; sample < 50; ++sample) {
    const std::vector<double> x = {number(random), number(random), number(random)};
    program.run(x.data(), out.data(), registers.data());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (std::string_view(formulas[i]).find('^') == std::string_view::npos)
        EXPECT_EQ(out[i], graph.evaluate(nodes[i], x)) << formulas[i];
      else
        EXPECT_NEAR(out[i], graph.evaluate(nodes[i], x), 2e-15 * (1 + std::abs(out[i]))) << formulas[i];
  }
}

TEST_F(Compiled, runs_again_on_loaded_constants) {
  const Program program(graph, nodes, 3);
  std::vector<double> registers(program.register_count()), once(nodes.size()), again(nodes.size());
  program.load_constants(registers.data());
  const double x[] = {0.3, 0.7, 1.1}, z[] = {1.0, 0.4, 0.5};
  program.run_loaded(z, once.data(), registers.data());
  program.run_loaded(x, again.data(), registers.data());
  program.run(x, once.data(), registers.data());
  EXPECT_EQ(once, again);
}

TEST_F(Compiled, on_dual_numbers_gives_the_symbolic_derivative) {
  const Program program(graph, nodes, 3);
  std::vector<First> registers(program.register_count()), out(nodes.size());
  for (int slot = 0; slot < 3; ++slot) {
    const std::vector<double> x = {number(random), number(random), number(random)};
    std::vector<First> input{First(x[0]), First(x[1]), First(x[2])};
    input[slot].d[0] = 1;
    program.run(input.data(), out.data(), registers.data());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double exact = graph.evaluate(graph.derivative(nodes[i], graph.input(slot)), x);
      EXPECT_NEAR(out[i].d[0], exact, 1e-13 * (1 + std::abs(exact))) << formulas[i];
    }
  }
}

TEST_F(Compiled, computes_no_more_than_the_outputs_need) {
  const Node f = parse(graph, "x*y + t", scope), unused = parse(graph, "exp(sin(x))", scope);
  EXPECT_GT(unused, f - 1);
  EXPECT_EQ(Program(graph, {&f, 1}, 3).operations(), 1);
  const Node pair[] = {parse(graph, "sin(x)", scope), parse(graph, "cos(x)", scope)};
  EXPECT_EQ(Program(graph, pair, 3).operations(), 1);
  const Node constant = parse(graph, "2*pi", scope);
  EXPECT_EQ(Program(graph, {&constant, 1}, 3).operations(), 0);
  const Node power = parse(graph, "x^8", scope);
  EXPECT_EQ(Program(graph, {&power, 1}, 3).operations(), 3);
}

TEST(time_function, is_zero_by_default_and_constant_from_a_number) {
  EXPECT_EQ(TimeFunction()(3.0), 0.0);
  const TimeFunction five(5.0);
  EXPECT_TRUE(five.is_constant());
  EXPECT_EQ(five(1.0), 5.0);
  EXPECT_EQ(five.derivative(1.0), 0.0);
  EXPECT_EQ(at_time(five, variable(1.0)).d[0], 0.0);
}

TEST(time_function, knows_its_derivatives) {
  Graph graph;
  const Scope scope{{"t", graph.input(0)}, {"x", graph.input(1)}};
  const TimeFunction f(graph, parse(graph, "3*sin(2*t) + t^3", scope));
  EXPECT_FALSE(f.is_constant());
  const double t = 0.7;
  EXPECT_NEAR(f(t), 3 * std::sin(2 * t) + t * t * t, 1e-15);
  EXPECT_NEAR(f.derivative(t), 6 * std::cos(2 * t) + 3 * t * t, 1e-14);
  EXPECT_NEAR(f.second_derivative(t), -12 * std::sin(2 * t) + 6 * t, 1e-14);
  EXPECT_NEAR(at_time(f, variable(t)).d[0], f.derivative(t), 1e-14);
  EXPECT_TRUE(TimeFunction(graph, parse(graph, "2*pi", scope)).is_constant());
  EXPECT_THROW(TimeFunction(graph, parse(graph, "x*t", scope)), std::invalid_argument);
}

}  // namespace
}  // namespace tappet
