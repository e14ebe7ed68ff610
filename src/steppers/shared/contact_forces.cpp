// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/contact_forces.h"

namespace tappet {

ContactForces::ContactForces(const ContactList& contacts, Evaluator& evaluate)
    : evaluate_(evaluate),
      law_(contacts),
      M_(contacts.system().mass_matrix(contacts.execution())),
      a_(contacts.system().u_size()) {
  const int rows = contacts.rows();
  for (Vec* v : {&chi_, &zeta_, &c_, &lambda_, &gamma_, &gamma_dot_, &unit_, &column_}) v->reserve(rows);
}

// M⁻¹h, γ, and c = Wᵀ M⁻¹ h + ζ, which are the accelerations of the rows without forces.
void ContactForces::evaluate_without_forces(double t, const Vec& q, const Vec& u, const ContactSet& set) {
  evaluate_.mass_and_forces(t, q, u, M_, a_);
  M_.factor();
  M_.solve(a_);
  evaluate_.directions(t, q, set, W_, chi_);
  evaluate_.accelerations(t, q, u, set, zeta_);
  const int n = W_.rows();
  c_.resize(n), gamma_.resize(n);
  W_.multiply(a_, c_);
  W_.multiply(u, gamma_);
  for (int r = 0; r < n; ++r) c_[r] += zeta_[r], gamma_[r] += chi_[r];
}

void ContactForces::evaluate(double t, const Vec& q, const Vec& u, const ContactSet& set,
                             const std::vector<ContactMode>& modes) {
  evaluate_without_forces(t, q, u, set);
  const int n = W_.rows();
  lambda_.assign(n, 0.0);
  gamma_dot_ = c_;
  law_.set_modes(set, modes);
  if (law_.size() == 0) return;
  G_.assemble(M_, W_, Delassus::form_of(n));
  law_.pose(c_, [&](int j, Vec& accelerations) {
    unit_.assign(n, 0.0);
    unit_[law_.row(j)] = 1.0;
    law_.friction_of(j, [&](int row, double force) { unit_[row] = force; });
    G_.multiply(unit_, accelerations);
  });
  law_.hold();
  law_.expand(lambda_);
  column_.resize(n);
  G_.multiply(lambda_, column_);
  for (int r = 0; r < n; ++r) gamma_dot_[r] += column_[r];
}

}  // namespace tappet
