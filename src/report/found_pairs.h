// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <span>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/result_source.h"
#include "report/contact_events.h"

namespace tappet {

// Contacts between colliders, pair by pair, if the run recorded them one by one (`/found/contacts`). There are at most
// `most` pairs, those with the largest impulses. They are read in stretches, so a long run needs no more memory than
// a short one.
class FoundPairs {
 public:
  static constexpr int most = 24;

  FoundPairs(const ResultSource& result, const Model& model);  // empty if the run did not record them

  struct Pair {
    int A = 0, B = 0;  // as recorded
    std::string name;
    double mu = 0, e_N = 0;
    double impulse = 0;  // the sum of P_N over the recorded steps
  };
  const std::vector<Pair>& pairs() const { return pairs_; }
  int all() const { return all_; }  // the number of pairs that touched

  // The sum over all points of a pair at one sample. Impulses are those of the step. `at` is their mean point, weighted
  // by P_N.
  struct Sum {
    double P_N = 0, slip = 0;
    Vec3d P{}, at{}, friction{};
  };
  std::vector<Sum> sums(int pair, std::span<const long> samples) const;  // ascending samples
  ContactHistory history(int pair) const;

 private:
  std::vector<Sum> stretch(int pair, long first, long count) const;

  const ResultSource& result_;
  std::vector<Pair> pairs_;
  int all_ = 0;
};

}  // namespace tappet
