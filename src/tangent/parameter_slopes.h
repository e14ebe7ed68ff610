// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tangent/equations.h"
#include "tangent/file_number.h"

namespace tappet {

// The text of a model and the values that were set in it.
struct ModelSource {
  std::string text, file;
  Overrides set;

  static ModelSource of(const Model& model, const Overrides& set) { return {model.text, model.file, set}; }
  Model read() const { return parse_model(text, file, set); }
  ModelSource with(const std::string& parameter, double value) const;
};

// A compiled model with everything that is needed to evaluate its equations.
struct CompiledModel {
  explicit CompiledModel(Model model) : system(std::move(model)), contacts(system), equations(contacts) {}
  System system;
  ContactList contacts;
  Equations equations;
};

// A formula of differences: f' h ≈ Σ weight f(x + offset h). The weights add up to zero.
struct Difference {
  std::vector<int> offsets;
  std::vector<double> weights;

  // The sum, where f(i) is the value at offset i of the list. It is exactly zero if all values are the same.
  template <class F>
  auto sum(F&& f) const {
    const auto first = f(size_t{0});
    auto all = first;
    all -= first;
    for (size_t i = 1; i < offsets.size(); ++i) all += weights[i] * (f(i) - first);
    return all;
  }

  // The derivative of a formula that may have kinks: NaN if one lies among the points, or exactly here. A smooth
  // function deviates from its tangent by the square of the distance, and one with a kink does not.
  template <class F>
  double smooth_slope(double here, double step, F&& f) const {
    std::vector<double> values;
    for (size_t i = 0; i < offsets.size(); ++i) values.push_back(f(i));
    return is_smooth(here, values) ? sum([&](size_t i) { return values[i]; }) / step : NAN;
  }

  static const Difference& central();  // order 6
  static const Difference& quick();    // order 2, good enough for the steps of Newton's method
  static const Difference& forward();  // order 6, for a value that must not become smaller
  bool is_smooth(double here, const std::vector<double>& values) const;
};

// Derivatives with respect to a parameter of the file, by differences between systems in which it has neighbouring
// values. Only smooth functions at a fixed state are differenced, never motions. So they are right to about 1e-12.
class ParameterSlope {
 public:
  // The name is that of a parameter, or of a number of an entry (FileNumber). Throws a UsageError if there is none, or
  // if the model has another structure beside its value.
  ParameterSlope(const ModelSource& source, const System& base, const std::string& name,
                 const Difference& rule = Difference::central());

  const std::string& name() const { return name_; }
  double value() const { return value_; }

  // dF/dp, where F(CompiledModel&) gives a number, whose value here is `here`; NaN if F has a kink.
  template <class F>
  double of_number(double here, F&& f) {
    return rule_.smooth_slope(here, step_, [&](size_t i) -> double { return f(*beside_[i]); });
  }
  // dF/dp, where F(CompiledModel&) gives a vector.
  template <class F>
  Eigen::VectorXd of(F&& f) {
    return rule_.sum([&](size_t i) -> Eigen::VectorXd { return f(*beside_[i]); }) / step_;
  }

 private:
  void find(const ModelSource& source, const System& base);
  ModelSource beside(const ModelSource& source, double value) const;
  bool try_differences(const ModelSource& source, const System& base, const Difference& difference, double step);

  std::string name_, refused_;
  std::optional<FileNumber> number_;  // if it is no parameter
  double value_ = 0, step_ = 0;
  Difference rule_;
  std::vector<std::unique_ptr<CompiledModel>> beside_;
};

// The value of a formula of the parameters. Throws a FormulaError.
double value_of(const std::string& formula, const Model& model);

// The velocity w with q̇ = B(q) w nearest to a given rate of the positions.
Eigen::VectorXd velocity_of(const System& system, const Vec& q, const Eigen::VectorXd& rate);

// How a start changes with a parameter, as (w, v).
Eigen::VectorXd start_slope(const System& base, ParameterSlope& parameter);

}  // namespace tappet
