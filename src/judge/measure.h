// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace tappet {

// Which samples of a run count: from ≤ t ≤ to and, where given, where > 0.
struct Window {
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  std::span<const double> where = {};
};

// What becomes of a quantity over time, as one number:
//   final            at the last sample
//   max min mean sum over samples
//   count            samples where it is > 0
//   first last       time of the first, the last sample where it is > 0
//   growth           largest rise over its first value within a phase: an unbroken run of samples in the window
// NaN where no sample counts.
const std::vector<std::string>& reductions();
double reduce(const std::string& reduction, std::span<const double> t, std::span<const double> x, const Window& window);

// At the sample nearest to `at`.
double sampled(std::span<const double> t, std::span<const double> x, double at);

// The distance of two motions a and b (one entry a component, all of one motion at the same times), at the times of a:
//   end              Euclidean, at the last of them
//   L1 L2 max        of the Euclidean distance over time
//   matrix           the largest singular value of the matrix of all differences
const std::vector<std::string>& norms();
double distance(const std::string& norm, std::span<const double> t_a, const std::vector<std::span<const double>>& a,
                std::span<const double> t_b, const std::vector<std::span<const double>>& b, const Window& window);

// The exponent p of error ~ dtᵖ between the first and the last of them.
double observed_order(std::span<const double> dt, std::span<const double> error);

}  // namespace tappet
