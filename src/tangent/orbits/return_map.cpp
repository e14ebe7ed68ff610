// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/return_map.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>

#include "math/brent.h"
#include "tangent/gradient/state_index.h"

namespace tappet {

namespace {

// Looks for the times at which a section is passed upwards. A motion that starts on the section passes it there, to
// round-off. This does not count as a return, so nothing counts before the time `from`.
class SectionWatch final : public events::Observer {
 public:
  SectionWatch(Quantity& section, State scratch, int times, double from)
      : section_(section), at_(std::move(scratch)), left_(times), from_(from) {}

  void passes(const events::Passage& passage) override {
    if (left_ == 0 || passage.to <= from_) return;
    const auto value = [&](double t) { return passage.at(t, at_), section_.at({at_, regime_}); };
    const double start = value(passage.from), end = value(passage.to);
    if (below_ && start < 0 && end >= 0 && --left_ == 0)
      t_ = end == 0 ? passage.to : brent(value, passage.from, start, passage.to, end);
    below_ = end < 0;
  }
  void happens(const events::Instant& instant) override { below_ &= section_.at({instant.after, regime_}) < 0; }
  bool found() const { return left_ == 0; }
  double t() const { return t_; }

 private:
  Quantity& section_;
  State at_;
  const events::Regime regime_;  // none: a section contains no forces
  int left_;
  const double from_;
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
  if (!rule.forced()) section_ = std::make_unique<Quantity>(base_, rule.section, Quantity::Forces::refused);
  const int n = base_.system.u_size();
  signs_ = Eigen::VectorXd::Ones(2 * n);
  if (!rule.mirrored.empty() && !rule.forced())
    throw UsageError("--symmetric belongs to --period: a section does not say when half of the period is over");
  for (const std::string& name : rule.mirrored) {
    const int i = state_index(base_.system, name);
    if (i < 0 || i >= n || base_.system.q_size() != n)
      throw UsageError(fmt::format("--symmetric {}: expected names of coordinates", name));
    signs_[i] = signs_[n + i] = -1;
  }
  if (!parameter.empty())
    parameter_ = std::make_unique<ParameterSlope>(source, base_.system, parameter, Difference::quick());
}

double ReturnMap::period() const {
  const double part = rule_.mirrored.empty() ? 1.0 : 0.5;
  try {
    return part * rule_.times * value_of(rule_.period, base_.system.model());
  } catch (const FormulaError& error) {
    throw UsageError(fmt::format("--period {}: {}", rule_.period, error.what()));
  }
}

State ReturnMap::mirrored(const State& state) const {
  State other = state;
  if (rule_.mirrored.empty()) return other;
  const int n = base_.system.u_size();
  other.q.eigen().array() *= signs_.head(n).array();
  other.u.eigen().array() *= signs_.tail(n).array();
  return other;
}

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
  constexpr double shortest = 1e-6;  // return, as a part of the longest one
  SectionWatch watch(*section_, start, rule_.times, start.t + shortest * rule_.longest);
  Flow flow(base_, rule_.options, start, &watch);
  // A run of known length is not interrupted. Otherwise it is looked at again and again whether it has returned.
  if (rule_.expected > 0) flow.go_to(start.t + std::min(rule_.longest, 1.05 * rule_.expected));
  const int parts = 200;
  for (int i = 1; i <= parts && !watch.found(); ++i)
    flow.go_to(std::max(flow.state().t, start.t + i * rule_.longest / parts));
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
  for (int i = 0; i < returns; ++i) {
    go_to(at.t + time_of_return(at));
    at = mirrored(at);
  }
  return at;
}

Return ReturnMap::from(const State& start) {
  const int n = base_.system.u_size();
  std::vector<Direction> directions = state_directions(base_.system);
  if (parameter_) directions.push_back({parameter_->name(), parameter_.get(), Eigen::VectorXd::Zero(2 * n)});
  Return back;
  back.period = time_of_return(start);
  Tangent tangent(base_, directions);
  tangent.keep_closed_contacts();
  Flow flow(base_, rule_.options, start, &tangent);
  flow.go_to(start.t + back.period);
  for (const std::string& trouble : tangent.trouble())
    if (!trouble.empty()) throw std::runtime_error(trouble);
  if (const std::string trouble = tangent.trouble_of_end(flow.state()); !trouble.empty())
    throw std::runtime_error(trouble);
  back.end = mirrored(flow.state());
  back.difference = displacement(start, back.end);
  back.rate = signs_.asDiagonal() * tangent.rate(flow.state());
  back.by_start = signs_.asDiagonal() * tangent.X().leftCols(2 * n);
  if (parameter_) back.by_parameter = signs_.asDiagonal() * tangent.X().col(2 * n);
  if (parameter_ && rule_.forced()) {  // the period changes, and with it the time of the start
    const auto T = [&](CompiledModel& m) {
      const double part = rule_.mirrored.empty() ? 1.0 : 0.5;
      return Eigen::VectorXd::Constant(1, part * rule_.times * value_of(rule_.period, m.system.model()));
    };
    back.by_parameter +=
        parameter_->of(T)[0] * ((1 + rule_.phase) * back.rate - rule_.phase * back.by_start * tangent.start_rate());
  }
  if (section_) {
    const Eigen::MatrixXd units = Eigen::MatrixXd::Identity(2 * n, directions.size());
    const Eigen::RowVectorXd slopes = section_->slopes({start, {}}, units, directions);
    back.section_value = section_->at({start, {}});
    back.section_row = slopes.head(2 * n);
    if (parameter_) back.section_by_parameter = slopes[2 * n];
  }
  back.closeness = tangent.closeness(), back.sequence = tangent.sequence();
  return back;
}

MotionPiece ReturnMap::piece(const State& start, double t_end) {
  Tangent tangent(base_, state_directions(base_.system));
  tangent.keep_closed_contacts();
  Flow flow(base_, rule_.options, start, &tangent);
  flow.go_to(t_end);
  for (const std::string& trouble : tangent.trouble())
    if (!trouble.empty()) throw std::runtime_error(trouble);
  return {flow.state(), tangent.X(), tangent.rate(flow.state())};
}

std::vector<State> ReturnMap::quiet_states(const State& start, const Return& back) {
  constexpr double open = 1e-6, shortest = 1e-3;  // m; of the period
  std::vector<double> times = {start.t};
  for (const NamedInstant& instant : back.sequence) times.push_back(instant.t);
  times.push_back(start.t + back.period);
  std::vector<State> list;
  Flow flow(base_, rule_.options, start);
  for (size_t i = 1; i + 2 < times.size(); ++i) {
    if (times[i + 1] - times[i] < shortest * back.period) continue;
    flow.go_to((times[i] + times[i + 1]) / 2);
    const Eigen::VectorXd gaps = base_.equations.gaps(flow.state());
    if (gaps.size() == 0 || gaps.minCoeff() > open) list.push_back(flow.state());
  }
  return list;
}

Eigen::RowVectorXd ReturnMap::section_row(const State& state) {
  const int n = base_.system.u_size();
  const std::vector<Direction> directions = state_directions(base_.system);
  return section_->slopes({state, {}}, Eigen::MatrixXd::Identity(2 * n, 2 * n), directions);
}

}  // namespace tappet
