// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/quotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "judge/reproduction.h"

namespace tappet {
namespace {

TEST(Quotation, numbers_are_read_as_papers_print_them) {
  EXPECT_TRUE(prints("Algorithm 1 10−04 8.099× 10−11 1.96/2 0.09/2", 8.099e-11));
  EXPECT_TRUE(prints("Algorithm 1 10−04 8.099× 10−11 1.96/2 0.09/2", 1.96));
  EXPECT_TRUE(prints("Algorithm 1 10−04 8.099× 10−11 1.96/2 0.09/2", 1e-4));
  EXPECT_TRUE(prints("2^{-5}\t$5.197e - 005$\tN/A", 5.197e-5));
  EXPECT_TRUE(prints("$\\tau = 1.271 \\cdot 10^3 \\mathrm{N}$", 1271));
  EXPECT_TRUE(prints("-1.27e-003", -1.27e-3));
  EXPECT_TRUE(prints("ω1,z = 150rad/s", 150));
  EXPECT_FALSE(prints("-1.27e-003", 1.27e-3));
  EXPECT_FALSE(prints("1.324× 10−04", 1.324e-5));
  EXPECT_FALSE(prints("a factor of ten", 10));
}

TEST(Quotation, a_passage_is_found_across_line_breaks_and_omissions) {
  const std::string text =
      "spurious oscillations are not ob-\nserved in Figure 12. The constraint at the velocity level";
  EXPECT_TRUE(holds_passage(text, "oscillations are not observed in Figure 12"));
  EXPECT_TRUE(holds_passage(text, "Spurious … the velocity level"));
  EXPECT_FALSE(holds_passage(text, "the velocity level … Spurious"));
  EXPECT_FALSE(holds_passage(text, "oscillations are observed"));
  EXPECT_FALSE(holds_passage(text, "…"));
}

// We may not distribute the papers. If $TAPPET_PAPERS names a folder with their texts (acary2012….txt, …), every quote
// is looked up in its paper.
TEST(Quotation, what_the_reproductions_quote_stands_in_the_papers) {
  const char* folder = std::getenv("TAPPET_PAPERS");
  if (folder == nullptr) GTEST_SKIP() << "set TAPPET_PAPERS to a folder of the papers' texts";
  const auto text_of = [&](std::string author) {
    std::transform(author.begin(), author.end(), author.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().filename().string().starts_with(author)) {
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        return text.str();
      }
    return std::string();
  };
  for (const Reproduction& r : reproductions()) {
    const std::string paper = text_of(r.source.substr(0, r.source.find_first_of(" ,")));
    ASSERT_FALSE(paper.empty()) << r.name << ": no text of " << r.source;
    for (const Check& c : r.checks) {
      if (!c.quote.empty()) {
        EXPECT_TRUE(holds_passage(paper, c.quote)) << r.name << ": " << c.quote;
      }
      for (const std::string& words : c.published_words)
        EXPECT_TRUE(holds_passage(paper, words)) << r.name << ": " << words;
    }
  }
}

}  // namespace
}  // namespace tappet
