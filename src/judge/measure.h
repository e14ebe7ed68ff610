// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace tappet {

struct Summary;

// Selects the samples of a run that count: from ≤ t ≤ to and, if given, where > 0.
struct Window {
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  std::span<const double> where = {};
};

// Reduces a quantity over time to one number:
//   final            at the last sample
//   max min mean sum over samples
//   count            the number of samples at which it is > 0
//   first last       the time of the first or last sample at which it is > 0
//   growth           the largest rise above its first value within a phase, an unbroken sequence of samples in the
//   window
// The result is NaN if no sample counts.
const std::vector<std::string>& reductions();
double reduce(const std::string& reduction, std::span<const double> t, std::span<const double> x, const Window& window);

// The value at the sample nearest to `at`, and the value at `at` itself, interpolated linearly between two samples.
double sampled(std::span<const double> t, std::span<const double> x, double at);
double interpolated(std::span<const double> t, std::span<const double> x, double at);

// Selects events of a run.
struct EventFilter {
  std::vector<std::string> kinds;
  std::string contact;  // empty: any
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
};
// The time of the event with this number, from 1; NaN if there are fewer events.
double event_time(const Summary& summary, const EventFilter& filter, int number);
int count_events(const Summary& summary, const EventFilter& filter);

// The distance of two motions a and b, at the times of a. Each motion has one entry per component, all at the same
// times.
//   end              Euclidean, at the last of them
//   L1 L2 max        of the Euclidean distance over time
//   matrix           the largest singular value of the matrix of all differences
const std::vector<std::string>& norms();
double distance(const std::string& norm, std::span<const double> t_a, const std::vector<std::span<const double>>& a,
                std::span<const double> t_b, const std::vector<std::span<const double>>& b, const Window& window);

// The exponent p of error ~ dtᵖ between the first and the last of them.
double observed_order(std::span<const double> dt, std::span<const double> error);

}  // namespace tappet
