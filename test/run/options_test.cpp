// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/options.h"

#include <gtest/gtest.h>

namespace tappet {
namespace {

struct Example {
  double theta = 0.5;
  int passes = 3;
  bool strict = false;
  std::string form = "printed";

  template <class V>
  void describe(V& v) {
    v.optional("theta", theta, Range{0, 1}, "weight of the end");
    v.optional("passes", passes, Range{1, 10}, "how often");
    v.optional("strict", strict, true_or_false, "whether");
    v.choice("form", form, {"printed", "table3"}, "which");
  }
};

TEST(Options, are_listed_with_default_meaning_and_range) {
  const auto list = list_options<Example>().options;
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].name, "theta");
  EXPECT_EQ(list[0].value, "0.5");
  EXPECT_EQ(list[0].expected, "0 to 1");
  EXPECT_EQ(list[3].expected, "printed or table3");
}

TEST(Options, are_set_by_name) {
  Example options;
  EXPECT_TRUE(set_option(options, "theta", "1/4"));
  EXPECT_TRUE(set_option(options, "passes", "7"));
  EXPECT_TRUE(set_option(options, "strict", "true"));
  EXPECT_TRUE(set_option(options, "form", "table3"));
  EXPECT_FALSE(set_option(options, "theta2", "1"));
  EXPECT_EQ(options.theta, 0.25);
  EXPECT_EQ(options.passes, 7);
  EXPECT_TRUE(options.strict);
  EXPECT_EQ(options.form, "table3");
}

TEST(Options, refuse_values_that_do_not_fit) {
  const std::pair<const char*, const char*> wrong[] = {{"theta", "1.5"},  {"theta", "nan"},    {"theta", "0/0"},
                                                       {"theta", "half"}, {"theta", ""},       {"passes", "2.5"},
                                                       {"passes", "0"},   {"passes", "1e99"},  {"strict", "yes"},
                                                       {"form", "table"}, {"form", "printed "}};
  for (const auto& [key, value] : wrong) {
    Example options;
    EXPECT_THROW(set_option(options, key, value), std::invalid_argument) << key << " = " << value;
  }
}

}  // namespace
}  // namespace tappet
