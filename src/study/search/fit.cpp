// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "study/search/evaluations.h"
#include "study/search/gauss_newton.h"
#include "study/search/measure_slopes.h"
#include "study/search/nlopt_search.h"
#include "study/search/search.h"

namespace tappet {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Least squares of the residuals (measured in the run − measured in reality) / deviation. Parameters are scaled to
// 0 … 1 between their bounds.
class FitProblem {
 public:
  FitProblem(const Study& study, const StudyOptions& options, StudyResults& results)
      : study_(study), fit_(*study.fit), results_(results), runs_(study, options, results) {}

  int parameters() const { return static_cast<int>(study_.plan.axes().size()); }

  std::vector<double> values(const double* x) const {
    std::vector<double> values;
    for (int i = 0; i < parameters(); ++i) {
      const StudyAxis& axis = study_.plan.axes()[i];
      values.push_back(axis.low + (axis.high - axis.low) * x[i]);
    }
    return values;
  }

  // The residuals at a point, and at several of them. A run that failed has NaN.
  const VectorXd& residuals(const VectorXd& x) {
    if (x.size() != last_point_.size() || x != last_point_)
      last_residuals_ = residuals(std::vector<VectorXd>{x})[0], last_point_ = x;
    return last_residuals_;
  }
  std::vector<VectorXd> residuals(const std::vector<VectorXd>& points) {
    std::vector<std::vector<double>> wanted;
    for (const VectorXd& x : points) wanted.push_back(values(x.data()));
    const long first = runs_.evaluate(wanted);
    std::vector<VectorXd> all;
    for (std::size_t k = 0; k < points.size(); ++k) all.push_back(residual(first + static_cast<long>(k)));
    return all;
  }

  double sum_of_squares(const VectorXd& x) {
    const double sum = residuals(x).squaredNorm();
    return std::isnan(sum) ? std::numeric_limits<double>::max() : sum;
  }

  // Central differences, at the bounds one-sided. The step is large compared with the scatter that changes of the order
  // of impacts cause.
  MatrixXd jacobian(const VectorXd& x) {
    constexpr double step = 1e-4;
    std::vector<VectorXd> points;
    VectorXd width(parameters());
    for (int i = 0; i < parameters(); ++i) {
      VectorXd low = x, high = x;
      low[i] = std::max(0.0, x[i] - step), high[i] = std::min(1.0, x[i] + step);
      width[i] = high[i] - low[i];
      points.push_back(low), points.push_back(high);
    }
    const std::vector<VectorXd> r = residuals(points);
    MatrixXd J(fit_.numbers(), parameters());
    for (int i = 0; i < parameters(); ++i) J.col(i) = (r[2 * i + 1] - r[2 * i]) / width[i];
    return J;
  }

 private:
  VectorXd residual(long run) const {
    VectorXd r(fit_.numbers());
    int row = 0;
    for (const FitTarget& target : fit_.targets) {
      const double deviation = target.deviation > 0 ? target.deviation : 1.0;
      const bool many = study_.measures[target.measure].many();
      for (std::size_t k = 0; k < target.values.size(); ++k, ++row) {
        double value = std::numeric_limits<double>::quiet_NaN();
        if (!many)
          value = results_.measured(run, target.measure);
        else if (const auto& series = results_.series(run, target.measure); k < series.size())
          value = series[k];
        r[row] = (value - target.values[k]) / deviation;
      }
    }
    return r;
  }

  const Study& study_;
  const Fit& fit_;
  StudyResults& results_;
  Evaluations runs_;
  VectorXd last_point_, last_residuals_;
};

// The exact derivatives of the residuals.
class ResidualSlopes {
 public:
  ResidualSlopes(const Study& study, FitProblem& problem) : study_(study), problem_(problem) {
    std::vector<int> measures, counts;
    for (const FitTarget& target : study.fit->targets)
      measures.push_back(target.measure), counts.push_back(static_cast<int>(target.values.size()));
    std::vector<int> axes(study.plan.axes().size());
    std::iota(axes.begin(), axes.end(), 0);
    slopes_ = std::make_unique<MeasureSlopes>(study, measures, counts, axes);
  }

  const std::string& unavailable() const { return slopes_->unavailable(); }
  int evaluations() const { return slopes_->evaluations(); }

  MatrixXd at(const VectorXd& x) {
    MatrixXd J = slopes_->at(problem_.values(x.data()), times_);
    for (int i = 0; i < J.cols(); ++i) J.col(i) *= study_.plan.axes()[i].high - study_.plan.axes()[i].low;
    int row = 0;
    for (const FitTarget& target : study_.fit->targets)
      for (std::size_t k = 0; k < target.values.size(); ++k, ++row)
        if (target.deviation > 0) J.row(row) /= target.deviation;
    return J;
  }

 private:
  const Study& study_;
  FitProblem& problem_;
  std::unique_ptr<MeasureSlopes> slopes_;
  std::vector<double> times_;
};

std::string minimise(const Fit& fit, FitProblem& problem, VectorXd& x) {
  const NloptSearch search{.method = nlopt_method(fit.method), .tolerance = fit.tolerance, .most_runs = fit.most_runs};
  return search.run([&](const VectorXd& at, VectorXd*) { return problem.sum_of_squares(at); }, x);
}

// With the derivatives a few runs are enough, but from a bad start they may lead to a place that is best only among its
// neighbours. If the data are not met there, the other method looks farther around.
bool meets_data(const Fit& fit, const VectorXd& r) {
  constexpr double clearly = 3, unexplained = 0.1;
  if (fit.deviations_known()) return r.squaredNorm() <= clearly * fit.numbers();
  double spread = 0;
  for (const FitTarget& target : fit.targets) {
    double mean = 0;
    for (const double value : target.values) mean += value / static_cast<double>(target.values.size());
    const double deviation = target.deviation > 0 ? target.deviation : 1.0;
    for (const double value : target.values) spread += std::pow((value - mean) / deviation, 2);
  }
  return r.squaredNorm() <= unexplained * spread;
}

// False, with the reason, if exact derivatives do not lead to the data.
bool minimise_by_slopes(const Fit& fit, FitProblem& problem, ResidualSlopes& slopes, FoundFit& found, VectorXd& x) {
  found.without_slopes = slopes.unavailable();
  if (!found.without_slopes.empty()) return false;
  try {
    const ResidualFunction function{[&](const VectorXd& at) { return problem.residuals(at); },
                                    [&](const VectorXd& at) { return slopes.at(at); }};
    found.without_slopes = gauss_newton(function, fit.tolerance, fit.most_runs, x);
    if (found.without_slopes.empty() && !meets_data(fit, function.residuals(x)))
      found.without_slopes = "they lead to a place where the data are not met";
  } catch (const std::runtime_error& error) {  // no derivative exists somewhere on the way
    found.without_slopes = error.what();
  }
  found.slopes = slopes.evaluations();
  return found.without_slopes.empty();
}

// At the best point, too, a derivative need not exist. Differences then state the confidence.
MatrixXd slopes_at_end(FitProblem& problem, ResidualSlopes& slopes, FoundFit& found, const VectorXd& x) {
  if (found.method != "gauss-newton") return problem.jacobian(x);
  try {
    const MatrixXd J = slopes.at(x);
    found.slopes = slopes.evaluations();
    return J;
  } catch (const std::runtime_error&) {
    return problem.jacobian(x);
  }
}

void find_best(const Study& study, FitProblem& problem, ResidualSlopes& slopes, FoundFit& found, VectorXd& x) {
  const Fit& fit = *study.fit;
  found.method = fit.method;
  if (fit.method == "automatic" || fit.method == "gauss-newton") {
    found.method = "gauss-newton";
    const VectorXd start = x;
    if (minimise_by_slopes(fit, problem, slopes, found, x)) return;
    if (fit.method == "gauss-newton")
      throw ModelError(study.file, fit.place, "fit",
                       fmt::format("method gauss-newton needs exact derivatives, and they are of no use here: {}",
                                   found.without_slopes));
    found.method = "trust-region", x = start;
  } else {
    found.without_slopes = "another method was asked for";
  }
  found.trouble = minimise(fit, problem, x);
}

}  // namespace

FoundFit fit_parameters(const Study& study, const StudyOptions& options, StudyResults& results) {
  const Fit& fit = *study.fit;
  FitProblem problem(study, options, results);
  ResidualSlopes slopes(study, problem);
  FoundFit found;
  VectorXd x = VectorXd::Constant(problem.parameters(), 0.5);
  find_best(study, problem, slopes, found, x);
  const VectorXd r = problem.residuals(x);
  const MatrixXd J = slopes_at_end(problem, slopes, found, x);
  found.values = problem.values(x.data());
  found.chi2 = r.squaredNorm(), found.numbers = fit.numbers();
  const int freedom = fit.numbers() - problem.parameters();
  // If the deviations of the data are not known, the residuals estimate them.
  const double variance = fit.deviations_known() || freedom == 0 ? 1.0 : found.chi2 / freedom;
  const Eigen::FullPivLU<MatrixXd> normal(J.transpose() * J);
  const bool determined = J.allFinite() && normal.isInvertible();
  const MatrixXd covariance = determined
                                  ? MatrixXd(variance * normal.inverse())
                                  : MatrixXd::Constant(x.size(), x.size(), std::numeric_limits<double>::infinity());
  if (!determined && found.trouble.empty()) found.trouble = "the data do not determine all parameters";
  if (freedom == 0 && !fit.deviations_known() && found.trouble.empty())
    found.trouble = "as many parameters as data, and no standard deviations: no confidence can be stated";
  for (int i = 0; i < x.size(); ++i) {
    const StudyAxis& axis = study.plan.axes()[i];
    found.deviations.push_back((axis.high - axis.low) * std::sqrt(covariance(i, i)));
    found.half_width.push_back(1.959963984540054 * found.deviations.back());
  }
  found.runs = static_cast<int>(results.runs());
  return found;
}

}  // namespace tappet
