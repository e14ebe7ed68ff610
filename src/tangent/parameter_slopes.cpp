// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/parameter_slopes.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>

#include "model/reading/nearest.h"

namespace tappet {

namespace {

// Sizes, rows and switches must be the same for differences to make sense.
bool same_structure(const System& a, const System& b) {
  if (a.q_size() != b.q_size() || a.u_size() != b.u_size() || a.named_rows() != b.named_rows()) return false;
  if (a.joint_rows() != b.joint_rows() || a.switches().size() != b.switches().size()) return false;
  for (size_t k = 0; k < a.named_contacts().size(); ++k)
    if (a.named_contacts()[k].rows != b.named_contacts()[k].rows) return false;
  return a.time_switches().size() == b.time_switches().size();
}

const Parameter& find(const System& base, const std::string& name) {
  std::vector<std::string> known;
  for (const Parameter& parameter : base.model().parameters) {
    if (parameter.name == name) return parameter;
    known.push_back(parameter.name);
  }
  throw UsageError(
      fmt::format("no parameter or coordinate '{}'{}; expected coordinates, velocities or parameters of {}", name,
                  suggestion(name, known), base.model().file));
}

}  // namespace

ModelSource ModelSource::with(const std::string& parameter, double value) const {
  ModelSource changed = *this;
  std::erase_if(changed.set, [&](const auto& one) { return one.first == parameter; });
  changed.set.emplace_back(parameter, fmt::format("{:.17g}", value));
  return changed;
}

const Difference& Difference::central() {
  static const Difference rule{{-3, -2, -1, 1, 2, 3}, {-1.0 / 60, 3.0 / 20, -3.0 / 4, 3.0 / 4, -3.0 / 20, 1.0 / 60}};
  return rule;
}

const Difference& Difference::quick() {
  static const Difference rule{{-1, 1}, {-0.5, 0.5}};
  return rule;
}

const Difference& Difference::forward() {
  static const Difference rule{{0, 1, 2, 3, 4, 5, 6},
                               {-49.0 / 20, 6.0, -15.0 / 2, 20.0 / 3, -15.0 / 4, 6.0 / 5, -1.0 / 6}};
  return rule;
}

ParameterSlope::ParameterSlope(const ModelSource& source, const System& base, const std::string& name,
                               const Difference& rule)
    : name_(name), value_(find(base, name).value) {
  constexpr double part = 2e-4;
  const double step = value_ != 0 ? part * std::abs(value_) : part;
  if (try_differences(source, base, rule, step)) return;
  const std::string refused = refused_;
  if (try_differences(source, base, Difference::forward(), step)) return;
  if (try_differences(source, base, Difference::forward(), -step)) return;
  throw UsageError(fmt::format("no derivative with respect to {} at {:g}: {}", name, value_, refused));
}

bool ParameterSlope::try_differences(const ModelSource& source, const System& base, const Difference& difference,
                                     double step) {
  rule_ = difference, step_ = step, beside_.clear();
  try {
    for (size_t i = 0; i < difference.offsets.size(); ++i) {
      const double value = value_ + difference.offsets[i] * step;
      beside_.push_back(std::make_unique<CompiledModel>(source.with(name_, value).read()));
      if (same_structure(beside_.back()->system, base)) continue;
      refused_ = fmt::format("the model has other contacts, joints or formulas at {:.17g}", value);
      return false;
    }
  } catch (const std::runtime_error& error) {
    refused_ = error.what();
    return false;
  }
  return true;
}

Eigen::VectorXd velocity_of(const System& system, const Vec& q, const Eigen::VectorXd& rate) {
  const int n = system.u_size();
  Eigen::MatrixXd B(system.q_size(), n);
  Vec unit(n), column(system.q_size());
  for (int j = 0; j < n; ++j) {
    unit.set_zero(), unit[j] = 1;
    system.rate(q, unit, column);
    B.col(j) = column.eigen();
  }
  return B.completeOrthogonalDecomposition().solve(rate);
}

Eigen::VectorXd start_slope(const System& base, ParameterSlope& parameter) {
  const Eigen::VectorXd q =
      parameter.of([](CompiledModel& m) { return Eigen::VectorXd(m.system.initial().q.eigen()); });
  const Eigen::VectorXd v =
      parameter.of([](CompiledModel& m) { return Eigen::VectorXd(m.system.initial().u.eigen()); });
  Eigen::VectorXd x(2 * base.u_size());
  x << velocity_of(base, base.initial().q, q), v;
  return x;
}

}  // namespace tappet
