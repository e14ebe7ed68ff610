// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/return_map.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>

#include "math/brent.h"

namespace tappet {

namespace {

// The value of a formula of the parameters.
double value_of(const std::string& formula, const Model& model) {
  Graph graph;
  Scope scope;
  for (const Parameter& parameter : model.parameters) scope[parameter.name] = graph.constant(parameter.value);
  try {
    const Node node = parse(graph, formula, scope);
    const Program program(graph, std::vector<Node>{node}, 0);
    std::vector<double> registers(program.register_count());
    const double no_inputs = 0;
    double value = 0;
    program.run(&no_inputs, &value, registers.data());
    return value;
  } catch (const FormulaError& error) {
    throw UsageError(fmt::format("--period {}: {}", formula, error.what()));
  }
}

// Looks for the times at which a section is passed upwards.
class SectionWatch final : public events::Observer {
 public:
  SectionWatch(Quantity& section, State scratch, int times)
      : section_(section), at_(std::move(scratch)), left_(times) {}

  void passes(const events::Passage& passage) override {
    if (left_ == 0) return;
    const auto value = [&](double t) { return passage.at(t, at_), section_.at(at_); };
    const double start = value(passage.from), end = value(passage.to);
    if (below_ && start < 0 && end >= 0 && --left_ == 0)
      t_ = end == 0 ? passage.to : brent(value, passage.from, start, passage.to, end);
    below_ = end < 0;
  }
  void happens(const events::Instant& instant) override { below_ &= section_.at(instant.after) < 0; }
  bool found() const { return left_ == 0; }
  double t() const { return t_; }

 private:
  Quantity& section_;
  State at_;
  int left_;
  bool below_ = false;
  double t_ = 0;
};

}  // namespace

std::string Return::words() const {
  std::string all;
  for (const NamedInstant& instant : sequence) all += (all.empty() ? "" : "; ") + instant.what;
  return all;
}

ReturnMap::ReturnMap(const ModelSource& source, const ReturnRule& rule, const std::string& parameter)
    : rule_(rule), base_(source.read()) {
  require_derivatives(base_.system, "event-driven", rule.options);
  if (rule.forced() && !(period() > 0 && std::isfinite(period())))
    throw UsageError(fmt::format("--period {}: found {:g} s; expected a positive time", rule.period, period()));
  if (!rule.forced()) section_ = std::make_unique<Quantity>(base_, rule.section);
  if (!parameter.empty())
    parameter_ = std::make_unique<ParameterSlope>(source, base_.system, parameter, Difference::quick());
}

double ReturnMap::period() const { return rule_.times * value_of(rule_.period, base_.system.model()); }

State ReturnMap::moved(const State& start, const Eigen::VectorXd& x) const {
  const int n = base_.system.u_size();
  State to = start;
  Vec w(n);
  w.eigen() = x.head(n);
  base_.system.displace(start.q, w, to.q);
  to.u.eigen() += x.tail(n);
  return to;
}

Eigen::VectorXd ReturnMap::displacement(const State& from, const State& to) const {
  Eigen::VectorXd x(2 * base_.system.u_size());
  x << velocity_of(base_.system, from.q, to.q.eigen() - from.q.eigen()), to.u.eigen() - from.u.eigen();
  return x;
}

double ReturnMap::time_of_return(const State& start) {
  if (rule_.forced()) return period();
  SectionWatch watch(*section_, start, rule_.times);
  Flow flow(base_, rule_.options, start, &watch);
  const int parts = 200;
  for (int i = 1; i <= parts && !watch.found(); ++i) flow.go_to(start.t + i * rule_.longest / parts);
  if (watch.found()) return watch.t() - start.t;
  throw std::runtime_error(
      fmt::format("the motion does not return to the section {} within {:g} s", rule_.section, rule_.longest));
}

State ReturnMap::settled(const State& start, int returns) {
  State at = start;
  const auto go_to = [&](double t) {
    Flow flow(base_, rule_.options, at);
    flow.go_to(t);
    at = flow.state();
    at.t = start_time();
  };
  if (start_time() > at.t) go_to(start_time());
  for (int i = 0; i < returns; ++i) go_to(at.t + time_of_return(at));
  return at;
}

Return ReturnMap::from(const State& start) {
  const int n = base_.system.u_size();
  std::vector<Direction> directions = state_directions(base_.system);
  if (parameter_) directions.push_back({parameter_->name(), parameter_.get(), Eigen::VectorXd::Zero(2 * n)});
  Return back;
  back.period = time_of_return(start);
  Tangent tangent(base_, directions);
  Flow flow(base_, rule_.options, start, &tangent);
  flow.go_to(start.t + back.period);
  for (const std::string& trouble : tangent.trouble())
    if (!trouble.empty()) throw std::runtime_error(trouble);
  if (const std::string trouble = tangent.trouble_of_end(flow.state()); !trouble.empty())
    throw std::runtime_error(trouble);
  back.end = flow.state();
  back.difference = displacement(start, back.end);
  back.rate = tangent.rate(back.end);
  back.by_start = tangent.X().leftCols(2 * n);
  if (parameter_) back.by_parameter = tangent.X().col(2 * n);
  if (parameter_ && rule_.forced()) {  // the period changes, and with it the time of the start
    const auto T = [&](CompiledModel& m) {
      return Eigen::VectorXd::Constant(1, rule_.times * value_of(rule_.period, m.system.model()));
    };
    back.by_parameter +=
        parameter_->of(T)[0] * ((1 + rule_.phase) * back.rate - rule_.phase * back.by_start * tangent.start_rate());
  }
  if (section_) {
    const Eigen::MatrixXd units = Eigen::MatrixXd::Identity(2 * n, directions.size());
    const Eigen::RowVectorXd slopes = section_->slopes(start, units, directions);
    back.section_value = section_->at(start);
    back.section_row = slopes.head(2 * n);
    if (parameter_) back.section_by_parameter = slopes[2 * n];
  }
  back.closeness = tangent.closeness(), back.sequence = tangent.sequence();
  return back;
}

}  // namespace tappet
