// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/generalized_alpha.h"

#include <algorithm>
#include <cmath>

#include "steppers/shared/follow_events.h"

namespace tappet {

GeneralizedAlpha::GeneralizedAlpha(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                   const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      coefficients_(alpha::coefficients(options)),
      solver_(contacts, std::move(solver), options),
      states_(contacts),
      left_(system_) {
  const int n = system_.u_size(), rows = contacts.rows();
  start_.q = Vec(system_.q_size());
  for (Vec* x : {&start_.u, &start_.a, &start_.a_bar, &start_.w, &start_.v}) *x = Vec(n);
  for (Vec* x : {&start_.lambda, &start_.lambda_bar, &start_.P, &start_.kappa}) *x = Vec(rows);
  for (Vec* x : {&impulses_.P, &impulses_.lambda, &impulses_.Lambda}) *x = Vec(rows);
  impulses_.separated = true;
  events_.reserve(4 * contacts.size() + 8);
  memory_.keep(contacts);
}

StepReport GeneralizedAlpha::step(State& state, double dt) {
  follow_contacts();
  if (!left_.is(state, 1e-6 * dt)) solver_.restart(state, start_, states_.all());
  StepReport report;
  events_.clear();
  impulses_.P.assign(contacts_.rows(), 0.0), impulses_.Lambda.assign(contacts_.rows(), 0.0);
  report.solve.status = SolveStatus::converged;
  smallest_dt_ = 1.001 * std::ldexp(dt, -options_.halvings);
  if (!advance(state, dt, 0, report)) report.solve.status = SolveStatus::not_converged;
  report.dt = dt;
  left_.leave(state);
  return report;
}

void GeneralizedAlpha::follow_contacts() {
  if (memory_.is_current(contacts_)) return;
  if (lost_a_force()) left_.forget();
  states_.follow(contacts_);
  follow_rows(contacts_, memory_, start_.lambda, spare_);
  follow_rows(contacts_, memory_, start_.lambda_bar, spare_);
  start_.P.resize(contacts_.rows()), start_.kappa.resize(contacts_.rows());
  solver_.follow_contacts(memory_);
  memory_.keep(contacts_);
}

bool GeneralizedAlpha::lost_a_force() const {
  int carried = 0, carry = 0;
  for (int k = contacts_.named(); k < states_.size(); ++k) carried += states_[k].B;
  for (int k = contacts_.named(); k < contacts_.size(); ++k)
    if (const int before = memory_.index(contacts_, k); before >= 0) carry += states_[before].B;
  return carry < carried;
}

bool GeneralizedAlpha::advance(State& state, double dt, int depth, StepReport& report) {
  const size_t events_before = events_.size();
  bool solved = false;
  int rounds = most_rounds;
  do {
    events_.resize(events_before);
    begin(state, dt);
    solved = solver_.solve(start_, states_.all(), smallest_dt_, report, events_);
  } while (solved && rounds-- > 0 && find_more());
  if (!solved && depth < options_.halvings) {
    report.solve.solver = std::max<int>(report.solve.solver, alpha::StepSolver::halved);
    return advance(state, dt / 2, depth + 1, report) & advance(state, dt / 2, depth + 1, report);
  }
  accept(state, report);
  return solved;
}

bool GeneralizedAlpha::find_more() {
  const double depth = std::max(options_.position_tolerance, 1e-12);
  if (!growing_ || !growing_->grow(solver_.balance.q, depth).changed) return false;
  for (Vec* rows : {&impulses_.P, &impulses_.Lambda}) follow_rows(contacts_, memory_, *rows, spare_);
  follow_events(contacts_, memory_, events_);
  follow_contacts();
  return true;
}

// The parts of (73), (95), (102) and (113) that do not depend on the unknowns of the step.
void GeneralizedAlpha::begin(const State& state, double dt) {
  start_.t = state.t;
  start_.q = state.q, start_.u = state.u;
  const alpha::Quadrature& weight = start_.weight = alpha::Quadrature(coefficients_, dt);
  for (int i = 0; i < start_.u.size(); ++i) {
    start_.w[i] = dt * start_.u[i] + weight.position_bar * start_.a_bar[i] + weight.position_0 * start_.a[i];
    start_.v[i] = start_.u[i] + weight.velocity_bar * start_.a_bar[i] + weight.velocity_0 * start_.a[i];
  }
  for (int i = 0; i < start_.P.size(); ++i) {
    start_.P[i] = weight.velocity_bar * start_.lambda_bar[i] + weight.velocity_0 * start_.lambda[i];
    start_.kappa[i] = weight.position_bar * start_.lambda_bar[i] + weight.position_0 * start_.lambda[i];
  }
  solver_.begin(start_);
}

void GeneralizedAlpha::accept(State& state, StepReport& report) {
  const alpha::Balance& balance = solver_.balance;
  state.t = balance.t;
  state.q = balance.q, state.u = balance.u;
  report.solve.residual = std::max(report.solve.residual, solver_.error() * options_.tolerance);
  report.solve.iterations = report.newton;
  report.closed = 0;
  for (int i = 0; i < balance.rows; ++i) {
    const int s = balance.row[i];
    impulses_.P[s] += solver_.law.P[i];
    impulses_.Lambda[s] += balance.Lambda[i];
  }
  for (const auto& [c, k, contact, row] : contacts_.numbered(balance.involved)) {
    const auto& set = solver_.law.sets()[c];
    report.closed += set.A;
    report.impulsive = report.impulsive || (set.B && !states_[k].B);
    for (int i = contact.row; !set.B && i < contact.row + contact.rows; ++i)
      solver_.x.lambda[i] = 0.0;  // exactly zero: it need not be remembered
  }
  impulses_.lambda = solver_.x.lambda;
  note_events();
  remember();
}

bool GeneralizedAlpha::remember_contacts() {
  const alpha::Balance& balance = solver_.balance;
  bool changed = false;
  size_t c = 0;
  int row = system_.joint_rows();
  for (int k : contacts_.all()) {
    alpha::StepLaw::Sets now;
    char& slid = solver_.law.slid[k] = 0;
    if (c < balance.involved.size() && balance.involved[c] == k) {
      now = solver_.law.sets()[c++];
      slid = now.B && !now.D_stick && balance.lambda[row] > 0.0;
      row += contacts_[k].rows;
    }
    now.continued = false;
    changed = changed || !(now == states_[k]);
    states_[k] = now;
  }
  return changed;
}

void GeneralizedAlpha::remember() {
  const bool changed = remember_contacts();
  solver_.learn(start_, !changed);
  const alpha::Quadrature& weight = start_.weight;
  const alpha::Unknowns& x = solver_.x;
  for (int i = 0; i < x.a.size(); ++i) {
    start_.a_bar[i] = changed ? x.a[i] : weight.bar(start_.a_bar[i], start_.a[i], x.a[i]);  // (71)
    start_.a[i] = x.a[i];
  }
  for (int i = 0; i < x.lambda.size(); ++i) {  // (96), (114)
    start_.lambda_bar[i] = changed ? x.lambda[i] : weight.bar(start_.lambda_bar[i], start_.lambda[i], x.lambda[i]);
    start_.lambda[i] = x.lambda[i];
  }
}

// Whether a contact has an impulse that exceeds those of the forces, and that of its approach, by far: the impulse of a
// tangential impact. `row` is that of its impulses in the balance.
bool GeneralizedAlpha::is_catastrophic(const Contact& contact, int row, double approach) const {
  constexpr double factor = 10.0;
  const alpha::Response& response = solver_.response;
  const double weight = response.weight[contact.row], Lambda = solver_.balance.Lambda[row] * weight;
  return contact.rows > 1 && Lambda > factor * start_.weight.dt * solver_.balance.force &&
         Lambda > factor * std::abs(approach) * response.r[contact.row] * weight;
}

void GeneralizedAlpha::note_events() {
  const alpha::Balance& balance = solver_.balance;
  const alpha::StepLaw& law = solver_.law;
  size_t c = 0;
  int row = system_.joint_rows();
  for (int k : contacts_.all()) {
    const Contact& contact = contacts_[k];
    const auto note = [&](Event::Kind kind) { events_.push_back({balance.t, kind, k}); };
    const bool involved = c < balance.involved.size() && balance.involved[c] == k;
    const auto before = states_[k], now = involved ? law.sets()[c] : alpha::StepLaw::Sets{};
    if (before.B && !now.B) note(Event::Kind::opening);
    if (!involved) continue;
    const double approach = law.gamma_before[contact.row];
    if (now.B && !before.B) note(approach < 0.0 ? Event::Kind::impact : Event::Kind::closing);
    if (contact.rows > 1 && now.B && before.B && now.D_stick != before.D_stick)
      note(now.D_stick ? Event::Kind::stick : Event::Kind::slip);
    if (now.B && is_catastrophic(contact, row, approach)) note(Event::Kind::branch);
    row += contact.rows, ++c;
  }
}

}  // namespace tappet
