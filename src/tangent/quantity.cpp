// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/quantity.h"

#include <fmt/format.h>

#include "tangent/state_index.h"

namespace tappet {

Quantity::Reader::Reader(const System& system, const std::string& formula)
    : trace(system, {formula}, &wrong), sampler(system, trace.needs()) {}

Quantity::Quantity(const CompiledModel& base, const std::string& formula) : base_(base), formula_(formula) {
  try {
    readers_[&base] = std::make_unique<Reader>(base.system, formula);
  } catch (const FormulaError& error) {
    throw UsageError(fmt::format("{}: {}", formula, error.what()));
  }
  if (readers_[&base]->trace.needs().impulses)
    throw UsageError(fmt::format("{}: found a force or impulse of a step; expected a quantity of the state", formula));
}

double Quantity::value(const CompiledModel& model, const State& state) {
  auto& reader = readers_[&model];
  if (!reader) reader = std::make_unique<Reader>(model.system, formula_);
  reader->trace.record(reader->sampler.sample(state, {}, {}));
  return reader->trace.column(formula_).back();
}

double Quantity::along(const State& state, const Eigen::VectorXd& x, double t_rate) {
  const int n = base_.system.u_size();
  const double size = std::max(x.norm(), std::abs(t_rate));
  if (size == 0) return 0;
  const double step = 1e-3 / size;
  const Difference& rule = Difference::central();
  Vec w(n);
  return rule.sum([&](size_t i) {
    const double part = rule.offsets[i] * step;
    State at = state;
    w.eigen() = part * x.head(n);
    base_.system.displace(state.q, w, at.q);
    at.u.eigen() += part * x.tail(n);
    at.t += part * t_rate;
    return value(base_, at);
  }) / step;
}

Eigen::RowVectorXd Quantity::slopes(const State& state, const Eigen::MatrixXd& X,
                                    const std::vector<Direction>& directions) {
  if (const int i = state_index(base_.system, formula_); i >= 0) return X.row(i);
  Eigen::RowVectorXd all(X.cols());
  for (int d = 0; d < X.cols(); ++d) {
    all[d] = along(state, X.col(d), 0.0);
    if (ParameterSlope* p = directions[d].parameter)
      all[d] += p->of([&](CompiledModel& m) { return Eigen::VectorXd::Constant(1, value(m, state)); })[0];
  }
  return all;
}

double Quantity::rate(const State& state, const Eigen::VectorXd& motion) { return along(state, motion, 1.0); }

}  // namespace tappet
