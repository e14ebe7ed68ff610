// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "steppers/event_driven/event_driven.h"
#include "steppers/shared/contact_rows.h"

namespace tappet {

using events::ContactPhase;
using events::Mode;

namespace {

constexpr double stretch_below = 0.2, stretch_until = 0.4, singular = 1e-9;  // values of Balance::friction_ratio

}  // namespace

void EventDriven::unpack(const double* y, State& state) const {
  const int nq = system_.q_size(), nu = system_.u_size();
  for (int i = 0; i < nq; ++i) state.q[i] = origin_.q[i] + y[i];
  for (int i = 0; i < nu; ++i) state.u[i] = origin_.u[i] + y[nq + i];
  state.t = origin_.t + y[nq + nu];
}

void EventDriven::rate(const double* y, double* rate) {
  const int nq = system_.q_size(), nu = system_.u_size();
  unpack(y, probe_);
  balance_.place(probe_.t, probe_.q, probe_.u);
  balance_.solve();
  const double pace = stretched_ ? balance_.friction_ratio() : 1.0;
  system_.rate(probe_.q, probe_.u, q_dot_);
  for (int i = 0; i < nq; ++i) rate[i] = pace * q_dot_[i];
  for (int i = 0; i < nu; ++i) rate[nq + i] = pace * balance_.a[i];
  rate[nq + nu] = pace;
}

void EventDriven::watch(const double* y, double* values) {
  unpack(y, probe_);
  balance_.evaluate.gaps(probe_.t, probe_.q, probe_gaps_);
  if (!balance_.set.empty() || !balance_.sliding.empty()) {
    balance_.place(probe_.t, probe_.q, probe_.u);
    balance_.solve();
  }
  if (!switches_.empty()) balance_.evaluate.switch_functions(probe_.t, probe_.q, probe_.u, sigma_);
  for (size_t i = 0; i < watched_.size(); ++i) {
    const auto [what, k] = watched_[i];
    if (what >= Watch::branch) {
      const double b = balance_.branches[k];
      if (what == Watch::branch) values[i] = system_.switches()[k].whole ? sigma_[k] - b : b * sigma_[k];
      if (what == Watch::above) values[i] = b + 1 - sigma_[k];
      if (what == Watch::sliding) values[i] = 1 - std::abs(b);
      if (what == Watch::band) values[i] = switches_[k].band() - std::abs(sigma_[k]);
      continue;
    }
    if (what == Watch::gap) values[i] = armed_[k] ? probe_gaps_[k] : 1.0;
    if (what == Watch::target) values[i] = std::min(t_target_, t_switch_) - probe_.t;
    if (what == Watch::paradox) values[i] = balance_.friction_ratio() - singular;
    if (what == Watch::gap || what == Watch::target || what == Watch::paradox) continue;
    const auto position = std::lower_bound(balance_.set.begin(), balance_.set.end(), k) - balance_.set.begin();
    const int row = balance_.first_row[position], friction = contacts_[k].rows - 1;
    const double limit = contacts_[k].law->mu_law() * balance_.lambda[row];
    double tangential = 0, along = 0;
    for (int f = 0; f < friction; ++f) {
      tangential = std::hypot(tangential, balance_.lambda[row + 1 + f]);
      along += balance_.gamma[row + 1 + f] * phases_[k].slip[f];
    }
    if (what == Watch::begun) values[i] = fast - along;
    if (what == Watch::normal) values[i] = balance_.lambda[row];
    if (what == Watch::friction) values[i] = limit - tangential;
    // If the direction of slip can turn, it is lost when the velocity becomes zero. So the integration stops just
    // before.
    if (what == Watch::slip) values[i] = friction > 1 ? along - tolerance_all_[contacts_[k].row] : along;
  }
}

void EventDriven::start_segment() {
  y_.set_zero();
  origin_ = now_;
  if (stiff_ && !ode_->stiff()) ode_ = integrator(true);
  balance_.place(now_.t, now_.q, now_.u);
  balance_.solve();
  scatter_rows(contacts_, balance_.set, balance_.lambda, lambda_);
  t_lambda_ = now_.t;

  measure(now_);
  watched_.clear();
  double shortest = INFINITY, absolute = options_.absolute;
  for (int k : contacts_.all()) {
    const ContactPhase& phase = phases_[k];
    const int friction = contacts_[k].rows - 1;
    armed_[k] = gaps_[k] > closed_gap;
    left_[k] = !phase.closed() && (left_[k] || gamma_all_[contacts_[k].row] > tolerance_all_[contacts_[k].row]);
    if (!phase.closed()) {
      watched_.push_back({Watch::gap, k});
      if (armed_[k]) continue;
      // The time of a flight is as accurate as its height divided by its velocity, so small hops need small tolerances.
      const double flight = next_flight(k);
      shortest = std::min(shortest, flight);
      if (!std::isfinite(flight)) continue;
      const double height = flight * gamma_all_[contacts_[k].row];
      absolute = std::min(absolute, std::max(1e-24, 1e-9 * height));
    }
    if (phase.holds && phase.unique_normal) watched_.push_back({Watch::normal, k});
    if (phase.holds && phase.unique && phase.mode == Mode::stick &&
        std::find(phase.sticks.begin(), phase.sticks.end(), true) != phase.sticks.end())
      watched_.push_back({Watch::friction, k});
    if (phase.mode == Mode::slip && friction > 0) watched_.push_back({phase.directed ? Watch::slip : Watch::begun, k});
  }
  rate_before_.resize(0), rate_.resize(0);
  watch_switches();
  if (stretched_) watched_.push_back({Watch::target, -1}), watched_.push_back({Watch::paradox, -1});
  tau_verified_ = 0;
  const bool bounded = std::isfinite(shortest);
  ode_->start(y_, static_cast<int>(watched_.size()), bounded ? shortest / 50 : 0.0, bounded ? shortest / 8 : 0.0,
              options_.relative, absolute);
}

bool EventDriven::after_step() {
  balance_.place(now_.t, now_.q, now_.u);
  balance_.solve();
  std::swap(lambda_, lambda_before_);
  scatter_rows(contacts_, balance_.set, balance_.lambda, lambda_);
  for (int r = 0; r < lambda_.size(); ++r)
    impulses_.P[r] += 0.5 * (now_.t - t_lambda_) * (lambda_[r] + lambda_before_[r]);
  t_lambda_ = now_.t;

  bool some_unarmed = false, friction = false;
  note_scales();
  measure(now_);
  for (int k : contacts_.all()) {
    ContactPhase& phase = phases_[k];
    const int row = contacts_[k].row;
    carried_[k] = phase.closed() ? std::max(carried_[k], lambda_[row]) : 0.0;
    left_[k] |= !phase.closed() && gamma_all_[row] > tolerance_all_[row];
    if (!phase.closed() && !armed_[k])
      some_unarmed |= !(armed_[k] = gaps_[k] > closed_gap || gamma_all_[row] < -tolerance_all_[row]);
    if (phase.mode != Mode::slip || contacts_[k].rows < 2) continue;
    friction |= phase.holds;
    if (const double speed = slip_speed(k); contacts_[k].rows > 2 && phase.directed && speed > tolerance_all_[row]) {
      for (int f = 0; f < contacts_[k].rows - 1; ++f) phase.slip[f] = gamma_all_[row + 1 + f] / speed;
      balance_.phases[k].slip = phase.slip;
    }
  }
  if (!some_unarmed) ode_->limit_step(0.0);
  if (options_.method == "auto" && !stiff_ && ode_->struggles()) return stiff_ = true;
  if (!friction) return false;
  if (stretched_) {
    std::swap(rate_, rate_before_), tau_before_ = tau_, tau_ = ode_->tau();
    rate_.resize(y_.size());
    rate(ode_->y(), rate_.data());
  }
  const double ratio = balance_.friction_ratio();
  const bool stretch = ratio < (stretched_ ? stretch_until : stretch_below);
  return stretch != std::exchange(stretched_, stretch);
}

}  // namespace tappet
