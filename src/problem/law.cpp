// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/law.h"

#include <cmath>

namespace tappet {

void project_cone(int rows, double mu, double* x) {
  double t = 0.0;
  for (int i = 1; i < rows; ++i) t += x[i] * x[i];
  t = std::sqrt(t);
  if (mu * t <= -x[0]) {
    for (int i = 0; i < rows; ++i) x[i] = 0.0;
    return;
  }
  if (t <= mu * x[0]) return;
  const double s = (x[0] + mu * t) / (1.0 + mu * mu), f = t > 0.0 ? mu * s / t : 0.0;
  x[0] = s;
  for (int i = 1; i < rows; ++i) x[i] *= f;
}

}  // namespace tappet
