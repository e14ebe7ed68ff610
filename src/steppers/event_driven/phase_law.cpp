// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/phase_law.h"

#include <algorithm>
#include <cmath>

namespace tappet::events {

void Decision::take_answers(const Decision& later, const std::vector<int>& contacts) {
  decided = true;
  for (int k : contacts) {
    if (open_question[k] && !later.open_question[k]) {
      phases[k] = later.phases[k], share[k] = later.share[k];
      open_question[k] = 0;
    }
    decided &= !open_question[k];
  }
}

PhaseLaw::PhaseLaw(const ContactList& contacts, Balance& balance, ContactSolver& solver, SolveReport& worst)
    : contacts_(contacts),
      system_(contacts.system()),
      balance_(balance),
      solver_(solver),
      worst_(worst),
      law_(contacts) {}

Decision PhaseLaw::decide(const State& state, const std::vector<int>& candidates, const std::vector<char>& resting,
                          const std::vector<ContactPhase>& phases, const std::vector<double>& carried) {
  Decision result(phases.size());
  for (int k : candidates) result.phases[k].mode = resting[k] ? Mode::stick : Mode::slip;
  balance_.set_phases(result.phases);
  balance_.place(state.t, state.q, state.u);
  result.a = balance_.a_free;
  set_modes(resting, phases, result);
  if (law_.size() == 0) return result;
  pose();
  measure_scales(resting, carried);
  law_.x.assign(law_.size(), 0.0);
  const SolveReport report = law_.solve(solver_);
  if (report.status != SolveStatus::converged) worst_ = report;
  accelerate(result);
  conclude(result);
  return result;
}

// Contacts at rest may stick. The others slip along their velocity. Where slip has only begun, or its velocity has just
// become zero, they slip along the direction that is known.
void PhaseLaw::set_modes(const std::vector<char>& resting, const std::vector<ContactPhase>& phases, Decision& result) {
  modes_.assign(balance_.set.size(), {});
  for (const auto& [i, k, contact, row] : contacts_.numbered(balance_.set)) {
    modes_[i].kind = resting[k] ? ContactMode::Kind::sticks : ContactMode::Kind::slips;
    if (resting[k]) continue;
    const int friction = contact.rows - 1;
    double speed = 0;
    for (int f = 0; f < friction; ++f) speed = std::hypot(speed, balance_.gamma[row + 1 + f]);
    const bool known = phases[k].mode == Mode::slip && (!phases[k].directed || speed == 0);
    for (int f = 0; f < friction; ++f)
      modes_[i].d[f] = result.phases[k].slip[f] = known ? phases[k].slip[f] : balance_.gamma[row + 1 + f] / speed;
  }
  law_.set_modes(balance_.set, modes_);
}

void PhaseLaw::pose() {
  const int n = system_.u_size(), m = law_.size();
  c_.assign(balance_.W.rows(), 0.0);
  for (int i = 0; i < m; ++i) c_[law_.row(i)] = balance_.dot(law_.row(i), balance_.a_free) + balance_.zeta[law_.row(i)];
  response_.resize(m);
  law_.pose(c_, [&](int j, Vec& accelerations) {
    Vec& force = response_[j];
    force.resize(n);
    std::copy_n(balance_.rows.column(law_.row(j)), n, force.begin());
    law_.friction_of(j, [&](int row, double factor) {
      for (int i = 0; i < n; ++i) force[i] += factor * balance_.rows(i, row);
    });
    balance_.M.solve(force);
    for (int i = 0; i < m; ++i) accelerations[law_.row(i)] = balance_.dot(law_.row(i), force);
  });
}

// The accelerations that meet in a row. Forces that the contact has had count: at an event they may balance, and
// vanish.
void PhaseLaw::measure_scales(const std::vector<char>& resting, const std::vector<double>& carried) {
  had_.assign(balance_.W.rows(), 0.0);
  for (const auto& [k, contact, row] : contacts_.each(balance_.set))
    for (int f = 0; f < (resting[k] ? contact.rows : 1); ++f)
      had_[row + f] = f == 0 ? carried[k] : contact.law->mu_law() * carried[k];
  scale_.assign(law_.size(), 0.0);
  for (int i = 0; i < law_.size(); ++i) {
    const int row = law_.row(i);
    scale_[i] = std::abs(balance_.zeta[row]) + law_.G()(i, i) * had_[row];
    for (int j = 0; j < system_.u_size(); ++j) scale_[i] += std::abs(balance_.rows(j, row) * balance_.a_free[j]);
  }
}

void PhaseLaw::accelerate(Decision& result) {
  const int m = law_.size();
  const Mat& G = law_.G();
  xi_ = law_.c();
  for (int j = 0; j < m; ++j) {
    result.a.eigen() += law_.x[j] * response_[j].eigen();
    for (int i = 0; i < m; ++i) xi_[i] += G(i, j) * law_.x[j], scale_[i] += std::abs(G(i, j) * law_.x[j]);
  }
}

// Phases from the accelerations ξ and the forces of the law.
void PhaseLaw::conclude(Decision& result) {
  firm_.clear();
  for (int r = 0; r < system_.joint_rows(); ++r) firm_.push_back(r);
  size_t law = system_.joints().size();
  for (int k : balance_.set) {
    const Law& own = law_.laws()[law++];
    if (conclude_normal(own.row, k, result) && own.rows > 1) conclude_friction(own, k, result);
  }
  close_questions(result);
}

bool PhaseLaw::conclude_normal(int r, int k, Decision& result) {
  const double own = law_.G()(r, r) * law_.x[r];
  if (scale_[r] > 0) result.leaves[k] = std::max(0.0, xi_[r] / scale_[r]);
  if (xi_[r] > significant * scale_[r] && own <= significant * scale_[r]) {
    result.phases[k] = {};
    return false;
  }
  const bool loaded = own > significant * scale_[r];
  if (loaded) result.share[k] = own, firm_.push_back(law_.row(r));
  result.open_question[k] = !loaded;
  return true;
}

void PhaseLaw::conclude_friction(const Law& law, int k, Decision& result) {
  const int r = law.row;
  ContactPhase& phase = result.phases[k];
  double acceleration = 0, force = 0, largest = 0;
  for (int f = 1; f < law.rows; ++f) {
    acceleration = std::hypot(acceleration, xi_[r + f]), force = std::hypot(force, law_.x[r + f]);
    largest = std::max(largest, scale_[r + f]);
  }
  if (largest > 0) result.leaves[k] = std::max(result.leaves[k], acceleration / largest);
  if (acceleration > significant * largest && largest > 0) {
    phase.mode = Mode::slip;
    for (int f = 1; f < law.rows; ++f) phase.slip[f - 1] = xi_[r + f] / acceleration;
  } else if (force >= (1 - significant) * law.mu * law_.x[r]) {
    result.open_question[k] = 1;
  } else {
    for (int f = 1; f < law.rows; ++f) firm_.push_back(law_.row(r + f));
  }
}

// What others hold at rest is at rest whatever force it has itself.
void PhaseLaw::close_questions(Decision& result) {
  size_t law = system_.joints().size();
  for (int k : balance_.set) {
    const Law& own = law_.laws()[law++];
    bool held = result.open_question[k];
    for (int f = 0; f < (result.phases[k].mode == Mode::slip ? 1 : own.rows) && held; ++f)
      held = balance_.depends(law_.row(own.row + f), firm_);
    if (held) result.open_question[k] = 0;
    result.decided &= !result.open_question[k];
  }
}

}  // namespace tappet::events
