// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// How event-driven goes on where impacts accumulate.
#include <algorithm>

#include "steppers/event_driven/event_driven.h"

namespace tappet {

using Cause = events::Instant::Cause;
using events::Mode;
using events::Watch;
// The remaining impacts and flights up to the accumulation are equivalent, to first order in their short duration, to
// the velocity jump that closes the contact now and the contact force from now on.
bool EventDriven::close_accumulated() {
  balance_.place(now_.t, now_.q, now_.u);
  balance_.solve();
  kinematics_.measure(now_);
  const auto [closing, end] = accumulations_.look(now_, balance_.a, kinematics_, phases_, log_);
  if (closing.empty()) return true;
  for (int k : closing) {
    stop_ = {end, Event::Kind::accumulation, k, -1};
    if (options_.accumulate == "close") log_.note(stop_);
  }
  stopped_ = options_.accumulate != "close";
  if (stopped_) return false;
  const size_t first = log_.size();
  const Vec u_before = now_.u;
  phases_.close(closing, now_);
  if (observer_) instant_.jumps.push_back({closing, u_before, now_.u, {}, true}), instant_.accumulated = closing;
  phases_.decide(now_, log_);
  end_telling();
  log_.retime(first, end);
  advance_shortly(std::min(end, t_target_) - now_.t);
  turn_slip();
  return true;
}

// Slip that goes against its direction has passed zero unseen, in the short rest of time up to an accumulation or
// because another contact has begun to stick there.
void EventDriven::turn_slip() {
  constexpr int most = 10;
  for (int pass = 0; pass < most; ++pass) {
    kinematics_.measure(now_);
    std::vector<int> turned;
    for (const int k : contacts_.all())
      if (phases_[k].mode == Mode::slip && phases_.turned_back(k) && kinematics_.slips(k)) turned.push_back(k);
    if (turned.empty()) return;
    begin_instant();
    begin_telling(Cause::functions);
    for (const int k : turned) {
      phases_.reverse(k);
      if (observer_) instant_.fired.push_back({Watch::slip, k});
    }
    phases_.decide(now_, log_);
    end_telling();
  }
}

// Integrates over the short rest of time up to an accumulation, with the accelerations at its end.
void EventDriven::advance_shortly(double dt) {
  balance_.place(now_.t, now_.q, now_.u);
  balance_.solve();
  const State start = now_;
  Vec w(balance_.a.size());
  const auto after = [&](double h, State& state) {
    const Vec& a = balance_.a;
    for (int i = 0; i < w.size(); ++i) w[i] = h * start.u[i] + 0.5 * h * h * a[i];
    state = start;
    system_.displace(start.q, w, state.q);
    for (int i = 0; i < w.size(); ++i) state.u[i] = start.u[i] + h * a[i];
    state.t = start.t + h;
  };
  after(dt, now_);
  if (observer_)
    observer_->passes({start.t, now_.t, [&](double t, State& state) { after(t - start.t, state), state.t = t; }});
}

}  // namespace tappet
