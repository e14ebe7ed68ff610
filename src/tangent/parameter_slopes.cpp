// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/parameter_slopes.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "formula/parse.h"
#include "formula/program.h"
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

}  // namespace

ModelSource ModelSource::with(const std::string& parameter, double value) const {
  ModelSource changed = *this;
  std::erase_if(changed.set, [&](const auto& one) { return one.first == parameter; });
  changed.set.emplace_back(parameter, fmt::format("{:.17g}", value));
  return changed;
}

bool Difference::is_smooth(double here, const std::vector<double>& values) const {
  constexpr double tolerance = 1e-2, round_off = 1e-9;
  const auto at = [&](int offset) {
    const auto i = std::find(offsets.begin(), offsets.end(), offset) - offsets.begin();
    return i < static_cast<long>(offsets.size()) ? values[i] : NAN;
  };
  const double near = at(1) - 2 * here + at(-1), far = at(3) - 2 * here + at(-3);  // far is 9 times as large
  if (std::isnan(near + far)) return true;                                         // a rule with points on one side
  double size = std::abs(here);
  for (const double value : values) size = std::max(size, std::abs(value));
  return std::abs(far - 9 * near) <= tolerance * (std::abs(far) + 9 * std::abs(near)) + round_off * size;
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

double value_of(const std::string& formula, const Model& model) {
  Graph graph;
  Scope scope;
  for (const Parameter& parameter : model.parameters) scope[parameter.name] = graph.constant(parameter.value);
  const Node node = parse(graph, formula, scope);
  const Program program(graph, std::vector<Node>{node}, 0);
  std::vector<double> registers(program.register_count());
  const double no_inputs = 0;
  double value = 0;
  program.run(&no_inputs, &value, registers.data());
  return value;
}

// Sets the value.
void ParameterSlope::find(const ModelSource& source, const System& base) {
  std::vector<std::string> known;
  for (const Parameter& parameter : base.model().parameters) {
    if (parameter.name == name_) {
      value_ = parameter.value;
      return;
    }
    known.push_back(parameter.name);
  }
  if ((number_ = file_number(source.text, source.file, name_))) try {
      value_ = value_of(number_->formula, base.model());
      return;
    } catch (const FormulaError&) {
      throw UsageError(
          fmt::format("{}: found '{}', which is no number; expected a number of an entry", name_, number_->formula));
    }
  throw UsageError(
      fmt::format("no parameter or coordinate '{}'{}; expected coordinates, velocities or parameters of {}, or a "
                  "number of an entry "
                  "such as floor.e_N or ball.position[0]",
                  name_, suggestion(name_, known), base.model().file));
}

ModelSource ParameterSlope::beside(const ModelSource& source, double value) const {
  if (!number_) return source.with(name_, value);
  ModelSource changed = source;
  changed.text = number_->changed(source.text, value - value_);
  return changed;
}

ParameterSlope::ParameterSlope(const ModelSource& source, const System& base, const std::string& name,
                               const Difference& rule)
    : name_(name) {
  find(source, base);
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
      beside_.push_back(std::make_unique<CompiledModel>(beside(source, value).read()));
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
