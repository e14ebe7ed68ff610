// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/table.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace tappet {
namespace {

void check(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size() || x.size() < 2)
    throw std::invalid_argument(fmt::format("a table of {} points; expected at least two", x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      throw std::invalid_argument(fmt::format("point {} of the table is not finite; expected two numbers", i + 1));
    if (i > 0 && !(x[i] > x[i - 1]))
      throw std::invalid_argument(fmt::format(
          "point {} of the table has x = {:g} after x = {:g}; expected x to increase", i + 1, x[i], x[i - 1]));
  }
}

}  // namespace

Table::Table(std::vector<double> x, std::vector<double> y, Kind kind) : kind_(kind), x_(std::move(x)) {
  check(x_, y);
  const std::size_t last = x_.size() - 1;
  std::vector<double> slope;
  if (kind == Kind::spline) slope = slopes_of_spline(y);
  pieces_.resize(x_.size() + 1);
  for (std::size_t i = 0; i < last; ++i) {
    const double h = x_[i + 1] - x_[i], rise = (y[i + 1] - y[i]) / h;
    pieces_[i + 1] = {y[i], rise, 0.0, 0.0};
    if (kind == Kind::spline)
      pieces_[i + 1] = {y[i], slope[i], (3.0 * rise - 2.0 * slope[i] - slope[i + 1]) / h,
                        (slope[i] + slope[i + 1] - 2.0 * rise) / (h * h)};
  }
  const double end_slope = kind == Kind::spline ? slope[last] : pieces_[last][1];
  pieces_.front() = {y[0], pieces_[1][1], 0.0, 0.0};
  pieces_.back() = {y[last], end_slope, 0.0, 0.0};
}

// The slopes at the knots of the natural spline, from a tridiagonal system.
std::vector<double> Table::slopes_of_spline(std::span<const double> y) const {
  const std::size_t n = x_.size();
  std::vector<double> diagonal(n), upper(n, 0.0), slope(n);
  const auto h = [&](std::size_t i) { return x_[i + 1] - x_[i]; };
  const auto rise = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
  for (std::size_t i = 0; i < n; ++i) {
    const double left = i > 0 ? 1.0 / h(i - 1) : 0.0, right = i + 1 < n ? 1.0 / h(i) : 0.0;
    diagonal[i] = 2.0 * (left + right);
    upper[i] = right;
    slope[i] = 3.0 * ((i > 0 ? left * rise(i - 1) : 0.0) + (i + 1 < n ? right * rise(i) : 0.0));
    if (i == 0) continue;
    const double factor = left / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    slope[i] -= factor * slope[i - 1];
  }
  slope[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) slope[i] = (slope[i] - upper[i] * slope[i + 1]) / diagonal[i];
  return slope;
}

}  // namespace tappet
