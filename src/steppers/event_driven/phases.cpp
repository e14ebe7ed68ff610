// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "steppers/event_driven/event_driven.h"

namespace tappet {

using events::ContactPhase;
using events::Mode;

namespace {

constexpr double slow = 1e-10;         // a velocity counts as zero if it is below this fraction of its terms
constexpr double least_speed = 1e-12;  // m/s

}  // namespace

void EventDriven::measure(const State& state) {
  balance_.evaluate.gaps(state.t, state.q, gaps_);
  balance_.evaluate.directions(state.t, state.q, contacts_.all(), W_all_, chi_all_);
  gamma_all_.assign(W_all_.rows(), 0.0);
  tolerance_all_.assign(W_all_.rows(), least_speed);
  for (int b = 0; b < W_all_.blocks(); ++b) {
    const auto& block = W_all_.block(b);
    const auto columns = W_all_.columns(b);
    double largest = 0;
    for (int r = 0; r < block.rows; ++r) {
      const double* values = W_all_.values(b) + r * block.columns;
      double sum = chi_all_[block.row + r], made_of = std::abs(sum);
      for (int c = 0; c < block.columns; ++c)
        sum += values[c] * state.u[columns[c]], made_of += std::abs(values[c] * state.u[columns[c]]);
      gamma_all_[block.row + r] = sum;
      largest = std::max(largest, made_of);
    }
    for (int r = 0; r < block.rows; ++r) tolerance_all_[block.row + r] += slow * largest;
  }
}

double EventDriven::slip_speed(int k) const {
  const Contact& contact = contacts_[k];
  double speed = 0;
  for (int f = 1; f < contact.rows; ++f) speed = std::hypot(speed, gamma_all_[contact.row + f]);
  return speed;
}

bool EventDriven::touches(int k) const {
  const int row = contacts_[k].row;
  return !left_[k] && gaps_[k] <= closed_gap && std::abs(gamma_all_[row]) <= tolerance_all_[row];
}

void EventDriven::decide() {
  const std::vector<ContactPhase> before = phases_;
  const Decision decision = choose();
  reversing_.clear();
  adopt(decision);
  announce(before);
}

// Contacts that touch and are at rest along the normal may stay closed. If the law does not decide at this instant
// whether a force or a separation begins (both are zero), the state a moment later decides.
EventDriven::Decision EventDriven::choose() {
  std::vector<int> candidates;
  std::vector<char> resting(phases_.size(), 0);
  measure(now_);
  for (int k : contacts_.all()) {
    if (!touches(k)) continue;
    candidates.push_back(k);
    resting[k] = slip_speed(k) <= tolerance_all_[contacts_[k].row] ||
                 std::find(reversing_.begin(), reversing_.end(), k) != reversing_.end();
  }
  Decision decision = decide_at(now_, candidates, resting);
  const Vec a = decision.a;
  State ahead = now_;
  for (double delta = 1e-7; !decision.decided && delta < 2e-4; delta *= 10) {
    for (int i = 0; i < w_.size(); ++i) w_[i] = delta * now_.u[i] + 0.5 * delta * delta * a[i];
    system_.displace(now_.q, w_, ahead.q);
    for (int i = 0; i < w_.size(); ++i) ahead.u[i] = now_.u[i] + delta * a[i];
    ahead.t = now_.t + delta;
    // Each contact takes the first answer, because later ones may belong to later events.
    const Decision later = decide_at(ahead, candidates, resting);
    decision.decided = true;
    for (int k : candidates) {
      if (decision.open_question[k] && !later.open_question[k]) {
        decision.phases[k] = later.phases[k], decision.share[k] = later.share[k];
        decision.open_question[k] = 0;
      }
      decision.decided &= !decision.open_question[k];
    }
  }
  for (int k : candidates) decision.phases[k].directed = contacts_[k].rows < 3 || slip_speed(k) > fast;
  return decision;
}

EventDriven::Decision EventDriven::decide_at(const State& state, const std::vector<int>& candidates,
                                             const std::vector<char>& resting) {
  Decision result;
  result.phases.assign(phases_.size(), {});
  result.share.assign(phases_.size(), 0.0);
  result.open_question.assign(phases_.size(), 0);
  result.leaves.assign(phases_.size(), 0.0);
  for (int k : candidates) result.phases[k].mode = resting[k] ? Mode::stick : Mode::slip;
  balance_.set_phases(result.phases);
  balance_.place(state.t, state.q, state.u);
  result.a = balance_.a_free;
  Posed posed;
  pose(resting, result, posed);
  const int m = static_cast<int>(posed.rows.size());
  if (m == 0) return result;
  P_.assign(m, 0.0);
  const SolveReport report = impact_law_.solver().solve(problem_, P_);
  if (report.status != SolveStatus::converged) worst_ = report;

  const Mat& G = problem_.G.dense();
  posed.xi = problem_.c;
  for (int j = 0; j < m; ++j) {
    result.a.eigen() += P_[j] * posed.response[j].eigen();
    for (int i = 0; i < m; ++i) posed.xi[i] += G(i, j) * P_[j], posed.scale[i] += std::abs(G(i, j) * P_[j]);
  }
  conclude(posed, result);
  return result;
}

// The rows of the problem: joints, then N of slipping contacts with their friction included in the force, and all rows
// of the other contacts.
void EventDriven::pose(const std::vector<char>& resting, Decision& result, Posed& posed) {
  const int n = system_.u_size();
  auto& [rows, response, scale, xi] = posed;
  std::vector<double> carried;  // forces that the contact has had; at an event they may balance and become zero
  auto add = [&](int row, double force = 0.0) {
    rows.push_back(row);
    carried.push_back(force);
    response.emplace_back(n);
    std::copy_n(balance_.rows.column(row), n, response.back().begin());
  };
  problem_.laws.clear();
  for (const Constraint& joint : system_.joints()) {
    problem_.laws.push_back({Law::Kind::bilateral, static_cast<int>(rows.size()), joint.rows, 0.0});
    for (int r = 0; r < joint.rows; ++r) add(joint.row + r);
  }
  for (size_t i = 0; i < balance_.set.size(); ++i) {
    const int k = balance_.set[i], row = balance_.first_row[i];
    const Contact& contact = contacts_[k];
    const double mu = contact.law->mu_law();
    const int friction = contact.rows - 1;
    problem_.laws.push_back({Law::Kind::contact, static_cast<int>(rows.size()), resting[k] ? contact.rows : 1, mu});
    add(row, carried_[k]);
    if (resting[k]) {
      for (int f = 0; f < friction; ++f) add(row + 1 + f, mu * carried_[k]);
      continue;
    }
    const bool begins = phases_[k].mode == Mode::slip && !phases_[k].directed;
    double speed = 0;
    for (int f = 0; f < friction; ++f) speed = std::hypot(speed, balance_.gamma[row + 1 + f]);
    for (int f = 0; f < friction; ++f) {
      const double s = begins ? phases_[k].slip[f] : balance_.gamma[row + 1 + f] / speed;
      result.phases[k].slip[f] = s;
      for (int j = 0; j < n; ++j) response.back()[j] -= mu * s * balance_.rows(j, row + 1 + f);
    }
  }
  const int m = static_cast<int>(rows.size());
  Mat& G = problem_.G.dense(m);
  problem_.c.assign(m, 0.0), scale.assign(m, 0.0);
  for (Vec& x : response) balance_.M.solve(x);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) G(i, j) = balance_.dot(rows[i], response[j]);
  for (int i = 0; i < m; ++i) {
    problem_.c[i] = balance_.dot(rows[i], balance_.a_free) + balance_.zeta[rows[i]];
    scale[i] = std::abs(balance_.zeta[rows[i]]) + G(i, i) * carried[i];
    for (int j = 0; j < n; ++j) scale[i] += std::abs(balance_.rows(j, rows[i]) * balance_.a_free[j]);
  }
}

// Determines the phases from the accelerations ξ and forces P_ of the law.
void EventDriven::conclude(const Posed& posed, Decision& result) {
  const auto& [rows, response, scale, xi] = posed;
  std::vector<int> firm(rows.begin(), rows.begin() + system_.joint_rows());  // rows that are certainly at rest
  size_t law = system_.joints().size();
  for (int k : balance_.set) {
    const auto [kind, r, count, mu, balls] = problem_.laws[law++];
    ContactPhase& phase = result.phases[k];
    const double own = problem_.G.dense()(r, r) * P_[r];
    if (scale[r] > 0) result.leaves[k] = std::max(0.0, xi[r] / scale[r]);
    if (xi[r] > significant * scale[r] && own <= significant * scale[r]) {
      phase = {};
      continue;
    }
    const bool loaded = own > significant * scale[r];
    if (loaded) result.share[k] = own, firm.push_back(rows[r]);
    result.open_question[k] = !loaded;
    if (count == 1) continue;
    double acceleration = 0, force = 0, largest = 0;
    for (int f = 1; f < count; ++f) {
      acceleration = std::hypot(acceleration, xi[r + f]), force = std::hypot(force, P_[r + f]);
      largest = std::max(largest, scale[r + f]);
    }
    if (largest > 0) result.leaves[k] = std::max(result.leaves[k], acceleration / largest);
    if (acceleration > significant * largest && largest > 0) {
      phase.mode = Mode::slip;
      for (int f = 1; f < count; ++f) phase.slip[f - 1] = xi[r + f] / acceleration;
    } else if (force >= (1 - significant) * mu * P_[r]) {
      result.open_question[k] = 1;
    } else {
      for (int f = 1; f < count; ++f) firm.push_back(rows[r + f]);
    }
  }
  // A row that others hold at rest stays at rest for any force of its own.
  law = system_.joints().size();
  for (int k : balance_.set) {
    const auto [kind, r, count, mu, balls] = problem_.laws[law++];
    bool held = result.open_question[k];
    for (int f = 0; f < (result.phases[k].mode == Mode::slip ? 1 : count) && held; ++f)
      held = balance_.depends(rows[r + f], firm);
    if (held) result.open_question[k] = 0;
    result.decided &= !result.open_question[k];
  }
}

// The equations that hold in these phases: first the normals with the largest forces, then sticking rows, then normals
// without force.
void EventDriven::adopt(const Decision& decision) {
  phases_ = decision.phases;
  balance_.set_phases(phases_);
  balance_.place(now_.t, now_.q, now_.u);
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
  indeterminate_ = false;
  for (size_t i = 0; i < balance_.set.size(); ++i) {
    const int k = balance_.set[i], row = balance_.first_row[i];
    auto holds = [&](int r) { return std::binary_search(balance_.equations.begin(), balance_.equations.end(), r); };
    phases_[k].holds = holds(row);
    for (int f = 1; f < contacts_[k].rows; ++f) phases_[k].sticks[f - 1] = holds(row + f);
    phases_[k].unique_normal = phases_[k].unique = !balance_.indeterminate[row];
    for (int f = 1; f < contacts_[k].rows; ++f) phases_[k].unique &= !balance_.indeterminate[row + f];
    indeterminate_ |= !phases_[k].unique;
  }
  balance_.phases = phases_;
  project(now_);
}

double EventDriven::project(State& state) {
  w_.set_zero();
  system_.displace(state.q, w_, q_dot_);  // normalises quaternions
  std::copy(q_dot_.begin(), q_dot_.end(), state.q.begin());
  if (balance_.equations.empty()) return 0;
  balance_.place(state.t, state.q, state.u);
  const double residual = balance_.correct_position(state.t, state.q);
  balance_.place(state.t, state.q, state.u);
  balance_.correct_velocity(state.u);
  return residual;
}

void EventDriven::note(Event::Kind kind, int contact, double t, int place) {
  events_.push_back({t, kind, contact, place});
}

bool EventDriven::announced(int contact, Event::Kind kind) const {
  return std::any_of(events_.begin() + static_cast<long>(first_event_), events_.end(),
                     [&](const Event& e) { return e.contact == contact && e.kind == kind; });
}

void EventDriven::announce(const std::vector<ContactPhase>& before) {
  for (int k : contacts_.all()) {
    const ContactPhase &was = before[k], &is = phases_[k];
    const bool struck = announced(k, Event::Kind::impact) || announced(k, Event::Kind::accumulation);
    if (!was.closed() && is.closed() && !struck) note(Event::Kind::closing, k, now_.t);
    if (was.closed() && !is.closed()) note(Event::Kind::opening, k, now_.t);
    if (contacts_[k].rows < 2 || !was.closed() || !is.closed()) continue;
    if (was.mode == Mode::slip && is.mode == Mode::stick) note(Event::Kind::stick, k, now_.t);
    if (was.mode == Mode::stick && is.mode == Mode::slip) note(Event::Kind::slip, k, now_.t);
    double along = 0;
    for (size_t f = 0; f < is.slip.size(); ++f) along += was.slip[f] * is.slip[f];
    if (was.mode == Mode::slip && is.mode == Mode::slip && along < 0) note(Event::Kind::reversal, k, now_.t);
  }
}

}  // namespace tappet
