// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "study/plan/axis.h"
#include "study/plan/sobol.h"

namespace tappet {
namespace {

StudyAxis values_of(std::string name, std::vector<double> values) {
  StudyAxis axis;
  axis.parameter = std::move(name), axis.values = std::move(values);
  return axis;
}
StudyAxis random_axis(std::string name, StudyAxis::Kind kind, double low, double high) {
  StudyAxis axis;
  axis.parameter = std::move(name), axis.kind = kind, axis.low = low, axis.high = high;
  return axis;
}

TEST(Plan, combines_all_values_and_the_last_axis_varies_fastest) {
  const Plan plan({values_of("a", {1, 2}), values_of("b", {10, 20, 30})}, Sampling::independent, 1, 0);
  ASSERT_EQ(plan.runs(), 6);
  std::vector<double> v;
  std::vector<std::vector<double>> all;
  for (long k = 0; k < 6; ++k) plan.values(k, v), all.push_back(v);
  const std::vector<std::vector<double>> expected{{1, 10}, {1, 20}, {1, 30}, {2, 10}, {2, 20}, {2, 30}};
  EXPECT_EQ(all, expected);
}

TEST(Plan, columns_of_a_table_belong_together) {
  StudyAxis a = values_of("a", {1, 2, 3}), b = values_of("b", {4, 5, 6});
  a.kind = b.kind = StudyAxis::Kind::column;
  const Plan plan({a, values_of("c", {0, 7}), b}, Sampling::independent, 1, 0);
  ASSERT_EQ(plan.runs(), 6);
  std::vector<double> v;
  plan.values(3, v);
  EXPECT_EQ(v, (std::vector<double>{2, 7, 5}));
}

// Quantiles from tables of the normal distribution.
TEST(Plan, normal_quantiles) {
  EXPECT_DOUBLE_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.9), 1.2815515655446004, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-13);
  // near the middle: the series √(2π) δ (1 + 2π δ²/6 + …)
  EXPECT_NEAR(normal_quantile(0.4999), -1e-4 * std::sqrt(2 * M_PI) * (1 + 2 * M_PI * 1e-8 / 6), 2e-16);
}

class EverySampling : public testing::TestWithParam<Sampling> {};

TEST_P(EverySampling, has_the_moments_of_its_distribution) {
  const long n = 4096;
  const Plan plan(
      {random_axis("a", StudyAxis::Kind::uniform, 2, 4), random_axis("b", StudyAxis::Kind::normal, -1, 0.5)},
      GetParam(), n, 5);
  double mean_a = 0, mean_b = 0, square_b = 0, product = 0;
  std::vector<double> v;
  for (long k = 0; k < n; ++k) {
    plan.values(k, v);
    ASSERT_TRUE(v[0] > 2 && v[0] < 4);
    mean_a += v[0] / n, mean_b += v[1] / n, square_b += (v[1] + 1) * (v[1] + 1) / n;
    product += (v[0] - 3) * (v[1] + 1) / n;
  }
  // three standard deviations of the mean of independent samples
  EXPECT_NEAR(mean_a, 3.0, 3 * 2 / std::sqrt(12.0 * n));
  EXPECT_NEAR(mean_b, -1.0, 3 * 0.5 / std::sqrt(double(n)));
  EXPECT_NEAR(square_b, 0.25, 3 * 0.25 * std::sqrt(2.0 / n));
  EXPECT_NEAR(product, 0.0, 3 * 0.5 * 2 / std::sqrt(12.0) / std::sqrt(double(n)));
}
TEST_P(EverySampling, depends_on_the_seed_alone) {
  const auto plan = [&](int seed) {
    return Plan({random_axis("a", StudyAxis::Kind::uniform, 0, 1)}, GetParam(), 100, seed);
  };
  std::vector<double> first, same, other;
  plan(1).values(57, first), plan(1).values(57, same), plan(2).values(57, other);
  EXPECT_EQ(first, same);
  EXPECT_NE(first, other);
}
INSTANTIATE_TEST_SUITE_P(all, EverySampling,
                         testing::Values(Sampling::independent, Sampling::latin_hypercube, Sampling::sobol));

TEST(Plan, latin_hypercube_has_one_sample_in_each_part) {
  const long n = 250;
  const Plan plan({random_axis("a", StudyAxis::Kind::uniform, 0, 1), random_axis("b", StudyAxis::Kind::uniform, 0, 1)},
                  Sampling::latin_hypercube, n, 3);
  std::set<long> a, b;
  std::vector<double> v;
  for (long k = 0; k < n; ++k) plan.values(k, v), a.insert(std::floor(v[0] * n)), b.insert(std::floor(v[1] * n));
  EXPECT_EQ(a.size(), 250u);
  EXPECT_EQ(b.size(), 250u);
}

TEST(Sobol, every_axis_fills_every_dyadic_interval_once) {
  for (int axis = 0; axis < Plan::most_sobol_axes; ++axis)
    for (int k : {1, 3, 8, 12}) {
      std::set<std::uint32_t> parts;
      for (std::uint32_t i = 0; i < (1u << k); ++i) parts.insert(sobol_bits(axis, i) >> (32 - k));
      EXPECT_EQ(parts.size(), std::size_t(1) << k) << "axis " << axis;
    }
}

// The points of the first two axes that the literature prints: (0, 0), (1/2, 1/2), (1/4, 3/4), (3/4, 1/4) in some order
// of the Gray code, and more generally every elementary square of 2²ᵏ points holds one.
TEST(Sobol, the_first_two_axes_fill_every_square_once) {
  for (int k : {1, 2, 3, 4}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> squares;
    for (std::uint32_t i = 0; i < (1u << (2 * k)); ++i)
      squares.insert({sobol_bits(0, i) >> (32 - k), sobol_bits(1, i) >> (32 - k)});
    EXPECT_EQ(squares.size(), std::size_t(1) << (2 * k));
  }
}

TEST(Sobol, no_two_axes_are_the_same) {
  for (int a = 0; a < Plan::most_sobol_axes; ++a)
    for (int b = 0; b < a; ++b) {
      int equal = 0;
      for (std::uint32_t i = 0; i < 256; ++i) equal += sobol_bits(a, i) == sobol_bits(b, i);
      EXPECT_LT(equal, 100) << a << " " << b;
    }
}

}  // namespace
}  // namespace tappet
