// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/height_field.h"

#include <cmath>
#include <stdexcept>

namespace tappet {
namespace {

// Control points c_0 … c_{n+1} of the natural cubic spline through z_0 … z_{n−1}: (c_i + 4 c_{i+1} + c_{i+2})/6 = z_i
// and no second derivative at the ends, so c_1 = z_0 and c_n = z_{n−1}. The others solve a tridiagonal system.
void control_points(int n, const double* z, int stride, double* c) {
  c[1] = z[0], c[n] = z[static_cast<size_t>(n - 1) * stride];
  std::vector<double> pivot(n), right(n);
  for (int k = 1; k <= n - 2; ++k) {
    right[k] = 6.0 * z[static_cast<size_t>(k) * stride] - (k == 1 ? c[1] : right[k - 1] / pivot[k - 1]);
    if (k == n - 2) right[k] -= c[n];
    pivot[k] = 4.0 - (k == 1 ? 0.0 : 1.0 / pivot[k - 1]);
  }
  for (int k = n - 2; k >= 1; --k) c[k + 1] = (right[k] - (k == n - 2 ? 0.0 : c[k + 2])) / pivot[k];
  c[0] = 2.0 * c[1] - c[2], c[n + 1] = 2.0 * c[n] - c[n - 1];
}

}  // namespace

HeightField::HeightField(int nx, int ny, const std::array<double, 2>& start, const std::array<double, 2>& spacing,
                         const std::vector<double>& heights)
    : count_{nx, ny}, start_(start), spacing_(spacing) {
  if (nx < 4 || ny < 4) throw std::invalid_argument("expected at least four heights in each direction");
  if (heights.size() != static_cast<size_t>(nx) * ny) throw std::invalid_argument("the number of heights is wrong");
  const int mx = nx + 2, my = ny + 2;
  std::vector<double> rows(static_cast<size_t>(mx) * ny), line(my);
  for (int j = 0; j < ny; ++j)
    control_points(nx, &heights[static_cast<size_t>(j) * nx], 1, &rows[static_cast<size_t>(j) * mx]);
  control_.resize(static_cast<size_t>(mx) * my);
  for (int i = 0; i < mx; ++i) {
    control_points(ny, &rows[i], mx, line.data());
    for (int j = 0; j < my; ++j) control_[static_cast<size_t>(j) * mx + i] = line[j];
  }
  lowest_ = highest_ = heights[0];
  constexpr int fine = 3;  // points per cell
  for (int j = 0; j <= fine * (ny - 1); ++j)
    for (int i = 0; i <= fine * (nx - 1); ++i) {
      const Height<double> h = at<true>(start_[0] + i * spacing_[0] / fine, start_[1] + j * spacing_[1] / fine);
      lowest_ = std::min(lowest_, h.z), highest_ = std::max(highest_, h.z);
      const double mean = 0.5 * (h.xx + h.yy), half = std::hypot(0.5 * (h.xx - h.yy), h.xy);
      curvature_ = std::max(curvature_, mean + half);
      stretch_ = std::max(stretch_, 1.05 * std::sqrt(1.0 + h.x * h.x + h.y * h.y));
    }
}

}  // namespace tappet
