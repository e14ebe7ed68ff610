// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/impacts.h"

#include <algorithm>

namespace tappet::events {

bool Impacts::apply(State& now, bool joints_may_jump, Phases& phases, Impulses& impulses, EventLog& log) {
  constexpr int most = 20;  // one impact may cause another contact to approach
  bool some = false;
  for (int pass = 0; pass < most; ++pass) {
    kinematics_.measure(now);
    const bool approaching = choose(now.t, phases, log);
    if (!approaching && !(joints_may_jump && kinematics_.joints_jump())) return some;
    some = true;
    jump(now, impulses);
  }
  return some;
}

bool Impacts::choose(double t, Phases& phases, EventLog& log) {
  // A contact in flight takes part in the impact of another contact if it would arrive at most this much later, or if
  // its gap is at most this large.
  constexpr double simultaneous = 1e-9, least_gap = 1e-15;  // s, m
  set_.clear();
  bool approaching = false;
  for (int k : contacts_.all()) {
    if (kinematics_.gap(k) > Kinematics::closed_gap || kinematics_.separates(k)) continue;
    const bool approaches = kinematics_.approaches(k);
    const double near = std::max(least_gap, -simultaneous * kinematics_.normal(k));
    if (phases.on_its_way(k) && !(approaches && kinematics_.gap(k) < near)) continue;
    set_.push_back(k);
    if (!approaches) continue;
    phases.arrive(k);
    approaching = true;
    if (!log.has(k, Event::Kind::impact)) log.note(Event::Kind::impact, k, t);
  }
  return approaching;
}

void Impacts::jump(State& now, Impulses& impulses) {
  balance_.M.evaluate(balance_.evaluate, now.t, now.q);
  balance_.evaluate.directions(now.t, now.q, set_, law_.W, law_.chi);
  law_.rates(now.u, law_.gamma_before);
  if (jumps_) jumps_->push_back({set_, now.u, {}, {}});
  const SolveReport solved = law_.solve(set_, balance_.M, now.u);
  if (solved.status != SolveStatus::converged) worst_ = solved;
  if (jumps_) jumps_->back().u_after = now.u, jumps_->back().P = law_.P();
  law_.scatter(set_, Lambda_);
  impulses.Lambda.eigen() += Lambda_.eigen();
  impulses.P.eigen() += Lambda_.eigen();
}

Accumulations::Found Accumulations::look(const State& now, const Vec& a, const Kinematics& kinematics,
                                         const Phases& phases, const EventLog& log) {
  Found found{{}, now.t};
  for (int k = 0; k < bounces_.size(); ++k) {
    if (!log.has(k, Event::Kind::impact)) continue;
    Bounces& b = bounces_[k];
    const double flight = now.t - b.last, before = b.flight;
    b.last = now.t, b.flight = flight;
    if (++b.count < 3 || phases[k].closed()) continue;
    const double next = kinematics.flight(now, a, k);
    if (!(next < flight_ && next < flight && flight < before)) continue;
    found.contacts.push_back(k);
    found.end = std::max(found.end, now.t + next / (1 - next / flight));
  }
  for (int k : found.contacts) bounces_[k] = {};
  return found;
}

}  // namespace tappet::events
