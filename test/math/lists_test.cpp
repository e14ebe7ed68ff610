// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <tappet/vec.h>

#include "math/lists/index_runs.h"
#include "math/lists/short_list.h"

namespace tappet {
namespace {

template <class List>
std::vector<int> entries(const List& list) {
  std::vector<int> all;
  for (int i : list) all.push_back(i);
  return all;
}

TEST(Lists, index_runs_give_back_what_they_were_given_whatever_the_runs) {
  for (const std::vector<int>& given :
       {std::vector<int>{}, {4}, {6, 7, 8, 9, 10, 11, 30, 31, 32}, {3, 1}, {0, 1, 5, 6, 9}, {2, 2, 2}}) {
    IndexRuns runs;
    runs.push_back(77), runs.clear();
    for (int i : given) runs.push_back(i);
    const IndexRuns copy = runs;
    ASSERT_EQ(copy.size(), given.size());
    EXPECT_EQ(entries(runs), given);
    EXPECT_EQ(entries(copy), given);
    for (size_t i = 0; i < given.size(); ++i) EXPECT_EQ(copy[i], given[i]);
  }
}

TEST(Lists, short_lists_keep_their_entries_beyond_what_they_hold_without_the_heap) {
  ShortList<signed char, 3> list;
  for (int i = 0; i < 8; ++i) {
    list.push_back(static_cast<signed char>(i - 2));
    const ShortList<signed char, 3> copy = list;
    ASSERT_EQ(copy.size(), i + 1u);
    for (int j = 0; j <= i; ++j) EXPECT_EQ(copy[j], j - 2);
  }
}

// A list is filled one by one to n entries. The test measures its unused memory and how often it moved.
TEST(Lists, large_lists_have_at_most_an_eighth_to_spare_and_move_rarely) {
  std::vector<double> list;
  int moves = 0;
  for (size_t n = 1; n <= 1'000'000; ++n) {
    const double* before = list.data();
    make_room(list, n);
    list.resize(n);
    moves += list.data() != before;
    if (n > 10'000) {
      ASSERT_LE(list.capacity(), n + n / 8 + 1);
    }
  }
  EXPECT_LT(moves, 80);  // log(1e6 / 2048) / log(9/8) + 12
}

}  // namespace
}  // namespace tappet
