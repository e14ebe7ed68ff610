// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/lcp/lcp_trapezoidal.h"

#include <fmt/format.h>

#include <cmath>

namespace tappet {

namespace {

constexpr double rest_of_step = 1e-12;  // relative to dt: a shorter rest after an event is not worth a step

void add_rows(const ContactList& contacts, const ContactSet& set, const Vec& rows, double factor, Vec& all) {
  if (rows.empty()) return;
  for (int r = 0; r < contacts.system().joint_rows(); ++r) all[r] += factor * rows[r];
  for (const auto& [k, contact, row] : contacts.each(set))
    for (int i = 0; i < contact.rows; ++i) all[contact.row + i] += factor * rows[row + i];
}

}  // namespace

LcpTrapezoidal::LcpTrapezoidal(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                               const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      mean_(options.form == "II"),
      located_collisions_(options.collisions == "located"),
      located_stick_slip_(options.stick_slip == "located"),
      located_take_off_(options.take_off == "located"),
      guarded_(options.accumulation == "guarded"),
      evaluate_(contacts),
      law_(contacts, std::move(solver), options.directions + options.directions % 2),
      impact_law_(contacts, evaluate_, law_, options.impact),
      forces_(contacts, evaluate_),
      implicit_(contacts, evaluate_, LinearlyImplicit::named(options.force_jacobian), 0.5),
      kept_(contacts),
      is_active_(contacts.size(), 0),
      e_(contacts.size()),
      w_(system_.u_size()),
      q_M_(system_.q_size()),
      u_1_(system_.u_size()),
      q_1_(system_.q_size()),
      q_tau_(system_.q_size()),
      u_tau_(system_.u_size()),
      u_before_(system_.u_size()) {
  const int most = contacts.size();
  for (Vec* v : {&gamma_near_, &gamma_, &c_, &P_trial_}) v->reserve(contacts.rows());
  for (ContactSet* set : {&near_, &active_, &one_}) set->reserve(most);
  row_.reserve(most), modes_.reserve(most), left_.reserve(2 * most);
  events_.reserve(2 * options.events + 16);
  impulses_.separated = true;
  for (Vec* v : {&impulses_.P, &impulses_.lambda, &impulses_.Lambda}) v->assign(contacts.rows(), 0.0);
}

StepReport LcpTrapezoidal::step(State& state, double dt) {
  const double t_end = state.t + dt;
  events_.clear();
  kept_.follow(contacts_);
  is_active_.resize(contacts_.size()), e_.resize(contacts_.size());
  for (Vec* v : {&impulses_.P, &impulses_.lambda, &impulses_.Lambda}) v->assign(contacts_.rows(), 0.0);
  report_ = {};
  report_.dt = dt_ = dt;
  events_located_ = 0;

  for (double h = dt; h > rest_of_step * dt; h = t_end - state.t) {
    select_active(state);  // (7.1), impacts
    report_.closed = std::max(report_.closed, static_cast<int>(active_.size()));
    SolveReport solve = trial(state, h);
    check_linearisation(state, h, solve);
    P_trial_ = law_.P();
    Located event = events_located_ < options_.events ? earliest(state, h) : Located{};
    if (!event.found()) {
      report_.solve = worse(report_.solve, solve);
      finish(state, P_trial_, h, t_end, 1.0);
      break;
    }
    if (++events_located_ == options_.events)
      events_.push_back({state.t + event.tau, Event::Kind::accumulation, event.contact});
    if (event.kind == Event::Kind::impact && system_.forces_depend_on_state() && meet(state, h, event)) {
      solve = trial(state, event.tau);
      finish(state, law_.P(), event.tau, state.t + event.tau, 1.0);
    } else if (event.kind == Event::Kind::impact) {
      interpolate(state, h, event.tau);  // (7.3)
      std::swap(q_1_, q_tau_), std::swap(u_1_, u_tau_);
      finish(state, P_trial_, event.tau, state.t + event.tau, event.tau / h);
    } else {
      const bool held = event.kind == Event::Kind::stick;
      solve = trial(state, event.tau, held ? &event.slip : nullptr);
      finish(state, law_.P(), event.tau, state.t + event.tau, 1.0);
      announce(state, event);
    }
    report_.solve = worse(report_.solve, solve);
  }
  state.t = t_end;
  return report_;
}

// The contacts that touch, or that carried an impulse and have drifted since. Contacts that separate are left out, so
// that a rebound may close again within the step.
void LcpTrapezoidal::select_active(State& state) {
  const double closed = std::max(options_.epsilon_a, options_.epsilon_b * dt_ * dt_ * dt_);
  const double slow = options_.velocity_tolerance;
  evaluate_.gaps(state.t, state.q, gaps_);
  near_.clear(), active_.clear();
  for (int k = 0; k < gaps_.size(); ++k) {
    is_active_[k] = 0;
    if (gaps_[k] <= closed || kept_[k].held) near_.push_back(k);
  }
  if (near_.empty()) return;
  evaluate_.directions(state.t, state.q, near_, law_.W, law_.chi);
  law_.rates(state.u, gamma_near_);
  bool hits = false;
  for (const auto& [k, contact, row] : contacts_.each(near_)) hits |= !kept_[k].held && gamma_near_[row] < -slow;
  if (hits) impact(state);
  gamma_.resize(system_.joint_rows());
  row_.clear();
  for (const auto& [k, contact, row] : contacts_.each(near_)) {
    if (gamma_near_[row] <= slow || (kept_[k].held && !hits)) {
      kept_[k].held = true, is_active_[k] = 1;
      active_.push_back(k);
      row_.push_back(gamma_.size());
      gamma_.resize(gamma_.size() + contact.rows);
      for (int i = 0; i < contact.rows; ++i) gamma_[row_.back() + i] = gamma_near_[row + i];
    } else {
      kept_[k].held = kept_[k].loaded = kept_[k].sticking = false;
    }
  }
}

void LcpTrapezoidal::impact(State& state) {
  for (int k = 0; k < e_.size(); ++k) e_[k] = events_located_ < options_.events ? contacts_[k].law->e_N : 0.0;
  u_before_ = state.u;
  SolveReport solve = impact_law_.solve(state.t, state.q, near_, e_, state.u);
  if (guarded_ && guard(state)) {
    std::copy(u_before_.begin(), u_before_.end(), state.u.begin());
    solve = worse(solve, impact_law_.solve(state.t, state.q, near_, e_, state.u));
  }
  report_.solve = worse(report_.solve, solve);
  report_.impulsive = true;
  for (const auto& [k, contact, row] : contacts_.each(near_)) {
    if (!kept_[k].held && gamma_near_[row] < -options_.velocity_tolerance) {
      events_.push_back({state.t, Event::Kind::impact, k});
      kept_[k].last_impact = state.t;
    }
    kept_[k].sticking = false;
  }
  add_rows(contacts_, near_, impact_law_.P(), 1.0, impulses_.P);
  add_rows(contacts_, near_, impact_law_.P(), 1.0, impulses_.Lambda);
  law_.rates(state.u, gamma_near_);
}

// The modes of the near contacts; true if one that rebounds had its last impact less than a step ago.
bool LcpTrapezoidal::bounces_quickly(const State& state) {
  modes_.assign(near_.size(), {});
  law_.rates(state.u, c_);
  bool quick = false;
  for (const auto& [i, k, contact, row] : contacts_.numbered(near_)) {
    if (c_[row] <= options_.velocity_tolerance) {
      modes_[i].kind = ContactMode::Kind::slips;
      law_.slip_direction({.rows = contact.rows, .mu = contact.law->mu_law()}, c_.data() + row + 1, modes_[i].d);
    } else {
      quick |= e_[k] > 0.0 && state.t - kept_[k].last_impact < dt_;
    }
  }
  return quick;
}

// Impacts that accumulate (§9.2): a contact stays closed if it already had an impact within the last dt and would close
// again within dt, 2 ġ⁺/|g̈| < dt.
bool LcpTrapezoidal::guard(const State& state) {
  bool found = false;
  if (!bounces_quickly(state)) return false;
  forces_.evaluate(state.t, state.q, state.u, near_, modes_);
  for (const auto& [k, contact, row] : contacts_.each(near_)) {
    const double away = forces_.gamma()[row], a = forces_.gamma_dot()[row];
    if (away > options_.velocity_tolerance && a < 0.0 && e_[k] > 0.0 && state.t - kept_[k].last_impact < dt_ &&
        2 * away < -a * dt_) {
      e_[k] = 0.0;
      found = true;
      events_.push_back({state.t, Event::Kind::accumulation, k});
    }
  }
  return found;
}

SolveReport LcpTrapezoidal::trial(const State& start, double h, const HeldSlip* held) {
  const auto& [t, q, u] = start;
  const int n = u.size();
  evaluate_.displace(q, h / 2, u, q_M_);
  if (!implicit_.assemble(start, t + h / 2, q_M_, h, u_1_)) return {SolveStatus::not_converged, 0, 1.0};
  evaluate_.directions(t + h / 2, q_M_, active_, law_.W, law_.chi);
  if (mean_) {
    for (int i = 0; i < n; ++i) w_[i] = u[i] + u_1_[i];
    law_.rates(w_, c_);
    for (int r = 0; r < c_.size(); ++r) c_[r] += law_.chi[r];  // (6.5)–(6.8), twice
  } else {
    law_.rates(u_1_, c_);  // (6.12)
  }
  if (options_.stabilisation > 0.0) stabilise(start);
  const SolveReport report = law_.solve(active_, implicit_.M(), c_, held);
  law_.add_velocity(implicit_.M(), law_.P(), u_1_);
  evaluate_.displace(q, h / 2, u, u_1_, q_1_);  // (6.3)
  return report;
}

// The whole dt is used also in the parts of a step before and after an event. Otherwise a short part would throw the
// contact out.
void LcpTrapezoidal::stabilise(const State& start) {
  const double gain = (mean_ ? 2.0 : 1.0) * options_.stabilisation / dt_;
  const int joints = system_.joint_rows();
  if (joints > 0) evaluate_.joint_residuals(start.t, start.q, joint_errors_);
  for (int r = 0; r < joints; ++r) c_[r] += gain * joint_errors_[r];
  for (const auto& [k, contact, row] : contacts_.each(active_)) c_[row] += gain * gaps_[k];
}

// The forces are linearised once per step. If they change faster than that, the error of one step adds to the next, and
// nothing damps it.
void LcpTrapezoidal::check_linearisation(const State& start, double h, SolveReport& report) {
  constexpr double most = 0.25;  // of the velocities
  for (int i = 0; i < w_.size(); ++i) w_[i] = h / 2 * (start.u[i] + u_1_[i]);
  const double miss = implicit_.miss(start, h, w_, q_1_, u_1_);
  if (!(miss > most)) return;
  report.status = SolveStatus::not_converged;
  report.residual = std::max(report.residual, miss);
  ++lost_steps_;
}

std::string LcpTrapezoidal::diagnosis() const {
  constexpr int several = 2;
  if (lost_steps_ < several) return {};
  return fmt::format(
      "the step is too large for the forces: {} steps so far in which their linearisation missed by more than a "
      "quarter "
      "of the velocities; expected a dt well below {:.3g} s, or a scheme that iterates (generalized-alpha, "
      "moreau-jean)",
      lost_steps_, dt_);
}

void LcpTrapezoidal::interpolate(const State& start, double h, double tau) {
  const double s = tau / h;
  for (int i = 0; i < w_.size(); ++i) {
    w_[i] = tau * ((1 - s / 2) * start.u[i] + s / 2 * u_1_[i]);
    u_tau_[i] = (1 - s) * start.u[i] + s * u_1_[i];
  }
  evaluate_.displace(start.q, w_, q_tau_);
}

void LcpTrapezoidal::finish(State& state, const Vec& P, double h, double t_1, double share) {
  for (size_t i = 0; i < active_.size(); ++i) {
    const int k = active_[i];
    kept_[k].held = kept_[k].loaded = P[row_[i]] > 0.0;
    kept_[k].opened = false;
    kept_[k].sticking = friction_left(static_cast<int>(i), P) > 1e-9 * P[row_[i]];
  }
  impulses_.lambda.set_zero();
  add_rows(contacts_, active_, P, share, impulses_.P);
  add_rows(contacts_, active_, P, share / h, impulses_.lambda);
  std::swap(state.q, q_1_);
  std::swap(state.u, u_1_);
  state.t = t_1;
}

}  // namespace tappet
