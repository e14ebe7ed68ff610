// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "math/dual.h"

namespace tappet {

// A function given by points (x_i, y_i) with increasing x_i. It consists of straight lines between the points, or is
// the natural cubic spline through them, whose second derivative is continuous and zero at both ends. Beyond its ends a
// table continues with the slope it has there.
class Table {
 public:
  enum class Kind { linear, spline };

  // Throws std::invalid_argument unless there are at least two points and x increases.
  Table(std::vector<double> x, std::vector<double> y, Kind kind);

  Kind kind() const { return kind_; }
  int degree() const { return kind_ == Kind::linear ? 1 : 3; }
  // The places at which the function changes its formula. Lines have a kink there, and a spline has a jump of its third
  // derivative.
  std::span<const double> knots() const { return x_; }

  // The derivative of the given order (0 is the function itself). The polynomial is evaluated in the scalar type S, so
  // numbers that carry derivatives are right at every level.
  template <class S>
  S evaluate(const S& x, int order) const {
    const auto piece = std::upper_bound(x_.begin(), x_.end(), value_of(x)) - x_.begin();
    const std::array<double, 4>& c = pieces_[piece];
    const S d = x - x_[piece == 0 ? 0 : piece - 1];
    switch (order) {
      case 0:
        return c[0] + d * (c[1] + d * (c[2] + d * c[3]));
      case 1:
        return c[1] + d * (2.0 * c[2] + d * (3.0 * c[3]));
      case 2:
        return 2.0 * c[2] + d * (6.0 * c[3]);
      case 3:
        return S(6.0 * c[3]);
      default:
        return S(0.0);
    }
  }

 private:
  std::vector<double> slopes_of_spline(std::span<const double> y) const;

  Kind kind_;
  std::vector<double> x_;
  // Coefficients of 1, d, d², d³, where d is counted from the knot on the left (in the first piece from the one on the
  // right). The first and the last piece are the continuations beyond the ends.
  std::vector<std::array<double, 4>> pieces_;
};

}  // namespace tappet
