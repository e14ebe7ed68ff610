// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/compare/compare_reference.h"
#include "run/jobs.h"
#include "run/make_stepper.h"
#include "run/settings.h"

namespace tappet {

namespace {

// Interpolates linearly between two instants.
void interpolate(const std::vector<double>& t, const std::vector<Vec>& x, double at, Vec& value) {
  const size_t after = std::lower_bound(t.begin(), t.end(), at) - t.begin();
  if (after == 0 || after == t.size()) {
    value = after == 0 ? x.front() : x.back();
    return;
  }
  const double share = (at - t[after - 1]) / (t[after] - t[after - 1]);
  value.resize(x[after].size());
  for (int i = 0; i < value.size(); ++i) value[i] = (1 - share) * x[after - 1][i] + share * x[after][i];
}

double distance(const Vec& a, const Vec& b) {
  double sum = 0;
  for (int i = 0; i < std::min(a.size(), b.size()); ++i)
    if (!std::isnan(b[i])) sum += (a[i] - b[i]) * (a[i] - b[i]);  // a case file may lack some coordinates
  return std::sqrt(sum);
}

struct Series {
  double L1 = 0, L2 = 0, max = 0, end = 0;
};
// The distances at the instants of `grid`, without the first one, which is given.
Series distances(const std::vector<double>& grid, const std::vector<double>& t_a, const std::vector<Vec>& a,
                 const std::vector<double>& t_b, const std::vector<Vec>& b) {
  Series sum;
  Vec x, y;
  for (size_t k = 0; k < grid.size(); ++k) {
    if (grid[k] <= 0) continue;
    interpolate(t_a, a, grid[k], x);
    interpolate(t_b, b, grid[k], y);
    const double d = distance(x, y), dt = grid[k] - (k > 0 ? grid[k - 1] : 0.0);
    sum.L1 += dt * d, sum.L2 += dt * d * d, sum.max = std::max(sum.max, d), sum.end = d;
  }
  sum.L2 = std::sqrt(sum.L2);
  return sum;
}

class Comparing {
 public:
  Comparing(const Model& model, const CompareOptions& asked) : model_(model), asked_(asked) { check(); }

  Comparison go() {
    reference_ = find_reference(model_, asked_, dt_.back(), comparison_.end);
    comparison_.reference = reference_.description;
    for (const std::string& scheme : schemes_)
      for (const double dt : dt_) {
        comparison_.runs.emplace_back();
        comparison_.runs.back().scheme = scheme, comparison_.runs.back().dt = dt;
      }
    if (asked_.reference.empty() && reference_.description.starts_with(exact_scheme))
      std::erase_if(comparison_.runs, [](const ComparedRun& run) { return run.scheme == exact_scheme; });
    // Long runs start first, so that no core has to wait for one of them at the end.
    std::vector<int> order(comparison_.runs.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return comparison_.runs[a].dt < comparison_.runs[b].dt; });
    std::atomic<int> done{0};
    run_jobs(static_cast<int>(order.size()), threads(), [&](int k) {
      one(comparison_.runs[order[k]]);
      if (asked_.progress) asked_.progress(++done, static_cast<int>(order.size()));
    });
    observe_orders();
    comparison_.checks = check_reference(model_, asked_, comparison_, reference_);
    return std::move(comparison_);
  }

 private:
  int threads() const { return asked_.threads > 0 ? asked_.threads : default_threads(); }

  void check() {
    comparison_.model = model_.name;
    comparison_.end = asked_.end > 0 ? asked_.end : model_.run.end;
    schemes_ = asked_.schemes;
    if (schemes_.empty())
      for (const SchemeInfo& scheme : schemes()) schemes_.push_back(scheme.name);
    for (const std::string& scheme : schemes_) check_scheme(scheme);
    dt_ = asked_.dt;
    if (dt_.empty()) dt_ = {model_.run.dt};
    Settings times;
    times.dt = dt_[0], times.end = comparison_.end;
    require_times(times, model_);
    for (const double dt : dt_) TimeGrid(dt, comparison_.end);
    std::sort(dt_.rbegin(), dt_.rend());
    for (const Option& option : asked_.options)
      if (std::none_of(schemes_.begin(), schemes_.end(), [&](const auto& s) { return knows_option(s, option.key); }))
        throw UsageError(fmt::format("no scheme of this comparison has an option '{}'", option.key));
  }

  void one(ComparedRun& row) {
    Result result;
    double best = HUGE_VAL;
    try {
      // short runs are repeated; the best of three counts
      for (int repeat = 0; repeat < 3 && (repeat == 0 || best < 0.01); ++repeat) {
        const double start = thread_seconds();
        result = limited_run(model_, asked_, row.scheme, row.dt, comparison_.end);
        best = std::min(best, thread_seconds() - start);
      }
    } catch (const std::runtime_error& error) {  // a scheme that cannot run this model says why
      row.trouble = error.what();
      return;
    }
    const Summary& s = result.summary;
    row.steps = s.steps, row.unconverged_steps = s.unconverged_steps;
    row.seconds = best, row.us_per_step = s.steps > 0 ? 1e6 * best / static_cast<double>(s.steps) : 0.0;
    if (!result.done()) {
      row.trouble = s.status == RunStatus::failed
                        ? s.message
                        : fmt::format("stopped after {:g} s at t = {:g}", asked_.limit_s, s.time);
      return;
    }
    row.errors = errors(result, reference_);
    row.violation = s.violation.max, row.joint_violation = s.joint_violation.max;
    row.energy = s.energy.total(), row.energy_error = row.energy - reference_.energy;
    row.mean_iterations = s.mean_iterations;
  }

  void observe_orders() {
    const ComparedRun* before = nullptr;
    for (ComparedRun& row : comparison_.runs) {
      if (before && before->scheme == row.scheme && before->trouble.empty() && row.trouble.empty())
        row.order = std::log(before->errors.q_L1 / row.errors.q_L1) / std::log(before->dt / row.dt);
      before = &row;
    }
  }

  const Model& model_;
  const CompareOptions& asked_;
  std::vector<std::string> schemes_;
  std::vector<double> dt_;
  ReferenceMotion reference_;
  Comparison comparison_;
};

}  // namespace

Errors errors(const Result& run, const ReferenceMotion& reference) {
  const std::vector<double>& grid = reference.samples_only ? reference.t : run.t;
  Errors e;
  const Series q = distances(grid, run.t, run.q, reference.t, reference.q);
  e.q_end = q.end, e.q_L1 = q.L1, e.q_L2 = q.L2, e.q_max = q.max;
  if (reference.u.empty()) return e;
  const Series u = distances(grid, run.t, run.u, reference.t, reference.u);
  e.u_end = u.end, e.u_L1 = u.L1;
  return e;
}

Comparison compare(const Model& model, const CompareOptions& options) { return Comparing(model, options).go(); }

}  // namespace tappet
