// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "formula/time_function.h"
#include "slider_crank.h"
#include "support/allocations.h"

namespace tappet {
namespace {

TEST(allocation, none_in_any_evaluation_of_mechanics) {
  SliderCrank crank;
  const FormulaMechanics m(crank.graph, crank.system);
  auto w = m.workspace();
  const double q[] = {0.1, 0.2, 0.3}, u[] = {1, 2, 3}, a[] = {3, 2, 1}, P[] = {1, 1};
  double M[9], h[3], K[9], C[9], g[4], W[6], chi[2], out[9], more[9];
  const long before = test::allocations();
  m.mass(0, q, M, w);
  m.forces(0, q, u, h, w);
  m.mass_and_forces(0, q, u, M, h, w);
  m.force_derivatives(0, q, u, K, C, w);
  m.mass_times_derivative(0, q, a, K, w);
  const double energy = m.kinetic(0, q, u, w) + m.potential(0, q, w);
  m.gaps(0, q, g, w);
  for (int k = 0; k < m.blocks(); ++k) {
    m.value(k, 0, q, out, w);
    m.directions(k, 0, q, W, chi, w);
    m.accelerations(k, 0, q, u, chi, w);
    m.impulse_derivative(k, 0, q, P, out, w);
    m.velocity_derivative(k, 0, q, u, out, w);
    m.acceleration_derivatives(k, 0, q, u, a, out, more, w);
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(energy, 0.0);
}

TEST(allocation, none_in_a_function_of_time_after_its_first_call) {
  Graph graph;
  const TimeFunction f(graph, parse(graph, "sin(t)*t^2", {{"t", graph.input(0)}}));
  double sum = f(0.1) + f.derivative(0.1) + f.second_derivative(0.1);
  const long before = test::allocations();
  for (int i = 0; i < 10; ++i) sum += f(0.2 * i) + f.derivative(0.2 * i) + f.second_derivative(0.2 * i);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_NE(sum, 0.0);
}

}  // namespace
}  // namespace tappet
