// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <algorithm>
#include <vector>

namespace tappet {

// Height and slopes of a surface z = h(x, y), and its second derivatives.
template <class S>
struct Height {
  S z, x, y, xx, xy, yy;
};

// A surface z = h(x, y) over a rectangle, as the bicubic spline through heights on a regular grid: heights, slopes and
// curvatures are continuous. The second derivative across the boundary is zero there ("natural" spline).
class HeightField {
 public:
  // heights[j * nx + i] is that at (x0 + i dx, y0 + j dy). There must be at least four in each direction.
  HeightField(int nx, int ny, const std::array<double, 2>& start, const std::array<double, 2>& spacing,
              const std::vector<double>& heights);

  const std::array<int, 2>& count() const { return count_; }
  const std::array<double, 2>& start() const { return start_; }
  const std::array<double, 2>& spacing() const { return spacing_; }
  double end(int axis) const { return start_[axis] + (count_[axis] - 1) * spacing_[axis]; }
  bool covers(double x, double y) const { return x >= start_[0] && x <= end(0) && y >= start_[1] && y <= end(1); }
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  // The largest upward curvature that was found on a fine grid. A ball with a smaller radius of curvature touches at
  // one place only.
  double largest_curvature() const { return curvature_; }
  // How much further a point at a given distance from the surface can be above it: 1/cosine of the steepest slope.
  double stretch() const { return stretch_; }

  // Second derivatives only if asked for. Beyond the rectangle, the polynomial of the nearest cell goes on.
  template <bool second, class S>
  Height<S> at(const S& x, const S& y) const;

 private:
  template <bool second, class S>
  static void weights(const S& t, S (&w)[4], S (&slope)[4], S (&bend)[4]);

  std::array<int, 2> count_;
  std::array<double, 2> start_, spacing_;
  std::vector<double> control_;  // (nx + 2) × (ny + 2) control points of the B-spline
  double lowest_ = 0.0, highest_ = 0.0, curvature_ = 0.0, stretch_ = 1.0;
};

template <bool second, class S>
void HeightField::weights(const S& t, S (&w)[4], S (&slope)[4], S (&bend)[4]) {
  const S u = 1.0 - t, tt = t * t, uu = u * u;
  w[0] = (1.0 / 6.0) * (uu * u), w[3] = (1.0 / 6.0) * (tt * t);
  w[1] = 2.0 / 3.0 + tt * (0.5 * t - 1.0), w[2] = 2.0 / 3.0 + uu * (0.5 * u - 1.0);
  slope[0] = -0.5 * uu, slope[3] = 0.5 * tt;
  slope[1] = t * (1.5 * t - 2.0), slope[2] = -(u * (1.5 * u - 2.0));
  if constexpr (second) bend[0] = u, bend[1] = 3.0 * t - 2.0, bend[2] = 3.0 * u - 2.0, bend[3] = t;
}

template <bool second, class S>
Height<S> HeightField::at(const S& x, const S& y) const {
  const double per_x = 1.0 / spacing_[0], per_y = 1.0 / spacing_[1];
  const auto cell = [&](double at, int axis) {
    const double k = (at - start_[axis]) / spacing_[axis];
    return k > 0.0 ? static_cast<int>(std::min(k, count_[axis] - 2.0)) : 0;
  };
  const int i = cell(value_of(x), 0), j = cell(value_of(y), 1);
  S wx[4], sx[4], bx[4], wy[4], sy[4], by[4];
  weights<second>((x - (start_[0] + i * spacing_[0])) * per_x, wx, sx, bx);
  weights<second>((y - (start_[1] + j * spacing_[1])) * per_y, wy, sy, by);
  Height<S> h{S(0.0), S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)};
  const int stride = count_[0] + 2;
  const double* c = &control_[static_cast<size_t>(j) * stride + i];
  for (int k = 0; k < 4; ++k, c += stride) {
    const S value = wx[0] * c[0] + wx[1] * c[1] + wx[2] * c[2] + wx[3] * c[3];
    const S along = sx[0] * c[0] + sx[1] * c[1] + sx[2] * c[2] + sx[3] * c[3];
    h.z = h.z + wy[k] * value, h.x = h.x + wy[k] * along, h.y = h.y + sy[k] * value;
    if constexpr (second) {
      const S bent = bx[0] * c[0] + bx[1] * c[1] + bx[2] * c[2] + bx[3] * c[3];
      h.xx = h.xx + wy[k] * bent, h.xy = h.xy + sy[k] * along, h.yy = h.yy + by[k] * value;
    }
  }
  h.x = h.x * per_x, h.y = h.y * per_y;
  if constexpr (second) h.xx = h.xx * (per_x * per_x), h.xy = h.xy * (per_x * per_y), h.yy = h.yy * (per_y * per_y);
  return h;
}

}  // namespace tappet
