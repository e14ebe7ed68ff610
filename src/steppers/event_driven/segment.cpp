// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/segment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/brent.h"
#include "steppers/event_driven/integration/cvode.h"
#include "steppers/event_driven/integration/gauss.h"

namespace tappet::events {

namespace {

constexpr double stretch_below = 0.2, stretch_until = 0.4, singular = 1e-9;  // values of Balance::friction_ratio

}  // namespace

Segment::Segment(const ContactList& contacts, Balance& balance, Kinematics& kinematics, Phases& phases,
                 Switches& switches, const Accuracy& accuracy)
    : contacts_(contacts),
      system_(contacts.system()),
      balance_(balance),
      kinematics_(kinematics),
      phases_(phases),
      switches_(switches),
      accuracy_(accuracy),
      ode_(integrator(accuracy.method == "bdf")),
      origin_(system_.initial()),
      probe_(system_.initial()),
      probe_ahead_(system_.initial()),
      armed_(contacts.size()),
      y_(system_.q_size() + system_.u_size() + 1),
      q_dot_(system_.q_size()) {}

std::unique_ptr<Ode> Segment::integrator(bool stiff) {
  Motion& motion = *this;
  const int size = system_.q_size() + system_.u_size() + 1;
  if (accuracy_.method == "gauss" && !stiff) return std::make_unique<Gauss>(motion, size);
  return std::make_unique<Cvode>(motion, size, stiff);
}

void Segment::unpack(const double* y, State& state) const {
  const int nq = system_.q_size(), nu = system_.u_size();
  for (int i = 0; i < nq; ++i) state.q[i] = origin_.q[i] + y[i];
  for (int i = 0; i < nu; ++i) state.u[i] = origin_.u[i] + y[nq + i];
  state.t = origin_.t + y[nq + nu];
}

void Segment::rate(const double* y, double* rate) {
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

void Segment::watch(const double* y, double* values) {
  unpack(y, probe_);
  balance_.evaluate.gaps(probe_.t, probe_.q, gaps_);
  if (!balance_.set.empty() || !balance_.sliding.empty()) {
    balance_.place(probe_.t, probe_.q, probe_.u);
    balance_.solve();
  }
  if (!switches_.empty()) switches_.evaluate(probe_);
  for (size_t i = 0; i < watched_.size(); ++i) values[i] = value(watched_[i]);
}

double Segment::value(const Watched& watched) {
  if (watched.is_switch()) return switches_.value(watched);
  if (watched.what == Watch::gap) return armed_[watched.index] ? gaps_[watched.index] : 1.0;
  if (watched.what == Watch::target) return t_stop_ - probe_.t;
  if (watched.what == Watch::paradox) return balance_.friction_ratio() - singular;
  return contact_value(watched);
}

double Segment::contact_value(const Watched& watched) const {
  const int k = watched.index;
  const auto position = std::lower_bound(balance_.set.begin(), balance_.set.end(), k) - balance_.set.begin();
  const int row = balance_.first_row[position], friction = contacts_[k].rows - 1;
  const double normal = balance_.lambda[row];
  if (watched.what == Watch::normal) return normal;
  double tangential = 0, along = 0;
  for (int f = 0; f < friction; ++f) {
    tangential = std::hypot(tangential, balance_.lambda[row + 1 + f]);
    along += balance_.gamma[row + 1 + f] * phases_[k].slip[f];
  }
  if (watched.what == Watch::friction) return contacts_[k].law->mu_law() * normal - tangential;
  if (watched.what == Watch::begun) return Phases::fast - std::abs(along);
  // If the direction of slip may turn, it is lost with the velocity itself: stop just before.
  return friction > 1 ? along - kinematics_.normal_tolerance(k) : along;
}

void Segment::start(const State& now) {
  y_.set_zero();
  origin_ = now;
  if (stiff_ && !ode_->stiff()) ode_ = integrator(true);
  watched_.clear();
  armed_.resize(contacts_.size());
  double shortest = INFINITY, absolute = accuracy_.absolute;
  for (int k : contacts_.all())
    if (phases_[k].closed())
      watch_closed(k);
    else
      watch_open(k, shortest, absolute);
  rate_before_.resize(0), rate_.resize(0);
  switches_.watch(watched_);
  if (stretched_) watched_.push_back({Watch::target, -1}), watched_.push_back({Watch::paradox, -1});
  tau_verified_ = 0;
  const bool bounded = std::isfinite(shortest);
  double most = bounded ? shortest / 8 : longest_;
  if (bounded && longest_ > 0) most = std::min(most, longest_);
  ode_->start(y_, static_cast<int>(watched_.size()), bounded ? shortest / 50 : 0.0, most, accuracy_.relative, absolute);
}

void Segment::limit_step(double longest) { longest_ = std::isfinite(longest) ? longest : 0.0; }

// The time of a flight is as accurate as its height divided by its velocity, so small hops need small tolerances. A
// contact that has just left its surface is armed later. One that comes back from a low hop is armed at once: another
// event interrupted the hop.
void Segment::watch_open(int k, double& shortest, double& absolute) {
  const double gap = kinematics_.gap(k);
  const bool returns = gap > 0 && !kinematics_.separates(k) && phases_.on_its_way(k);
  armed_[k] = gap > Kinematics::closed_gap || returns;
  watched_.push_back({Watch::gap, k});
  if (gap > Kinematics::closed_gap) return;
  const double flight = kinematics_.flight(origin_, balance_.a, k);
  if (!(flight > 0 && std::isfinite(flight))) return;
  shortest = std::min(shortest, flight);
  const double height = std::max(flight * std::abs(kinematics_.normal(k)), gap);
  absolute = std::min(absolute, std::max(1e-24, 1e-9 * height));
}

void Segment::watch_closed(int k) {
  const ContactPhase& phase = phases_[k];
  armed_[k] = kinematics_.gap(k) > Kinematics::closed_gap;
  if (phase.holds && phase.unique_normal) watched_.push_back({Watch::normal, k});
  if (phase.holds && phase.unique && phase.mode == Mode::stick &&
      std::find(phase.sticks.begin(), phase.sticks.end(), true) != phase.sticks.end())
    watched_.push_back({Watch::friction, k});
  if (phase.mode == Mode::slip && contacts_[k].rows > 1)
    watched_.push_back({phase.directed ? Watch::slip : Watch::begun, k});
}

Ode::Outcome Segment::advance(double t_stop, State& now) {
  t_stop_ = t_stop;
  tau_step_ = ode_->tau();
  const auto outcome = ode_->advance(stretched_ ? 1e4 : t_stop - origin_.t);
  unpack(ode_->y(), now);
  if (outcome == Ode::Outcome::stop) now.t = t_stop;
  return outcome;
}

bool Segment::after_step(bool friction) {
  bool some_unarmed = false;
  for (int k : contacts_.all())
    if (!phases_[k].closed() && !armed_[k])
      some_unarmed |= !(armed_[k] = kinematics_.gap(k) > Kinematics::closed_gap || kinematics_.approaches(k));
  if (!some_unarmed) ode_->limit_step(longest_);
  const bool may_change = accuracy_.method == "auto" || accuracy_.method == "gauss";
  if (may_change && !stiff_ && ode_->struggles()) return stiff_ = true;
  return friction && changes_pace();
}

bool Segment::changes_pace() {
  if (stretched_) {
    std::swap(rate_, rate_before_), tau_before_ = tau_, tau_ = ode_->tau();
    rate_.resize(y_.size());
    rate(ode_->y(), rate_.data());
  }
  const double ratio = balance_.friction_ratio();
  const bool stretch = ratio < (stretched_ ? stretch_until : stretch_below);
  return stretch != std::exchange(stretched_, stretch);
}

void Segment::reach_paradox(State& now) {
  std::copy_n(ode_->y(), y_.size(), y_.begin());
  for (int i = 0; i < y_.size() && rate_before_.size() == y_.size(); ++i) {
    const double kappa = std::log(rate_before_[i] / rate_[i]) / (tau_ - tau_before_);
    if (std::isfinite(kappa) && kappa > 0) y_[i] += rate_[i] / kappa;
  }
  unpack(y_.data(), now);
}

void Segment::probe_at(double tau) {
  ode_->at(tau, y_);
  unpack(y_.data(), probe_ahead_);
}

double Segment::gap_at(double tau, int k) {
  probe_at(tau);
  kinematics_.measure_gaps(probe_ahead_);
  return kinematics_.gap(k);
}

void Segment::within_last_step(double t, State& state) {
  double tau = t - origin_.t;
  if (stretched_) {
    const auto late = [&](double at) { return probe_at(at), probe_ahead_.t - t; };
    const double end = ode_->tau();
    tau = brent(late, tau_step_, late(tau_step_), end, late(end));
  }
  probe_at(std::min(tau, ode_->tau()));
  state = probe_ahead_;
  state.t = t;
}

bool Segment::arrived_late(int k) const {
  return !armed_[k] && kinematics_.gap(k) <= 0 && kinematics_.approaches(k) && phases_.on_its_way(k);
}

void Segment::locate_late_arrival(int k, State& now) {
  const auto gap = [&](double at) { return gap_at(at, k); };
  const double end = ode_->tau(), before = gap(tau_step_), after = gap(end);
  ode_->at(before > 0 && after < 0 ? brent(gap, tau_step_, before, end, after) : end, y_);
  unpack(y_.data(), now);
}

// The gap is smallest where its velocity is zero.
bool Segment::locate_short_contact(int k, State& now) {
  if (!armed_[k]) return false;
  const auto velocity = [&](double at) {
    probe_at(at);
    kinematics_.measure(probe_ahead_);
    return kinematics_.normal(k);
  };
  const auto gap = [&](double at) { return gap_at(at, k); };
  const double end = ode_->tau(), v_start = velocity(tau_step_), v_end = velocity(end);
  if (!(v_start < 0 && v_end > 0)) return false;
  const double lowest = brent(velocity, tau_step_, v_start, end, v_end);
  const double least = gap(lowest);
  if (least >= 0) return false;
  ode_->at(brent(gap, tau_step_, gap(tau_step_), lowest, least), y_);
  unpack(y_.data(), now);
  return true;
}

void Segment::locate_beginning(const std::function<bool(const State&)>& holds, State& now) {
  constexpr int halvings = 60;
  double before = tau_step_, after = ode_->tau();
  for (int k = 0; k < halvings; ++k) {
    const double middle = before + (after - before) / 2;
    probe_at(middle);
    (holds(probe_ahead_) ? after : before) = middle;
  }
  ode_->at(after, y_);
  unpack(y_.data(), now);
}

// Up to the departure its accelerations are zero, and from there they grow. So the instant follows from the times of
// three small accelerations.
bool Segment::locate_departure(State& now) {
  constexpr double level = 1e-4;
  if (!phases_.indeterminate() || stretched_) return false;
  const double tau = ode_->tau(), left = phases_.departure(now);
  if (left <= PhaseLaw::significant) {
    tau_verified_ = tau;
    return false;
  }
  const double step = std::min(level, left / 4);
  const auto beyond = [&](double at, double target) {
    probe_at(at);
    return phases_.departure(probe_ahead_) - target;
  };
  std::array<double, 3> times;
  for (int j = 0; j < 3; ++j) {
    const double target = (j + 1) * step, before = beyond(tau_verified_, target);
    const auto f = [&](double at) { return beyond(at, target); };
    times[j] = before < 0 ? brent(f, tau_verified_, before, tau, left - target) : tau_verified_;
  }
  const double zero = std::clamp(3 * times[0] - 3 * times[1] + times[2], tau_verified_, times[0]);
  ode_->at(zero, y_);
  unpack(y_.data(), now);
  return true;
}

}  // namespace tappet::events
