// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/lcp/lcp_euler.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "steppers/shared/follow_events.h"

namespace tappet {

LcpEuler::LcpEuler(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      evaluate_(contacts),
      law_(contacts, std::move(solver), edges(system_, options.directions)),
      impact_law_(contacts, evaluate_, law_, options.impact),
      implicit_(contacts, evaluate_,
                options.forces == "explicit" ? LinearlyImplicit::Jacobian::none
                                             : LinearlyImplicit::named(options.force_jacobian),
                options.forces == "explicit" ? 0.0 : 1.0),
      active_(contacts),
      e_(contacts.size()),
      u_1_(system_.u_size()),
      q_1_(system_.initial().q) {
  if (options.linearisations > 1 && options.stabilisation != 1.0)
    throw std::invalid_argument(
        fmt::format("linearisations: {} with stabilisation {}; expected stabilisation 1, because the gaps "
                    "at the end of the step are to be zero",
                    options.linearisations, options.stabilisation));
  for (Vec* v : {&g_, &gamma_, &c_}) v->reserve(contacts.rows());
  waiting_.reserve(contacts.size());
  impulses_.separated = true;
  for (Vec* v : {&impulses_.P, &impulses_.lambda, &impulses_.Lambda}) v->assign(contacts.rows(), 0.0);
  events_.reserve(contacts.size());
}

// Piles of colliders have many contacts, for which Lemke's method with a polygon is slow.
int LcpEuler::edges(const System& system, int directions) {
  constexpr int usual = 8;
  if (directions < 0) return system.has_colliders() ? 0 : usual;
  return directions + directions % 2;
}

StepReport LcpEuler::step(State& state, double dt) {
  auto& [t, q, u] = state;
  StepReport report;
  events_.clear();
  bool factored = implicit_.assemble(state, t, q, dt, u_1_);  // (6.9)
  select_active(state, dt);
  active_.report(dt, report);
  impulses_.Lambda.set_zero();
  if (report.impulsive && restitution(u)) {
    report.solve = impact_law_.solve(t, q, active_, e_, u);  // (7.5)–(7.9)
    scatter_rows(contacts_, active_, impact_law_.P(), impulses_.Lambda);
    of_Lambda_.keep(contacts_);
    for (int k : active_)
      if (impulses_.Lambda[contacts_[k].row] > 0.0) events_.push_back({t, Event::Kind::impact, k});
    factored = implicit_.assemble(state, t, q, dt, u_1_);
  }
  if (options_.linearisations > 1) u_free_ = u_1_;
  report.solve = worse(report.solve, solve_step(state, dt));  // (6.4), (6.12), (6.13)
  if (!factored) report.solve.status = SolveStatus::not_converged;
  evaluate_.displace(q, dt, u_1_, q_1_);  // q₁ = q₀ + dt u₁
  if (options_.linearisations > 1) linearise_again(state, dt, report);
  std::swap(q, q_1_);
  std::swap(u, u_1_);
  t += dt;

  scatter_rows(contacts_, active_, law_.P(), impulses_.P);
  for (int r = 0; r < impulses_.lambda.size(); ++r) impulses_.lambda[r] = impulses_.P[r] / dt;
  if (impulses_.Lambda.empty()) return report;  // there was no impact so far
  impulses_.Lambda.resize(impulses_.P.size());
  for (int r = 0; r < impulses_.P.size(); ++r) impulses_.P[r] += impulses_.Lambda[r];
  return report;
}

SolveReport LcpEuler::solve_step(const State& state, double dt) {
  law_.rates(u_1_, c_);
  if (const double gain = options_.stabilisation; gain > 0.0 && !c_.empty()) {
    evaluate_.joint_residuals(state.t, state.q, g_);
    for (int r = 0; r < system_.joint_rows(); ++r) c_[r] += gain / dt * g_[r];
    for (const auto& [k, contact, row] : contacts_.each(active_)) c_[row] += gain / dt * gaps_[k];
  }
  return law_.finish(active_, implicit_.M(), c_, u_1_);
}

void LcpEuler::select_active(const State& state, double dt) {
  evaluate_.gaps(state.t, state.q, gaps_);
  if (options_.stabilisation > 0.0) {
    // The contacts that the motion without contact may close. Found contacts are within reach of a blow, so they wait
    // for their own impact only if they rebound from it.
    waiting_.clear(), active_.start();
    for (int k : contacts_.all())
      if (waits(k)) waiting_.push_back(k);
    evaluate_.closing_speeds(state.t, state.q, u_1_, waiting_, gamma_);
    int next = 0;
    for (int k : contacts_.all())
      if (!waits(k) || gaps_[k] <= dt * gamma_[next++]) active_.push_back(k);
  } else {
    active_.start(gaps_kept_ = gaps_);
  }
  evaluate_.directions(state.t, state.q, active_, law_.W, law_.chi);
}

bool LcpEuler::waits(int k) const {
  const Contact& contact = contacts_[k];
  return contact.source != Constraint::Source::found || contact.law->e_N != 0.0;
}

void LcpEuler::linearise_again(const State& state, double dt, StepReport& report) {
  const double t_1 = state.t + dt;
  report.newton = 1;
  while (report.converged() && violation(t_1) > options_.gap_tolerance) {
    if (report.newton == options_.linearisations) {
      report.solve.status = SolveStatus::not_converged;
      break;
    }
    report.solve = worse(report.solve, solve_again(t_1, dt));
    evaluate_.displace(state.q, dt, u_1_, q_1_);
    ++report.newton;
  }
  report.closed = static_cast<int>(active_.set().size());
}

// The largest penetration, or error of a joint, at the end of the step. If the list can grow, colliders are compared as
// they are, and otherwise by the contacts of the list.
double LcpEuler::violation(double t) {
  double worst = 0.0;
  if (growing_) {
    const ContactList::Growth growth = growing_->grow(q_1_, options_.gap_tolerance);
    if (growth.changed) follow_growth();
    worst = growth.depth;
  }
  evaluate_.gaps(t, q_1_, gaps_);
  const int compared = growing_ ? contacts_.named() : contacts_.size();
  for (int k = 0; k < compared; ++k) worst = std::max(worst, -gaps_[k]);
  evaluate_.joint_residuals(t, q_1_, g_);
  for (int r = 0; r < system_.joint_rows(); ++r) worst = std::max(worst, std::abs(g_[r]));
  return worst;
}

// The list has other contacts than before, so what is kept by contact moves to their new places.
void LcpEuler::follow_growth() {
  active_.follow();
  if (impulses_.Lambda.empty()) return;  // there was no impact so far
  follow_rows(contacts_, of_Lambda_, impulses_.Lambda, spare_);
  follow_events(contacts_, of_Lambda_, events_);
  of_Lambda_.keep(contacts_);
}

SolveReport LcpEuler::solve_again(double t, double dt) {
  active_.add_if([&](int k) { return !waits(k) || gaps_[k] <= 0.0; });
  evaluate_.directions(t, q_1_, active_, law_.W, law_.chi);
  law_.rates(u_free_, c_);
  law_.rates(u_1_, gamma_);
  for (int r = 0; r < system_.joint_rows(); ++r) c_[r] += g_[r] / dt - gamma_[r];
  for (const auto& [k, contact, row] : contacts_.each(active_)) c_[row] += gaps_[k] / dt - gamma_[row];
  u_1_ = u_free_;
  return law_.finish(active_, implicit_.M(), c_, u_1_);
}

bool LcpEuler::restitution(const Vec& u) {
  bool some = false;
  for (int k : active_) some |= contacts_[k].law->e_N > 0.0;
  if (!some) return false;
  some = false;
  law_.rates(u, gamma_);  // with ġ_N of the contacts that enter
  law_.rates(u_1_, c_);   // of the velocity without contact: c − γ = dt g̈_N
  e_.assign(contacts_.size(), 0.0);
  for (const auto& [k, contact, row] : contacts_.each(active_)) {
    const bool enters = !active_.was_active(k);
    const double rebound = -contact.law->e_N * gamma_[row];
    if (enters && gamma_[row] < 0.0 && 2 * rebound > gamma_[row] - c_[row]) e_[k] = contact.law->e_N;  // 2 ġ⁺/|g̈| > dt
    some |= e_[k] > 0.0;
  }
  return some;
}

}  // namespace tappet
