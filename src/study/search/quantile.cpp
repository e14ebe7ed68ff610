// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "study/search/search.h"

namespace tappet {

namespace {

// The continued fraction of the incomplete beta function, by the modified method of Lentz. It converges fast for
// x < (a + 1)/(a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto guarded = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1.0, d = 1.0 / guarded(1.0 - (a + b) * x / (a + 1.0)), fraction = d;
  for (int m = 1; m < 100000; ++m) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    for (const double term : {even, odd}) {
      d = 1.0 / guarded(1.0 + term * d), c = guarded(1.0 + term / c);
      fraction *= c * d;
    }
    if (std::abs(c * d - 1.0) < 1e-15) break;
  }
  return fraction;
}

// The regularised incomplete beta function I_x(a, b).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
  return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

// P(X ≤ k) of a binomial distribution with n trials of probability p.
double binomial_at_most(long k, long n, double p) {
  if (k < 0) return 0.0;
  return k >= n ? 1.0 : incomplete_beta(static_cast<double>(n - k), static_cast<double>(k + 1), 1.0 - p);
}

// The largest k with P(X ≤ k) ≤ bound; −1 if there is none.
long largest_below(double bound, long n, double p) {
  long low = -1, high = n;
  while (high - low > 1) {
    const long middle = low + (high - low) / 2;
    (binomial_at_most(middle, n, p) <= bound ? low : high) = middle;
  }
  return low;
}

}  // namespace

double sorted_quantile(const std::vector<double>& values, double quantile) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double position = quantile * static_cast<double>(values.size() - 1);
  const std::size_t before = static_cast<std::size_t>(position), after = std::min(before + 1, values.size() - 1);
  return values[before] + (position - static_cast<double>(before)) * (values[after] - values[before]);
}

// The interval is [X(l), X(u)] with order statistics X. It contains the quantile unless at most l − 1 or at least u
// samples lie below it, and the number of samples below it is binomial.
FoundQuantile quantile_of(std::vector<double> values, double quantile, double confidence) {
  std::erase_if(values, [](double x) { return std::isnan(x); });
  std::sort(values.begin(), values.end());
  const long n = static_cast<long>(values.size());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  FoundQuantile found{.value = std::numeric_limits<double>::quiet_NaN(), .low = -infinity, .high = infinity};
  found.samples = n;
  if (n == 0) return found;
  found.value = sorted_quantile(values, quantile);
  const double each = 0.5 * (1.0 - confidence);
  const long low = largest_below(each, n, quantile);          // index of X(l), from 0
  const long above = largest_below(each, n, 1.0 - quantile);  // the same counted from the largest value
  if (low >= 0) found.low = values[low];
  if (above >= 0) found.high = values[n - 1 - above];
  return found;
}

// The number of samples grows by a half each time, whatever the number of threads, so the result does not depend on it.
FoundQuantile sample_until(const Study& study, const StudyOptions& options, StudyResults& results) {
  const Until& until = *study.until;
  StudyOptions batch = options;
  long samples = std::min<long>(100, until.most);
  for (;;) {
    batch.first = 0, batch.end = samples;
    run_study(study, batch, results);
    std::vector<double> values;
    for (long run = 0; run < samples; ++run) values.push_back(results.measured(run, until.measure));
    FoundQuantile found = quantile_of(std::move(values), until.quantile, until.confidence);
    found.reached = found.half_width() <= until.within;
    const bool stopped = options.stop && *options.stop;
    if (found.reached || samples == until.most || stopped) {
      results.cut(samples);
      return found;
    }
    samples = std::min(samples + samples / 2, until.most);
  }
}

}  // namespace tappet
