// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/levels.h"

#include <algorithm>
#include <cmath>

namespace tappet::alpha {

void LevelVariables::begin(const Trial& trial) {
  trial_ = &trial;
  const auto& [at, start, response, law] = trial;
  const int size = response.size();
  kinematics.resize(size), dz.assign(size, 0.0);
  for (int p = 0; p < at.positions; ++p) kinematics[p] = at.g[p];
  xi_offset_.resize(at.rows);
  for (int i = 0; i < at.rows; ++i) {
    kinematics[Response::Lambda(at, i)] = law.xi[i];
    kinematics[Response::lambda(at, i)] = at.gamma_dot[i];
    xi_offset_[i] = law.xi[i] - at.gamma[i];
  }
  for (int k = 0; k < size; ++k) kinematics[k] += response.offset[k];
  kappa.resize(at.rows), P.resize(at.rows), lambda.resize(at.rows);
  for (int i = 0; i < at.rows; ++i) kappa[i] = law.kappa_hat[i], P[i] = law.P[i], lambda[i] = at.lambda[i];
  in_A.assign(at.involved.size(), 0), in_B.assign(at.involved.size(), 0);
  modes.assign(at.involved.size(), {});
}

void LevelVariables::change(Level level, int row, double by) {
  if (by == 0.0) return;
  const auto& [at, start, response, law] = *trial_;
  const auto apply = [&, &response = response](int z, double amount) {
    const double* column = response.H.column(z);
    for (int k = 0; k < response.size(); ++k) kinematics[k] += column[k] * amount;
    dz[z] += amount;
  };
  if (level == position) {
    kappa[row] += by;
    apply(Response::kappa(at, row), by);
  } else if (level == velocity) {
    P[row] += by;
    apply(Response::Lambda(at, row), by);
  } else {
    lambda[row] += by;
    apply(Response::lambda(at, row), by);
    apply(Response::Lambda(at, row), -start.weight.velocity_1 * by);
    if (at.position[row] >= 0) apply(Response::kappa(at, row), -start.weight.position_1 * by);
  }
}

double LevelVariables::kinematic(Level level, int row) const {
  const Balance& at = trial_->at;
  return kinematics[level == position   ? at.position[row]
                    : level == velocity ? Response::Lambda(at, row)
                                        : Response::lambda(at, row)];
}

void LevelVariables::take_A() {
  for (const auto& [c, k, contact, i] : contacts_.numbered(trial_->at.involved))
    in_A[c] = kappa[i] > 0.0 || kinematic(position, i) <= 0.0;
}

void LevelVariables::close() {
  const auto& [at, start, response, law] = *trial_;
  for (const auto& [c, k, contact, i] : contacts_.numbered(at.involved)) {
    const int n = contact.rows - 1;
    in_B[c] = in_A[c] && (response.r[contact.row] * kinematic(velocity, i) - P[i] <= 0.0 || P[i] > 0.0);  // (133)
    ContactMode& mode = modes[c];
    mode.kind = in_B[c] && !law.rebounds(k) ? ContactMode::Kind::sticks : ContactMode::Kind::open;
    if (mode.kind == ContactMode::Kind::open || n == 0) continue;
    double s = 0.0, speed = 0.0;
    for (int f = 0; f < n; ++f) {
      const double xi = kinematic(velocity, i + 1 + f), gamma = xi - xi_offset_[i + 1 + f];
      s += std::pow(response.r[contact.row + 1] * xi - P[i + 1 + f], 2);
      speed += gamma * gamma;
      mode.d[f] = gamma;
    }
    speed = std::sqrt(speed);
    if (!(std::sqrt(s) > contact.law->mu_law() * P[i] * (1 + 1e-10) && speed > 0.0)) continue;  // (139)
    mode.kind = ContactMode::Kind::slips;
    for (int f = 0; f < n; ++f) mode.d[f] /= speed;
  }
}

Levels::Levels(const ContactList& contacts, ContactSolver* solver)
    : contacts_(contacts), system_(contacts.system()), solver_(solver), at_levels_(contacts), law_(contacts) {}

bool Levels::solve(const Trial& trial, Vec& dz) {
  constexpr int sweeps = 3;
  at_levels_.begin(trial);
  bool fine = true;
  for (int sweep = 0; sweep < sweeps; ++sweep) fine = positions(trial) && velocities(trial) && accelerations(trial);
  dz = at_levels_.dz;
  return fine;
}

bool Levels::positions(const Trial& trial) {
  const Balance& at = trial.at;
  const int size = at.positions;
  problem_.laws.clear();
  Mat& G = problem_.G.dense(size);
  problem_.c.resize(size), unknown_.resize(size);
  for (int i = 0; i < at.rows; ++i) {
    const int p = at.position[i];
    if (p < 0) continue;
    const bool joint = at.row[i] < system_.joint_rows();
    problem_.laws.push_back({joint ? Law::Kind::bilateral : Law::Kind::contact, p, 1, 0.0});
    unknown_[p] = at_levels_.kappa[i];
  }
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) G(i, j) = trial.response.H(i, j);
  for (int p = 0; p < size; ++p) problem_.c[p] = at_levels_.kinematics[p];
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) problem_.c[i] -= G(i, j) * unknown_[j];
  const SolveReport report = solve_problem();
  for (int i = 0; i < at.rows; ++i)
    if (const int p = at.position[i]; p >= 0)
      at_levels_.change(LevelVariables::position, i, unknown_[p] - at_levels_.kappa[i]);
  at_levels_.take_A();
  return report.status == SolveStatus::converged;
}

// The rows of the problem of velocities. Contacts that are open on the level of positions lose their impulses.
void Levels::choose_velocity_rows(const Trial& trial) {
  rows_.clear();
  problem_.laws.clear();
  for (const Constraint& joint : system_.joints()) {
    problem_.laws.push_back({Law::Kind::bilateral, static_cast<int>(rows_.size()), joint.rows, 0.0});
    for (int i = 0; i < joint.rows; ++i) rows_.push_back(joint.row + i);
  }
  for (const auto& [c, k, contact, first] : contacts_.numbered(trial.at.involved)) {
    if (at_levels_.in_A[c])
      problem_.laws.push_back(
          {Law::Kind::contact, static_cast<int>(rows_.size()), contact.rows, contact.law->mu_law()});
    for (int row = first; row < first + contact.rows; ++row)
      if (at_levels_.in_A[c])
        rows_.push_back(row);
      else
        at_levels_.change(LevelVariables::velocity, row, -at_levels_.P[row]);
  }
}

bool Levels::velocities(const Trial& trial) {
  const Balance& at = trial.at;
  choose_velocity_rows(trial);
  const int size = static_cast<int>(rows_.size());
  Mat& G = problem_.G.dense(size);
  problem_.c.resize(size), unknown_.resize(size);
  for (int j = 0; j < size; ++j) {
    unknown_[j] = at_levels_.P[rows_[j]];
    problem_.c[j] = at_levels_.kinematic(LevelVariables::velocity, rows_[j]);
  }
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) {
      G(i, j) = trial.response.H(Response::Lambda(at, rows_[i]), Response::Lambda(at, rows_[j]));
      problem_.c[i] -= G(i, j) * unknown_[j];
    }
  const SolveReport report = solve_problem();
  for (int j = 0; j < size; ++j)
    at_levels_.change(LevelVariables::velocity, rows_[j], unknown_[j] - at_levels_.P[rows_[j]]);
  at_levels_.close();
  return report.status == SolveStatus::converged;
}

// ∂γ̇/∂λ with κ̂ and P held, then the contact law on acceleration level.
bool Levels::accelerations(const Trial& trial) {
  const auto& [at, start, response, law] = trial;
  const int m = at.rows;
  G_.resize(m, m), c_.resize(m);
  for (int i = 0; i < m; ++i) c_[i] = at_levels_.kinematic(LevelVariables::acceleration, i);
  for (int j = 0; j < m; ++j) {
    const double* by_lambda = response.H.column(Response::lambda(at, j));
    const double* by_Lambda = response.H.column(Response::Lambda(at, j));
    const double* by_kappa = at.position[j] >= 0 ? response.H.column(Response::kappa(at, j)) : nullptr;
    for (int i = 0; i < m; ++i) {
      const int k = Response::lambda(at, i);
      G_(i, j) = by_lambda[k] - start.weight.velocity_1 * by_Lambda[k] -
                 (by_kappa ? start.weight.position_1 * by_kappa[k] : 0.0);
      c_[i] -= G_(i, j) * at_levels_.lambda[j];
    }
  }
  unknown_ = at_levels_.lambda;
  const SolveReport report = law_.solve(at.involved, at_levels_.modes, G_, c_, *solver_, unknown_);
  for (int i = 0; i < m; ++i) at_levels_.change(LevelVariables::acceleration, i, unknown_[i] - at_levels_.lambda[i]);
  return report.status == SolveStatus::converged;
}

void FixedPoint::solve(const Trial& trial, int iterations, Vec& dz) {
  constexpr double still = 1e-13;
  at_levels_.begin(trial);
  for (int iteration = 0; iteration < iterations; ++iteration)
    if (sweep(trial) < still) break;
  dz = at_levels_.dz;
}

double FixedPoint::sweep(const Trial& trial) {
  const Balance& at = trial.at;
  moved_ = 0.0;
  for (int i = 0; i < at.system.joint_rows(); ++i)
    for (const Level level : {Level::position, Level::velocity, Level::acceleration}) {
      if (level == Level::position && at.position[i] < 0) continue;
      const double r = trial.response.r[at.row[i]];
      update(trial, level, i, at_levels_.of(level)[i] - r * at_levels_.kinematic(level, i));
    }
  for (const auto& [c, k, contact, i] : contacts_.numbered(at.involved)) this->contact(trial, contact, c, i);
  return moved_;
}

void FixedPoint::contact(const Trial& trial, const Contact& contact, int c, int i) {
  LevelVariables& x = at_levels_;
  const int n = contact.rows - 1;
  const double r = trial.response.r[contact.row], mu = contact.law->mu_law();
  const auto moved = [&](Level level) { return std::max(x.of(level)[i] - r * x.kinematic(level, i), 0.0); };
  update(trial, Level::position, i, moved(Level::position));  // (128)
  x.in_A[c] = x.kappa[i] > 0.0 || x.kinematic(Level::position, i) <= 0.0;
  update(trial, Level::velocity, i, x.in_A[c] ? moved(Level::velocity) : 0.0);  // (131)
  if (n > 0) project(trial, Level::velocity, contact, i, mu * x.P[i]);          // (137)
  x.close();
  const ContactMode& mode = x.modes[c];
  const bool open = mode.kind == ContactMode::Kind::open;
  update(trial, Level::acceleration, i, open ? 0.0 : moved(Level::acceleration));  // (134)
  if (mode.kind == ContactMode::Kind::slips)
    for (int f = 0; f < n; ++f) update(trial, Level::acceleration, i + 1 + f, -mu * x.lambda[i] * mode.d[f]);  // (140)
  else if (n > 0)
    project(trial, Level::acceleration, contact, i, mu * x.lambda[i]);
}

// Friction on the disc with this radius.
void FixedPoint::project(const Trial& trial, Level level, const Contact& contact, int i, double bound) {
  const int n = contact.rows - 1;
  double s[3], length = 0.0;
  for (int f = 0; f < n; ++f) {
    s[f] = at_levels_.of(level)[i + 1 + f] - trial.response.r[contact.row + 1] * at_levels_.kinematic(level, i + 1 + f);
    length += s[f] * s[f];
  }
  length = std::sqrt(length);
  for (int f = 0; f < n; ++f) update(trial, level, i + 1 + f, length > bound ? s[f] * bound / length : s[f]);
}

void FixedPoint::update(const Trial& trial, Level level, int row, double value) {
  const double by = value - at_levels_.of(level)[row], dt = trial.start.weight.dt;
  const double unit = level == Level::position ? dt * dt : level == Level::velocity ? dt : 1.0;
  moved_ = std::max(moved_, std::abs(by) / (trial.response.r[trial.at.row[row]] * unit));
  at_levels_.change(level, row, by);
}

}  // namespace tappet::alpha
