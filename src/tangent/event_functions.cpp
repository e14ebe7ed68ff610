// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/event_functions.h"

#include <algorithm>
#include <cmath>

namespace tappet {

void EventFunctions::place(const State& before, const events::Regime& regime, const Eigen::MatrixXd& X,
                           double time_step) {
  before_ = before, regime_ = regime, X_ = X, time_step_ = time_step;
}

EventFunction EventFunctions::make(std::string name, int contact) const {
  const Eigen::RowVectorXd zero = Eigen::RowVectorXd::Zero(X_.cols());
  return {std::move(name), contact, 0.0, 0.0, {}, zero, zero};
}

void EventFunctions::add_state(const Eigen::RowVectorXd& row, EventFunction& function) const {
  function.change += row * X_;
  function.size += row.cwiseAbs() * X_.cwiseAbs();
}

EventFunction EventFunctions::gap(int k) {
  EventFunction function = make("gap", k);
  const int n = base_.system.u_size(), normal = base_.system.joint_rows();
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(2 * n);
  row.head(n) = base_.equations.directions(before_, {k}).row(normal);
  add_state(row, function);
  function.row = row;
  add_parameters([&](CompiledModel& m) { return Eigen::VectorXd(m.equations.gaps(before_).segment(k, 1)); }, function);
  function.value = base_.equations.gaps(before_)[k];
  function.rate = base_.equations.velocities(before_, {k})[normal];
  return function;
}

EventFunction EventFunctions::velocity(int k, int row) {
  EventFunction function = make("velocity", k);
  const int n = base_.system.u_size(), r = base_.system.joint_rows() + row;
  BlockRows by_q;
  base_.equations.evaluate.velocity_derivatives(before_.t, before_.q, before_.u, {k}, by_q);
  Eigen::RowVectorXd slopes(2 * n);
  slopes << dense(by_q, n).row(r), base_.equations.directions(before_, {k}).row(r);
  add_state(slopes, function);
  function.row = slopes;
  add_parameters([&](CompiledModel& m) { return Eigen::VectorXd(m.equations.velocities(before_, {k}).segment(r, 1)); },
                 function);
  function.value = base_.equations.velocities(before_, {k})[r];
  Vec zeta;
  base_.equations.evaluate.accelerations(before_.t, before_.q, before_.u, {k}, zeta);
  function.rate = slopes.tail(n).dot(linear_.a.eigen()) + zeta[r];
  return function;
}

EventFunction EventFunctions::of_start(const std::string& joint, const Eigen::RowVectorXd& row) const {
  EventFunction function = make(joint, -1);
  function.row = row;
  function.size = row.cwiseAbs() * X_.cwiseAbs();
  for (int d = 0; d < X_.cols(); ++d)  // the start of a model fits its joints, whatever its parameters are
    if (!directions_[d].parameter) function.change[d] = row * X_.col(d);
  return function;
}

std::vector<EventFunction> EventFunctions::joints() {
  std::vector<EventFunction> list;
  if (base_.system.joint_rows() == 0) return list;
  const int n = base_.system.u_size();
  BlockRows by_q;
  base_.equations.evaluate.velocity_derivatives(before_.t, before_.q, before_.u, {}, by_q);
  const Eigen::MatrixXd W = base_.equations.directions(before_, {}), slopes = dense(by_q, n);
  for (const Constraint& joint : base_.system.joints())
    for (int r = joint.row; r < joint.row + joint.rows; ++r) {
      Eigen::RowVectorXd position = Eigen::RowVectorXd::Zero(2 * n), velocity(2 * n);
      position.head(n) = W.row(r);
      velocity << slopes.row(r), W.row(r);
      if (joint.position_level) list.push_back(of_start(joint.name(), position));
      list.push_back(of_start(joint.name(), velocity));
    }
  return list;
}

EventFunction EventFunctions::slip(int k) {
  EventFunction function = make("slip velocity", k);
  for (int f = 1; f < base_.contacts[k].rows; ++f) {
    const EventFunction one = velocity(k, f);
    const double d = regime_.phases[k].slip[f - 1];
    function.value += d * one.value, function.rate += d * one.rate, function.change += d * one.change,
        function.size += std::abs(d) * one.size;
  }
  return function;
}

Eigen::RowVectorXd EventFunctions::force_row(int k, int row) const {
  Eigen::RowVectorXd pick = Eigen::RowVectorXd::Zero(static_cast<int>(regime_.equations.size()));
  const auto position = std::find(regime_.set.begin(), regime_.set.end(), k) - regime_.set.begin();
  const int wanted = regime_.first_row[position] + row;
  const auto e = std::find(regime_.equations.begin(), regime_.equations.end(), wanted) - regime_.equations.begin();
  if (e < pick.size()) pick[e] = 1;
  return pick;
}

void EventFunctions::add_forces(const Eigen::RowVectorXd& row, EventFunction& function) {
  const Eigen::RowVectorXd by_x = row * linear_.forces_by_x;
  add_state(by_x, function);
  const auto residual = [&](Equations& equations, const State& at) {
    equations.hold(regime_.branches);
    return equations.motion(at, regime_, linear_.a, linear_.lambda);
  };
  const auto forces = [&](const Eigen::VectorXd& r) { return row.dot(linear_.respond(r).col(0).tail(row.size())); };
  for (size_t d = 0; d < directions_.size(); ++d)
    if (ParameterSlope* p = directions_[d].parameter) {
      const double slope = forces(p->of([&](CompiledModel& m) { return residual(m.equations, before_); }));
      function.change[static_cast<int>(d)] += slope, function.size[static_cast<int>(d)] += std::abs(slope);
    }
  function.rate +=
      by_x.dot(linear_.rate()) + forces(by_time([&](const State& at) { return residual(base_.equations, at); }));
}

EventFunction EventFunctions::normal_force(int k) {
  EventFunction function = make("normal force", k);
  const auto position = std::find(regime_.set.begin(), regime_.set.end(), k) - regime_.set.begin();
  function.value = linear_.lambda[regime_.first_row[position]];
  add_forces(force_row(k, 0), function);
  return function;
}

// μ λ_N − ‖λ_F‖
EventFunction EventFunctions::friction_left(int k) {
  EventFunction function = make("friction", k);
  const auto position = std::find(regime_.set.begin(), regime_.set.end(), k) - regime_.set.begin();
  const int row = regime_.first_row[position], friction = base_.contacts[k].rows - 1;
  const Eigen::VectorXd lambda_F = linear_.lambda.eigen().segment(row + 1, friction);
  Eigen::RowVectorXd forces = base_.contacts[k].law->mu_law() * force_row(k, 0);
  for (int f = 0; f < friction; ++f) forces -= lambda_F[f] / lambda_F.norm() * force_row(k, 1 + f);
  add_forces(forces, function);
  const double lambda_N = linear_.lambda[row];
  function.value = base_.contacts[k].law->mu_law() * lambda_N - lambda_F.norm();
  add_parameters([&](CompiledModel& m) { return Eigen::VectorXd::Constant(1, m.contacts[k].law->mu_law() * lambda_N); },
                 function);
  return function;
}

// The derivative by the state is a difference along each direction, because no other derivative of switch functions is
// at hand.
EventFunction EventFunctions::formula_switch(int which) {
  EventFunction function = make("switch of a formula", -1);
  Vec sigma, w(base_.system.u_size()), rates, first;
  const auto value = [&](Equations& equations, const State& at) {
    equations.hold(regime_.branches);
    equations.evaluate.switch_functions(at.t, at.q, at.u, sigma);
    return Eigen::VectorXd(sigma.eigen().segment(which, 1));
  };
  const int n = base_.system.u_size();
  for (int d = 0; d < X_.cols(); ++d) {
    const double size = X_.col(d).norm(), step = size > 0 ? 1e-4 / size : 0;
    if (size == 0) continue;
    const Difference& rule = Difference::central();
    function.change[d] += rule.sum([&](size_t i) {
      State at = before_;
      w.eigen() = rule.offsets[i] * step * X_.col(d).head(n);
      base_.system.displace(before_.q, w, at.q);
      at.u.eigen() += rule.offsets[i] * step * X_.col(d).tail(n);
      return value(base_.equations, at)[0];
    }) / step;
    function.size[d] += std::abs(function.change[d]);
  }
  add_parameters([&](CompiledModel& m) { return value(m.equations, before_); }, function);
  base_.equations.hold(regime_.branches);
  base_.equations.evaluate.switch_rates(before_.t, before_.q, before_.u, linear_.a, first, rates);
  function.rate = first[which];
  return function;
}

EventFunction EventFunctions::time_switch(int which) {
  EventFunction function = make("function of time", -1);
  const auto value = [&](const System& system, double t) {
    const TimeSwitch& s = system.time_switches()[which];
    return Eigen::VectorXd::Constant(1, s.function.switch_function(s.index, t)).eval();
  };
  add_parameters([&](CompiledModel& m) { return value(m.system, before_.t); }, function);
  function.rate = by_time([&](const State& at) { return value(base_.system, at.t); })[0];
  return function;
}

}  // namespace tappet
