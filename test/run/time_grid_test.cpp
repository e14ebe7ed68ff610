// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "run/options.h"
#include "run/simulate.h"

namespace tappet {
namespace {

TEST(TimeGrid, has_end_over_dt_steps_where_that_is_whole) {
  EXPECT_EQ(TimeGrid(1e-4, 0.1).steps(), 1000);
  EXPECT_EQ(TimeGrid(0.1, 0.3).steps(), 3);  // 0.3/0.1 = 2.9999999999999996
  EXPECT_EQ(TimeGrid(1e-5, 1.0).steps(), 100000);
  EXPECT_EQ(TimeGrid(1e-7, 1.0).steps(), 10000000);
  EXPECT_EQ(TimeGrid(1.0 / 3, 1.0).steps(), 3);
}

TEST(TimeGrid, times_are_multiples_of_dt_without_drift) {
  const TimeGrid grid(1e-5, 1.0);
  EXPECT_EQ(grid.t(0), 0.0);
  EXPECT_EQ(grid.t(70000), 70000 * 1e-5);
  EXPECT_EQ(grid.t(100000), 1.0);
  for (const long k : {0L, 50000L, 99999L}) EXPECT_EQ(grid.dt(k), 1e-5);
}

TEST(TimeGrid, clips_the_last_step_to_the_end) {
  const TimeGrid grid(0.3, 1.0);
  EXPECT_EQ(grid.steps(), 4);
  EXPECT_EQ(grid.dt(2), 0.3);
  EXPECT_EQ(grid.dt(3), 1.0 - 3 * 0.3);
  EXPECT_EQ(grid.t(4), 1.0);
  const TimeGrid one(2.0, 1.0);
  EXPECT_EQ(one.steps(), 1);
  EXPECT_EQ(one.dt(0), 1.0);
}

TEST(TimeGrid, goes_on_from_a_start_with_the_times_of_the_whole_run) {
  const TimeGrid whole(1e-3, 1.0), rest(1e-3, 1.0, 0.3);
  EXPECT_EQ(rest.steps(), 700);
  for (const long k : {0L, 1L, 350L, 699L, 700L}) EXPECT_EQ(rest.t(k), whole.t(300 + k));
  const TimeGrid between(0.1, 1.0, 0.25);  // not a multiple of dt
  EXPECT_EQ(between.steps(), 8);
  EXPECT_EQ(between.t(0), 0.25);
  EXPECT_EQ(between.t(2), 0.25 + 2 * 0.1);
  EXPECT_EQ(between.t(8), 1.0);
  EXPECT_THROW(TimeGrid(0.1, 1.0, 1.0), UsageError);
}

TEST(TimeGrid, refuses_steps_and_ends_that_are_none) {
  for (const double wrong :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(TimeGrid(wrong, 1.0), UsageError);
    EXPECT_THROW(TimeGrid(1.0, wrong), UsageError);
  }
  EXPECT_THROW(TimeGrid(1e-300, 1.0), UsageError);
}

}  // namespace
}  // namespace tappet
