// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/velocity_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tappet {

namespace {
constexpr std::pair<Impact, std::string_view> impacts[] = {{Impact::newton, "newton"},
                                                           {Impact::poisson, "poisson"},
                                                           {Impact::sequential, "sequential"},
                                                           {Impact::energetic, "energetic"},
                                                           {Impact::hertz, "energetic-hertz"}};
}

Impact impact_named(const std::string& name) {
  for (const auto& [impact, its_name] : impacts)
    if (its_name == name) return impact;
  return Impact::newton;
}

std::string_view name(Impact impact) { return impacts[static_cast<int>(impact)].second; }

VelocityLaw::VelocityLaw(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, Impact impact)
    : contacts_(contacts), system_(contacts.system()), solver_(std::move(solver)), impact_(impact) {
  if (impact == Impact::poisson) PoissonLaw::check(contacts);
  if (const auto kind = Propagation::named(name(impact))) {
    Propagation::check(system_, name(impact));
    propagation_.emplace(*kind);
  }
  const int rows = contacts.rows();
  chi.reserve(rows), gamma_before.reserve(rows), P_.reserve(rows), e_.reserve(rows), last_.reserve(rows);
  problem_.c.reserve(rows);
  problem_.laws.reserve(system_.joints().size() + contacts.size());
}

void VelocityLaw::rates(const Vec& u, Vec& gamma) const {
  gamma.resize(W.rows());
  W.multiply(u, gamma);
  for (int r = 0; r < gamma.size(); ++r) gamma[r] += chi[r];
}

void VelocityLaw::rates_before(const ContactSet& set, const Vec& u) {
  gamma_before.resize(0);
  if (set.empty()) return;
  if (impact_ != Impact::newton || system_.joint_rows() == 0) return rates(u, gamma_before);
  const auto restores = [this](int k) { return contacts_[k].law->e_N != 0.0 || contacts_[k].law->e_F != 0.0; };
  if (std::none_of(set.begin(), set.end(), restores)) return;
  gamma_before.resize(W.rows());
  for (int k = static_cast<int>(system_.joints().size()); k < W.blocks(); ++k)
    for (int r = 0; r < W.block(k).rows; ++r) {
      const int row = W.block(k).row + r;
      gamma_before[row] = rate(W, k, r, u) + chi[row];
    }
}

SolveReport VelocityLaw::nothing_to_solve() {
  P_.resize(0);
  last_.nothing_to_keep();
  return {};
}

SolveReport VelocityLaw::solve(const ContactSet& set, const GivenInertia& M, const BlockRows& W_0, Vec& u) {
  return solve(set, M, W_0, false, u);
}

SolveReport VelocityLaw::solve_again(const ContactSet& set, const GivenInertia& M, const BlockRows& W_0, Vec& u) {
  return solve(set, M, W_0, true, u);
}

namespace {

// Poisson's law takes rows out of G, so it needs the matrix itself, not its factors.
Delassus::Form as_matrix(Delassus::Form form) {
  return form == Delassus::Form::factored ? Delassus::Form::sparse : form;
}

}  // namespace

SolveReport VelocityLaw::solve(const ContactSet& set, const GivenInertia& inertia, const BlockRows& W_0, bool again,
                               Vec& u) {
  if (contacts_.rows(set) == 0) return nothing_to_solve();  // then W need not be filled
  const BlockMatrix& M = inertia.matrix;
  if (eliminates_joints(set, M))
    if (const auto report = solve_without_joints(set, inertia, W_0, again, u)) return *report;
  const Delassus::Form form = solver_->form(W.rows(), M.size());
  if (again && responds_ == Responds::problem)
    problem_.G.judge_along(W);
  else
    problem_.G.assemble_between(M, W, W_0, impact_ == Impact::newton ? form : as_matrix(form));
  responds_ = Responds::problem;
  return solve_assembled(set, u);
}

// Whether a contact approaches that has something to restore. Sets e_.
bool VelocityLaw::rebounds(const ContactSet& set) {
  if (gamma_before.empty()) return false;
  contacts_.restitution(set, e_);
  for (const auto& [k, contact, row] : contacts_.each(set))
    if (e_[row] * gamma_before[row] < 0.0) return true;
  return false;
}

SolveReport VelocityLaw::solve_after_poisson(const ContactSet& set, Vec& u) {
  contacts_.laws(set, problem_.laws);
  problem_.c = gamma_before;
  last_.recall(contacts_, set, P_);
  const SolveReport compression = solver_->solve(problem_, P_);
  problem_.G.add_velocity(P_, u);
  rates(u, problem_.c);
  restored_.assign(P_.size(), 0.0);
  for (const auto& [k, contact, row] : contacts_.each(set)) restored_[row] = e_[row] * P_[row];
  const SolveReport decompression = poisson_.decompress(*solver_, problem_, restored_, decompression_);
  problem_.G.add_velocity(decompression_, u);
  for (int r = 0; r < P_.size(); ++r) P_[r] += decompression_[r];
  last_.keep(contacts_, set, P_);
  return worse(compression, decompression);
}

void VelocityLaw::add_restitution(const ContactSet& set) {
  if (impact_ != Impact::newton || gamma_before.empty()) return;
  contacts_.restitution(set, e_);
  for (int r = 0; r < e_.size(); ++r)
    if (e_[r] != 0.0) problem_.c[r] += e_[r] * gamma_before[r];
}

SolveReport VelocityLaw::solve_on_top(const ContactSet& set, const BlockMatrix& M, const Vec& given, Vec& u) {
  if (W.rows() == 0) return nothing_to_solve();
  problem_.G.assemble(M, W, as_matrix(solver_->form(W.rows(), M.size())));
  responds_ = Responds::problem;
  rates(u, problem_.c);
  add_restitution(set);
  contacts_.laws(set, problem_.laws);
  // The unknowns are the impulses of the whole impact, so the given ones are taken out of the velocities.
  response_.assign(given.size(), 0.0);
  problem_.G.multiply(given, response_);
  for (int r = 0; r < given.size(); ++r) problem_.c[r] -= response_[r];
  restored_.assign(given.size(), 0.0);
  for (const auto& [k, contact, row] : contacts_.each(set)) restored_[row] = given[row];
  const SolveReport report = poisson_.decompress(*solver_, problem_, restored_, decompression_);
  P_.resize(given.size());
  // A contact that gets nothing more has exactly no impulse, not that of round-off.
  constexpr double round_off = 1e-14;
  for (int r = 0; r < given.size(); ++r) {
    const double more = decompression_[r] - given[r];
    P_[r] = std::abs(more) <= round_off * std::abs(given[r]) ? 0.0 : more;
  }
  problem_.G.add_velocity(P_, u);
  last_.keep(contacts_, set, P_);
  return report;
}

// Whether a contact approaches and one has something to restore. Sets e_.
bool VelocityLaw::propagates(const ContactSet& set) {
  if (!propagation_ || gamma_before.empty()) return false;
  contacts_.restitution(set, e_);
  bool approaches = false, restores = false;
  for (const auto& [k, contact, row] : contacts_.each(set)) {
    approaches |= gamma_before[row] < 0.0;
    restores |= e_[row] > 0.0;
  }
  return approaches && restores;
}

SolveReport VelocityLaw::solve_after_propagation(const ContactSet& set, Vec& u) {
  contacts_.laws(set, problem_.laws);
  problem_.c = gamma_before;
  stiffness_.assign(static_cast<int>(set.size()), 1.0);
  const SolveReport impact = propagation_->solve(problem_, gamma_before, e_, stiffness_, decompression_);
  problem_.G.add_velocity(decompression_, u);
  rates(u, problem_.c);
  P_.assign(problem_.c.size(), 0.0);
  const SolveReport rest = solver_->solve(problem_, P_);
  problem_.G.add_velocity(P_, u);
  for (int r = 0; r < P_.size(); ++r) P_[r] += decompression_[r];
  last_.keep(contacts_, set, P_);
  return worse(impact, rest);
}

SolveReport VelocityLaw::solve_assembled(const ContactSet& set, Vec& u) {
  if (propagates(set)) return solve_after_propagation(set, u);
  if (impact_ == Impact::poisson && rebounds(set)) return solve_after_poisson(set, u);
  rates(u, problem_.c);
  add_restitution(set);
  contacts_.laws(set, problem_.laws);
  last_.recall(contacts_, set, P_);
  const InPhase phase(contacts_.execution(), Phase::solve);
  const SolveReport report = solver_->solve(problem_, P_);
  problem_.G.add_velocity(P_, u);  // u += M⁻¹W₀P
  last_.keep(contacts_, set, P_);
  return report;
}

void VelocityLaw::scatter(const ContactSet& set, Vec& all) const { scatter_rows(contacts_, set, P_, all); }

}  // namespace tappet
