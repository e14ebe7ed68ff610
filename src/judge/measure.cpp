// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/measure.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>

#include "record/summary.h"

namespace tappet {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::vector<size_t> counted(std::span<const double> t, const Window& window) {
  std::vector<size_t> samples;
  const double slack = 1e-12 * (t.empty() ? 0.0 : std::abs(t.back()));  // times are multiples of dt, rounded
  for (size_t k = 0; k < t.size(); ++k)
    if (t[k] >= window.from - slack && t[k] <= window.to + slack && (window.where.empty() || window.where[k] > 0))
      samples.push_back(k);
  return samples;
}

double growth(std::span<const double> x, const std::vector<size_t>& samples) {
  double largest = 0, start = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (i == 0 || samples[i] != samples[i - 1] + 1) start = x[samples[i]];
    largest = std::max(largest, x[samples[i]] - start);
  }
  return largest;
}

}  // namespace

const std::vector<std::string>& reductions() {
  static const std::vector<std::string> names{"final", "max", "min", "mean", "sum", "count", "first", "last", "growth"};
  return names;
}

double reduce(const std::string& reduction, std::span<const double> t, std::span<const double> x,
              const Window& window) {
  const std::vector<size_t> samples = counted(t, window);
  if (reduction == "count")
    return static_cast<double>(std::count_if(samples.begin(), samples.end(), [&](size_t k) { return x[k] > 0; }));
  if (samples.empty()) return nothing;
  if (reduction == "final") return x[samples.back()];
  if (reduction == "growth") return growth(x, samples);
  double sum = 0, least = HUGE_VAL, most = -HUGE_VAL, first = nothing, last = nothing;
  for (const size_t k : samples) {
    sum += x[k], least = std::min(least, x[k]), most = std::max(most, x[k]);
    if (x[k] > 0) last = t[k];
    if (x[k] > 0 && std::isnan(first)) first = t[k];
  }
  if (reduction == "max") return most;
  if (reduction == "min") return least;
  if (reduction == "sum") return sum;
  if (reduction == "mean") return sum / static_cast<double>(samples.size());
  return reduction == "first" ? first : last;
}

double sampled(std::span<const double> t, std::span<const double> x, double at) {
  if (t.empty()) return nothing;
  const size_t after = std::lower_bound(t.begin(), t.end(), at) - t.begin();
  if (after == 0) return x.front();
  if (after == t.size()) return x.back();
  return at - t[after - 1] < t[after] - at ? x[after - 1] : x[after];
}

double interpolated(std::span<const double> t, std::span<const double> x, double at) {
  const size_t after = std::lower_bound(t.begin(), t.end(), at) - t.begin();
  if (after == 0) return x.front();
  if (after == t.size()) return x.back();
  if (t[after] == at) return x[after];
  const double share = (at - t[after - 1]) / (t[after] - t[after - 1]);
  return (1 - share) * x[after - 1] + share * x[after];
}

namespace {

// Calls f(event) for each event that the filter selects, until it returns false.
template <class F>
void for_each_event(const Summary& summary, const EventFilter& filter, F&& f) {
  for (const RecordedEvent& event : summary.events) {
    const bool right_contact =
        filter.contact.empty() || (event.contact >= 0 && summary.contact_names[event.contact] == filter.contact);
    const bool right_kind = std::find(filter.kinds.begin(), filter.kinds.end(), event.kind) != filter.kinds.end();
    if (right_contact && right_kind && event.t >= filter.from && event.t <= filter.to && !f(event)) return;
  }
}

}  // namespace

double event_time(const Summary& summary, const EventFilter& filter, int number) {
  double t = nothing;
  for_each_event(summary, filter, [&](const RecordedEvent& event) {
    if (--number == 0) t = event.t;
    return number > 0;
  });
  return t;
}

int count_events(const Summary& summary, const EventFilter& filter) {
  int count = 0;
  for_each_event(summary, filter, [&](const RecordedEvent&) { return ++count, true; });
  return count;
}

const std::vector<std::string>& norms() {
  static const std::vector<std::string> names{"end", "L1", "L2", "max", "matrix"};
  return names;
}

double distance(const std::string& norm, std::span<const double> t_a, const std::vector<std::span<const double>>& a,
                std::span<const double> t_b, const std::vector<std::span<const double>>& b, const Window& window) {
  const int n = static_cast<int>(a.size());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd d(n);
  double L1 = 0, L2 = 0, most = 0, end = nothing;
  if (t_a.empty() || t_b.empty()) return nothing;
  for (const size_t k : counted(t_a, window)) {
    for (int i = 0; i < n; ++i) d[i] = a[i][k] - interpolated(t_b, b[i], t_a[k]);
    const double dt = k > 0 ? t_a[k] - t_a[k - 1] : 0.0;
    end = d.norm();
    L1 += dt * end, L2 += dt * end * end, most = std::max(most, end);
    if (norm == "matrix") gram += d * d.transpose();
  }
  if (norm == "end") return end;
  if (norm == "L1") return L1;
  if (norm == "L2") return std::sqrt(L2);
  if (norm == "max") return most;
  return std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram).eigenvalues().maxCoeff());
}

double observed_order(std::span<const double> dt, std::span<const double> error) {
  return std::log(error.front() / error.back()) / std::log(dt.front() / dt.back());
}

}  // namespace tappet
