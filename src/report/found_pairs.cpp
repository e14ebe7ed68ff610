// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/found_pairs.h"

#include <algorithm>
#include <map>

#include "record/found_names.h"

namespace tappet {

namespace {

constexpr long entries_at_a_time = 1L << 17, samples_at_a_time = 1L << 12;
const std::string group = "found/contacts/";

}  // namespace

FoundPairs::FoundPairs(const ResultSource& result, const Model& model) : result_(result) {
  if (!result.has(group + "offset") || !result.has(group + "P_N")) return;
  const long entries = result.length(group + "P_N");
  std::map<std::pair<int, int>, double> impulses;
  for (long first = 0; first < entries; first += entries_at_a_time) {
    const long count = std::min(entries_at_a_time, entries - first);
    const auto read = [&](const char* data) { return result.column(group + data, 0, first, count); };
    const auto A = read("A"), B = read("B"), P_N = read("P_N");
    for (long i = 0; i < count; ++i) impulses[{int(A[i]), int(B[i])}] += P_N[i];
  }
  all_ = static_cast<int>(impulses.size());
  const FoundNames names = FoundNames::of(model);
  for (const auto& [pair, impulse] : impulses) {
    const auto [A, B] = pair;
    if (std::max(A, B) >= static_cast<int>(names.names.size())) continue;
    const ContactLaw &a = model.colliders[names.entry[A]].law, &b = model.colliders[names.entry[B]].law;
    pairs_.push_back({A, B, pair_name(names, A, B), std::min(a.mu[0], b.mu[0]), std::min(a.e_N, b.e_N), impulse});
  }
  std::stable_sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.impulse > b.impulse; });
  if (static_cast<int>(pairs_.size()) > most) pairs_.resize(most);
  std::sort(pairs_.begin(), pairs_.end(),
            [](const Pair& a, const Pair& b) { return std::pair(a.A, a.B) < std::pair(b.A, b.B); });
}

std::vector<FoundPairs::Sum> FoundPairs::stretch(int pair, long first, long count) const {
  std::vector<Sum> sums(static_cast<size_t>(count));
  const long samples = result_.length(group + "offset"), last = std::min(first + count, samples);
  if (first >= last) return sums;
  const auto offsets = result_.column(group + "offset", 0, first, std::min(last + 1, samples) - first);
  const long begin = static_cast<long>(offsets[0]);
  const long end = last < samples ? static_cast<long>(offsets[last - first]) : result_.length(group + "P_N");
  const auto read = [&](const char* data, int k = 0) { return result_.column(group + data, k, begin, end - begin); };
  const auto A = read("A"), B = read("B"), P_N = read("P_N"), slip = read("slip");
  std::vector<double> P[3], at[3], n[3];
  for (int k = 0; k < 3; ++k) P[k] = read("P", k), at[k] = read("point", k), n[k] = read("normal", k);
  for (long s = 0; s < last - first; ++s) {
    Sum& sum = sums[s];
    const long until = s + 1 < static_cast<long>(offsets.size()) ? static_cast<long>(offsets[s + 1]) : end;
    double weights = 0.0;
    for (long i = static_cast<long>(offsets[s]) - begin; i < until - begin; ++i) {
      if (int(A[i]) != pairs_[pair].A || int(B[i]) != pairs_[pair].B) continue;
      const double weight = P_N[i] > 0.0 ? P_N[i] : 1e-300;
      sum.P_N += P_N[i], sum.slip = std::max(sum.slip, slip[i]), weights += weight;
      for (int k = 0; k < 3; ++k) {
        sum.P[k] += P[k][i], sum.at[k] += weight * at[k][i];
        sum.friction[k] += P[k][i] - P_N[i] * n[k][i];
      }
    }
    if (weights > 0.0) sum.at = (1.0 / weights) * sum.at;
  }
  return sums;
}

std::vector<FoundPairs::Sum> FoundPairs::sums(int pair, std::span<const long> samples) const {
  std::vector<Sum> result;
  result.reserve(samples.size());
  for (size_t i = 0; i < samples.size();) {
    const long first = samples[i] / samples_at_a_time * samples_at_a_time;
    const auto block = stretch(pair, first, samples_at_a_time);
    for (; i < samples.size() && samples[i] < first + samples_at_a_time; ++i)
      result.push_back(block[samples[i] - first]);
  }
  return result;
}

// An impact is the first impulse after the contact was open, if it is out of proportion to the next one or if the
// contact opens again at once.
ContactHistory FoundPairs::history(int pair) const {
  return {result_.samples(), [this, pair](long first, long count) {
            const long before = std::min(first, 1L), after = first + count < result_.samples() ? 1 : 0;
            const auto sums = stretch(pair, first - before, before + count + after);
            ContactHistory::Stretch s;
            s.t = result_.column("t", 0, first, count);
            s.gap_velocity.assign(count, 0.0);
            for (long k = before; k < before + count; ++k) {
              const double P = sums[k].P_N, last = k > 0 ? sums[k - 1].P_N : 0.0;
              const double next = k + 1 < static_cast<long>(sums.size()) ? sums[k + 1].P_N : P;
              s.P_N.push_back(P);
              s.Lambda_N.push_back(first + k - before > 0 && last == 0.0 && P > 4.0 * next ? P : 0.0);
              if (pairs_[pair].mu > 0.0) s.slip.push_back(sums[k].slip);
            }
            return s;
          }};
}

}  // namespace tappet
