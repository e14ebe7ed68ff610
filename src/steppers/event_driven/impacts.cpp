// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/impacts.h"

#include <algorithm>
#include <cmath>

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
  constexpr double round_off = 1e-11;                       // s: contacts that strike at once by their design
  set_.clear(), early_.clear();
  bool approaching = false;
  for (int k : contacts_.all()) {
    if (kinematics_.gap(k) > Kinematics::closed_gap || kinematics_.separates(k)) continue;
    const bool approaches = kinematics_.approaches(k);
    const double near = std::max(least_gap, -simultaneous * kinematics_.normal(k));
    if (phases.on_its_way(k) && !(approaches && kinematics_.gap(k) < near)) continue;
    set_.push_back(k);
    if (!approaches) continue;
    if (phases.on_its_way(k) && kinematics_.gap(k) > -round_off * kinematics_.normal(k)) early_.push_back(k);
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
  if (!early_.empty() && early_.size() < set_.size()) note_merged(now);
  if (jumps_) jumps_->push_back({set_, now.u, {}, {}});
  const SolveReport solved = law_.solve(set_, balance_.M, now.u);
  if (solved.status != SolveStatus::converged) worst_ = solved;
  if (jumps_) jumps_->back().u_after = now.u, jumps_->back().P = law_.P();
  constexpr double clear = 1e-6;
  law_.rates(now.u, gamma_after_);
  const auto impulse = [&](const Contact&, int row, int r) { return law_.P()[row + r]; };
  const ContactEnergy energy(contacts_, set_, law_.gamma_before, gamma_after_, law_.chi, impulse);
  flow_ += energy.flow;
  if (energy.is_gain(clear)) gain_.take(energy.work, now.t, contacts_.name(energy.giver));
  law_.scatter(set_, Lambda_);
  impulses.Lambda.eigen() += Lambda_.eigen();
  impulses.P.eigen() += Lambda_.eigen();
}

std::string Impacts::words_about_gain() const {
  constexpr double solved = 1e-9;  // less work than this part of all energy that went to and fro is round-off
  return gain_.total > solved * flow_ ? words_about_law(gain_) : std::string();
}

// Whether the impact of the other contacts changes the velocity of one that would arrive a moment later.
void Impacts::note_merged(const State& now) {
  constexpr double changes = 1e-6;  // of its velocity
  ContactSet others;
  for (const int k : set_)
    if (std::find(early_.begin(), early_.end(), k) == early_.end()) others.push_back(k);
  BlockRows W = law_.W;
  Vec chi = law_.chi, before = law_.gamma_before, u = now.u, after(W.rows());
  balance_.evaluate.directions(now.t, now.q, others, law_.W, law_.chi);
  law_.rates(now.u, law_.gamma_before);
  law_.solve(others, balance_.M, u);
  law_.W = W, law_.chi = chi, law_.gamma_before = before;
  law_.rates(u, after);
  for (const auto& [k, contact, row] : contacts_.each(set_)) {
    if (std::find(early_.begin(), early_.end(), k) == early_.end()) continue;
    if (std::abs(after[row] - before[row]) < changes * std::abs(before[row])) continue;
    if (merged_.count++ == 0) merged_ = {now.t, -kinematics_.gap(k) / kinematics_.normal(k), others[0], k, 1};
    return;
  }
}

void Rounds::note(double t, int contact) {
  if (contact < 0) return begin();
  if (count_ == static_cast<int>(strikes_.size())) {
    std::copy(strikes_.begin() + 1, strikes_.end(), strikes_.begin());
    --count_;
  }
  strikes_[count_++] = {t, contact};
}

bool Rounds::repeats(int size) const {
  if (count_ < size * compared + 1) return false;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j)
      if (last(i).contact == last(j).contact) return false;
    for (int round = 1; round < compared; ++round)
      if (last(i).contact != last(i + round * size).contact) return false;
  }
  return last(size * compared).contact == last(0).contact;
}

bool Rounds::ends(std::vector<int>& contacts, double& end) const {
  constexpr double steady = 0.03, largest_ratio = 0.9, simultaneous = 1e-9;  // s
  for (int size = 2; size <= most; ++size) {
    if (!repeats(size)) continue;
    const auto round = [&](int before) { return last(before * size).t - last((before + 1) * size).t; };
    const double r = round(0) / round(1), earlier = round(1) / round(2);
    if (!(r < largest_ratio && std::abs(r - earlier) < steady * earlier)) continue;
    double shortest = INFINITY;  // interval in the next round
    for (int i = 0; i < size; ++i) shortest = std::min(shortest, r * (last(i).t - last(i + 1).t));
    if (shortest > simultaneous) continue;
    for (int i = 0; i < size; ++i) contacts.push_back(last(i).contact);
    std::sort(contacts.begin(), contacts.end());
    end = last(0).t + round(0) * r / (1 - r);
    return true;
  }
  return false;
}

Accumulations::Found Accumulations::look(const State& now, const Vec& a, const Kinematics& kinematics,
                                         const Phases& phases, const EventLog& log) {
  Found found{{}, now.t};
  int struck = 0, one = -1;
  for (int k = 0; k < bounces_.size(); ++k) {
    if (!log.has(k, Event::Kind::impact)) continue;
    ++struck, one = k;
    Bounces& b = bounces_[k];
    const double flight = now.t - b.last, before = b.flight;
    b.last = now.t, b.flight = flight;
    if (++b.count < 3 || phases[k].closed()) continue;
    const double next = kinematics.flight(now, a, k);
    if (!(next < flight_ && next < flight && flight < before)) continue;
    found.contacts.push_back(k);
    found.end = std::max(found.end, now.t + next / (1 - next / flight));
  }
  if (struck > 0) rounds_.note(now.t, struck == 1 ? one : -1);
  if (found.contacts.empty() && struck == 1) rounds_.ends(found.contacts, found.end);
  if (!found.contacts.empty()) rounds_.begin();
  for (int k : found.contacts) bounces_[k] = {};
  return found;
}

}  // namespace tappet::events
