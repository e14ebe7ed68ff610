// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/kept_samples.h"

#include <fmt/format.h>

#include <algorithm>

namespace tappet {

namespace {

long count(const std::vector<bool>& kept) { return std::count(kept.begin(), kept.end(), true); }

void keep_around(const std::vector<long>& marked, long reach, long every, std::vector<bool>& kept) {
  const long n = static_cast<long>(kept.size());
  for (size_t i = 0; i < marked.size(); i += every)
    for (long k = std::max(0L, marked[i] - reach - 1); k <= std::min(n - 1, marked[i] + reach); ++k) kept[k] = true;
}

}  // namespace

KeptSamples keep_samples(long recorded, const std::vector<long>& marked, long most) {
  KeptSamples result;
  most = std::max(most, 4L);
  std::vector<bool> kept(recorded, recorded <= most);
  if (recorded > most) {
    result.stride = (2 * recorded + most - 1) / most;
    std::vector<bool> around;
    long every = 1;
    for (result.reach = 8;; result.reach = result.reach / 2) {
      around.assign(recorded, false);
      keep_around(marked, result.reach, every, around);
      if (count(around) <= most / 2) break;
      if (result.reach == 0) every *= 2, result.all_marked = false;
    }
    kept = std::move(around);
    for (long k = 0; k < recorded; k += result.stride) kept[k] = true;
    kept[recorded - 1] = true;
  }
  for (long k = 0; k < recorded; ++k)
    if (kept[k]) result.samples.push_back(k);
  return result;
}

std::string KeptSamples::note(long recorded) const {
  if (static_cast<long>(samples.size()) == recorded) return {};
  return fmt::format(
      "This page shows {} of {} recorded steps: one in {}, and {} within {} of an impact, an opening or a "
      "failure. The result file holds all.",
      samples.size(), recorded, stride, all_marked ? "all" : "some", reach + 1);
}

}  // namespace tappet
