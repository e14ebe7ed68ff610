// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/levels.h"

#include <algorithm>
#include <cmath>

namespace tappet::alpha {

Levels::Levels(const ContactList& contacts, std::unique_ptr<ContactSolver> solver)
    : contacts_(contacts), system_(contacts.system()), solver_(std::move(solver)), forces_(contacts, solver_.get()) {}

void Levels::begin(const Balance& at, const Response& response, const StepLaw& law) {
  const int size = response.size();
  kinematics_.resize(size), dz_.assign(size, 0.0);
  for (int p = 0; p < at.positions; ++p) kinematics_[p] = at.g[p];
  xi_offset_.resize(at.rows);
  for (int i = 0; i < at.rows; ++i) {
    kinematics_[Response::Lambda(at, i)] = law.xi[i];
    kinematics_[Response::lambda(at, i)] = at.gamma_dot[i];
    xi_offset_[i] = law.xi[i] - at.gamma[i];
  }
  for (int k = 0; k < size; ++k) kinematics_[k] += response.offset[k];
  kappa_.resize(at.rows), P_.resize(at.rows), lambda_.resize(at.rows);
  for (int i = 0; i < at.rows; ++i) kappa_[i] = law.kappa_hat[i], P_[i] = law.P[i], lambda_[i] = at.lambda[i];
  in_A_.assign(at.involved.size(), 0), in_B_.assign(at.involved.size(), 0);
  mode_.assign(at.involved.size(), Forces::Mode::none);
  direction_.assign(3 * static_cast<int>(at.involved.size()), 0.0);
}

// Changes κ̂ (level 0), P (1) or λ (2) of a row, with the other two of (κ̂, P, λ) held fixed.
void Levels::change(const Balance& at, const Start& start, const Response& response, int level, int row, double by) {
  if (by == 0.0) return;
  const auto apply = [&](int z, double amount) {
    const double* column = response.H.column(z);
    for (int k = 0; k < response.size(); ++k) kinematics_[k] += column[k] * amount;
    dz_[z] += amount;
  };
  if (level == 0) {
    kappa_[row] += by;
    apply(Response::kappa(at, row), by);
  } else if (level == 1) {
    P_[row] += by;
    apply(Response::Lambda(at, row), by);
  } else {
    lambda_[row] += by;
    apply(Response::lambda(at, row), by);
    apply(Response::Lambda(at, row), -start.weight.velocity_1 * by);
    if (at.position[row] >= 0) apply(Response::kappa(at, row), -start.weight.position_1 * by);
  }
}

bool Levels::solve(const Balance& at, const Start& start, const Response& response, const StepLaw& law, Vec& dz) {
  constexpr int sweeps = 3;
  begin(at, response, law);
  bool fine = true;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    fine = positions(at, start, response) && velocities(at, start, response, law) && accelerations(at, start, response);
  dz = dz_;
  return fine;
}

bool Levels::positions(const Balance& at, const Start& start, const Response& response) {
  const int size = at.positions;
  problem_.laws.clear();
  Mat& G = problem_.G.dense(size);
  problem_.c.resize(size), unknown_.resize(size);
  for (int i = 0; i < at.rows; ++i) {
    const int p = at.position[i];
    if (p < 0) continue;
    const bool joint = at.row[i] < system_.joint_rows();
    problem_.laws.push_back({joint ? Law::Kind::bilateral : Law::Kind::contact, p, 1, 0.0});
    unknown_[p] = kappa_[i];
  }
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) G(i, j) = response.H(i, j);
  for (int p = 0; p < size; ++p) problem_.c[p] = kinematics_[p];
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) problem_.c[i] -= G(i, j) * unknown_[j];
  const SolveReport report = size > 0 ? solver_->solve(problem_, unknown_) : SolveReport{};
  for (int i = 0; i < at.rows; ++i)
    if (at.position[i] >= 0) change(at, start, response, 0, i, unknown_[at.position[i]] - kappa_[i]);
  for (const auto& [c, k, contact, i] : contacts_.numbered(at.involved))
    in_A_[c] = kappa_[i] > 0.0 || kinematics_[at.position[i]] <= 0.0;  // (130)
  return report.status == SolveStatus::converged;
}

bool Levels::velocities(const Balance& at, const Start& start, const Response& response, const StepLaw& law) {
  rows_.clear();
  problem_.laws.clear();
  for (const Constraint& joint : system_.joints()) {
    problem_.laws.push_back({Law::Kind::bilateral, static_cast<int>(rows_.size()), joint.rows, 0.0});
    for (int i = 0; i < joint.rows; ++i) rows_.push_back(joint.row + i);
  }
  for (const auto& [c, k, contact, first] : contacts_.numbered(at.involved)) {
    if (in_A_[c])
      problem_.laws.push_back(
          {Law::Kind::contact, static_cast<int>(rows_.size()), contact.rows, contact.law->mu_law()});
    for (int row = first; row < first + contact.rows; ++row)
      if (in_A_[c])
        rows_.push_back(row);
      else
        change(at, start, response, 1, row, -P_[row]);
  }
  const int size = static_cast<int>(rows_.size());
  Mat& G = problem_.G.dense(size);
  problem_.c.resize(size), unknown_.resize(size);
  for (int j = 0; j < size; ++j) {
    unknown_[j] = P_[rows_[j]];
    problem_.c[j] = kinematics_[Response::Lambda(at, rows_[j])];
  }
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) {
      G(i, j) = response.H(Response::Lambda(at, rows_[i]), Response::Lambda(at, rows_[j]));
      problem_.c[i] -= G(i, j) * unknown_[j];
    }
  const SolveReport report = size > 0 ? solver_->solve(problem_, unknown_) : SolveReport{};
  for (int j = 0; j < size; ++j) change(at, start, response, 1, rows_[j], unknown_[j] - P_[rows_[j]]);
  close(at, response, law);
  return report.status == SolveStatus::converged;
}

// Determines which contacts carry forces, and which of them slide and in which direction.
void Levels::close(const Balance& at, const Response& response, const StepLaw& law) {
  for (const auto& [c, k, contact, i] : contacts_.numbered(at.involved)) {
    const int n = contact.rows - 1;
    const double xi_N = kinematics_[Response::Lambda(at, i)];
    in_B_[c] = in_A_[c] && (response.r[contact.row] * xi_N - P_[i] <= 0.0 || P_[i] > 0.0);  // (133)
    mode_[c] = in_B_[c] && !law.rebounds(k) ? Forces::Mode::stick : Forces::Mode::none;
    if (mode_[c] != Forces::Mode::none && n > 0) {
      double s = 0.0, speed = 0.0;
      for (int f = 0; f < n; ++f) {
        const double xi = kinematics_[Response::Lambda(at, i + 1 + f)], gamma = xi - xi_offset_[i + 1 + f];
        s += std::pow(response.r[contact.row + 1] * xi - P_[i + 1 + f], 2);
        speed += gamma * gamma;
        direction_[3 * c + f] = gamma;
      }
      speed = std::sqrt(speed);
      if (std::sqrt(s) > contact.law->mu_law() * P_[i] * (1 + 1e-10) && speed > 0.0) {  // (139)
        mode_[c] = Forces::Mode::slip;
        for (int f = 0; f < n; ++f) direction_[3 * c + f] /= speed;
      }
    }
  }
}

bool Levels::accelerations(const Balance& at, const Start& start, const Response& response) {
  const int m = at.rows;
  G_.resize(m, m), c_.resize(m), unknown_.resize(m);
  for (int j = 0; j < m; ++j) unknown_[j] = lambda_[j];
  for (int i = 0; i < m; ++i) c_[i] = kinematics_[Response::lambda(at, i)];
  for (int j = 0; j < m; ++j) {
    const double* by_lambda = response.H.column(Response::lambda(at, j));
    const double* by_Lambda = response.H.column(Response::Lambda(at, j));
    const double* by_kappa = at.position[j] >= 0 ? response.H.column(Response::kappa(at, j)) : nullptr;
    for (int i = 0; i < m; ++i) {
      const int k = Response::lambda(at, i);
      G_(i, j) = by_lambda[k] - start.weight.velocity_1 * by_Lambda[k] -
                 (by_kappa ? start.weight.position_1 * by_kappa[k] : 0.0);
      c_[i] -= G_(i, j) * lambda_[j];
    }
  }
  const SolveReport report = forces_.solve(at.involved, mode_, direction_, G_, c_, unknown_);
  for (int i = 0; i < m; ++i) change(at, start, response, 2, i, unknown_[i] - lambda_[i]);
  return report.status == SolveStatus::converged;
}

}  // namespace tappet::alpha
