// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The contact law on velocity level with the joints eliminated.
#include <algorithm>
#include <cmath>

#include "math/wide/sums.h"
#include "steppers/shared/velocity_law.h"

namespace tappet {

// Poisson's law and those that propagate read the whole problem.
bool VelocityLaw::eliminates_joints(const ContactSet& set, const BlockMatrix& M) {
  if (system_.joint_rows() == 0) return false;
  if (set.empty()) return true;
  if (solver_->form(W.rows() - system_.joint_rows(), M.size()) != Delassus::Form::dense) return false;
  return impact_ == Impact::newton || !(propagation_ ? propagates(set) : rebounds(set));
}

std::optional<SolveReport> VelocityLaw::solve_without_joints(const ContactSet& set, const GivenInertia& M,
                                                             const BlockRows& W_0, bool again, Vec& u) {
  constexpr double good = 1e-12;  // of the refined solution; a larger residual is left to the contact solver
  const InPhase phase(contacts_.execution(), Phase::solve);
  const int rows = system_.joint_rows();
  if (!again || responds_ != Responds::joints) {
    responds_ = Responds::none;
    if (!joints_.respond(M.matrix, W_0, static_cast<int>(system_.joints().size()), M.stays)) return {};
  }
  responds_ = Responds::joints;
  if (!joints_.factor(W)) return {};
  rates_.resize(rows), P_.resize(W.rows());
  joints_.rates(W, u, chi, rates_);
  const double e = joints_.solve(W, rates_, P_);
  if (!(e <= good)) return {};
  if (!set.empty()) return solve_contacts(set, M.matrix, W_0, e, u);
  add(u.size(), u.data(), joints_.velocity().data(), u.data());
  // The impulses of contacts are kept: a scheme may try the joints alone several times before it adds the contacts.
  return SolveReport{SolveStatus::converged, 1, e, 0, 1};
}

// The problem of the contacts from the velocity u_held_, at which the joints hold.
void VelocityLaw::pose_contacts(const ContactSet& set, const Vec& u) {
  const int held = system_.joint_rows();
  const bool restores = impact_ == Impact::newton && !gamma_before.empty();
  u_held_.resize(u.size());
  add(u.size(), u.data(), joints_.velocity().data(), u_held_.data());
  problem_.c.resize(W.rows() - held);
  problem_.laws.clear();
  int block = static_cast<int>(system_.joints().size());
  for (const auto& [k, contact, row] : contacts_.each(set)) {
    const ContactLaw& law = *contact.law;
    for (int r = 0; r < contact.rows; ++r) {
      double& c = problem_.c[row + r - held];
      c = rate(W, block, r, u_held_) + chi[row + r];
      const double e = r == 0 ? law.e_N : law.e_F;
      if (restores && e != 0.0) c += e * gamma_before[row + r];
    }
    problem_.laws.push_back({Law::Kind::contact, row - held, contact.rows, law.mu_law(), contact.balls});
    ++block;
  }
}

// P_ holds the impulses of the joints without contacts, and e is the residual of their solution.
std::optional<SolveReport> VelocityLaw::solve_contacts(const ContactSet& set, const BlockMatrix& M,
                                                       const BlockRows& W_0, double e, Vec& u) {
  if (!held_.respond(joints_, M, W, W_0, problem_.G)) return {};
  pose_contacts(set, u);
  last_.recall(contacts_, set, P_contacts_, system_.joint_rows());
  SolveReport report = solver_->solve(problem_, P_contacts_);
  if (report.status != SolveStatus::converged) return {};
  std::swap(u, u_held_);
  held_.apply(P_contacts_, u, P_);
  last_.keep(contacts_, set, P_);
  report.residual = std::max(report.residual, e);
  return report;
}

}  // namespace tappet
