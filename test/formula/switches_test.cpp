// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/switches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "formula/minimum.h"
#include "formula/parse.h"

namespace tappet {
namespace {

struct Formula {
  Graph graph;
  Scope scope{{"x", graph.input(0)}, {"y", graph.input(1)}};
  Node operator()(const char* text) { return parse(graph, text, scope); }
};

constexpr int first_branch = 2;

double branch(const Switch& s, double decides) { return s.whole ? std::floor(decides) : decides > 0 ? 1 : -1; }

// If every branch is what its switch function says, a held formula has its original value.
TEST(Switches, held_formulas_agree_with_the_formula_on_their_branch) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-2, 2);
  for (const char* text :
       {"max(x, y)", "min(x, y)", "abs(x)", "sign(x)*y", "step(x - y)", "abs(max(x, y*y) - 1)*sign(y)",
        "min(max(x, -y), abs(x*y) - 0.3)", "max(x, y) + min(x, y)", "step(x)*step(y)", "sign(sign(x) + 0.5)",
        "floor(3*x)*y", "mod(x, 0.7)", "table(x, [-1, 2], [0, 1], [0.5, -1], [1, 0])",
        "if(x < y and not x >= 0.5, x, sin(y))", "if(x <= 0 or y > 1, 1/x, y)"}) {
    Formula f;
    const Node plain = f(text);
    HeldFormulas held(f.graph, first_branch);
    const Node held_node = held.hold(plain);
    ASSERT_FALSE(held.switches().empty()) << text;
    for (int sample = 0; sample < 200; ++sample) {
      std::vector<double> at{number(random), number(random)};
      at.resize(first_branch + held.switches().size());
      for (size_t i = 0; i < held.switches().size(); ++i)  // inner switches come first
        at[first_branch + i] = branch(held.switches()[i], f.graph.evaluate(held.switches()[i].decides, at));
      EXPECT_NEAR(f.graph.evaluate(held_node, at), f.graph.evaluate(plain, at), 1e-14) << text;
    }
  }
}

TEST(Switches, one_decision_is_one_switch_however_it_is_written) {
  Formula f;
  HeldFormulas held(f.graph, first_branch);
  for (const char* text : {"max(x, y)", "min(x, y)", "max(y, x)", "abs(x - y)", "sign(y - x)"}) held.hold(f(text));
  EXPECT_EQ(held.switches().size(), 1u);
  held.hold(f("abs(x)"));
  EXPECT_EQ(held.switches().size(), 2u);
  EXPECT_TRUE(held.switches()[0].jumps);  // because of sign
  EXPECT_FALSE(held.switches()[1].jumps);
}

TEST(Switches, a_branch_that_is_not_defined_has_no_part_in_the_other) {
  Formula f;
  HeldFormulas held(f.graph, first_branch);
  const Node node = held.hold(f("max(sqrt(x), y)"));
  EXPECT_EQ(f.graph.evaluate(node, std::vector<double>{-1.0, 3.0, 1.0}), 3.0);
}

TEST(Minimum, parts_have_the_minimum_of_the_formula) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-2, 2);
  const std::tuple<const char*, size_t> cases[] = {{"y - abs(x)", 2},
                                                   {"min(x, y)", 2},
                                                   {"-max(-x, -y)", 2},
                                                   {"2*min(x, y) + x*y", 2},
                                                   {"min(x, min(y, x + y))", 3},
                                                   {"x - abs(y)/2 - abs(x - 1)", 4},
                                                   {"max(min(x, y), x*y)", 2},
                                                   {"y + max(x, -x)", 1},
                                                   {"max(x, y)", 1},
                                                   {"abs(x) - y", 1},
                                                   {"sin(x)*min(x, y)", 1},
                                                   {"-3*max(x, y) + sin(x)", 2}};
  for (const auto& [text, count] : cases) {
    Formula f;
    const Node node = f(text);
    const std::vector<Node> parts = parts_of_minimum(f.graph, node);
    EXPECT_EQ(parts.size(), count) << text;
    for (int sample = 0; sample < 200; ++sample) {
      const std::vector<double> at{number(random), number(random)};
      double least = INFINITY;
      for (Node part : parts) least = std::min(least, f.graph.evaluate(part, at));
      EXPECT_NEAR(least, f.graph.evaluate(node, at), 1e-14) << text;
    }
  }
}

TEST(Minimum, a_formula_of_too_many_parts_stays_whole) {
  Formula f;
  const Node node = f("-abs(x-1)-abs(x-2)-abs(x-3)-abs(x-4)-abs(x-5)-abs(x-6)-abs(x-7)");
  EXPECT_EQ(parts_of_minimum(f.graph, node), std::vector{node});
}

}  // namespace
}  // namespace tappet
