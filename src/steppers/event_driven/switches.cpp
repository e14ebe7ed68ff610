// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/switches.h"

#include <algorithm>
#include <cmath>

namespace tappet::events {

namespace {

constexpr double insignificant = 1e-8;  // relative to the largest rate of a switch function so far

double side_of(double x, double at_zero) { return x > 0 ? 1.0 : x < 0 ? -1.0 : at_zero; }

}  // namespace

Switches::Switches(const System& system, Balance& balance)
    : system_(system), balance_(balance), switches_(system.switches().size()) {}

bool Switches::slides(int i) const {
  return std::find(balance_.sliding.begin(), balance_.sliding.end(), i) != balance_.sliding.end();
}

void Switches::begin(const State& now) {
  balance_.sliding.clear();
  begin_branches(now);
  for (int i = 0; i < sigma_.size(); ++i) {
    switches_[i] = {};
    switches_[i].scale = std::max(switches_[i].scale, std::abs(sigma_[i]));
    switches_[i].fired = !system_.switches()[i].whole && std::abs(sigma_[i]) <= switches_[i].band();
  }
  begin_whole_numbers(now);
}

// Switches inside others come first in the list, so a few passes settle all of them.
void Switches::begin_branches(const State& now) {
  bool changed = true;
  for (size_t pass = 0; pass <= switches_.size() && changed; ++pass) {
    evaluate(now);
    changed = false;
    for (int i = 0; i < sigma_.size(); ++i) {
      const SwitchPlace& place = system_.switches()[i];
      const double b = place.whole ? std::floor(sigma_[i]) : side_of(sigma_[i], place.at_zero);
      changed |= pass == 0 || b != balance_.branches[i];
      balance_.set_branch(i, b);
    }
  }
}

// If a switch function starts on a whole number and decreases, its branch is the number below.
void Switches::begin_whole_numbers(const State& now) {
  const auto& places = system_.switches();
  if (std::none_of(places.begin(), places.end(), [](const SwitchPlace& place) { return place.whole; })) return;
  balance_.place(now.t, now.q, now.u);
  balance_.evaluate.switch_rates(now.t, now.q, now.u, balance_.a_free, sigma_dot_, sigma_rate_);
  for (int i = 0; i < sigma_.size(); ++i) {
    const double nearest = std::round(sigma_[i]), rate = sigma_dot_[i] != 0.0 ? sigma_dot_[i] : sigma_rate_[i];
    if (places[i].whole && std::abs(sigma_[i] - nearest) <= switches_[i].band())
      balance_.set_branch(i, rate < 0 ? nearest - 1 : nearest);
  }
}

void Switches::note_scales(const State& now) {
  if (empty()) return;
  evaluate(now);
  balance_.evaluate.switch_rates(now.t, now.q, now.u, balance_.a, sigma_dot_, sigma_rate_);
  for (int i = 0; i < sigma_.size(); ++i) {
    Branch& s = switches_[i];
    s.scale = std::max(s.scale, std::abs(sigma_[i]));
    s.first_scale = std::max(s.first_scale, std::abs(sigma_dot_[i]));
    s.rate_scale = std::max(s.rate_scale, std::abs(sigma_rate_[i]));
  }
}

void Switches::watch(std::vector<Watched>& watched) {
  for (int i = 0; i < size(); ++i) {
    Branch& s = switches_[i];
    s.fired = s.freed = false;
    if (system_.switches()[i].whole)
      watched.push_back({Watch::branch, i}), watched.push_back({Watch::above, i});
    else if (slides(i))
      watched.push_back({Watch::sliding, i});
    else
      watched.push_back({s.on ? Watch::band : Watch::branch, i});
  }
}

void Switches::evaluate(const State& state) { balance_.evaluate.switch_functions(state.t, state.q, state.u, sigma_); }

double Switches::value(const Watched& watched) const {
  const int i = watched.index;
  const double b = balance_.branches[i];
  if (watched.what == Watch::above) return b + 1 - sigma_[i];
  if (watched.what == Watch::sliding) return 1 - std::abs(b);
  if (watched.what == Watch::band) return switches_[i].band() - std::abs(sigma_[i]);
  return system_.switches()[i].whole ? sigma_[i] - b : b * sigma_[i];
}

void Switches::take_fired(const Watched& watched, double t, EventLog& log) {
  const int i = watched.index;
  Branch& s = switches_[i];
  const double b = balance_.branches[i];
  if (system_.switches()[i].whole) {
    balance_.set_branch(i, watched.what == Watch::above ? b + 1 : b - 1);
  } else if (watched.what == Watch::branch) {
    s.fired = true;
    balance_.set_branch(i, -b);
  } else if (watched.what == Watch::sliding) {
    s.on = false, s.freed = true;
    balance_.set_branch(i, b > 0 ? 1.0 : -1.0);
    std::erase(balance_.sliding, i);
  }
  log.note(Event::Kind::switching, system_.switches()[i].contact, t, i);
}

bool Switches::update(const State& now, const Accelerations& accelerations) {
  bool changed = false;
  for (int i = 0; i < size(); ++i) changed |= update_one(i, now, accelerations);
  return changed;
}

bool Switches::update_one(int i, const State& now, const Accelerations& accelerations) {
  evaluate(now);
  Branch& s = switches_[i];
  const double sigma = sigma_[i], b = balance_.branches[i];
  s.scale = std::max(s.scale, std::abs(sigma));
  if (system_.switches()[i].whole) {
    const bool changes = sigma < b - s.band() || sigma > b + 1 + s.band();
    if (changes) balance_.set_branch(i, std::floor(sigma));
    return changes;
  }
  if (std::abs(sigma) > s.band()) {
    s.on = s.fired = false;
    std::erase(balance_.sliding, i);
    const bool changes = b != side_of(sigma, b);
    if (changes) balance_.set_branch(i, side_of(sigma, b));
    return changes;
  }
  return (s.on || s.fired || (b * sigma < 0 && !s.freed)) && place_on_switch(i, now, accelerations);
}

// The rates of σ on a branch.
Switches::Rates Switches::rates(int i, double b, const State& now, const Accelerations& accelerations) {
  Branch& s = switches_[i];
  balance_.set_branch(i, b);
  const Vec a = accelerations();
  balance_.evaluate.switch_rates(now.t, now.q, now.u, a, sigma_dot_, sigma_rate_);
  s.rate_scale = std::max(s.rate_scale, std::abs(sigma_rate_[i]));
  s.first_scale = std::max(s.first_scale, std::abs(sigma_dot_[i]));
  return {sigma_dot_[i], sigma_rate_[i]};
}

// σ is zero: the branch to which the motion leads from here. If neither branch leads away from σ = 0 the motion stays
// on it. Then b is such that it does; if σ does not depend on b at all, it is what the formula says for σ = 0.
bool Switches::place_on_switch(int i, const State& now, const Accelerations& accelerations) {
  const SwitchPlace& place = system_.switches()[i];
  Branch& s = switches_[i];
  const double before = balance_.branches[i];
  const bool was_on = s.on;
  std::erase(balance_.sliding, i);
  const Rates up = rates(i, 1.0, now, accelerations), down = rates(i, -1.0, now, accelerations);
  // If a function of positions has a velocity, it goes where that leads, independent of the accelerations.
  const double moves = std::max(std::abs(up.first), std::abs(down.first));
  const bool moving = place.order == 2 && moves > insignificant * s.first_scale;
  const double above = moving ? up.first : up.deciding, below = moving ? down.first : down.deciding;
  const double least = insignificant * (moving ? s.first_scale : s.rate_scale);
  const bool leads_up = above > least, leads_down = below < -least;
  s.on = !leads_up && !leads_down && place.order != 0;
  double b = before >= 0 ? 1.0 : -1.0;  // both lead away: take the branch that was not held so far
  if (leads_up != leads_down) b = leads_up ? 1.0 : -1.0;
  if (s.on) b = place.at_zero;
  if (s.on && below - above > least) {
    b = std::clamp(-(above + below) / (above - below), -1.0, 1.0);
    balance_.sliding.push_back(i);
  }
  balance_.set_branch(i, b);
  s.fired = false;
  return b != before && !(s.on && was_on);
}

}  // namespace tappet::events
