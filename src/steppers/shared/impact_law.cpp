// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/impact_law.h"

#include <algorithm>

#include "steppers/shared/poisson_law.h"

namespace tappet {

namespace {

ImpactLaw::Kind kind_named(const std::string& name) {
  if (Propagation::named(name)) return ImpactLaw::Kind::propagating;
  return name == "newton"    ? ImpactLaw::Kind::newton
         : name == "printed" ? ImpactLaw::Kind::printed
                             : ImpactLaw::Kind::poisson;
}

}  // namespace

ImpactLaw::ImpactLaw(const ContactList& contacts, Evaluator& evaluate, PolyhedralLaw& law, const std::string& name)
    : contacts_(contacts), system_(contacts.system()), evaluate_(evaluate), law_(law), kind_(kind_named(name)) {
  P_.reserve(contacts.rows()), c_.reserve(contacts.rows()), restored_.reserve(contacts.rows());
  if (kind_ == Kind::propagating) {
    Propagation::check(system_, name);
    propagation_.emplace(*Propagation::named(name));
  } else if (kind_ != Kind::newton) {
    PoissonLaw::check(contacts);
  }
}

SolveReport ImpactLaw::solve(double t, const Vec& q, const ContactSet& set, const Vec& e, Vec& u) {
  if (M_.size() == 0) M_ = system_.mass_matrix(contacts_.execution());  // where impacts occur at all
  evaluate_.mass(t, q, M_);
  M_.factor();
  evaluate_.directions(t, q, set, law_.W, law_.chi);
  if (kind_ == Kind::propagating) return propagate(set, e, u);
  return kind_ == Kind::newton ? newton(set, e, u) : poisson(set, e, u);
}

SolveReport ImpactLaw::propagate(const ContactSet& set, const Vec& e, Vec& u) {
  contacts_.laws(set, problem_.laws);
  problem_.G.assemble(M_, law_.W, Delassus::form_of(law_.W.rows()));
  law_.rates(u, problem_.c);
  e_.assign(problem_.c.size(), 0.0);
  stiffness_.assign(static_cast<int>(set.size()), 1.0);
  for (const auto& [k, contact, row] : contacts_.each(set))  // a contact at rest restores what reaches it
    e_[row] = problem_.c[row] < 0.0 ? e[k] : contact.law->e_N;
  const SolveReport impact = propagation_->solve(problem_, problem_.c, e_, stiffness_, P_);
  law_.add_velocity(M_, P_, u);
  law_.rates(u, c_);
  const SolveReport rest = law_.solve(set, M_, c_);
  law_.add_velocity(M_, law_.P(), u);
  for (int r = 0; r < P_.size(); ++r) P_[r] += law_.P()[r];
  return worse(impact, rest);
}

SolveReport ImpactLaw::poisson(const ContactSet& set, const Vec& e, Vec& u) {
  law_.rates(u, c_);
  const SolveReport compression = law_.solve(set, M_, c_);  // (7.6)
  P_ = law_.P();
  law_.add_velocity(M_, P_, u);

  restored_.assign(P_.size(), 0.0);
  bool restores = false;
  for (const auto& [k, contact, row] : contacts_.each(set)) {
    restored_[row] = e[k] * P_[row];  // (7.8)
    restores |= restored_[row] > 0.0;
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
  for (const auto& [k, contact, row] : contacts_.each(set)) {
    for (int r = 1; r < contact.rows; ++r) c_[row + r] += contact.law->e_F * c_[row + r];
    if (c_[row] < 0.0) c_[row] += e[k] * c_[row];
  }
  const SolveReport report = law_.solve(set, M_, c_);
  P_ = law_.P();
  law_.add_velocity(M_, P_, u);
  return report;
}

}  // namespace tappet
