// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/wide/sums.h"

#include <gtest/gtest.h>

#include <vector>

namespace tappet {

// For even and odd sizes, also in the place of a summand, with the bits of the plain loop.
TEST(Sums, have_the_bits_of_plain_loops) {
  for (int n = 0; n <= 9; ++n) {
    std::vector<double> x(n + 1), v(n + 1), w(n + 1), y(n + 1, 7.0);
    for (int i = 0; i <= n; ++i) x[i] = 1.0 / (i + 3), v[i] = 0.7 - i / 7.0, w[i] = 1e-3 * i * i / 11.0;
    const double h = 1.0 / 30;
    add(n, x.data(), v.data(), y.data());
    for (int i = 0; i < n; ++i) EXPECT_EQ(y[i], x[i] + v[i]);
    add_multiple(n, x.data(), h, v.data(), y.data());
    for (int i = 0; i < n; ++i) EXPECT_EQ(y[i], x[i] + h * v[i]);
    add_multiple(n, x.data(), h, v.data(), w.data(), y.data());
    for (int i = 0; i < n; ++i) EXPECT_EQ(y[i], x[i] + h * (v[i] + w[i]));
    EXPECT_EQ(y[n], 7.0);  // nothing is written behind the end
    std::vector<double> in_place = x;
    add_multiple(n, in_place.data(), h, v.data(), in_place.data());
    for (int i = 0; i < n; ++i) EXPECT_EQ(in_place[i], x[i] + h * v[i]);
    EXPECT_EQ(in_place[n], x[n]);
  }
}

}  // namespace tappet
