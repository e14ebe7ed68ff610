// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "study/search/evaluations.h"
#include "study/search/measure_slopes.h"
#include "study/search/nlopt_search.h"
#include "study/search/search.h"

namespace tappet {

namespace {

using Eigen::VectorXd;

std::vector<int> all_axes(const Study& study) {
  std::vector<int> axes(study.plan.axes().size());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

// The measure as a function of parameters that are scaled to 0 … 1 between their bounds, with the sign that makes the
// least value the best one.
class OptimumProblem {
 public:
  OptimumProblem(const Study& study, const StudyOptions& options, StudyResults& results)
      : study_(study),
        optimum_(*study.optimum),
        results_(results),
        runs_(study, options, results),
        slopes_(study, {optimum_.measure}, {1}, all_axes(study)) {}

  int parameters() const { return static_cast<int>(study_.plan.axes().size()); }
  const MeasureSlopes& slopes() const { return slopes_; }
  const VectorXd& best() const { return best_; }  // empty: no run has succeeded
  double least() const { return least_; }
  double measured() const { return sign() * least_; }
  std::vector<double> values(const VectorXd& x) const {
    std::vector<double> values;
    for (int i = 0; i < parameters(); ++i) values.push_back(axis(i).low + (axis(i).high - axis(i).low) * x[i]);
    return values;
  }

  // A run that fails is worse than any other.
  double value(const VectorXd& x) {
    const long run = runs_.evaluate({values(x)});
    const double value = sign() * results_.measured(run, optimum_.measure);
    if (std::isnan(value)) return std::numeric_limits<double>::max();
    if (value < least_) least_ = value, best_ = x;
    return value;
  }
  // Throws std::runtime_error if there is no derivative.
  VectorXd slope(const VectorXd& x) {
    VectorXd slope = sign() * slopes_.at(values(x), times_).row(0).transpose();
    for (int i = 0; i < parameters(); ++i) slope[i] *= axis(i).high - axis(i).low;
    return slope;
  }

 private:
  const StudyAxis& axis(int i) const { return study_.plan.axes()[i]; }
  double sign() const { return optimum_.largest ? -1.0 : 1.0; }

  const Study& study_;
  const Optimum& optimum_;
  StudyResults& results_;
  Evaluations runs_;
  MeasureSlopes slopes_;
  std::vector<double> times_;
  VectorXd best_;
  double least_ = std::numeric_limits<double>::max();
};

// The largest slope along which a parameter may still move between its bounds.
double steepest_way_down(const VectorXd& x, const VectorXd& slope) {
  double steepest = 0;
  for (int i = 0; i < x.size(); ++i)
    if (!(x[i] <= 0 && slope[i] > 0) && !(x[i] >= 1 && slope[i] < 0)) steepest = std::max(steepest, std::abs(slope[i]));
  return steepest;
}

// Follows exact derivatives downhill. Returns why this did not lead to a place where they vanish; empty if it did.
std::string follow_slopes(const Optimum& optimum, OptimumProblem& problem, VectorXd& x) {
  constexpr double vanishes = 1e-4;  // of the steepest slope on the way
  // The method begins with a step of the size of the slope, so the slope at the start is scaled to a part of the range.
  constexpr double first_step = 0.1;
  double scale = 0, steepest = 0;
  const NloptSearch search{
      .method = NloptSearch::Method::slopes, .tolerance = optimum.tolerance, .most_runs = optimum.most_runs};
  try {
    const std::string trouble = search.run(
        [&](const VectorXd& at, VectorXd* slopes) {
          const double value = problem.value(at);
          if (value == std::numeric_limits<double>::max()) throw std::runtime_error("a run has no result");
          if (!slopes) return scale * value;
          const VectorXd slope = problem.slope(at);
          steepest = std::max(steepest, slope.cwiseAbs().maxCoeff());
          if (scale == 0) scale = steepest > 0 ? first_step / steepest : 1.0;
          *slopes = scale * slope;
          return scale * value;
        },
        x);
    x = problem.best();
    if (!trouble.empty()) return trouble;
    if (steepest_way_down(x, problem.slope(x)) > vanishes * steepest)
      return "they lead to a place where the measure has a kink";
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

FoundOptimum find_optimum(const Study& study, const StudyOptions& options, StudyResults& results) {
  const Optimum& optimum = *study.optimum;
  OptimumProblem problem(study, options, results);
  FoundOptimum found;
  found.without_slopes = problem.slopes().unavailable();
  VectorXd x = VectorXd::Constant(problem.parameters(), 0.5);
  const bool any = optimum.method == "automatic" || optimum.method == "slopes";
  if (!any) found.without_slopes = "another method was asked for";
  bool followed = false;
  if (any && found.without_slopes.empty()) {
    followed = true;
    found.without_slopes = follow_slopes(optimum, problem, x);
  }
  found.method = "slopes";
  if (!found.without_slopes.empty()) {
    if (optimum.method == "slopes")
      throw ModelError(
          study.file, optimum.place, optimum.largest ? "maximise" : "minimise",
          fmt::format("method slopes needs exact derivatives, and they are of no use here: {}", found.without_slopes));
    const std::string other = any ? "trust-region" : optimum.method;
    found.method = followed ? "slopes, then " + other : other;
    if (problem.best().size() > 0) x = problem.best();
    NloptSearch search{.method = nlopt_method(other), .tolerance = optimum.tolerance, .most_runs = optimum.most_runs};
    found.trouble = search.run([&](const VectorXd& at, VectorXd*) { return problem.value(at); }, x);
  }
  found.slopes = problem.slopes().evaluations();
  found.runs = static_cast<int>(results.runs());
  if (problem.best().size() == 0) {
    found.trouble = "no run has a value of the measure";
    found.measured = std::numeric_limits<double>::quiet_NaN();
    return found;
  }
  found.values = problem.values(problem.best()), found.measured = problem.measured();
  return found;
}

}  // namespace tappet
