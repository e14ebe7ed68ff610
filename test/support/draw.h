// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tappet::test {

// Splitmix: the distributions of the standard library differ between machines.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  double between(double least, double most) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return least + (most - least) * static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  int whole(int least, int most) {
    return std::min(most, least + static_cast<int>(between(0, 1) * (most - least + 1)));
  }
  // The logarithm is distributed evenly.
  double decades(double least, double most) { return std::exp(between(std::log(least), std::log(most))); }
  bool chance(double part) { return between(0, 1) < part; }

 private:
  std::uint64_t state_;
};

}  // namespace tappet::test
