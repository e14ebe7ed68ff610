// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/velocity_law.h"

#include "steppers/active_set.h"

namespace tappet {

VelocityLaw::VelocityLaw(const System& system, std::unique_ptr<ContactSolver> solver)
    : system_(system), solver_(std::move(solver)), P_last_(system.rows()), work_(system.u_size()) {
  const int rows = system.rows();
  chi.reserve(rows), gamma_before.reserve(rows), P_.reserve(rows), e_.reserve(rows);
  problem_.c.reserve(rows);
  problem_.laws.reserve(system.joints().size() + system.contacts().size());
}

void VelocityLaw::rates(const Vec& u, Vec& gamma) const {
  gamma.resize(W.rows());
  W.multiply(u, gamma);
  for (int r = 0; r < gamma.size(); ++r) gamma[r] += chi[r];
}

SolveReport VelocityLaw::solve(const ContactSet& set, const BlockMatrix& M, const BlockRows& W_0, Vec& u) {
  if (W.rows() == 0) {
    P_.resize(0);
    P_last_.set_zero();
    return {};
  }
  rates(u, problem_.c);
  if (!gamma_before.empty()) {
    system_.restitution(set, e_);
    for (int r = 0; r < e_.size(); ++r)
      if (e_[r] != 0.0) problem_.c[r] += e_[r] * gamma_before[r];
  }
  system_.laws(set, problem_.laws);
  problem_.G.assemble(M, W, W_0);
  gather_rows(system_, set, P_last_, P_);

  const SolveReport report = solver_->solve(problem_, P_);

  work_.set_zero();
  W_0.multiply_transposed(P_, work_);
  M.solve(work_);
  for (int i = 0; i < u.size(); ++i) u[i] += work_[i];
  scatter(set, P_last_);
  return report;
}

void VelocityLaw::scatter(const ContactSet& set, Vec& all) const { scatter_rows(system_, set, P_, all); }

}  // namespace tappet
