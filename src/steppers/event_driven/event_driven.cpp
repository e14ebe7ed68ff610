// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/event_driven.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tappet {

using events::ContactPhase;
using events::Mode;

namespace {

// limit for constraints at the end of a step; above it, integration continues from the projected state
constexpr double drift = 1e-11;

}  // namespace

EventDriven::EventDriven(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      impact_law_(contacts, std::move(solver), impact_named(options.impact)),
      balance_(contacts),
      ode_(integrator(options.method == "bdf")),
      now_(system_.initial()),
      probe_(system_.initial()),
      probe_ahead_(system_.initial()),
      phases_(contacts.size()),
      armed_(contacts.size()),
      left_(contacts.size()),
      carried_(contacts.size()),
      bounces_(contacts.size()),
      left_at_(system_) {
  switches_.resize(system_.switches().size());
  q_dot_.assign(system_.q_size(), 0.0);
  y_.assign(system_.q_size() + system_.u_size() + 1, 0.0);
  w_.assign(system_.u_size(), 0.0);
  lambda_.assign(contacts.rows(), 0.0);
  impulses_.separated = true;
  for (Vec* x : {&impulses_.P, &impulses_.lambda, &impulses_.Lambda}) x->assign(contacts.rows(), 0.0);
}

std::unique_ptr<events::Ode> EventDriven::integrator(bool stiff) {
  events::Motion& motion = *this;
  return std::make_unique<events::Ode>(motion, system_.q_size() + system_.u_size() + 1, stiff);
}

void EventDriven::begin(const State& state) {
  now_ = state;
  stopped_ = stretched_ = false;
  std::fill(bounces_.begin(), bounces_.end(), Bounces{});
  std::fill(left_.begin(), left_.end(), false);
  carried_.set_zero();
  diagnosis_.clear();
  StepReport unused;
  begin_switches();
  measure(now_);
  for (int k : contacts_.all()) {
    phases_[k] = {};
    if (touches(k)) phases_[k].mode = slip_speed(k) > tolerance_all_[contacts_[k].row] ? Mode::slip : Mode::stick;
  }
  settle(unused);
  start_segment();
}

bool EventDriven::settle(StepReport& report, const Vec* gaps_before) {
  constexpr int most = 50;
  joints_may_jump_ = gaps_before != nullptr;
  bool impulsive = impact(report);
  for (int pass = 0; pass < most && update_branches(); ++pass) {
    joints_may_jump_ = true;
    impulsive |= impact(report);
  }
  joints_may_jump_ = false;
  if (gaps_before && positions_jump(*gaps_before)) return impulsive;
  decide();
  return impulsive;
}

bool EventDriven::handle_root(StepReport& report) {
  first_event_ = events_.size();
  reversing_.clear();
  bool paradox = false, motion = false, begun = false, switched = false;
  if (!switches_.empty()) measure(now_);
  const Vec gaps_before = gaps_;
  for (size_t i = 0; i < watched_.size(); ++i) {
    if (!ode_->fired(static_cast<int>(i))) continue;
    if (watched_[i].what == Watch::slip) reversing_.push_back(watched_[i].contact);
    if (watched_[i].what == Watch::gap) left_[watched_[i].contact] = false;
    if (watched_[i].what == Watch::begun) phases_[watched_[i].contact].directed = begun = true;
    if (watched_[i].what >= Watch::branch) take_fired(watched_[i]), switched = true;
    paradox |= watched_[i].what == Watch::paradox;
    motion |= watched_[i].what != Watch::target && watched_[i].what != Watch::begun;
  }
  if (!motion && begun) {
    balance_.phases = phases_;
    start_segment();
  }
  if (!motion) return true;
  measure(now_);
  if (paradox) {
    leave_paradox();
    start_segment();
    return true;
  }
  const bool impulsive = settle(report, switched ? &gaps_before : nullptr);
  if (!diagnosis_.empty()) return false;
  const bool goes_on = !impulsive || accumulations();
  if (goes_on) start_segment();
  return goes_on;
}

// In stretched time every component approaches the singular point like exp(−κ τ), so the remaining distance is rate/κ.
// From there on contact and flight are both consistent. The contact with the largest force opens.
void EventDriven::leave_paradox() {
  std::copy_n(ode_->y(), y_.size(), y_.begin());
  for (int i = 0; i < y_.size() && rate_before_.size() == y_.size(); ++i) {
    const double kappa = std::log(rate_before_[i] / rate_[i]) / (tau_ - tau_before_);
    if (std::isfinite(kappa) && kappa > 0) y_[i] += rate_[i] / kappa;
  }
  unpack(y_.data(), now_);
  int leaves = -1;
  for (int k : contacts_.all())
    if (phases_[k].mode == Mode::slip && contacts_[k].rows > 1 &&
        (leaves < 0 || lambda_[contacts_[k].row] > lambda_[contacts_[leaves].row]))
      leaves = k;
  note(Event::Kind::branch, leaves, now_.t);
  note(Event::Kind::opening, leaves, now_.t);
  Decision decision;
  decision.phases = phases_, decision.share.assign(phases_.size(), 1.0);
  decision.phases[leaves] = {};
  adopt(decision);
  stretched_ = false;
}

StepReport EventDriven::step(State& state, double dt) {
  constexpr long most_steps = 20'000'000;
  constexpr int most_events_at_once = 50, most_events = 20'000;
  events_.clear(), first_event_ = 0;
  StepReport report;
  worst_ = {};
  const double start = state.t;
  if (!left_at_.is(state, 1e-9 * dt)) begin(state);
  for (Vec* x : {&impulses_.P, &impulses_.Lambda}) x->set_zero();
  t_target_ = start + dt;
  bool alive = !stopped_;
  int at_once = 0;
  double t_last_event = -INFINITY;
  const double instant = 1e-15 * std::max(1.0, std::abs(t_target_));
  if (alive) look_for_time_switch();
  for (long k = 0; alive && (t_target_ - now_.t > instant || t_switch_ - now_.t <= instant); ++k) {
    if (t_switch_ - now_.t <= instant) {
      alive = pass_time_switch(report);
      continue;
    }
    const double t_stop = std::min(t_target_, t_switch_);
    const auto outcome = ode_->advance(stretched_ ? 1e4 : t_stop - origin_.t);
    unpack(ode_->y(), now_);
    if (outcome == events::Ode::Outcome::stop) now_.t = t_stop;
    if (outcome == events::Ode::Outcome::failed || k > most_steps) {
      report.solve.status = SolveStatus::not_converged;
      break;
    }
    if (indeterminate_ && !stretched_ && locate_departure()) {
      after_step();
      first_event_ = events_.size(), reversing_.clear();
      decide();
      start_segment();
      continue;
    }
    const bool restart = after_step();
    if (outcome == events::Ode::Outcome::root) {
      at_once = now_.t - t_last_event > 1e-14 * std::max(1.0, now_.t) ? 0 : at_once + 1;
      t_last_event = now_.t;
      if (at_once > most_events_at_once || events_.size() > most_events) {
        report.solve.status = SolveStatus::not_converged;
        break;
      }
      alive = handle_root(report);
    } else if (restart) {
      start_segment();
    }
  }
  if (stopped_) events_.push_back(stop_);
  state = now_;
  if (project(state) > drift && alive) {
    now_ = state;
    start_segment();
  }
  if (alive && report.converged()) state.t = now_.t = t_target_;
  left_at_.leave(state);
  report.dt = alive && report.converged() ? dt : now_.t - start;
  if (report.converged()) report.solve = worst_;
  report.closed = static_cast<int>(balance_.set.size());
  impulses_.lambda = lambda_;
  return report;
}

}  // namespace tappet
