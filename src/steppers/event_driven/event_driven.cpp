// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/event_driven.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "steppers/shared/contact_rows.h"

namespace tappet {

using Cause = events::Instant::Cause;
using events::Mode;
using events::Ode;
using events::Watch;

EventDriven::EventDriven(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options)
    : nearby_(contacts),
      contacts_(nearby_.contacts()),
      system_(contacts.system()),
      options_(options),
      sums_(nearby_.searches() ? own_impulses_ : impulses_),
      impact_law_(contacts_, std::move(solver), impact_named(options.impact)),
      balance_(contacts_),
      kinematics_(contacts_, balance_.evaluate),
      log_(events_),
      phases_(contacts_, balance_, kinematics_, impact_law_.solver(), worst_),
      switches_(system_, balance_),
      time_switches_(balance_.evaluate),
      impacts_(contacts_, balance_, kinematics_, impact_law_, worst_),
      accumulations_(contacts_, options.flight),
      segment_(contacts_, balance_, kinematics_, phases_, switches_,
               {options.relative, options.absolute, options.method}),
      now_(system_.initial()),
      step_start_(now_),
      left_(system_) {
  lambda_.assign(contacts_.rows(), 0.0);
  impulses_.separated = true;
  for (Vec* x : {&impulses_.P, &impulses_.lambda, &impulses_.Lambda}) x->assign(contacts_.rows(), 0.0);
  own_impulses_ = impulses_;
}

StepReport EventDriven::step(State& state, double dt) {
  log_.begin_step();
  StepReport report;
  worst_ = {};
  const double start = state.t;
  if (!left_.is(state, 1e-9 * dt)) begin(state);
  for (Vec* x : {&sums_.P, &sums_.Lambda}) x->assign(contacts_.rows(), 0.0);
  t_target_ = start + dt;
  alive_ = !stopped_;
  if (alive_) integrate(report);
  if (stopped_) log_.note(stop_);
  leave(state, report);
  report.dt = alive_ && report.converged() ? dt : now_.t - start;
  if (report.converged()) report.solve = worst_;
  report.closed = static_cast<int>(balance_.set.size());
  sums_.lambda = lambda_;
  if (nearby_.searches()) nearby_.give(sums_, impulses_), nearby_.give(events_);
  return report;
}

// The state at the end of a step, projected onto the constraints. If they had drifted, the integration goes on from
// there.
void EventDriven::leave(State& state, const StepReport& report) {
  constexpr double drift = 1e-11;
  state = now_;
  if (balance_.project(state) > drift && alive_) {
    now_ = state;
    start_segment();
  }
  if (alive_ && report.converged()) state.t = now_.t = t_target_;
  left_.leave(state);
}

// From event to event up to the end of the step.
void EventDriven::integrate(StepReport& report) {
  const double instant = 1e-15 * std::max(1.0, std::abs(t_target_));
  at_once_ = 0, t_last_event_ = -INFINITY, t_last_look_ = -INFINITY;
  time_switches_.look_ahead(t_target_);
  for (long k = 0; alive_ && (t_target_ - now_.t > instant || time_switches_.next() - now_.t <= instant); ++k) {
    if (time_switches_.next() - now_.t <= instant) {
      alive_ = pass_time_switch(report);
      continue;
    }
    step_start_ = now_;
    ++integrated_;
    const auto outcome = segment_.advance(std::min(t_target_, time_switches_.next()), now_);
    if (outcome == Ode::Outcome::failed) return fail(report);
    if (k % steps_between_looks == 0 && makes_no_progress()) return fail(report);
    kinematics_.measure(now_);
    if (interrupted(report)) continue;
    const bool restart = after_step();
    if (outcome == Ode::Outcome::root) {
      if (too_many_events()) return fail(report);
      alive_ = handle_events(report);
    } else if (nearby_.is_used_up(now_)) {
      alive_ = look_around(report);
      if (alive_ && restart) start_segment();
    } else if (restart) {
      start_segment();
    }
  }
}

// Whether the step would take too many steps of the integration if it goes on as slowly as since the last look.
bool EventDriven::makes_no_progress() {
  constexpr double most_steps = 1e8;
  const double advance = now_.t - std::exchange(t_last_look_, now_.t), left = t_target_ - now_.t;
  if (!std::isfinite(advance) || left * steps_between_looks <= most_steps * advance) return false;
  std::string closed;
  for (const int k : balance_.set) closed += (closed.empty() ? ", closed contacts " : ", ") + contacts_.name(k);
  diagnosis_ =
      fmt::format("the integration makes no progress: {} steps advance the time by {:.3g} s at t = {:.12g} s{}",
                  steps_between_looks, advance, now_.t, closed);
  alive_ = false;
  return true;
}

// What ends a segment although none of the functions that it watches is zero. True: there is a new segment.
bool EventDriven::interrupted(StepReport& report) {
  if (nearby_.was_left(now_)) {
    go_back();
  } else if (locate_other_features()) {
    kinematics_.measure(now_);
    after_step();
    alive_ = look_around(report);
  } else if (segment_.locate_departure(now_)) {
    depart();
  } else if (const int k = short_contact(); k >= 0) {
    after_step();
    alive_ = strike(k, report);
  } else {
    return false;
  }
  return true;
}

// A contact whose force is not unique leaves its phase here.
void EventDriven::depart() {
  kinematics_.measure(now_);
  after_step();
  begin_instant();
  begin_telling(Cause::departure);
  phases_.decide(now_, log_);
  start_segment();
}

bool EventDriven::too_many_events() {
  constexpr int most_at_once = 50, most = 20'000;
  at_once_ = now_.t - t_last_event_ > 1e-14 * std::max(1.0, now_.t) ? 0 : at_once_ + 1;
  t_last_event_ = now_.t;
  return at_once_ > most_at_once || log_.size() > most;
}

void EventDriven::begin_instant() {
  log_.begin_instant();
  phases_.begin_instant();
}

void EventDriven::begin(const State& state) {
  now_ = state;
  stopped_ = false;
  segment_.forget_pace();
  accumulations_.begin();
  diagnosis_.clear();
  t_other_features_ = -INFINITY;
  time_switches_.begin(now_.t);
  switches_.begin(now_);
  bool lost = false;
  if (nearby_.searches()) nearby_.search(now_), follow_contacts(lost);
  kinematics_.measure(now_);
  phases_.begin();
  begin_telling(Cause::start);
  settle();
  start_segment();
}

std::vector<std::string> EventDriven::remarks() const {
  const events::Impacts::Merged& merged = impacts_.merged();
  std::vector<std::string> list;
  if (std::string gain = impacts_.words_about_gain(); !gain.empty()) list.push_back(std::move(gain));
  if (merged.count == 0) return list;
  list.push_back(fmt::format(
      "contacts that act on each other struck within 1e-9 s or 1e-15 m of each other and were taken as one "
      "impact ({} times, first at t = {:.9g} s: {} would have struck {:.2g} s after {}). The motion depends on "
      "the order of such impacts; compare it with that of other tolerances or of another method",
      merged.count, merged.t, contact_words(merged.second), merged.later, contact_words(merged.first)));
  return list;
}

std::string EventDriven::contact_words(int contact) const {
  return contact < contacts_.named() ? contacts_.name(contact) : "a contact between colliders";
}

void EventDriven::start_segment() {
  take_forces();
  end_telling();
  kinematics_.measure(now_);
  note_approaching();
  phases_.note_departures();
  if (nearby_.searches()) segment_.limit_step(nearby_.longest_step(now_));
  segment_.start(now_);
}

// The history of the integrator cannot be archived. So the integration begins anew from time to time, where the steps
// that it then needs do not matter.
bool EventDriven::settle(long) {
  constexpr long interval = 1000;
  if (!alive_ || integrated_ < interval) return false;
  Archive settling(Archive::Purpose::settle);
  archive(settling);
  renew_segment();
  return true;
}

void EventDriven::renew_segment() {
  integrated_ = 0;
  segment_.renew_integrator();
  start_segment();
}

bool EventDriven::history(Archive& a) {
  a(nearby_, memory_, impact_law_, balance_, phases_, switches_, time_switches_, impacts_, accumulations_, segment_);
  a(now_.t, now_.q, now_.u, left_, stopped_, stop_, diagnosis_, lambda_, t_other_features_);
  if (a.reads()) renew_segment();
  return true;
}

void EventDriven::take_forces() {
  balance_.place(now_.t, now_.q, now_.u);
  balance_.solve();
  scatter_rows(contacts_, balance_.set, balance_.lambda, lambda_);
  t_lambda_ = now_.t;
}

bool EventDriven::after_step() {
  const double t_before = t_lambda_;
  std::swap(lambda_, lambda_before_);
  take_forces();
  for (int r = 0; r < lambda_.size(); ++r) sums_.P[r] += 0.5 * (now_.t - t_before) * (lambda_[r] + lambda_before_[r]);
  switches_.note_scales(now_);
  note_approaching();
  if (observer_)
    observer_->passes({step_start_.t, now_.t, [this](double t, State& at) { segment_.within_last_step(t, at); }});
  return segment_.after_step(phases_.follow(lambda_));
}

bool EventDriven::settle(const Vec* gaps_before) {
  constexpr int most = 50;
  const auto impact = [&](bool joints_may_jump) { return impacts_.apply(now_, joints_may_jump, phases_, sums_, log_); };
  const auto accelerations = [&] { return phases_.choose(now_).a; };
  bool impulsive = impact(gaps_before != nullptr);
  int pass = 0;
  while (pass < most && switches_.update(now_, accelerations)) impulsive |= impact(true), ++pass;
  if (pass == most)
    diagnosis_ = fmt::format(
        "the switches of the formulas do not settle at t = {:.9g} s: every change of a branch leads to another one",
        now_.t);
  if (gaps_before && positions_jump(*gaps_before)) return impulsive;
  phases_.decide(now_, log_);
  return impulsive;
}

bool EventDriven::handle_events(StepReport& report) {
  begin_instant();
  begin_telling(Cause::functions);
  bool paradox = false, motion = false, begun = false, switched = false;
  if (!switches_.empty()) kinematics_.measure(now_);
  const Vec gaps_before = kinematics_.gaps();
  segment_.visit_fired([&](const events::Watched& fired) {
    const bool turned_back = fired.what == Watch::begun && phases_.turned_back(fired.index);
    if (fired.what == Watch::slip || turned_back) phases_.reverse(fired.index);
    if (fired.what == Watch::gap) phases_.arrive(fired.index);
    if (fired.what == Watch::begun && !turned_back) phases_.direct(fired.index), begun = true;
    if (fired.is_switch()) switches_.take_fired(fired, now_.t, log_), switched = true;
    paradox |= fired.what == Watch::paradox;
    motion |= turned_back || (fired.what != Watch::target && fired.what != Watch::begun);
    if (observer_) instant_.fired.push_back(fired);
  });
  telling_ &= motion || begun;
  if (!motion && begun) {
    instant_.cause = Cause::slip_begun;
    phases_.hold();
    start_segment();
  }
  if (!motion) return true;
  kinematics_.measure(now_);
  if (paradox) {
    instant_.cause = Cause::paradox;
    leave_paradox();
    return true;
  }
  return go_on(settle(switched ? &gaps_before : nullptr), report);
}

// A contact has closed within a step of the integration.
bool EventDriven::strike(int k, StepReport& report) {
  begin_instant();
  begin_telling(Cause::functions);
  if (observer_) instant_.fired = {{Watch::gap, k}};
  phases_.arrive(k);
  kinematics_.measure(now_);
  return go_on(settle(), report);
}

void EventDriven::tell(events::Observer* observer) {
  observer_ = observer;
  impacts_.list_in(observer ? &instant_.jumps : nullptr);
  left_.forget();
}

void EventDriven::begin_telling(Cause cause) {
  if (!observer_) return;
  instant_ = {};
  instant_.cause = cause, instant_.before = now_;
  if (cause != Cause::start) instant_.regime_before = events::Regime(balance_);
  telling_ = true;
}

void EventDriven::end_telling() {
  if (!std::exchange(telling_, false)) return;
  instant_.after = now_, instant_.regime_after = events::Regime(balance_), instant_.events = log_.of_instant();
  observer_->happens(instant_);
}

bool EventDriven::pass_time_switch(StepReport& report) {
  begin_instant();
  begin_telling(Cause::time);
  instant_.time_switch = time_switches_.which();
  kinematics_.measure(now_);
  const Vec gaps_before = kinematics_.gaps();
  time_switches_.pass(now_, log_);
  const bool impulsive = settle(&gaps_before);
  if (diagnosis_.empty()) time_switches_.look_ahead(t_target_);
  return go_on(impulsive, report);
}

bool EventDriven::go_on(bool impulsive, StepReport& report) {
  report.impulsive |= impulsive;
  if (!diagnosis_.empty() || (impulsive && !close_accumulated())) return false;
  start_segment();
  return true;
}

// Contact and flight are both consistent from here on; the contact with the largest force leaves.
void EventDriven::leave_paradox() {
  segment_.reach_paradox(now_);
  int leaves = -1;
  for (int k : contacts_.all())
    if (phases_[k].mode == Mode::slip && contacts_[k].rows > 1 &&
        (leaves < 0 || lambda_[contacts_[k].row] > lambda_[contacts_[leaves].row]))
      leaves = k;
  log_.note(Event::Kind::branch, leaves, now_.t);
  log_.note(Event::Kind::opening, leaves, now_.t);
  phases_.open(leaves, now_);
  segment_.forget_pace();
  start_segment();
}

// Whether the value of a gap or a joint jumps when its formula switches. No motion leads across such a jump.
bool EventDriven::positions_jump(const Vec& gaps_before) {
  constexpr double clear = 1e-7;  // m
  kinematics_.measure_gaps(now_);
  for (int k : contacts_.all())
    if (const double gap = kinematics_.gap(k); gap < -clear && gaps_before[k] - gap > clear)
      diagnosis_ = fmt::format(
          "the gap of contact '{}' jumps from {:.3g} to {:.3g} m at t = {:.9g} s, when its formula switches; expected "
          "a gap without jumps",
          contacts_.name(k), gaps_before[k], gap, now_.t);
  Vec residuals;
  balance_.evaluate.joint_residuals(now_.t, now_.q, residuals);
  for (const Constraint& joint : system_.joints())
    for (int r = joint.row; r < joint.row + joint.rows; ++r)
      if (std::abs(residuals[r]) > clear)
        diagnosis_ = fmt::format(
            "the constraint of joint '{}' jumps by {:.3g} at t = {:.9g} s, when its formula switches; expected one "
            "without jumps",
            joint.name(), residuals[r], now_.t);
  return !diagnosis_.empty();
}

}  // namespace tappet
