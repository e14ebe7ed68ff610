// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The contact law on velocity level with the joints eliminated.
#include <algorithm>
#include <cmath>

#include "steppers/shared/velocity_law.h"

namespace tappet {

// Poisson's law and those that propagate read the whole problem.
bool VelocityLaw::eliminates_joints(const ContactSet& set, const BlockMatrix& M) {
  if (system_.joint_rows() == 0) return false;
  if (set.empty()) return true;
  if (solver_->form(W.rows() - system_.joint_rows(), M.size()) != Delassus::Form::dense) return false;
  return impact_ == Impact::newton || !(propagation_ ? propagates(set) : rebounds(set));
}

std::optional<SolveReport> VelocityLaw::solve_without_joints(const ContactSet& set, const BlockMatrix& M,
                                                             const BlockRows& W_0, bool again, Vec& u) {
  constexpr double good = 1e-12;  // of the refined solution; a larger residual is left to the contact solver
  const InPhase phase(contacts_.execution(), Phase::solve);
  const int rows = system_.joint_rows();
  if (!again || responds_ != Responds::joints) {
    responds_ = Responds::none;
    if (!joints_.respond(M, W_0, static_cast<int>(system_.joints().size()))) return {};
  }
  responds_ = Responds::joints;
  if (!joints_.factor(W)) return {};
  rates_.resize(rows), P_.resize(W.rows());
  joints_.rates(W, u, rates_);
  for (int r = 0; r < rows; ++r) rates_[r] += chi[r];
  const double e = joints_.solve(W, rates_, P_);
  if (!(e <= good)) return {};
  if (!set.empty()) return solve_contacts(set, M, W_0, e, u);
  const Vec& change = joints_.velocity();
  for (int i = 0; i < u.size(); ++i) u[i] += change[i];
  // The impulses of contacts are kept: a scheme may try the joints alone several times before it adds the contacts.
  return SolveReport{SolveStatus::converged, 1, e, 0, 1};
}

// The problem of the contacts from the velocity u_held_, at which the joints hold.
void VelocityLaw::pose_contacts(const ContactSet& set, const Vec& u) {
  const int joints = static_cast<int>(system_.joints().size()), held = system_.joint_rows();
  const Vec& change = joints_.velocity();
  u_held_.resize(u.size());
  for (int i = 0; i < u.size(); ++i) u_held_[i] = u[i] + change[i];
  Vec& c = problem_.c;
  c.resize(W.rows() - held);
  for (int k = joints; k < W.blocks(); ++k)
    for (int r = 0; r < W.block(k).rows; ++r) {
      const int row = W.block(k).row + r;
      c[row - held] = rate(W, k, r, u_held_) + chi[row];
    }
  if (impact_ == Impact::newton && !gamma_before.empty()) {
    contacts_.restitution(set, e_);
    for (int r = held; r < e_.size(); ++r)
      if (e_[r] != 0.0) c[r - held] += e_[r] * gamma_before[r];
  }
  problem_.laws.clear();
  for (const auto& [k, contact, row] : contacts_.each(set))
    problem_.laws.push_back({Law::Kind::contact, row - held, contact.rows, contact.law->mu_law(), contact.balls});
}

// P_ holds the impulses of the joints without contacts, and e is the residual of their solution.
std::optional<SolveReport> VelocityLaw::solve_contacts(const ContactSet& set, const BlockMatrix& M,
                                                       const BlockRows& W_0, double e, Vec& u) {
  if (!held_.respond(joints_, M, W, W_0, problem_.G)) return {};
  pose_contacts(set, u);
  const int held = system_.joint_rows(), rows = problem_.c.size();
  last_.recall(contacts_, set, recalled_);
  P_contacts_.resize(rows);
  for (int r = 0; r < rows; ++r) P_contacts_[r] = recalled_[held + r];
  SolveReport report = solver_->solve(problem_, P_contacts_);
  if (report.status != SolveStatus::converged) return {};
  u = u_held_;
  held_.apply(P_contacts_, u, P_);
  last_.keep(contacts_, set, P_);
  report.residual = std::max(report.residual, e);
  return report;
}

}  // namespace tappet
