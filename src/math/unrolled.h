// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace tappet {

// Sums of products over a number of terms that the compiler knows. The terms are added one after the other, so the
// result has the same bits as that of a loop.
template <int size>
double unrolled_dot(const double* a, const double* b) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    double sum = 0.0;
    ((sum += a[i] * b[i]), ...);
    return sum;
  }
  (std::make_index_sequence<size>());
}

// a[place[i]] for all i
template <int size>
void unrolled_gather(const double* a, const int* place, double* gathered) {
  [&]<std::size_t... i>(std::index_sequence<i...>) { ((gathered[i] = a[place[i]]), ...); }
  (std::make_index_sequence<size>());
}

// a[place[i]] += factor b[i] for all i, one after the other, since places may occur twice
template <int size>
void unrolled_scatter(const double* b, double factor, const int* place, double* a) {
  [&]<std::size_t... i>(std::index_sequence<i...>) { ((a[place[i]] += b[i] * factor), ...); }
  (std::make_index_sequence<size>());
}

}  // namespace tappet
