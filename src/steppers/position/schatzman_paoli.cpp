// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/position/schatzman_paoli.h"

#include <algorithm>
#include <cmath>

#include "steppers/shared/found_laws.h"

namespace tappet {

SchatzmanPaoli::SchatzmanPaoli(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                               const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      evaluate_(contacts),
      law_(contacts, std::move(solver)),
      M_(system_.mass_matrix(contacts.execution())),
      M_hat_(system_.iteration_matrix(contacts.execution())),
      active_(contacts),
      left_(system_) {
  for (const Contact& contact : contacts) restitutions_.push_back(contact.law->e_N);
  each_found_law(system_, [&](const ColliderEntry&, const ColliderEntry&, const ContactLaw& law) {
    restitutions_.push_back(law.e_N);
  });
  std::sort(restitutions_.begin(), restitutions_.end());
  restitutions_.erase(std::unique(restitutions_.begin(), restitutions_.end()), restitutions_.end());
  W_e_.resize(restitutions_.size() + 1), chi_e_.resize(restitutions_.size() + 1);
  next_.resize(restitutions_.size());
  for (Vec* x : {&nu_0_, &nu_1_, &nu_before_, &w_, &u_1_, &u_theta_, &F_, &r_}) x->resize(system_.u_size());
  for (Vec* q : {&q_1_, &q_e_, &q_theta_}) q->resize(system_.q_size());
  gaps_.resize(contacts.size());
  impulses_.P.assign(contacts.rows(), 0.0);
  P_impact_.assign(contacts.rows(), 0.0);
  memory_.keep(contacts);
  nu_impact_.resize(system_.u_size());
  given_.reserve(contacts.rows());
}

StepReport SchatzmanPaoli::step(State& state, double dt) {
  follow_contacts();
  if (!left_.is(state, 1e-6 * dt)) start(state, dt);
  dt_mean_ = (dt + dt_before_) / 2;
  StepReport report;
  begin_active();
  std::copy(nu_0_.begin(), nu_0_.end(), nu_1_.begin());
  while (true) {
    place(state, dt);
    const double size = balance(state);
    measure(state, dt);
    const bool grown = report.newton > 0 && active_.add(gaps_, -options_.tolerance);
    ask_for_positions(state, dt);
    if (report.newton > 0 && !grown && holds(size, report)) break;
    linearise(state, dt);
    report.solve = impact_steps_ > 0 ? law_.solve_on_top(active_, M_hat_, given_, nu_1_)
                                     : law_.solve(active_, {M_hat_, M_hat_known_}, nu_1_);
    ++report.newton;
  }
  std::swap(state.q, q_1_);
  for (int i = 0; i < u_1_.size(); ++i) state.u[i] = u_1_[i];
  state.t += dt;
  std::swap(nu_0_, nu_1_);  // ν of this step; that of the previous step is in nu_1_
  dt_before_ = dt;
  left_.leave(state);

  law_.scatter(active_, impulses_.P);
  active_.report(dt, report);
  follow_impact(report);
  return report;
}

void SchatzmanPaoli::follow_contacts() {
  follow_rows(contacts_, memory_, P_impact_, spare_);
  memory_.keep(contacts_);
}

// Contacts that began to press in an impact have friction until it is over.
void SchatzmanPaoli::begin_active() {
  active_.start();
  if (impact_steps_ == 0) return;
  for (int k : contacts_.all())
    if (P_impact_[contacts_[k].row] > 0.0) active_.push_back(k);
}

void SchatzmanPaoli::follow_impact(const StepReport& report) {
  constexpr int most_steps = 2;  // of an impact, after the step in which a contact closes
  if (!report.impulsive || impact_steps_ >= most_steps) {
    impact_steps_ = 0;
    return;
  }
  if (impact_steps_ == 0) {
    P_impact_.set_zero();
    std::copy(nu_1_.begin(), nu_1_.end(), nu_impact_.begin());
  }
  ++impact_steps_;
  for (int r = system_.joint_rows(); r < P_impact_.size(); ++r) P_impact_[r] += impulses_.P[r];
}

void SchatzmanPaoli::start(const State& state, double dt) {
  constexpr double touching = 1e-12, still = 1e-9;  // m, m/s
  evaluate_.mass_and_forces(state.t, state.q, state.u, M_, w_);
  M_.factor();
  M_.solve(w_);
  evaluate_.gaps(state.t, state.q, gaps_);
  group_.clear();
  add_contacts(gaps_, touching, group_);
  evaluate_.directions(state.t, state.q, group_, law_.W, law_.chi);
  law_.rates(state.u, rates_);
  resting_.clear();
  for (const auto& [k, contact, row] : contacts_.each(group_))
    if (std::abs(rates_[row]) <= still) resting_.push_back(k);
  evaluate_.directions(state.t, state.q, resting_, law_.W, law_.chi);
  law_.rates(state.u, rates_);
  evaluate_.accelerations(state.t, state.q, state.u, resting_, law_.chi);
  for (int r = system_.joint_rows(); r < rates_.size(); ++r) law_.chi[r] += rates_[r] / dt;
  law_.gamma_before.assign(rates_.size(), 0.0);
  law_.solve(resting_, M_, w_);  // w_: the acceleration
  for (int i = 0; i < w_.size(); ++i) nu_0_[i] = state.u[i] - dt / 2 * w_[i];
  active_.set().clear();
  dt_before_ = dt;
  impact_steps_ = 0;
}

void SchatzmanPaoli::place(const State& state, double dt) {
  const double theta = options_.theta;
  const int n = nu_1_.size();
  for (int i = 0; i < n; ++i) u_1_[i] = (dt * nu_1_[i] + dt_before_ * nu_0_[i]) / (dt + dt_before_);  // (20b)
  for (int i = 0; i < n; ++i) u_theta_[i] = (1 - theta) * state.u[i] + theta * u_1_[i];
  for (int i = 0; i < n; ++i) w_[i] = dt * nu_1_[i];
  evaluate_.displace(state.q, w_, q_1_);
  for (int i = 0; i < n; ++i) w_[i] *= theta;
  evaluate_.displace(state.q, w_, q_theta_);
}

void SchatzmanPaoli::hold_place(const State& state, double dt, double e, double& t_e) {
  for (int i = 0; i < w_.size(); ++i) w_[i] = (dt * nu_1_[i] - e * dt_before_ * nu_0_[i]) / (1 + e);
  evaluate_.displace(state.q, w_, q_e_);
  t_e = state.t + (dt - e * dt_before_) / (1 + e);
}

void SchatzmanPaoli::measure(const State& state, double dt) {
  double t_e;
  gaps_.resize(contacts_.size());
  for (double e : restitutions_) {
    hold_place(state, dt, e, t_e);
    evaluate_.gaps(t_e, q_e_, rates_);
    for (int k = 0; k < contacts_.size(); ++k)
      if (contacts_[k].law->e_N == e) gaps_[k] = rates_[k];
  }
  if (system_.joint_rows() > 0) evaluate_.joint_residuals(state.t + dt, q_1_, joint_residuals_);
}

double SchatzmanPaoli::balance(const State& state) {
  const int n = nu_1_.size();
  const double t_1 = state.t + 2 * dt_mean_ - dt_before_;
  if (!M_known_) evaluate_.mass(t_1, q_1_, M_);
  M_known_ = system_.mass_is_constant();
  evaluate_.forces(state.t + options_.theta * (t_1 - state.t), q_theta_, u_theta_, F_);
  for (int i = 0; i < n; ++i) w_[i] = nu_1_[i] - nu_0_[i];
  M_.multiply(w_, r_);
  double size = 0.0;
  for (int i = 0; i < n; ++i) {
    size = std::max({size, std::abs(r_[i]), std::abs(dt_mean_ * F_[i])});
    r_[i] = dt_mean_ * F_[i] - r_[i];
  }
  return size;
}

// W of the joints at q₁ and of each contact at its q_e. Normals require (1 + e) g(q_e)/dt ≥ 0, joints g(q₁)/dt = 0.
void SchatzmanPaoli::ask_for_positions(const State& state, double dt) {
  const int joints = static_cast<int>(system_.joints().size());
  law_.W.clear();
  law_.chi.resize(contacts_.rows(active_));
  if (law_.chi.empty()) return;
  evaluate_.directions(state.t + dt, q_1_, none_, W_e_[0], chi_e_[0]);
  double t_e;
  for (size_t i = 0; i < restitutions_.size(); ++i) {
    hold_place(state, dt, restitutions_[i], t_e);
    group_.clear();
    for (int k : active_)
      if (contacts_[k].law->e_N == restitutions_[i]) group_.push_back(k);
    evaluate_.directions(t_e, q_e_, group_, W_e_[i + 1], chi_e_[i + 1]);
  }
  auto copy = [&](const BlockRows& from, const Vec& chi, int block) {
    const auto& b = from.block(block);
    for (int r = 0; r < b.rows; ++r) law_.chi[law_.W.rows() + r] = chi[b.row + r];
    std::copy_n(from.values(block), b.rows * b.columns, law_.W.append(b.rows, from.columns(block)));
  };
  for (int k = 0; k < joints; ++k) copy(W_e_[0], chi_e_[0], k);
  // Contacts are ascending in the set and within each group, so the next block of a group is that of the next contact.
  std::fill(next_.begin(), next_.end(), 0);
  for (int k : active_) {
    const double e = contacts_[k].law->e_N;
    const size_t i = std::lower_bound(restitutions_.begin(), restitutions_.end(), e) - restitutions_.begin();
    copy(W_e_[i + 1], chi_e_[i + 1], joints + next_[i]++);
  }

  law_.rates(impact_steps_ > 0 ? nu_impact_ : nu_0_, law_.gamma_before);
  if (impact_steps_ > 0) gather_rows(contacts_, active_, P_impact_, given_);
  rates_.resize(law_.W.rows());
  law_.W.multiply(nu_1_, rates_);
  for (const Constraint& joint : system_.joints())
    if (joint.position_level)
      for (int r = joint.row; r < joint.row + joint.rows; ++r) law_.chi[r] = joint_residuals_[r] / dt - rates_[r];
  for (const auto& [k, contact, row] : contacts_.each(active_)) {
    law_.gamma_before[row] = 0.0;
    law_.chi[row] = (1 + contact.law->e_N) * gaps_[k] / dt - rates_[row];
  }
}

bool SchatzmanPaoli::holds(double size, StepReport& report) {
  constexpr double acceptable = 1e-12;  // m, rad; below this the momentum balance decides
  constexpr double round_off = 2e-15, settled = 1e-13;
  w_.set_zero();
  law_.W.multiply_transposed(law_.P(), w_);
  double residual = 0.0, worst = 0.0;
  for (int i = 0; i < w_.size(); ++i) {
    residual = std::max(residual, std::abs(r_[i] + w_[i]));
    size = std::max(size, std::abs(w_[i]));
  }
  if (system_.joint_rows() > 0)
    for (double g : joint_residuals_) worst = std::max(worst, std::abs(g));
  for (const auto& [k, contact, row] : contacts_.each(active_))
    worst = std::max(worst, law_.P()[row] > 0.0 ? std::abs(gaps_[k]) : -gaps_[k]);
  bool balanced = residual <= options_.newton_tolerance * size;
  if (!balanced) {  // the difference of velocities is no more exact than the momenta
    M_.multiply(nu_0_, w_);
    for (double p : w_) balanced = balanced || residual <= round_off * std::abs(p);
    double change = 0.0, largest = 0.0;
    for (int i = 0; i < nu_1_.size(); ++i) {
      change = std::max(change, std::abs(nu_1_[i] - nu_before_[i]));
      largest = std::max(largest, std::abs(nu_1_[i]));
    }
    balanced = balanced || (report.newton > 1 && change <= settled * largest);
  }
  if (balanced && worst <= std::max(options_.tolerance, acceptable)) return true;
  if (report.newton < options_.newton_iterations && std::isfinite(residual)) return false;
  report.solve.status = SolveStatus::not_converged;
  report.solve.residual = std::max(report.solve.residual, residual / size);
  return true;
}

void SchatzmanPaoli::linearise(const State& state, double dt) {
  const double theta = options_.theta;
  const double share = dt / (dt + dt_before_);  // of ν₁ in u₁
  if (!M_hat_known_) {
    M_hat_.set_zero();
    M_hat_.add(M_, 1.0);
    evaluate_.add_force_derivatives(state.t + theta * dt, q_theta_, u_theta_, -dt_mean_ * theta * dt,
                                    -dt_mean_ * theta * share, M_hat_);
    M_hat_.factor();
    M_hat_known_ = M_known_ && evaluate_.forces_are_constant();
  }
  M_hat_.solve(r_);
  std::copy(nu_1_.begin(), nu_1_.end(), nu_before_.begin());
  for (int i = 0; i < nu_1_.size(); ++i) nu_1_[i] += r_[i];
}

}  // namespace tappet
