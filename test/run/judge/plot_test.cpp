// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tappet {
namespace {

using testing::HasSubstr;
using testing::Not;

size_t count(const std::string& text, const std::string& word) {
  size_t n = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

TEST(Plot, draws_labels_and_curves_with_text_escaped) {
  const std::string svg = to_svg({"a < b", {"t, s"}, {"q"}, {{"one & two", {0, 1}, {0, 1}}, {"", {0, 1}, {1, 0}}}});
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, HasSubstr("one &amp; two"));
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(Plot, what_a_logarithm_cannot_show_parts_the_line) {
  const std::string svg = to_svg({"", {"dt", true}, {"error", true}, {{"e", {1, 2, 3, 4, 5}, {1, 2, 0, 3, 4}, true}}});
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_EQ(count(svg, "<circle"), 4u);
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

// A spike of one sample in a million must not be lost.
TEST(Plot, long_curves_keep_their_extremes_and_become_short) {
  Curve curve{"c", {}, {}};
  for (int k = 0; k < 1000000; ++k) curve.x.push_back(k), curve.y.push_back(k == 123456 ? 7.0 : 0.0);
  const std::string svg = to_svg({"", {"x"}, {"y", false, 0.0, 7.0}, {curve}});
  EXPECT_LT(svg.size(), 60000u);
  EXPECT_THAT(svg, HasSubstr(",34.0 "));  // the top of the frame
}

TEST(Plot, nothing_to_draw_is_a_frame) {
  EXPECT_THAT(to_svg({"", {"x"}, {"y"}, {}}), HasSubstr("</svg>"));
  EXPECT_THAT(to_svg({"", {"x"}, {"y"}, {{"none", {NAN}, {NAN}}}}), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace tappet
