// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/half_explicit/forecasting_trapezoid.h"

#include <algorithm>
#include <cmath>

#include "steppers/shared/active_set.h"

namespace tappet {

namespace {
constexpr double touching = 1e-12;
}

ForecastingTrapezoid::ForecastingTrapezoid(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                           Impact impact)
    : contacts_(contacts),
      system_(contacts.system()),
      evaluate_(contacts),
      law_(contacts, std::move(solver), impact),
      M_(contacts),
      a_0_(system_.u_size()),
      a_1_(system_.u_size()),
      u_hat_(system_.u_size()),
      u_1_(system_.u_size()),
      q_1_(system_.q_size()),
      P_plus_(contacts.rows()),
      P_minus_(contacts.rows()),
      stability_(system_),
      left_(system_),
      gap_tolerance_(contacts, 0.0) {
  const State& initial = system_.initial();
  evaluate_.gaps(initial.t, initial.q, gaps_);
  for (int k = 0; k < gaps_.size(); ++k) gap_tolerance_[k] = std::abs(gaps_[k]) <= touching ? touching : 0.0;
  closed_0_.reserve(gaps_.size()), closed_1_.reserve(gaps_.size());
  impulses_.separated = true;
  for (Vec* rows : {&impulses_.P, &impulses_.lambda, &impulses_.Lambda}) rows->assign(contacts.rows(), 0.0);
}

void ForecastingTrapezoid::closed_contacts(double t, const Vec& q, ContactSet& set) {
  evaluate_.gaps(t, q, gaps_);
  set.clear();
  for (int k = 0; k < gaps_.size(); ++k)
    if (gaps_[k] <= gap_tolerance_[k]) set.push_back(k);
}

void ForecastingTrapezoid::free_accelerations(double t, const Vec& q, const Vec& u, Vec& a) {
  M_.evaluate(evaluate_, t, q, u, a);
  M_.accelerate(a);
}

void ForecastingTrapezoid::start(const State& state) {
  constexpr double same_time = 1e-9;  // in steps, because times may be rounded to a grid
  const bool same_place = left_.has_positions_of(state, same_time * dt_before_);
  continued_ = same_place && responds_ && memory_.is_current(contacts_);
  responds_ = false;
  if (gap_tolerance_.follow(contacts_)) mean_touching_contacts(state);
  if (continued_) {
    std::swap(closed_0_, closed_1_);
    evaluate_.forces(state.t, state.q, state.u, a_0_);
    M_.accelerate(a_0_);
    return;
  }
  closed_contacts(state.t, state.q, closed_0_);
  if (same_place) keep_closed();
  free_accelerations(state.t, state.q, state.u, a_0_);
}

void ForecastingTrapezoid::mean_touching_contacts(const State& state) {
  if (state.t != system_.initial().t || !(state.q == system_.initial().q)) return;
  evaluate_.gaps(state.t, state.q, gaps_);
  for (int k = contacts_.named(); k < gaps_.size(); ++k)
    if (std::abs(gaps_[k]) <= touching) gap_tolerance_[k] = touching;
}

void ForecastingTrapezoid::keep_closed() {
  memory_.follow(contacts_, left_closed_);
  if (!some_contact_closed(closed_0_, left_closed_)) return;
  for (int k : left_closed_)
    if (!std::binary_search(closed_0_.begin(), closed_0_.end(), k))
      closed_0_.insert(std::upper_bound(closed_0_.begin(), closed_0_.end(), k), k);
}

bool ForecastingTrapezoid::arrive(const State& state, double dt) {
  evaluate_.displace(state.q, dt / 2, state.u, u_hat_, q_1_);  // (75), (125)
  closed_contacts(state.t + dt, q_1_, closed_1_);
  free_accelerations(state.t + dt, q_1_, u_hat_, a_1_);
  return some_contact_closed(closed_0_, closed_1_);
}

SolveReport ForecastingTrapezoid::impact(const State& state, double dt, double rest) {
  for (int i = 0; i < u_1_.size(); ++i) u_1_[i] = state.u[i] + dt / 2 * (a_0_[i] + a_1_[i]);  // (77)
  evaluate_.directions(state.t + dt, q_1_, closed_1_, law_.W, law_.chi);
  Vec& gamma = law_.gamma_before;
  law_.rates(u_1_, gamma);
  rates_.resize(gamma.size());
  law_.W.multiply(a_1_, rates_);
  for (const auto& [k, contact, row] : contacts_.each(closed_1_)) {
    const bool stayed = std::binary_search(closed_0_.begin(), closed_0_.end(), k);
    const bool rests = contact.law->e_N * std::abs(gamma[row]) < 0.5 * std::abs(rates_[row]) * rest;
    for (int r = row; r < row + contact.rows && (stayed || rests); ++r)
      if (r == row || contact.law->e_F != 0.0) gamma[r] = 0.0;
  }
  const SolveReport solve = law_.solve(closed_1_, M_, u_1_);  // (129)–(131)
  law_.scatter(closed_1_, impulses_.Lambda);
  impulses_.P = impulses_.Lambda;
  impulses_.lambda.assign(contacts_.rows(), 0.0);
  return solve;
}

void ForecastingTrapezoid::record_forces(double dt, const Vec& P_plus, const Vec& P_minus) {
  impulses_.P.resize(contacts_.rows()), impulses_.lambda.resize(contacts_.rows());
  for (int r = 0; r < contacts_.rows(); ++r) {
    impulses_.P[r] = P_plus[r] / 2 + P_minus[r];
    impulses_.lambda[r] = P_minus[r] * 2 / dt;
  }
  impulses_.Lambda.assign(contacts_.rows(), 0.0);
}

StepReport ForecastingTrapezoid::finish(State& state, double dt, const SolveReport& solve, bool impulsive) {
  std::swap(state.q, q_1_);
  std::swap(state.u, u_1_);
  state.t += dt;
  left_.leave(state);
  responds_ = true;
  if (system_.has_colliders()) left_closed_ = closed_1_;
  memory_.keep(contacts_);
  dt_before_ = dt;
  stability_.look(state, dt);
  StepReport report;
  report.solve = solve;
  report.dt = dt;
  report.closed = static_cast<int>(closed_1_.size());
  report.impulsive = impulsive;
  return report;
}

}  // namespace tappet
