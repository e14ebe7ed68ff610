// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/contact_forces.h"

namespace tappet {

ContactForces::ContactForces(const ContactList& contacts, Evaluator& evaluate)
    : contacts_(contacts),
      system_(contacts.system()),
      evaluate_(evaluate),
      M_(system_.mass_matrix(contacts.execution())),
      a_(system_.u_size()) {
  const int rows = contacts.rows();
  for (Vec* v : {&chi_, &zeta_, &c_, &lambda_, &gamma_, &gamma_dot_, &x_, &unit_, &column_}) v->reserve(rows);
  rows_.reserve(rows), pushes_.reserve(rows), first_.reserve(contacts.size());
}

void ContactForces::evaluate(double t, const Vec& q, const Vec& u, const ContactSet& set,
                             const std::vector<ContactMode>& modes) {
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

  rows_.clear(), pushes_.clear(), first_.clear();
  for (int r = 0; r < system_.joint_rows(); ++r) rows_.push_back(r), pushes_.push_back(-1);
  for (const auto& [i, k, contact, row] : contacts_.numbered(set)) {
    const auto kind = modes[i].kind;
    first_.push_back(row);
    if (kind != ContactMode::Kind::open)
      rows_.push_back(row), pushes_.push_back(kind == ContactMode::Kind::slips ? i : -1);
    if (kind == ContactMode::Kind::sticks)
      for (int r = 1; r < contact.rows; ++r) rows_.push_back(row + r), pushes_.push_back(-1);
  }

  lambda_.assign(n, 0.0);
  gamma_dot_ = c_;
  const int m = static_cast<int>(rows_.size());
  if (m == 0) return;
  G_.assemble(M_, W_, Delassus::form_of(W_.rows()));
  const auto place = [&](int j, double value, Vec& all) {  // the forces that belong to unknown j
    all[rows_[j]] += value;
    if (const int i = pushes_[j]; i >= 0)
      for (int r = 1; r < contacts_[set[i]].rows; ++r)
        all[first_[i] + r] -= contacts_[set[i]].law->mu_law() * modes[i].d[r - 1] * value;
  };
  held_.resize(m, m), x_.resize(m), column_.resize(n);
  for (int j = 0; j < m; ++j) {
    unit_.assign(n, 0.0);
    place(j, 1.0, unit_);
    G_.multiply(unit_, column_);
    for (int i = 0; i < m; ++i) held_(i, j) = column_[rows_[i]];
    x_[j] = -c_[rows_[j]];
  }
  factors_.factor(m, held_.data());
  factors_.solve(x_.data());
  for (int j = 0; j < m; ++j) place(j, x_[j], lambda_);
  G_.multiply(lambda_, column_);
  for (int r = 0; r < n; ++r) gamma_dot_[r] += column_[r];
}

}  // namespace tappet
