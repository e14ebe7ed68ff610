// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/keys.h"

namespace tappet {

bool PositiveDefinite::operator()(const Mat3d& J) const {
  if (!finite(J)) return false;
  const double scale = J.x.x + J.y.y + J.z.z;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(J(i, j) - J(j, i)) > 1e-12 * scale) return false;
  // Sylvester's criterion.
  return J.x.x > 0.0 && J.x.x * J.y.y - J.x.y * J.y.x > 0.0 && dot(J.x, cross(J.y, J.z)) > 0.0;
}

}  // namespace tappet
