// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "steppers/event_driven/event_driven.h"

namespace tappet {

using events::ContactPhase;
using events::Mode;

namespace {

// A contact in flight takes part in the impact of another contact if it would arrive at most this much later, or if its
// gap is at most this large.
constexpr double simultaneous = 1e-9, least_gap = 1e-15;  // s, m

}  // namespace

// The impact law for all contacts that touch and do not separate (VelocityLaw with u_free = u⁻). Newton's law is
//   M (u⁺ − u⁻) = W Λ,  −(γ⁺ + e ∘ γ⁻) ∈ N_C(Λ).
// The other is Poisson's law. Returns true if there was an impact.
bool EventDriven::impact(StepReport& report) {
  constexpr int most = 20;  // one impact may cause another contact to approach
  bool some = false;
  for (int pass = 0; pass < most; ++pass) {
    measure(now_);
    set_.clear();
    bool approaching = false;
    for (int k : contacts_.all()) {
      const int row = contacts_[k].row;
      if (gaps_[k] > closed_gap || gamma_all_[row] > tolerance_all_[row]) continue;
      const bool approaches = gamma_all_[row] < -tolerance_all_[row];
      if (left_[k] && !(approaches && gaps_[k] < std::max(least_gap, -simultaneous * gamma_all_[row]))) continue;
      set_.push_back(k);
      if (!approaches) continue;
      left_[k] = false;
      approaching = true;
      if (!announced(k, Event::Kind::impact)) note(Event::Kind::impact, k, now_.t);
    }
    if (!approaching && !(joints_may_jump_ && joints_jump())) return some;
    some = report.impulsive = true;
    balance_.evaluate.mass(now_.t, now_.q, balance_.M);
    balance_.M.factor();
    balance_.evaluate.directions(now_.t, now_.q, set_, impact_law_.W, impact_law_.chi);
    impact_law_.rates(now_.u, impact_law_.gamma_before);
    const SolveReport solved = impact_law_.solve(set_, balance_.M, now_.u);
    if (solved.status != SolveStatus::converged) worst_ = solved;
    impact_law_.scatter(set_, lambda_before_);
    impulses_.Lambda.eigen() += lambda_before_.eigen();
    impulses_.P.eigen() += lambda_before_.eigen();
  }
  return some;
}

// The time for which an open contact stays open, from its present velocity and acceleration. It is INFINITY if the
// contact does not close again.
double EventDriven::next_flight(int k) {
  const ContactSet one{k};
  BlockRows W;
  Vec chi, zeta;
  balance_.evaluate.directions(now_.t, now_.q, one, W, chi);
  balance_.evaluate.accelerations(now_.t, now_.q, now_.u, one, zeta);
  Vec gamma_dot(W.rows());
  W.multiply(balance_.a, gamma_dot);
  const int r = system_.joint_rows();
  const double acceleration = gamma_dot[r] + zeta[r], velocity = gamma_all_[contacts_[k].row];
  return acceleration < 0 && velocity > 0 ? -2 * velocity / acceleration : INFINITY;
}

// If flights become shorter by a steady ratio r, they end at t + flight/(1 − r). Returns false if the motion ends here.
bool EventDriven::accumulations() {
  balance_.place(now_.t, now_.q, now_.u);
  balance_.solve();
  measure(now_);
  std::vector<int> closing;
  double end = now_.t;
  for (int k : contacts_.all()) {
    if (!announced(k, Event::Kind::impact)) continue;
    Bounces& b = bounces_[k];
    const double flight = now_.t - b.last, before = b.flight;
    b.last = now_.t, b.flight = flight;
    if (++b.count < 3 || phases_[k].closed()) continue;
    const double next = next_flight(k);
    if (!(next < options_.flight && next < flight && flight < before)) continue;
    closing.push_back(k);
    end = std::max(end, now_.t + next / (1 - next / flight));
  }
  if (closing.empty()) return true;
  for (int k : closing) {
    stop_ = {end, Event::Kind::accumulation, k, -1};
    bounces_[k] = {};
    if (options_.accumulate == "close") events_.push_back(stop_);
  }
  stopped_ = options_.accumulate != "close";
  if (stopped_) return false;
  const size_t first = events_.size();
  close(closing);
  decide();
  for (size_t i = first; i < events_.size(); ++i) events_[i].t = end;
  advance_shortly(std::min(end, t_target_) - now_.t);
  return true;
}

// Integrates over the short rest of time up to an accumulation, with the accelerations at its end.
void EventDriven::advance_shortly(double dt) {
  balance_.place(now_.t, now_.q, now_.u);
  balance_.solve();
  const Vec& a = balance_.a;
  for (int i = 0; i < w_.size(); ++i) w_[i] = dt * now_.u[i] + 0.5 * dt * dt * a[i];
  system_.displace(now_.q, w_, q_dot_);
  now_.q = q_dot_;
  for (int i = 0; i < w_.size(); ++i) now_.u[i] += dt * a[i];
  now_.t += dt;
}

// The remaining impacts and flights up to the accumulation are equivalent, to first order in their short duration, to
// the velocity jump that closes the contact now and the contact force from now on.
void EventDriven::close(const std::vector<int>& contacts) {
  Decision decision;
  decision.phases = phases_;
  decision.share.assign(phases_.size(), 1.0);
  for (int k : contacts) {
    const Contact& contact = contacts_[k];
    ContactPhase& phase = decision.phases[k];
    const double speed = slip_speed(k);
    phase.mode = speed > tolerance_all_[contact.row] ? Mode::slip : Mode::stick;
    for (int f = 1; f < contact.rows && phase.mode == Mode::slip; ++f)
      phase.slip[f - 1] = gamma_all_[contact.row + f] / speed;
  }
  adopt(decision);
}

}  // namespace tappet
