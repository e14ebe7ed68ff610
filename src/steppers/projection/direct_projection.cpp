// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/projection/direct_projection.h"

#include <fmt/format.h>

#include <cmath>

namespace tappet {

DirectProjection::DirectProjection(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                   const Options& options)
    : ProjectedTheta(contacts, std::move(solver), options, false),
      options_(options),
      free_forecast_(options.forecast == "free"),
      in_newton_(options.forecast == "newton"),
      implicit_(options.forecast == "implicit") {
  if ((in_newton_ || implicit_) && coupled_)
    throw std::invalid_argument(
        fmt::format("direct-projection: forecast={} does not work with coupling=coupled; expected explicit or free",
                    options.forecast));
}

StepReport DirectProjection::step(State& state, double dt) {
  StepReport report = forecast(state, dt);
  bool coupled_form = coupled_;
  if (report.converged()) {
    const int forecast_newton = report.newton;
    if (!coupled_) report = implicit_ ? settle(state, dt) : decoupled(state, dt, active_, true);
    if (coupled_ || (!report.converged() && may_couple() && !in_newton_ && !implicit_)) {
      coupled_form = true;
      report = coupled(state, dt);
    }
    report.newton += forecast_newton;
  }
  accept(coupled_form, dt, state, report);
  return report;
}

StepReport DirectProjection::forecast(const State& state, double dt) {
  const double theta = options_.theta;
  StepReport report;
  const bool rates_count = free_forecast_ || options_.gamma > 0.0;
  evaluate_.gaps(state.t, state.q, gaps_);
  const bool all_rates = rates_count || in_newton_ || implicit_;
  if (all_rates) rates_of(state, contacts_.all());
  if (free_forecast_) {
    report = decoupled(state, dt, none_, false);
    evaluate_.directions(state.t, state.q, contacts_.all(), law_.W, law_.chi);
    law_.rates(balance_.u_1, rates_free_);
  }
  active_.start();
  for (const auto& [k, contact, r] : contacts_.each(contacts_.all())) {
    const double rise = free_forecast_ ? theta * rates_free_[r] + (1 - theta) * rates_0_[r]  // (62)
                        : rates_count  ? options_.gamma * rates_0_[r]                        // (61)
                                       : 0.0;
    if (gaps_[k] + dt * rise <= options_.forecast_tolerance) active_.push_back(k);
  }
  if (!all_rates) rates_of(state, active_);
  return report;
}

bool DirectProjection::take_closed(double t) {
  evaluate_.gaps(t, balance_.q_free, gaps_);
  ContactSet& active = active_.set();
  bool changed = false;
  size_t next = 0;
  projected_.clear();  // only used from the projection on
  for (const int k : contacts_.all()) {
    const bool was = next < active.size() && active[next] == k, is = gaps_[k] <= options_.forecast_tolerance;
    next += was ? 1 : 0;
    changed = changed || was != is;
    if (is) projected_.push_back(k);
  }
  std::swap(active, projected_);
  projected_.clear();
  return changed;
}

// (64): the set of contacts that are closed at the end of the step that was made with this set. It is found by taking
// the closed contacts again and again. If there is no such set, this does not end.
StepReport DirectProjection::settle(const State& state, double dt) {
  StepReport report;
  const int most = contacts_.size() + 2;
  int newton = 0, passes = 0;
  do {
    report = decoupled(state, dt, active_, false);
    newton += report.newton;
  } while (report.converged() && take_closed(state.t + dt) && ++passes < most);
  const bool settled = passes < most;
  report = decoupled(state, dt, active_, true);
  report.newton += newton, report.index_sets = passes + 1;
  if (!settled) report.solve.status = SolveStatus::not_converged;
  return report;
}

// rates_0_ of these contacts, zero elsewhere.
void DirectProjection::rates_of(const State& state, const ContactSet& set) {
  if (set.empty()) return rates_0_.assign(contacts_.rows(), 0.0);
  evaluate_.directions(state.t, state.q, set, law_.W, law_.chi);
  law_.rates(state.u, law_.gamma_before);
  scatter_rows(contacts_, set, law_.gamma_before, rates_0_);
}

// Newton's method on the velocities (57). Once their balance holds, the positions (58) follow, which may disturb it
// again.
StepReport DirectProjection::decoupled(const State& state, double dt, const ContactSet& active, bool project) {
  StepReport report;
  SolveReport position_solve;
  int alternations = 0;
  largest_tau_ = 0.0;
  projected_.clear();
  projection_.start();
  gather_rows(contacts_, active, rates_0_, law_.gamma_before);
  balance_.start(state, dt);
  while (true) {
    balance_.place(state, dt);
    const bool other_contacts = in_newton_ && report.newton > 0 && alternations == 0 && take_closed(state.t + dt);
    if (other_contacts) gather_rows(contacts_, active, rates_0_, law_.gamma_before);
    if (other_contacts && report.newton >= options_.newton_iterations) {
      report.solve.status = SolveStatus::not_converged;
      return report;
    }
    balance_.balance(state, dt);
    evaluate_.directions(state.t + dt, balance_.q_1, active, law_.W, law_.chi);
    const auto verdict = report.newton == 0 || other_contacts
                             ? ThetaBalance::Verdict::go_on
                             : balance_.verdict(law_, options_.newton_tolerance, options_.newton_iterations, report);
    if (verdict == ThetaBalance::Verdict::failed) return report;
    if (verdict == ThetaBalance::Verdict::holds) {
      if (!project || position_solve.status != SolveStatus::converged) break;
      const auto result = projection_.project(evaluate_, state.t + dt, balance_.q_free, metric(), projected_, true,
                                              equal_, balance_.q_1, balance_.shift);
      report.projections += result.iterations;
      position_solve = result.solve;
      if (!result.changed || ++alternations > options_.newton_iterations) break;
      for (double tau : projection_.tau()) largest_tau_ = std::max(largest_tau_, std::abs(tau));
      continue;
    }
    balance_.linearise(state, dt);
    report.solve = law_.solve(active, balance_.M_hat, balance_.u_1);
    ++report.newton;
  }
  if (position_solve.status != SolveStatus::converged) report.solve = position_solve;
  return report;
}

// The contacts of the positions are those that the iterates close. A contact that stays open has τ = 0.
StepReport DirectProjection::coupled(const State& state, double dt) {
  largest_tau_ = 0.0;
  projected_.clear();
  StepReport report;
  CoupledNewton& newton = this->newton();
  newton.start(state);
  while (true) {
    const StepReport pass = newton.solve(state, dt, rates_0_, active_, projected_);
    report.newton += pass.newton;
    report.projections += projected_.empty() ? 0 : pass.newton;
    report.solve = pass.solve;
    if (!report.converged()) break;
    evaluate_.gaps(state.t + dt, newton.q_1, gaps_);
    if (!add_contacts(gaps_, -options_.tolerance, projected_)) break;
  }
  for (double tau : newton.tau) largest_tau_ = std::max(largest_tau_, std::abs(tau));
  return report;
}

}  // namespace tappet
