// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tappet {
namespace {

char folded(char c) {
  if (c == '-' || c == ' ') return '_';
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// The number of edits (insert, delete, replace, swap of neighbours) from a to b. Case, and - instead of _, are ignored.
int distance(std::string_view a, std::string_view b) {
  const int n = static_cast<int>(b.size());
  std::vector<int> before(n + 1), last(n + 1), row(n + 1);
  for (int j = 0; j <= n; ++j) last[j] = j;
  for (int i = 1; i <= static_cast<int>(a.size()); ++i) {
    row[0] = i;
    for (int j = 1; j <= n; ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[n];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 200;  // longer words are not typing mistakes
  if (word.size() > longest) return {};
  std::string best;
  int least = 1 + std::max<int>(word.size() > 3 ? 2 : 1, static_cast<int>(word.size()) / 3);
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const int d = distance(word, candidate);
    if (d < least && d < static_cast<int>(std::max(word.size(), candidate.size()))) least = d, best = candidate;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t most = 30;
  if (words.size() <= most) return fmt::format("{}", fmt::join(words, ", "));
  return fmt::format("{}, … ({} in all)", fmt::join(words.begin(), words.begin() + most, ", "), words.size());
}

}  // namespace tappet
