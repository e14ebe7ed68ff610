// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/plan/sobol.h"

#include <array>

namespace tappet {

namespace {

constexpr int axes = 20, bits = 32;

// The direction numbers of S. Joe and F. Y. Kuo, "Constructing Sobol' sequences with better two-dimensional
// projections", SIAM J. Sci. Comput. 30 (2008): the degree of the primitive polynomial, its inner coefficients as a
// binary number, and the first odd numbers m. The first axis has none of them.
struct Direction {
  int degree;
  unsigned coefficients;
  std::array<unsigned, 7> m;
};
constexpr Direction directions[axes - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
};

using Vectors = std::array<std::array<std::uint32_t, bits>, axes>;

constexpr Vectors direction_vectors() {
  Vectors v{};
  for (int i = 0; i < bits; ++i) v[0][i] = 1u << (bits - 1 - i);
  for (int axis = 1; axis < axes; ++axis) {
    const Direction& d = directions[axis - 1];
    for (int i = 0; i < bits; ++i) {
      if (i < d.degree) {
        v[axis][i] = d.m[i] << (bits - 1 - i);
        continue;
      }
      std::uint32_t x = v[axis][i - d.degree] ^ (v[axis][i - d.degree] >> d.degree);
      for (int k = 1; k < d.degree; ++k)
        if ((d.coefficients >> (d.degree - 1 - k)) & 1u) x ^= v[axis][i - k];
      v[axis][i] = x;
    }
  }
  return v;
}

constexpr Vectors vectors = direction_vectors();

}  // namespace

std::uint32_t sobol_bits(int axis, std::uint32_t index) {
  std::uint32_t x = 0;
  for (int i = 0; index != 0; ++i, index >>= 1)
    if (index & 1u) x ^= vectors[axis][i];
  return x;
}

}  // namespace tappet
