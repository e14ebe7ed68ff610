// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/wide/reflection.h"

#include <cmath>

#include "math/wide/wide.h"

namespace tappet {

namespace {
inline const Four& four(const double* x) { return *reinterpret_cast<const Four*>(x); }
inline Four& four(double* x) { return *reinterpret_cast<Four*>(x); }
}  // namespace

TAPPET_WIDE double sum_of_squares(int n, const double* x) {
  Four parts{};
  int i = 0;
  for (; i + 4 <= n; i += 4) parts += four(x + i) * four(x + i);
  double sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
  for (; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

double reflector(int n, double* x) {
  const double tail = sum_of_squares(n - 1, x + 1);
  if (tail == 0.0) return 0.0;
  const double norm = std::sqrt(x[0] * x[0] + tail), alpha = x[0] > 0.0 ? -norm : norm, head = x[0] - alpha;
  for (int i = 1; i < n; ++i) x[i] /= head;
  x[0] = alpha;
  return -head / alpha;
}

TAPPET_WIDE void reflect(int n, const double* v, double beta, double* x) {
  if (beta == 0.0) return;
  Four parts{};
  int i = 1;
  for (; i + 4 <= n; i += 4) parts += four(v + i) * four(x + i);
  double sum = x[0] + ((parts[0] + parts[1]) + (parts[2] + parts[3]));
  for (; i < n; ++i) sum += v[i] * x[i];
  sum *= beta;
  x[0] -= sum;
  for (i = 1; i + 4 <= n; i += 4) four(x + i) -= sum * four(v + i);
  for (; i < n; ++i) x[i] -= sum * v[i];
}

}  // namespace tappet
