// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "run/simulate.h"
#include "support/allocations.h"
#include "support/paths.h"

namespace tappet {
namespace {

struct Pile {
  long bytes = 0;  // the largest amount of memory that the run uses at a time
  int contacts = 0;
};

Pile run_pile(const Overrides& set) {
  Pile pile;
  pile.bytes = test::most_bytes_during([&] {
    const Model model = load(test::shipped_models() + "/many/sphere_pile.yaml", set);
    const Result result = simulate(model, {.record_every = -1, .keep = false, .threads = 1});
    ASSERT_TRUE(result.done());
    pile.contacts = result.summary.max_found;
  });
  return pile;
}

// docs/performance.md: 2110 bytes per contact after 1000 spheres have fallen for 0.3 s. A touch point takes 192 bytes.
[[noreturn]] void measure_pile() {
  const Pile small = run_pile({{"k", "1"}}), large = run_pile({{"k", "10"}});
  const long bytes = (large.bytes - small.bytes) / std::max(1, large.contacts);
  fmt::print(stderr, "{} bytes for each of {} contacts\n", bytes, large.contacts);
  std::exit(large.contacts > 2000 && bytes < 2200 ? 0 : 1);
}

// A block of the heap that was left over by earlier tests may be larger than what is asked for, and all of it is
// counted. So the run has a process of its own.
TEST(Memory, a_contact_of_a_pile_takes_little_more_than_two_kilobytes_with_its_share_of_the_bodies) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(measure_pile(), testing::ExitedWithCode(0), "bytes for each");
}

}  // namespace
}  // namespace tappet
