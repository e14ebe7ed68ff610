// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/gradient/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/names.h"
#include "steppers/shared/contact_rows.h"
#include "tangent/gradient/state_index.h"

namespace tappet {

Quantity::Reader::Reader(CompiledModel& model, const std::string& formula)
    : trace(model.system, {formula}, &wrong), sampler(model.system, trace.needs()), forces(model.equations) {}

Quantity::Quantity(CompiledModel& base, const std::string& formula, Forces forces) : base_(base), formula_(formula) {
  try {
    reader(base);
  } catch (const FormulaError& error) {
    throw UsageError(fmt::format("{}: {}", formula, error.what()));
  }
  check_names(forces);
}

namespace {

// "P_N" of "floor.P_N"
std::string_view after_dot(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

bool is_impulse(std::string_view quantity) {
  return quantity == "impulse" || quantity.starts_with("P_") || quantity.starts_with("Lambda_");
}

}  // namespace

// Impulses are sums over a step. Forces are known at each instant.
void Quantity::check_names(Forces forces) {
  const SampleParts needs = reader(base_).trace.needs();
  if (needs.impulses && forces == Forces::refused)
    throw UsageError(fmt::format("{}: it contains a force of a contact; expected a formula of the state", formula_));
  for (const std::string& name : names_in(formula_)) {
    if (Trace::describes_step(name))
      throw UsageError(
          fmt::format("{}: '{}' describes a step of a run; expected a quantity of the state", formula_, name));
    if (!needs.impulses) continue;
    const std::string_view quantity = after_dot(name);
    if (is_impulse(quantity))
      throw UsageError(fmt::format(
          "{}: '{}' is the impulse of a step; expected a quantity of the state, or a force such as 'floor.lambda_N'",
          formula_, name));
    const std::string owner = name.substr(0, name.size() - quantity.size() - (quantity.empty() ? 0 : 1));
    for (const int k : base_.contacts.all())
      if (base_.contacts.name(k) == owner) forces_.push_back(k);
  }
}

std::string Quantity::trouble(const events::Regime& regime) const {
  if (!forces_.empty() && regime.phases.empty()) return "the forces at the start are not known";
  for (const int k : forces_)
    if (regime.phases[k].closed() && !regime.phases[k].unique)
      return fmt::format("the forces of contact {} are not unique", base_.contacts.name(k));
  return {};
}

Quantity::Reader& Quantity::reader(CompiledModel& model) {
  auto& reader = readers_[&model];
  if (!reader) reader = std::make_unique<Reader>(model, formula_);
  return *reader;
}

double Quantity::value(CompiledModel& model, const Where& where) {
  Reader& r = reader(model);
  Impulses impulses;
  if (r.trace.needs().impulses) {
    r.forces.balance(where.state, where.regime);
    scatter_rows(model.contacts, where.regime.set, r.forces.lambda, impulses.lambda);
    impulses.separated = true;
  }
  r.trace.record(r.sampler.sample(where.state, {}, impulses));
  return r.trace.column(formula_).back();
}

// If the formula has a kink near by, the points of the difference move nearer. A kink exactly here keeps its bend,
// which is the change of the slope from one side to the other. The bend of a smooth formula decreases: tenfold if the
// formula is like x², and a thousandfold if it is like x⁴, which does not deviate from its tangent by the square of the
// distance.
double Quantity::along(const Where& where, double here, const Eigen::VectorXd& x, double t_rate) {
  const int n = base_.system.u_size();
  const double size = std::max(x.norm(), std::abs(t_rate));
  if (size == 0) return 0;
  const Difference& rule = Difference::central();
  Vec w(n);
  std::vector<double> values(rule.offsets.size());
  double bend_before = 0;
  for (double distance = 1e-3; distance > 1e-7; distance /= 10) {
    const double step = distance / size;
    for (size_t i = 0; i < values.size(); ++i) {
      const double part = rule.offsets[i] * step;
      State at = where.state;
      w.eigen() = part * x.head(n);
      base_.system.displace(where.state.q, w, at.q);
      at.u.eigen() += part * x.tail(n);
      at.t += part * t_rate;
      values[i] = value(base_, {at, where.regime});
    }
    const double bend = std::abs(values.front() - 2 * here + values.back()) / step;
    if (rule.is_smooth(here, values) || bend < 3e-3 * bend_before)
      return rule.sum([&](size_t i) { return values[i]; }) / step;
    bend_before = bend;
  }
  return NAN;
}

Eigen::RowVectorXd Quantity::slopes(const Where& where, const Eigen::MatrixXd& X,
                                    const std::vector<Direction>& directions, const Eigen::RowVectorXd& delays) {
  if (const int i = state_index(base_.system, formula_); i >= 0) return X.row(i);
  const double here = value(base_, where);
  Eigen::RowVectorXd all(X.cols());
  for (int d = 0; d < X.cols(); ++d) {
    all[d] = along(where, here, X.col(d), delays.size() > 0 ? delays[d] : 0.0);
    if (ParameterSlope* p = directions[d].parameter)
      all[d] += p->of_number(here, [&](CompiledModel& m) { return value(m, where); });
  }
  return all;
}

double Quantity::rate(const Where& where, const Eigen::VectorXd& motion) {
  return along(where, value(base_, where), motion, 1.0);
}

}  // namespace tappet
