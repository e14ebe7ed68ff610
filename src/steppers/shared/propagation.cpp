// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/propagation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {
constexpr double negligible = 1e-12;  // relative to the largest approach velocity
}

std::optional<Propagation::Kind> Propagation::named(std::string_view name) {
  if (name == "sequential") return Kind::sequential;
  if (name == "energetic") return Kind::energetic;
  if (name == "energetic-hertz") return Kind::hertz;
  return {};
}

void Propagation::check(const System& system, std::string_view name) {
  for (const Contact& contact : system.named_contacts())
    if (contact.details && (contact.law->mu_law() > 0.0 || contact.law->e_F != 0.0))
      throw ModelError(system.model().file, contact.place(), "contacts." + contact.name(),
                       fmt::format("mu = {}, e_F = {}, but the impact law '{}' has no friction; expected mu = 0 and "
                                   "e_F = 0, or the option impact=newton or impact=poisson",
                                   contact.law->mu_law(), contact.law->e_F, name));
  for (const auto& collider : system.model().colliders)
    if (collider.law.mu_law() > 0.0 || collider.law.e_F != 0.0)
      throw ModelError(system.model().file, collider.place, "colliders." + collider.name,
                       fmt::format("mu = {}, e_F = {}, but the impact law '{}' has no friction; expected mu = 0 and "
                                   "e_F = 0, or the option impact=newton or impact=poisson",
                                   collider.law.mu_law(), collider.law.e_F, name));
}

SolveReport Propagation::solve(const ContactProblem& problem, const Vec& gamma, const Vec& e, const Vec& K, Vec& P) {
  condense(problem);
  const int n = static_cast<int>(contact_rows_.size());
  gamma_.resize(n), e_.resize(n), K_ = K, P_.assign(n, 0.0);
  double fastest = 0.0;
  for (int i = 0; i < n; ++i) {
    gamma_[i] = gamma[contact_rows_[i]], e_[i] = e[contact_rows_[i]];
    fastest = std::max(fastest, -gamma_[i]);
  }
  still_ = negligible * fastest;
  SolveReport report;
  const bool done = kind_ == Kind::sequential ? one_after_the_other() : by_energy(kind_ == Kind::hertz ? 1.5 : 1.0);
  if (!done) report.status = SolveStatus::not_converged;
  P.assign(problem.size(), 0.0);
  for (int i = 0; i < n; ++i) {
    P[contact_rows_[i]] = P_[i];
    for (size_t j = 0; j < joint_rows_.size(); ++j) P[joint_rows_[j]] += response_(static_cast<int>(j), i) * P_[i];
  }
  return report;
}

// G of the contacts if the joints hold: G_cc − G_cj G_jj⁺ G_jc.
void Propagation::condense(const ContactProblem& problem) {
  joint_rows_.clear(), contact_rows_.clear();
  for (const Law& law : problem.laws)
    if (law.kind == Law::Kind::contact)
      contact_rows_.push_back(law.row);
    else
      for (int r = 0; r < law.rows; ++r) joint_rows_.push_back(law.row + r);
  const int n = static_cast<int>(contact_rows_.size()), m = static_cast<int>(joint_rows_.size());
  const auto response_to = [&](int row) {
    unit_.assign(problem.size(), 0.0), column_.assign(problem.size(), 0.0);
    unit_[row] = 1.0;
    problem.G.multiply(unit_, column_);
  };
  joints_block_.resize(m, m), G_.resize(n, n), response_.resize(m, n), G_all_.resize(n, m);
  for (int j = 0; j < m; ++j) {
    response_to(joint_rows_[j]);
    for (int i = 0; i < m; ++i) joints_block_(i, j) = column_[joint_rows_[i]];
    for (int i = 0; i < n; ++i) G_all_(i, j) = column_[contact_rows_[i]];
  }
  if (m > 0) joints_.factor(m, joints_block_.data());
  for (int k = 0; k < n; ++k) {
    response_to(contact_rows_[k]);
    for (int i = 0; i < n; ++i) G_(i, k) = column_[contact_rows_[i]];
    if (m == 0) continue;
    for (int j = 0; j < m; ++j) response_(j, k) = -column_[joint_rows_[j]];
    joints_.solve(response_.column(k));
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < n; ++i) G_(i, k) += G_all_(i, j) * response_(j, k);
  }
}

bool Propagation::one_after_the_other() {
  const int n = gamma_.size();
  for (long left = 1000 + 200L * n * n; left > 0; --left) {
    double fastest = 0.0;
    for (double g : gamma_) fastest = std::max(fastest, -g);
    if (fastest <= still_) return true;
    hit(fastest);
  }
  return false;
}

// Hits all contacts that approach with this velocity. Each gets −e γ or more.
void Propagation::hit(double approach) {
  constexpr double equal = 1e-9, settled = 1e-15;
  constexpr int most_sweeps = 1000;
  together_.clear();
  for (int i = 0; i < gamma_.size(); ++i)
    if (-gamma_[i] >= (1 - equal) * approach && G_(i, i) > 0.0) together_.push_back(i);
  p_.assign(gamma_.size(), 0.0), target_.assign(gamma_.size(), 0.0);
  for (int i : together_) target_[i] = (1 + e_[i]) * gamma_[i];  // 0 ≤ target + G p ⊥ p ≥ 0
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double change = 0.0;
    for (int i : together_) {
      double velocity = target_[i];
      for (int j : together_) velocity += G_(i, j) * p_[j];
      const double next = std::max(0.0, p_[i] - velocity / G_(i, i));
      change = std::max(change, std::abs(next - p_[i]) * G_(i, i));
      p_[i] = next;
    }
    if (together_.size() == 1 || change <= settled * approach) break;
  }
  for (int k : together_) {
    P_[k] += p_[k];
    for (int i = 0; i < gamma_.size(); ++i) gamma_[i] += G_(i, k) * p_[k];
  }
}

bool Propagation::over() const {
  for (int i = 0; i < gamma_.size(); ++i)
    if (delta_[i] > 0.0 || gamma_[i] < -still_) return false;
  return true;
}

// A small part of the shortest time in which a contact is compressed.
double Propagation::energy_step(double exponent) const {
  constexpr double part = 2e-3;
  double fastest = 0.0, shortest = INFINITY;
  for (double g : gamma_) fastest = std::max(fastest, std::abs(g));
  for (int i = 0; i < gamma_.size(); ++i) {
    if (!(G_(i, i) > 0.0)) continue;
    const double energy = fastest * fastest / (2 * G_(i, i));
    shortest = std::min(shortest, std::pow((exponent + 1) * energy / K_[i], 1 / (exponent + 1)) / fastest);
  }
  return part * shortest;
}

void Propagation::rates(double exponent, const Vec& gamma, const Vec& delta, Vec& gamma_dot, Vec& delta_dot) {
  const int n = gamma.size();
  for (int i = 0; i < n; ++i) {
    const double x = std::max(delta[i], 0.0);
    F_[i] = K_[i] * (exponent == 1.0 ? x : std::pow(x, exponent));
    if (gamma[i] <= 0.0)
      delta_dot[i] = -gamma[i];
    else  // also beyond the end of the expansion, so that it can be found; zero in open contacts and if e = 0
      delta_dot[i] = delta_0_[i] > 0.0 && e_[i] > 0.0 ? -gamma[i] / (e_[i] * e_[i]) : 0.0;
  }
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < n; ++j) sum += G_(i, j) * F_[j];
    gamma_dot[i] = sum;
  }
}

// Integrates from gamma_0_, delta_0_, P_0_ over h.
void Propagation::runge_kutta(double exponent, double h) {
  constexpr double ahead[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const int n = gamma_.size();
  sum_gamma_ = gamma_0_, sum_delta_ = delta_0_, sum_P_ = P_0_;
  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < n; ++i) {
      gamma_[i] = gamma_0_[i] + (stage == 0 ? 0.0 : ahead[stage] * h * k_gamma_[i]);
      delta_[i] = delta_0_[i] + (stage == 0 ? 0.0 : ahead[stage] * h * k_delta_[i]);
    }
    rates(exponent, gamma_, delta_, k_gamma_, k_delta_);
    for (int i = 0; i < n; ++i) {
      sum_gamma_[i] += h * weight[stage] * k_gamma_[i];
      sum_delta_[i] += h * weight[stage] * k_delta_[i];
      sum_P_[i] += h * weight[stage] * F_[i];
    }
  }
  gamma_ = sum_gamma_, delta_ = sum_delta_, P_ = sum_P_;
}

// Takes a step that ends when the first contact changes from compression to expansion or is relaxed, because the rates
// have a kink there. Contacts with very little compression change within a step, since they may do so again and again.
void Propagation::step_to_first_end(double exponent, double h, double deepest) {
  constexpr int most_cuts = 6;
  constexpr double worth_it = 1e-3;  // relative to the largest compression
  constexpr double at_the_end = 1e-10;
  for (int cut = 0; cut <= most_cuts; ++cut) {
    runge_kutta(exponent, h);
    double part = 1.0;
    for (int i = 0; i < gamma_.size(); ++i) {
      if (delta_0_[i] > 0.0 && delta_[i] < 0.0) part = std::min(part, delta_0_[i] / (delta_0_[i] - delta_[i]));
      if (gamma_0_[i] < -still_ && gamma_[i] > 0.0 && e_[i] != 1.0 && delta_0_[i] > worth_it * deepest)
        part = std::min(part, gamma_0_[i] / (gamma_0_[i] - gamma_[i]));
    }
    if (part >= 1.0 - at_the_end || cut == most_cuts) break;
    h *= part;
  }
}

bool Propagation::by_energy(double exponent) {
  constexpr long most_steps = 2'000'000;
  constexpr double relaxed = 1e-9;  // relative to the largest compression so far
  const int n = gamma_.size();
  for (Vec* v : {&F_, &k_gamma_, &k_delta_, &sum_gamma_, &sum_delta_}) v->resize(n);
  delta_.assign(n, 0.0);
  const double h = energy_step(exponent);
  double deepest = 0.0;
  for (long step = 0; step < most_steps; ++step) {
    for (int i = 0; i < n; ++i)
      if (gamma_[i] >= -still_ && (delta_[i] <= relaxed * deepest || e_[i] == 0.0)) delta_[i] = 0.0;
    if (over()) return true;
    gamma_0_ = gamma_, delta_0_ = delta_, P_0_ = P_;
    step_to_first_end(exponent, h, deepest);
    for (double d : delta_) deepest = std::max(deepest, d);
    for (double& d : delta_) d = std::max(d, 0.0);
  }
  return false;
}

}  // namespace tappet
