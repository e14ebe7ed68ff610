// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/forces.h"

namespace tappet::alpha {

Forces::Forces(const ContactList& contacts, ContactSolver* solver)
    : contacts_(contacts), system_(contacts.system()), solver_(solver) {}

SolveReport Forces::solve(const ContactSet& set, const std::vector<Mode>& mode, const Vec& direction, const Mat& G,
                          const Vec& c, Vec& lambda) {
  first_.clear(), along_.clear(), friction_.clear();
  problem_.laws.clear();
  const auto take = [&](int row, int along, int friction) {
    first_.push_back(row), along_.push_back(along), friction_.push_back(friction);
  };
  for (const Constraint& joint : system_.joints()) {
    problem_.laws.push_back({Law::Kind::bilateral, static_cast<int>(first_.size()), joint.rows, 0.0});
    for (int i = 0; i < joint.rows; ++i) take(joint.row + i, -1, 0);
  }
  for (const auto& [k, index, contact, row] : contacts_.numbered(set)) {
    const double mu = contact.law->mu_law();
    const bool slides = mode[k] == Mode::slip;
    if (mode[k] != Mode::none) {
      problem_.laws.push_back(
          {Law::Kind::contact, static_cast<int>(first_.size()), slides ? 1 : contact.rows, slides ? 0.0 : mu});
      take(row, slides ? k : -1, contact.rows - 1);
      for (int i = 1; !slides && i < contact.rows; ++i) take(row + i, -1, 0);
    }
    for (int i = 0; mode[k] == Mode::none && i < contact.rows; ++i) lambda[row + i] = 0.0;
  }
  const int size = static_cast<int>(first_.size());
  if (size == 0) return {};
  const auto mu_of = [&](int j) { return contacts_[set[along_[j]]].law->mu_law(); };
  Mat& reduced = problem_.G.dense(size);
  problem_.c.resize(size), lambda_.resize(size);
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      reduced(i, j) = G(first_[i], first_[j]);
      if (along_[j] < 0) continue;
      for (int f = 0; f < friction_[j]; ++f)
        reduced(i, j) -= mu_of(j) * direction[3 * along_[j] + f] * G(first_[i], first_[j] + 1 + f);
    }
    problem_.c[j] = c[first_[j]];
    lambda_[j] = lambda[first_[j]];
  }
  const SolveReport report = solver_->solve(problem_, lambda_);
  for (int j = 0; j < size; ++j) {
    lambda[first_[j]] = lambda_[j];
    for (int f = 0; along_[j] >= 0 && f < friction_[j]; ++f)
      lambda[first_[j] + 1 + f] = -mu_of(j) * lambda_[j] * direction[3 * along_[j] + f];
  }
  return report;
}

}  // namespace tappet::alpha
