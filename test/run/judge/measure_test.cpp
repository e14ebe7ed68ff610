// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/measure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "record/trace.h"
#include "run/simulate.h"

namespace tappet {
namespace {

const std::vector<double> t{0, 1, 2, 3, 4, 5};
const std::vector<double> x{-1, 2, 5, -3, 1, 4};

TEST(Measure, reductions_are_what_their_names_say) {
  EXPECT_EQ(reduce("final", t, x, {}), 4);
  EXPECT_EQ(reduce("max", t, x, {}), 5);
  EXPECT_EQ(reduce("min", t, x, {}), -3);
  EXPECT_EQ(reduce("sum", t, x, {}), 8);
  EXPECT_DOUBLE_EQ(reduce("mean", t, x, {}), 8.0 / 6);
  EXPECT_EQ(reduce("count", t, x, {}), 4);
  EXPECT_EQ(reduce("first", t, x, {}), 1);
  EXPECT_EQ(reduce("last", t, x, {}), 5);
  EXPECT_EQ(sampled(t, x, 2.4), 5);
}

TEST(Measure, a_window_leaves_samples_out) {
  EXPECT_EQ(reduce("max", t, x, {.from = 3, .to = 4}), 1);
  EXPECT_EQ(reduce("min", t, x, {.where = x}), 1);
  EXPECT_TRUE(std::isnan(reduce("max", t, x, {.from = 6})));
  EXPECT_EQ(reduce("count", t, x, {.from = 6}), 0);
}

// Phases where x > 0: {2, 5} and {1, 4}.
TEST(Measure, growth_starts_anew_in_every_phase) {
  EXPECT_EQ(reduce("growth", t, x, {.where = x}), 3);
  EXPECT_EQ(reduce("growth", t, x, {}), 6);
}

TEST(Measure, distances_are_those_of_the_book) {
  const std::vector<double> zero(6, 0.0), three(6, 3.0), four(6, 4.0), coarse_t{0, 5}, ramp{0, 10};
  EXPECT_EQ(distance("end", t, {three, four}, t, {zero, zero}, {}), 5);
  EXPECT_EQ(distance("L1", t, {three, four}, t, {zero, zero}, {}), 25);
  EXPECT_DOUBLE_EQ(distance("L2", t, {three, four}, t, {zero, zero}, {}), std::sqrt(125.0));
  EXPECT_EQ(distance("max", t, {three, four}, t, {zero, zero}, {}), 5);
  EXPECT_DOUBLE_EQ(distance("matrix", t, {three, four}, t, {zero, zero}, {}), std::sqrt(6 * 25.0));
  EXPECT_EQ(distance("max", t, {zero}, coarse_t, {ramp}, {.to = 3}), 6);  // linear in between
}

TEST(Measure, order_is_the_slope_of_the_logarithms) {
  const std::vector<double> dt{1e-2, 1e-3, 1e-4}, error{3e-4, 3e-6, 3e-8};
  EXPECT_NEAR(observed_order(dt, error), 2, 1e-12);
}

// A mass that falls with g = 10 for 1 s: z = −5 t².
TEST(Trace, notes_formulas_of_coordinates_parameters_definitions_and_earlier_values) {
  const Model model = parse_model(R"(
parameters: {m: 2, g: 10}
coordinates: {z: {position: 0, velocity: 0}}
define: {twice: 2*z}
lagrangian: {kinetic: m*z'^2/2, potential: m*g*z}
contacts: {floor: {gap: z + 100}}
run: {scheme: moreau-midpoint, dt: 0.1, end: 1}
)",
                                  "falling.yaml");
  const System system(model);
  Trace trace(system, {"m*g*z + m*z'^2/2 - energy", "twice - last.twice", "floor.gap - z", "t - last.t"});
  simulate(model, {.recorders = {&trace}});
  ASSERT_EQ(trace.t().size(), 11u);
  EXPECT_NEAR(trace.column("m*g*z + m*z'^2/2 - energy").back(), 0, 1e-13);
  EXPECT_EQ(trace.column("twice - last.twice").front(), 0);
  EXPECT_NEAR(trace.column("twice - last.twice").back(), -10 * (1 - 0.81), 1e-13);
  EXPECT_EQ(trace.column("floor.gap - z").back(), 100);
  EXPECT_NEAR(trace.column("t - last.t").back(), 0.1, 1e-15);
  EXPECT_THROW(Trace(system, {"zz"}), FormulaError);
}

}  // namespace
}  // namespace tappet
