// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/impact_law.h"

#include <algorithm>

#include "steppers/shared/poisson_law.h"

namespace tappet {

ImpactLaw::Kind ImpactLaw::named(const std::string& name) {
  return name == "newton" ? Kind::newton : name == "printed" ? Kind::printed : Kind::poisson;
}

ImpactLaw::ImpactLaw(const ContactList& contacts, Evaluator& evaluate, PolyhedralLaw& law, Kind kind)
    : contacts_(contacts), system_(contacts.system()), evaluate_(evaluate), law_(law), kind_(kind) {
  P_.reserve(contacts.rows()), c_.reserve(contacts.rows()), restored_.reserve(contacts.rows());
  if (kind == Kind::newton) return;
  PoissonLaw::check(contacts);
}

SolveReport ImpactLaw::solve(double t, const Vec& q, const ContactSet& set, const Vec& e, Vec& u) {
  if (M_.size() == 0) M_ = system_.mass_matrix(contacts_.execution());  // where impacts occur at all
  evaluate_.mass(t, q, M_);
  M_.factor();
  evaluate_.directions(t, q, set, law_.W, law_.chi);
  return kind_ == Kind::newton ? newton(set, e, u) : poisson(set, e, u);
}

SolveReport ImpactLaw::poisson(const ContactSet& set, const Vec& e, Vec& u) {
  law_.rates(u, c_);
  const SolveReport compression = law_.solve(set, M_, c_);  // (7.6)
  P_ = law_.P();
  law_.add_velocity(M_, P_, u);

  restored_.assign(P_.size(), 0.0);
  bool restores = false;
  int row = system_.joint_rows();
  for (int k : set) {
    restored_[row] = e[k] * P_[row];  // (7.8)
    restores |= restored_[row] > 0.0;
    row += contacts_[k].rows;
  }
  if (!restores) return compression;
  law_.add_velocity(M_, restored_, u);
  law_.rates(u, c_);
  const SolveReport decompression =  // (7.9)
      kind_ == Kind::printed ? law_.solve(set, M_, c_) : law_.solve(set, M_, c_, restored_);
  law_.add_velocity(M_, law_.P(), u);
  for (int r = 0; r < P_.size(); ++r) P_[r] += restored_[r] + law_.P()[r];
  return worse(compression, decompression);
}

SolveReport ImpactLaw::newton(const ContactSet& set, const Vec& e, Vec& u) {
  law_.rates(u, c_);
  int row = system_.joint_rows();
  for (int k : set) {
    const Contact& contact = contacts_[k];
    for (int r = 1; r < contact.rows; ++r) c_[row + r] += contact.law->e_F * c_[row + r];
    if (c_[row] < 0.0) c_[row] += e[k] * c_[row];
    row += contact.rows;
  }
  const SolveReport report = law_.solve(set, M_, c_);
  P_ = law_.P();
  law_.add_velocity(M_, P_, u);
  return report;
}

}  // namespace tappet
