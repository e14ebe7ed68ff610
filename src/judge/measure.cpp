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

// Calls f(k) for each sample that is in the window.
template <class F>
void for_each_counted(std::span<const double> t, const Window& window, F&& f) {
  const double slack = 1e-12 * (t.empty() ? 0.0 : std::abs(t.back()));  // times are multiples of dt, rounded
  const double from = window.from - slack, to = window.to + slack;
  for (size_t k = 0; k < t.size(); ++k)
    if (t[k] >= from && t[k] <= to && (window.where.empty() || window.where[k] > 0)) f(k);
}

}  // namespace

const std::vector<std::string>& reductions() {
  static const std::vector<std::string> names{"final", "max", "min", "mean", "sum", "count", "first", "last", "growth"};
  return names;
}

double reduce(const std::string& reduction, std::span<const double> t, std::span<const double> x,
              const Window& window) {
  double samples = 0, positive = 0, sum = 0, least = HUGE_VAL, most = -HUGE_VAL, growth = 0, start = 0;
  double first = nothing, last = nothing, final = nothing;
  size_t next = t.size();  // after the sample before
  for_each_counted(t, window, [&](size_t k) {
    final = x[k], samples += 1;
    sum += x[k], least = std::min(least, x[k]), most = std::max(most, x[k]);
    if (k != next) start = x[k];
    growth = std::max(growth, x[k] - start), next = k + 1;
    if (!(x[k] > 0)) return;
    if (positive == 0) first = t[k];
    last = t[k], positive += 1;
  });
  if (reduction == "count") return positive;
  if (samples == 0) return nothing;
  if (reduction == "final") return final;
  if (reduction == "growth") return growth;
  if (reduction == "max") return most;
  if (reduction == "min") return least;
  if (reduction == "sum") return sum;
  if (reduction == "mean") return sum / samples;
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
  for_each_counted(t_a, window, [&](size_t k) {
    for (int i = 0; i < n; ++i) d[i] = a[i][k] - interpolated(t_b, b[i], t_a[k]);
    const double dt = k > 0 ? t_a[k] - t_a[k - 1] : 0.0;
    end = d.norm();
    L1 += dt * end, L2 += dt * end * end, most = std::max(most, end);
    if (norm == "matrix") gram += d * d.transpose();
  });
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
