// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/phases.h"

#include <algorithm>
#include <cmath>

namespace tappet::events {

Phases::Phases(const ContactList& contacts, Balance& balance, Kinematics& kinematics, ContactSolver& solver,
               SolveReport& worst)
    : contacts_(contacts),
      system_(contacts.system()),
      balance_(balance),
      kinematics_(kinematics),
      law_(contacts, balance, solver, worst),
      phases_(contacts),
      left_(contacts),
      carried_(contacts),
      w_(system_.u_size()) {}

void Phases::begin() {
  left_.reset(), carried_.reset();
  for (int k : contacts_.all()) {
    phases_[k] = {};
    if (touches(k)) phases_[k].mode = kinematics_.slips(k) ? Mode::slip : Mode::stick;
  }
}

bool Phases::follow_contacts() {
  const auto closed = [&] {
    return std::count_if(phases_.all().begin(), phases_.all().end(), [](const auto& phase) { return phase.closed(); });
  };
  const auto before = closed();
  phases_.follow(contacts_), left_.follow(contacts_), carried_.follow(contacts_);
  balance_.set_phases(phases_.all());
  renumber_equations();
  return closed() < before;
}

void Phases::renumber_equations() {
  std::erase_if(balance_.equations, [this](int row) { return row >= system_.joint_rows(); });
  for (const auto& [k, contact, row] : contacts_.each(balance_.set)) {
    if (phases_[k].holds) balance_.equations.push_back(row);
    for (int f = 1; f < contact.rows; ++f)
      if (phases_[k].sticks[f - 1]) balance_.equations.push_back(row + f);
  }
}

bool Phases::hold_with(const Vec& lambda) const {
  for (int k : balance_.set) {
    const ContactPhase& phase = phases_[k];
    const double* force = lambda.data() + contacts_[k].row;
    if (!phase.holds || !phase.unique_normal) continue;
    if (force[0] < 0.0) return false;
    if (phase.mode != Mode::stick || !phase.unique) continue;
    double friction = 0.0;
    for (int f = 1; f < contacts_[k].rows; ++f) friction = std::hypot(friction, force[f]);
    if (contacts_[k].rows > 1 && friction > contacts_[k].law->mu_law() * force[0]) return false;
  }
  return true;
}

bool Phases::touches(int k) const {
  return !left_[k] && kinematics_.gap(k) <= Kinematics::closed_gap &&
         std::abs(kinematics_.normal(k)) <= kinematics_.normal_tolerance(k);
}

bool Phases::turned_back(int k) const {
  double along = 0;
  for (int f = 1; f < contacts_[k].rows; ++f) along += kinematics_.gamma(contacts_[k].row + f) * phases_[k].slip[f - 1];
  return along < 0;
}

void Phases::note_departures() {
  for (int k : contacts_.all()) left_[k] = !phases_[k].closed() && (left_[k] || kinematics_.separates(k));
}

bool Phases::follow(const Vec& lambda) {
  bool friction = false;
  for (int k : contacts_.all()) {
    ContactPhase& phase = phases_[k];
    const Contact& contact = contacts_[k];
    carried_[k] = phase.closed() ? std::max(carried_[k], lambda[contact.row]) : 0.0;
    left_[k] |= !phase.closed() && kinematics_.separates(k);
    if (phase.mode != Mode::slip || contact.rows < 2) continue;
    friction |= phase.holds;
    const double speed = kinematics_.slip_speed(k);
    if (contact.rows == 2 || !phase.directed || speed <= kinematics_.normal_tolerance(k)) continue;
    for (int f = 0; f < contact.rows - 1; ++f) phase.slip[f] = kinematics_.gamma(contact.row + 1 + f) / speed;
    balance_.phases[k].slip = phase.slip;
  }
  return friction;
}

void Phases::decide(State& now, EventLog& log) {
  const std::vector<ContactPhase> before = phases_.all();
  const Decision decision = choose(now);
  reversing_.clear();
  adopt(decision, now);
  announce(before, now.t, log);
}

// Contacts that touch, at rest along the normal, may stay closed. If the law leaves it open at this instant whether a
// force or a separation begins (both are zero), the state a moment later decides.
Decision Phases::choose(const State& now) {
  constexpr double together =
      10;  // times the velocity that counts as zero: slip that stops in several contacts at once
  const double slowest = reversing_.empty() ? 1 : together;
  std::vector<int> candidates;
  std::vector<char> resting(phases_.size(), 0);
  kinematics_.measure(now);
  for (int k : contacts_.all()) {
    if (!touches(k)) continue;
    candidates.push_back(k);
    resting[k] = kinematics_.slip_speed(k) <= slowest * kinematics_.normal_tolerance(k) ||
                 std::find(reversing_.begin(), reversing_.end(), k) != reversing_.end();
  }
  Decision decision = law_.decide(now, candidates, resting, phases_.all(), carried_.all());
  const Vec a = decision.a;
  State ahead = now;
  for (double delta = 1e-7; !decision.decided && delta < 2e-4; delta *= 10) {
    for (int i = 0; i < w_.size(); ++i) w_[i] = delta * now.u[i] + 0.5 * delta * delta * a[i];
    system_.displace(now.q, w_, ahead.q);
    for (int i = 0; i < w_.size(); ++i) ahead.u[i] = now.u[i] + delta * a[i];
    ahead.t = now.t + delta;
    decision.take_answers(law_.decide(ahead, candidates, resting, phases_.all(), carried_.all()), candidates);
  }
  for (int k : candidates) {
    const bool begins = resting[k] || (phases_[k].mode == Mode::slip && !phases_[k].directed);
    decision.phases[k].directed = contacts_[k].rows < 3 || !begins || kinematics_.slip_speed(k) > fast;
  }
  return decision;
}

// The equations that hold in these phases: first the normals with the largest forces, then sticking rows, then normals
// without force.
void Phases::choose_equations(const Decision& decision) {
  std::vector<std::pair<double, int>> order;
  for (size_t i = 0; i < balance_.set.size(); ++i)
    order.emplace_back(-decision.share[balance_.set[i]], static_cast<int>(i));
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<int> wanted, last;
  for (const auto& [share, i] : order) (share < 0 ? wanted : last).push_back(balance_.first_row[i]);
  for (const auto& [share, i] : order)
    if (share < 0 && phases_[balance_.set[i]].mode == Mode::stick)
      for (int f = 1; f < contacts_[balance_.set[i]].rows; ++f) wanted.push_back(balance_.first_row[i] + f);
  wanted.insert(wanted.end(), last.begin(), last.end());
  balance_.choose_equations(wanted);
  balance_.find_indeterminate(wanted);
}

void Phases::adopt(const Decision& decision, State& now) {
  phases_.all() = decision.phases;
  balance_.set_phases(phases_.all());
  balance_.place(now.t, now.q, now.u);
  choose_equations(decision);
  indeterminate_ = false;
  const auto holds = [&](int r) { return std::binary_search(balance_.equations.begin(), balance_.equations.end(), r); };
  for (const auto& [k, contact, row] : contacts_.each(balance_.set)) {
    ContactPhase& phase = phases_[k];
    phase.holds = holds(row);
    for (int f = 1; f < contact.rows; ++f) phase.sticks[f - 1] = holds(row + f);
    phase.unique_normal = phase.unique = !balance_.indeterminate[row];
    for (int f = 1; f < contact.rows; ++f) phase.unique &= !balance_.indeterminate[row + f];
    indeterminate_ |= !phase.unique;
  }
  hold();
  balance_.project(now);
}

void Phases::announce(const std::vector<ContactPhase>& before, double t, EventLog& log) const {
  for (int k : contacts_.all()) {
    const ContactPhase &was = before[k], &is = phases_[k];
    const bool struck = log.has(k, Event::Kind::impact) || log.has(k, Event::Kind::accumulation);
    if (!was.closed() && is.closed() && !struck) log.note(Event::Kind::closing, k, t);
    if (was.closed() && !is.closed()) log.note(Event::Kind::opening, k, t);
    if (contacts_[k].rows < 2 || !was.closed() || !is.closed()) continue;
    if (was.mode == Mode::slip && is.mode == Mode::stick) log.note(Event::Kind::stick, k, t);
    if (was.mode == Mode::stick && is.mode == Mode::slip) log.note(Event::Kind::slip, k, t);
    double along = 0;
    for (size_t f = 0; f < is.slip.size(); ++f) along += was.slip[f] * is.slip[f];
    if (was.mode == Mode::slip && is.mode == Mode::slip && along < 0) log.note(Event::Kind::reversal, k, t);
  }
}

void Phases::close(const std::vector<int>& contacts, State& now) {
  Decision decision(phases_.size());
  decision.phases = phases_.all();
  decision.share.assign(phases_.size(), 1.0);
  for (int k : contacts) {
    const Contact& contact = contacts_[k];
    ContactPhase& phase = decision.phases[k];
    phase.mode = kinematics_.slips(k) ? Mode::slip : Mode::stick;
    for (int f = 1; f < contact.rows && phase.mode == Mode::slip; ++f)
      phase.slip[f - 1] = kinematics_.gamma(contact.row + f) / kinematics_.slip_speed(k);
  }
  adopt(decision, now);
}

void Phases::open(int contact, State& now) {
  Decision decision(phases_.size());
  decision.phases = phases_.all();
  decision.share.assign(phases_.size(), 1.0);
  decision.phases[contact] = {};
  adopt(decision, now);
}

double Phases::departure(const State& state) {
  std::vector<int> closed;
  std::vector<char> resting(phases_.size(), 0);
  for (int k : contacts_.all())
    if (phases_[k].closed()) closed.push_back(k), resting[k] = phases_[k].mode == Mode::stick;
  const Decision decision = law_.decide(state, closed, resting, phases_.all(), carried_.all());
  balance_.set_phases(phases_.all());
  double largest = 0;
  for (int k : closed)
    if (!phases_[k].unique) largest = std::max(largest, decision.leaves[k]);
  return largest;
}

}  // namespace tappet::events
