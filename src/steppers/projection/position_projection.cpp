// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/projection/position_projection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "steppers/shared/active_set.h"

namespace tappet {

Identity::Identity(int size) : index_(size) { std::iota(index_.begin(), index_.end(), 0); }

void position_rows(const ContactList& contacts, const ContactSet& set, bool joints, const BlockRows& W, BlockRows& G) {
  const long layout = -(2 * W.layout() + joints);
  const bool laid_out = W.layout() != 0 && G.layout() == layout;
  if (!laid_out) G.clear();
  int block = 0, to = 0;
  const auto copy = [&](int rows, const auto& columns) {
    double* values = laid_out ? G.values(to++) : G.append_unset(rows, columns);
    std::copy_n(W.values(block), static_cast<size_t>(rows) * columns.size(), values);
  };
  for (const Constraint& joint : contacts.system().joints()) {
    if (joints && joint.position_level) copy(joint.rows, joint.columns);
    ++block;
  }
  for (int k : set) copy(1, contacts[k].columns), ++block;
  if (W.layout() != 0) G.number_layout(layout);
}

PositionProjection::PositionProjection(const ContactList& contacts, ContactSolver& solver,
                                       const ProjectionSettings& settings)
    : contacts_(contacts), system_(contacts.system()), solver_(solver), settings_(settings), s_new_(system_.u_size()) {
  if (settings.joints)
    for (const Constraint& joint : system_.joints())
      if (joint.position_level) joint_rows_ += joint.rows, ++joints_with_rows_;
  const int rows = joint_rows_ + contacts.size();
  tau_.reserve(rows), problem_.c.reserve(rows);
  problem_.laws.reserve(system_.joints().size() + contacts.size());
  contact_problem_.laws.reserve(contacts.size());
}

// The largest violation of the law on position level, with the τ that s represents.
double PositionProjection::violation(const ContactSet& set, const std::vector<char>& equal) const {
  const bool solved = tau_.size() == joint_rows_ + static_cast<int>(set.size());  // otherwise τ = 0
  double worst = 0.0;
  if (joint_rows_ > 0)
    for (double g : joint_residuals_) worst = std::max(worst, std::abs(g));
  for (size_t i = 0; i < set.size(); ++i) {
    const double g = gaps_[set[i]];
    const bool held = (!equal.empty() && equal[i]) || (solved && tau_[joint_rows_ + static_cast<int>(i)] > 0.0);
    worst = std::max(worst, held ? std::abs(g) : -g);
  }
  return worst;
}

// Two contacts of the same bodies may come from neighbouring features of their surfaces, such as a face and the rounded
// edge that continues it. Their gaps are then both zero only where one feature passes into the other. To hold both
// would move the bodies along each other to that place, and τ would grow from iteration to iteration with opposite
// signs. So contacts that are pulled, τ < 0, are released: from then on they only must not penetrate.
bool PositionProjection::release(std::vector<char>& equal) const {
  bool some = false;
  for (size_t i = 0; i < equal.size(); ++i)
    if (equal[i] && tau_[joint_rows_ + static_cast<int>(i)] < 0.0) equal[i] = false, some = true;
  return some;
}

void PositionProjection::laws(const ContactSet& set, const std::vector<char>& equal) {
  problem_.laws.clear();
  int row = 0;
  if (settings_.joints)
    for (const Constraint& joint : system_.joints())
      if (joint.position_level) {
        problem_.laws.push_back({Law::Kind::bilateral, row, joint.rows, 0.0});
        row += joint.rows;
      }
  for (size_t i = 0; i < set.size(); ++i)
    problem_.laws.push_back({!equal.empty() && equal[i] ? Law::Kind::bilateral : Law::Kind::contact, row++, 1, 0.0});
}

void PositionProjection::aim(Evaluator& evaluate, double t, const ContactSet& set, const std::vector<char>& equal,
                             const Vec& q) {
  evaluate.directions(q_fixed_ ? t_fixed_ : t, q_fixed_ ? *q_fixed_ : q, set, W_, chi_);
  position_rows(contacts_, set, settings_.joints, W_, G_);
  laws(set, equal);
}

void PositionProjection::pose(const ContactSet& set, const Vec& s) {
  problem_.c.resize(G_.rows());
  G_.multiply(s, problem_.c);
  int row = 0;
  if (settings_.joints)
    for (const Constraint& joint : system_.joints())
      if (joint.position_level)
        for (int r = 0; r < joint.rows; ++r, ++row) problem_.c[row] = joint_residuals_[joint.row + r] - problem_.c[row];
  for (int k : set) problem_.c[row] = gaps_[k] - problem_.c[row], ++row;
}

SolveReport PositionProjection::solve(const Inertia& metric, Vec& s) {
  problem_.G.assemble(metric, G_, Delassus::form_of(G_.rows()));
  tau_.assign(G_.rows(), 0.0);
  const InPhase phase(contacts_.execution(), Phase::solve);
  const SolveReport report = solver_.solve(problem_, tau_);
  s.set_zero();
  G_.multiply_transposed(tau_, s);
  metric.solve(s);
  return report;
}

bool PositionProjection::solve_without_joints(const Inertia& metric, bool again, Vec& s, SolveReport& report) {
  constexpr double good = 1e-12;  // of the refined solution; a larger residual is left to the contact solver
  const int contacts = G_.rows() - joint_rows_;
  if (joint_rows_ == 0 || Delassus::form_of(contacts) != Delassus::Form::dense) return false;
  const InPhase phase(contacts_.execution(), Phase::solve);
  const bool stays = dynamic_cast<const Identity*>(&metric) != nullptr;
  if (!again && (!joints_.respond(metric, G_, joints_with_rows_, stays) || !joints_.factor(G_))) return false;
  tau_.assign(G_.rows(), 0.0);
  const double e = joints_.solve(G_, problem_.c.span(0, joint_rows_), tau_);
  if (!(e <= good)) return false;
  report = {SolveStatus::converged, 1, e, 0, 1};
  if (contacts > 0) return solve_contacts(metric, again, s, report);
  std::copy(joints_.velocity().begin(), joints_.velocity().end(), s.begin());
  return true;
}

// s becomes that of the joints and contacts together.
bool PositionProjection::solve_contacts(const Inertia& metric, bool again, Vec& s, SolveReport& report) {
  if (!again && !held_.respond(joints_, metric, G_, G_, contact_problem_.G)) return false;
  const int rows = G_.rows() - joint_rows_;
  contact_problem_.c.resize(rows);
  for (int r = 0; r < rows; ++r)
    contact_problem_.c[r] = problem_.c[joint_rows_ + r] + rate(G_, joints_with_rows_ + r, 0, joints_.velocity());
  contact_problem_.laws.assign(problem_.laws.begin() + joints_with_rows_, problem_.laws.end());
  for (Law& law : contact_problem_.laws) law.row -= joint_rows_;
  contact_tau_.assign(rows, 0.0);
  const double e = report.residual;
  report = solver_.solve(contact_problem_, contact_tau_);
  if (report.status != SolveStatus::converged) return false;
  report.residual = std::max(report.residual, e);
  std::copy(joints_.velocity().begin(), joints_.velocity().end(), s.begin());
  held_.apply(contact_tau_, s, tau_);
  return true;
}

PositionProjection::Result PositionProjection::project(Evaluator& evaluate, double t, const Vec& q_free,
                                                       const Inertia& metric, ContactSet& set, bool may_grow,
                                                       std::vector<char>& equal, Vec& q, Vec& s) {
  constexpr double slow = 0.1;  // Newton's method leaves much less if the contacts can all be held
  Result result;
  double before = INFINITY;
  size_t aimed = 0;       // the number of contacts for which G was evaluated
  bool responds = false;  // whether the responses of joints and contacts to this G are known
  while (true) {
    evaluate.gaps(t, q, gaps_);
    if (joint_rows_ > 0) evaluate.joint_residuals(t, q, joint_residuals_);
    if (may_grow) add_contacts(gaps_, -settings_.tolerance, set);
    const double now = violation(set, equal);
    if (now <= std::max(settings_.tolerance, 4 * round_off_)) return result;
    if (result.iterations > 0 && now <= acceptable && now >= 0.5 * before) {
      round_off_ = now;
      return result;
    }
    if (result.iterations >= settings_.iterations || !std::isfinite(now)) {
      result.solve.status = SolveStatus::not_converged;
      result.solve.residual = std::max(result.solve.residual, now);
      return result;
    }
    const bool released = result.iterations > 1 && now > std::max(acceptable, slow * before) && release(equal);
    before = now;

    const bool same = q_fixed_ && result.iterations > 0 && aimed == set.size() && !released;
    if (!same) aim(evaluate, t, set, equal, q);
    pose(set, s);
    responds = solve_without_joints(metric, same && responds, s, result.solve);
    if (!responds) result.solve = solve(metric, s);
    aimed = set.size();
    system_.displace(q_free, s, q, contacts_.execution());
    result.changed = true;
    ++result.iterations;
  }
}

void PositionProjection::scatter(const ContactSet& set, Vec& tau_of_contacts) const {
  tau_of_contacts.assign(contacts_.size(), 0.0);
  for (size_t i = 0; i < set.size() && joint_rows_ + static_cast<int>(i) < tau_.size(); ++i)
    tau_of_contacts[set[i]] = tau_[joint_rows_ + static_cast<int>(i)];
}

}  // namespace tappet
