// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "steppers/event_driven/event_driven.h"

namespace tappet {

namespace {

constexpr double insignificant = 1e-8;  // relative to the largest rate of a switch function so far

double side_of(double x, double at_zero) { return x > 0 ? 1.0 : x < 0 ? -1.0 : at_zero; }

}  // namespace

bool EventDriven::slides(int i) const {
  return std::find(balance_.sliding.begin(), balance_.sliding.end(), i) != balance_.sliding.end();
}

// Switches inside others come first in the list, so a few passes settle all of them.
void EventDriven::begin_switches() {
  balance_.sliding.clear();
  balance_.evaluate.hold_time_until(INFINITY);
  t_switch_ = INFINITY, t_scanned_ = now_.t;
  bool changed = true;
  for (size_t pass = 0; pass <= switches_.size() && changed; ++pass) {
    balance_.evaluate.switch_functions(now_.t, now_.q, now_.u, sigma_);
    changed = false;
    for (int i = 0; i < sigma_.size(); ++i) {
      const SwitchPlace& place = system_.switches()[i];
      const double b = place.whole ? std::floor(sigma_[i]) : side_of(sigma_[i], place.at_zero);
      changed |= pass == 0 || b != balance_.branches[i];
      balance_.set_branch(i, b);
    }
  }
  for (int i = 0; i < sigma_.size(); ++i) {
    switches_[i] = {};
    switches_[i].scale = std::max(switches_[i].scale, std::abs(sigma_[i]));
    switches_[i].fired = !system_.switches()[i].whole && std::abs(sigma_[i]) <= switches_[i].band();
  }
  begin_whole_numbers();
}

// If a switch function starts on a whole number and decreases, its branch is the number below.
void EventDriven::begin_whole_numbers() {
  const auto& places = system_.switches();
  if (std::none_of(places.begin(), places.end(), [](const SwitchPlace& place) { return place.whole; })) return;
  balance_.place(now_.t, now_.q, now_.u);
  balance_.evaluate.switch_rates(now_.t, now_.q, now_.u, balance_.a_free, sigma_dot_, sigma_rate_);
  for (int i = 0; i < sigma_.size(); ++i) {
    const double nearest = std::round(sigma_[i]), rate = sigma_dot_[i] != 0.0 ? sigma_dot_[i] : sigma_rate_[i];
    if (places[i].whole && std::abs(sigma_[i] - nearest) <= switches_[i].band())
      balance_.set_branch(i, rate < 0 ? nearest - 1 : nearest);
  }
}

void EventDriven::note_scales() {
  if (switches_.empty()) return;
  balance_.evaluate.switch_functions(now_.t, now_.q, now_.u, sigma_);
  balance_.evaluate.switch_rates(now_.t, now_.q, now_.u, balance_.a, sigma_dot_, sigma_rate_);
  for (int i = 0; i < sigma_.size(); ++i) {
    Branch& s = switches_[i];
    s.scale = std::max(s.scale, std::abs(sigma_[i]));
    s.first_scale = std::max(s.first_scale, std::abs(sigma_dot_[i]));
    s.rate_scale = std::max(s.rate_scale, std::abs(sigma_rate_[i]));
  }
}

void EventDriven::watch_switches() {
  for (int i = 0; i < static_cast<int>(switches_.size()); ++i) {
    Branch& s = switches_[i];
    s.fired = s.freed = false;
    if (system_.switches()[i].whole)
      watched_.push_back({Watch::branch, i}), watched_.push_back({Watch::above, i});
    else if (slides(i))
      watched_.push_back({Watch::sliding, i});
    else
      watched_.push_back({s.on ? Watch::band : Watch::branch, i});
  }
}

void EventDriven::take_fired(const Watched& watched) {
  const int i = watched.contact;
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
  note(Event::Kind::switching, system_.switches()[i].contact, now_.t, i);
}

// Updates the branches at now_, after velocities or other branches may have jumped.
bool EventDriven::update_branches() {
  bool changed = false;
  for (int i = 0; i < static_cast<int>(switches_.size()); ++i) {
    balance_.evaluate.switch_functions(now_.t, now_.q, now_.u, sigma_);
    Branch& s = switches_[i];
    const double sigma = sigma_[i], b = balance_.branches[i];
    s.scale = std::max(s.scale, std::abs(sigma));
    if (system_.switches()[i].whole) {
      if (sigma < b - s.band() || sigma > b + 1 + s.band()) balance_.set_branch(i, std::floor(sigma)), changed = true;
    } else if (std::abs(sigma) > s.band()) {
      s.on = s.fired = false;
      std::erase(balance_.sliding, i);
      if (b == side_of(sigma, b)) continue;
      balance_.set_branch(i, side_of(sigma, b));
      changed = true;
    } else if (s.on || s.fired || (b * sigma < 0 && !s.freed)) {
      changed |= place_on_switch(i);
    }
  }
  return changed;
}

// If σ is zero, the formula takes the branch to which the motion leads. If neither branch leads away from σ = 0, the
// motion stays there, and b is chosen so that it does. If σ does not depend on b at all, b is what the formula says for
// σ = 0.
bool EventDriven::place_on_switch(int i) {
  const SwitchPlace& place = system_.switches()[i];
  Branch& s = switches_[i];
  const double before = balance_.branches[i];
  const bool was_on = s.on;
  const auto rates = [&](double b, double& first, double& rate) {
    balance_.set_branch(i, b);
    const Decision decision = choose();
    balance_.evaluate.switch_rates(now_.t, now_.q, now_.u, decision.a, sigma_dot_, sigma_rate_);
    first = sigma_dot_[i], rate = sigma_rate_[i];
    s.rate_scale = std::max(s.rate_scale, std::abs(rate)), s.first_scale = std::max(s.first_scale, std::abs(first));
  };
  std::erase(balance_.sliding, i);
  double first_above, first_below, above, below;
  rates(1.0, first_above, above), rates(-1.0, first_below, below);
  // If a function of positions has a velocity, it goes where that leads, independent of the accelerations.
  const double moves = std::max(std::abs(first_above), std::abs(first_below));
  const bool moving = place.order == 2 && moves > insignificant * s.first_scale;
  if (moving) above = first_above, below = first_below;
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

bool EventDriven::joints_jump() const {
  constexpr double clearly = 100;
  for (int r = 0; r < system_.joint_rows(); ++r)
    if (std::abs(gamma_all_[r]) > clearly * tolerance_all_[r]) return true;
  return false;
}

// Whether the value of a gap or a joint jumps when its formula switches. No motion leads across such a jump.
bool EventDriven::positions_jump(const Vec& gaps_before) {
  constexpr double clear = 1e-7;  // m
  balance_.evaluate.gaps(now_.t, now_.q, gaps_);
  for (int k : contacts_.all())
    if (gaps_[k] < -clear && gaps_before[k] - gaps_[k] > clear)
      diagnosis_ = fmt::format(
          "the gap of contact '{}' jumps from {:.3g} to {:.3g} m at t = {:.9g} s, when its formula switches; expected "
          "a gap without jumps",
          contacts_.name(k), gaps_before[k], gaps_[k], now_.t);
  balance_.evaluate.joint_residuals(now_.t, now_.q, w_);
  for (const Constraint& joint : system_.joints())
    for (int r = joint.row; r < joint.row + joint.rows; ++r)
      if (std::abs(w_[r]) > clear)
        diagnosis_ = fmt::format(
            "the constraint of joint '{}' jumps by {:.3g} at t = {:.9g} s, when its formula switches; expected one "
            "without jumps",
            joint.name(), w_[r], now_.t);
  w_.assign(system_.u_size(), 0.0);
  return !diagnosis_.empty();
}

}  // namespace tappet
