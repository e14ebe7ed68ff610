// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/projection/combined_projection.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tappet {

CombinedProjection::CombinedProjection(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                       const Options& options)
    : ProjectedTheta(contacts, std::move(solver), options, true),
      options_(options),
      has_joints_(contacts.system().joint_rows() > 0),
      released_(contacts),
      pressed_(contacts) {
  equal_.reserve(contacts.size()), impulses_before_.reserve(contacts.rows());
}

StepReport CombinedProjection::step(State& state, double dt) {
  StepReport report;
  const double end = state.t + dt;
  active_.start();
  pressed_.follow(contacts_);
  const bool halves = pause_left_ == 0;
  smallest_dt_ = halves ? 1.001 * std::ldexp(dt, -options_.halvings) : INFINITY;
  advance(state, dt, report);
  if (!halves) --pause_left_;
  if (halves) pause_ = report.converged() ? 1 : std::min(2 * pause_, longest_pause);
  if (halves && !report.converged()) pause_left_ = pause_;
  state.t = end;
  report.dt = dt;
  return report;
}

void CombinedProjection::advance(State& state, double dt, StepReport& report) {
  StepReport part;
  active_.set().clear();
  make_room(active_.set(), contacts_.size()), make_room(equal_, contacts_.size());
  const bool coupled = solve(state, dt, part);
  report.newton += part.newton, report.index_sets += part.index_sets, report.projections += part.projections;
  if (!part.converged() && dt > smallest_dt_) {
    for (int half = 0; half < 2; ++half) advance(state, dt / 2, report);
    return;
  }
  if (!part.converged()) smallest_dt_ = INFINITY;
  note_pressed(coupled ? newton().P : law_.P());
  const bool first = report.dt == 0.0;
  if (!first) {
    follow_rows(contacts_, of_impulses_, impulses_.P, impulses_before_);
    std::swap(impulses_.P, impulses_before_);
  }
  accept(coupled, dt, state, part);
  of_impulses_.keep(contacts_);
  for (int r = 0; r < impulses_.P.size() && !first; ++r) impulses_.P[r] += impulses_before_[r];
  report.solve = first ? part.solve : worse(report.solve, part.solve);
  report.dt += dt, report.closed = part.closed, report.impulsive |= part.impulsive;
}

bool CombinedProjection::solve(const State& state, double dt, StepReport& report) {
  bool coupled = coupled_;
  start_passes(state, dt, coupled);
  const bool foreseen = start_with_pressed();
  if (foreseen) complete_set(state, dt, coupled, report);
  if (foreseen && report.converged() && !opened()) return coupled;
  if (foreseen) active_.set().clear(), start_passes(state, dt, coupled);
  complete_set(state, dt, coupled, report);
  if (!coupled && !report.converged() && may_couple()) {
    coupled = true;
    start_passes(state, dt, coupled);
    complete_set(state, dt, coupled, report);
  }
  return coupled;
}

void CombinedProjection::start_passes(const State& state, double dt, bool coupled) {
  released_.follow(contacts_);
  released_.reset();
  coupled ? newton().start(state) : balance_.start(state, dt);
}

void CombinedProjection::complete_set(const State& state, double dt, bool coupled, StepReport& report) {
  const Vec& q_1 = coupled ? newton().q_1 : balance_.q_1;
  int rounds = most_rounds;  // in which contacts are found
  do {
    bool gaps_known = false;
    if (coupled)
      coupled_pass(state, dt, report);
    else
      gaps_known = pass(state, dt, report);
    ++report.index_sets;
    if (!report.converged()) return;
    if (gaps_known)
      gaps_ = projection_.gaps();
    else
      evaluate_.gaps(state.t + dt, q_1, gaps_);
  } while (active_.add(gaps_, 0.0) || (rounds-- > 0 && find_more(q_1)));  // (66)
}

bool CombinedProjection::start_with_pressed() {
  if (coupled_ || options_.first_set == "empty") return false;
  for (int k : contacts_.all())
    if (pressed_[k]) active_.push_back(k);
  return !active_.empty();
}

bool CombinedProjection::opened() const {
  for (const auto& [k, contact, row] : contacts_.each(active_))
    if (pressed_[k] && law_.P()[row] <= CoupledNewton::pressed && gaps_[k] > PositionProjection::acceptable)
      return true;
  return false;
}

bool CombinedProjection::find_more(const Vec& q_1) {
  if (!growing_ || !growing_->grow(q_1, std::max(options_.tolerance, PositionProjection::acceptable)).changed)
    return false;
  active_.follow();
  make_room(active_.set(), contacts_.size()), make_room(equal_, contacts_.size());
  pressed_.follow(contacts_), released_.follow(contacts_);
  return true;
}

void CombinedProjection::note_pressed(const Vec& P) {
  pressed_.reset();
  for (const auto& [k, contact, row] : contacts_.each(active_))
    pressed_[k] = P[row] > CoupledNewton::pressed && !released_[k];
}

// Newton's method on the velocities. With contacts, each iterate is followed by the projection of its positions,
// because the directions of the contacts depend on them. Without contacts, the positions follow once the balance holds,
// and may disturb it again.
bool CombinedProjection::pass(const State& state, double dt, StepReport& report) {
  const double t_1 = state.t + dt;
  const int newton_before = report.newton;
  const bool projects = !active_.empty() || has_joints_, at_once = !active_.empty();
  if (projects) {
    evaluate_.directions(state.t, state.q, active_, law_.W, law_.chi);
    law_.rates(state.u, law_.gamma_before);
  }
  const bool again = report.index_sets > 0 && balance_.start_again(state, dt);
  projection_.start();
  StepReport inner;
  int alternations = 0;
  bool shifted = false;  // since the last iterate
  while (true) {
    const bool first = inner.newton == 0, known = first && again;
    if (!known && (first || !at_once)) balance_.place(state, dt);
    auto verdict = ThetaBalance::Verdict::holds;
    if (first || shifted || !balance_.exact(projects)) {
      if (!known) balance_.balance(state, dt);
      if (projects || !balance_.exact(projects)) evaluate_.directions(t_1, balance_.q_1, active_, law_.W, law_.chi);
      verdict = first ? ThetaBalance::Verdict::go_on
                      : balance_.verdict(law_, options_.newton_tolerance, options_.newton_iterations, inner);
    }
    if (verdict == ThetaBalance::Verdict::failed) break;
    if (verdict == ThetaBalance::Verdict::holds) {
      if (!projects || at_once) break;
      if (!project(t_1, shifted, inner, report) || !shifted || ++alternations > options_.newton_iterations) break;
      continue;
    }
    shifted = false;
    if (!known) balance_.linearise(state, dt);
    if (projects || first) inner.solve = law_.solve(active_, balance_.M_hat, balance_.u_1);
    ++inner.newton;
    if (!at_once) continue;
    balance_.place(state, dt);
    if (!project(t_1, shifted, inner, report)) break;
    if (shifted) balance_.place(state, dt);  // q_θ
  }
  report.solve = inner.solve;
  report.newton = newton_before + inner.newton;
  return at_once && !shifted && report.converged();
}

bool CombinedProjection::project(double t, bool& shifted, StepReport& inner, StepReport& report) {
  choose_branches();
  const auto result = projection_.project(evaluate_, t, balance_.q_free, metric(), active_.set(), false, equal_,
                                          balance_.q_1, balance_.shift);
  note_released();
  report.projections += result.iterations;
  shifted = result.changed;
  if (result.solve.status != SolveStatus::converged) inner.solve = result.solve;
  return result.solve.status == SolveStatus::converged;
}

void CombinedProjection::choose_branches() {
  equal_.clear();
  for (const auto& [k, contact, row] : contacts_.each(active_))
    equal_.push_back(law_.P()[row] > CoupledNewton::pressed && !released_[k]);  // (70)
}

void CombinedProjection::note_released() {
  size_t i = 0;
  for (const auto& [k, contact, row] : contacts_.each(active_))
    if (!equal_[i++] && law_.P()[row] > CoupledNewton::pressed) released_[k] = 1;
}

void CombinedProjection::coupled_pass(const State& state, double dt, StepReport& report) {
  evaluate_.directions(state.t, state.q, active_, law_.W, law_.chi);
  law_.rates(state.u, gamma_0_);
  scatter_rows(contacts_, active_, gamma_0_, rates_0_);
  const StepReport pass = newton().solve(state, dt, rates_0_, active_, active_);
  report.solve = pass.solve;
  report.newton += pass.newton;
  if (!active_.empty() || has_joints_) report.projections += pass.newton;
}

}  // namespace tappet
