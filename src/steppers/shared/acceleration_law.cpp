// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/acceleration_law.h"

#include <algorithm>

namespace tappet {

AccelerationLaw::AccelerationLaw(const ContactList& contacts) : contacts_(contacts) {
  const int rows = contacts.rows();
  rows_.reserve(rows), slips_.reserve(rows);
  problem_.laws.reserve(contacts.system().joints().size() + contacts.size());
  for (Vec* v : {&x, &column_, &problem_.c}) v->reserve(rows);
}

void AccelerationLaw::set_modes(const ContactSet& set, const std::vector<ContactMode>& modes) {
  rows_.clear(), slips_.clear(), problem_.laws.clear();
  const auto take = [&](int first, int count) {
    for (int r = first; r < first + count; ++r) rows_.push_back(r), slips_.push_back({});
  };
  for (const Constraint& joint : contacts_.system().joints()) {
    problem_.laws.push_back({Law::Kind::bilateral, size(), joint.rows, 0.0});
    take(joint.row, joint.rows);
  }
  for (const auto& [i, k, contact, row] : contacts_.numbered(set)) {
    if (modes[i].kind == ContactMode::Kind::open) continue;
    const bool slips = modes[i].kind == ContactMode::Kind::slips;
    const double mu = contact.law->mu_law();
    problem_.laws.push_back({Law::Kind::contact, size(), slips ? 1 : contact.rows, slips ? 0.0 : mu});
    take(row, slips ? 1 : contact.rows);
    if (slips) slips_.back() = {contact.rows - 1, mu, modes[i].d};
  }
}

void AccelerationLaw::start_from(const Vec& lambda) {
  x.resize(size());
  for (int j = 0; j < size(); ++j) x[j] = lambda[rows_[j]];
}

SolveReport AccelerationLaw::solve(ContactSolver& solver) { return solver.solve(problem_, x); }

void AccelerationLaw::hold() {
  x.resize(size());
  for (int j = 0; j < size(); ++j) x[j] = -problem_.c[j];
  factors_.factor(size(), problem_.G.dense().data());
  factors_.solve(x.data());
}

void AccelerationLaw::expand(Vec& lambda) const {
  lambda.set_zero();
  for (int j = 0; j < size(); ++j) {
    lambda[rows_[j]] = x[j];
    const auto& [rows, mu, d] = slips_[j];
    for (int f = 0; f < rows; ++f) lambda[rows_[j] + 1 + f] = -mu * x[j] * d[f];
  }
}

SolveReport AccelerationLaw::solve(const ContactSet& set, const std::vector<ContactMode>& modes, const Mat& G,
                                   const Vec& c, ContactSolver& solver, Vec& lambda) {
  set_modes(set, modes);
  start_from(lambda);
  SolveReport report;
  if (size() > 0) {
    pose(c, [&](int j, Vec& accelerations) {
      std::copy_n(G.column(rows_[j]), G.rows(), accelerations.begin());
      friction_of(j, [&](int row, double force) {
        for (int i = 0; i < G.rows(); ++i) accelerations[i] += force * G(i, row);
      });
    });
    report = solve(solver);
  }
  expand(lambda);
  return report;
}

}  // namespace tappet
