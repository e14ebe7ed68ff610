// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/lcp/linearly_implicit.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "math/dense.h"

namespace tappet {

LinearlyImplicit::LinearlyImplicit(const ContactList& contacts, Evaluator& evaluate, Jacobian jacobian, double theta)
    : contacts_(contacts),
      system_(contacts.system()),
      evaluate_(evaluate),
      jacobian_(system_.forces_depend_on_state() ? jacobian : Jacobian::none),
      theta_(theta),
      constant_(system_.mass_is_constant() && jacobian_ == Jacobian::none),
      M_(system_.mass_matrix(contacts.execution())),
      M_tilde_(jacobian_ == Jacobian::none ? BlockMatrix() : system_.iteration_matrix(contacts.execution())),
      K_(jacobian_ == Jacobian::none ? BlockMatrix() : system_.iteration_matrix(contacts.execution())) {
  if (jacobian_ == Jacobian::none) return;
  for (Vec* v : {&K_u_, &missing_, &du_, &Mu_}) v->resize(system_.u_size());
}

LinearlyImplicit::Jacobian LinearlyImplicit::named(const std::string& name) {
  return name == "none"       ? Jacobian::none
         : name == "exact"    ? Jacobian::exact
         : name == "definite" ? Jacobian::definite
                              : Jacobian::automatic;
}

bool LinearlyImplicit::assemble(const State& start, double t_M, const Vec& q_M, double dt, Vec& u_free) {
  const auto& [t, q, u] = start;
  const int n = u.size();
  if (theta_ < 1.0) evaluate_.forces(t, q, u, k_);
  if (theta_ == 1.0 && jacobian_ == Jacobian::none) {
    evaluate_.forces(t + dt, q, u, k_);
  } else if (theta_ > 0.0) {
    evaluate_.forces(t + dt, q, u, k_1_);
    k_.resize(n);
    for (int i = 0; i < n; ++i) k_[i] = theta_ < 1.0 ? (1 - theta_) * k_[i] + theta_ * k_1_[i] : k_1_[i];
  }
  if (!constant_ || !factored_) {
    evaluate_.mass(t_M, q_M, M_);
    used_definite_ = jacobian_ == Jacobian::definite;
    if (jacobian_ != Jacobian::none) add_derivatives(start, dt, used_definite_);
    if (jacobian_ == Jacobian::automatic && !is_positive()) {
      used_definite_ = true;
      add_derivatives(start, dt, true);
    }
    if (jacobian_ != Jacobian::none) ++(used_definite_ ? made_definite_ : exact_);
    if (!(jacobian_ == Jacobian::none ? M_ : M_tilde_).factor()) return false;
    factored_ = true;
    if (constant_) M_.forget_entries();
  }
  if (jacobian_ != Jacobian::none) {
    K_.multiply(u, K_u_);
    for (int i = 0; i < n; ++i) k_[i] += theta_ * dt * K_u_[i];
  }
  for (int i = 0; i < n; ++i) u_free[i] = dt * k_[i];
  M().solve(u_free);
  for (int i = 0; i < n; ++i) u_free[i] += u[i];
  return true;
}

std::vector<ForceDerivative> LinearlyImplicit::derivatives() const {
  const Model& model = system_.model();
  std::vector<ForceDerivative> list;
  const auto add = [&](const std::string& name, const char* rule) {
    list.push_back({name, rule, exact_, made_definite_});
  };
  if (!model.formulas.coordinates.empty()) add("formulas", "nearest negative semidefinite");
  for (const auto& force : model.forces)
    std::visit(
        [&](const auto& element) {
          add(
              force.name, requires { element.lines(); } ? "along its lines, (10.13), (10.14)" : "none");
        },
        force.element);
  for (const StateForce& force : model.state_forces) add(force.name, "nearest negative semidefinite");
  bool rigid = false;
  for (const BodyEntry& body : model.bodies)
    std::visit(
        [&]<class Element>(const Element&) {
          if constexpr (FlexibleBody<Element>) add(body.name + " (elastic)", "exact");
          rigid = rigid || std::is_same_v<Element, RigidBody>;
        },
        body.element);
  if (rigid) add("gyroscopic moments", "antisymmetric part");
  return list;
}

std::string ForceDerivative::choice() const {
  if (exact + definite == 0) return "none";
  return definite == 0 ? "exact" : exact == 0 ? rule : "exact, or " + rule;
}

double LinearlyImplicit::size(const Vec& u) {
  M_.multiply(u, Mu_);
  return std::sqrt(std::max(0.0, u.eigen().dot(Mu_.eigen())));
}

double LinearlyImplicit::miss(const State& start, double dt, const Vec& w, const Vec& q_1, const Vec& u_1) {
  if (jacobian_ == Jacobian::none || used_definite_ || system_.forces_are_linear()) return 0.0;
  const int n = w.size();
  const double a = theta_ * dt, a_2 = a * a;
  evaluate_.forces(start.t + dt, q_1, u_1, missing_);
  for (int i = 0; i < n; ++i) missing_[i] -= k_1_[i], du_[i] = u_1[i] - start.u[i];
  K_.multiply(w, K_u_);
  for (int i = 0; i < n; ++i) missing_[i] -= K_u_[i];
  // θ dt k_u Δu = (M − M̃ − θ² dt² k_q) Δu
  M_.multiply(du_, Mu_), M_tilde_.multiply(du_, K_u_);
  for (int i = 0; i < n; ++i) missing_[i] -= (Mu_[i] - K_u_[i]) / a;
  K_.multiply(du_, K_u_);
  for (int i = 0; i < n; ++i) missing_[i] = a * missing_[i] + a_2 * K_u_[i];
  M_tilde_.solve(missing_);
  const double error = size(missing_);
  double velocity = std::max({size(start.u), size(u_1), size(du_)});
  // the effect of the forces; at rest all other terms are round-off
  for (int i = 0; i < n; ++i) missing_[i] = a * k_1_[i];
  M_tilde_.solve(missing_);
  velocity = std::max(velocity, size(missing_));
  return velocity > 0 ? error / velocity : 0.0;
}

void LinearlyImplicit::add_derivatives(const State& start, double dt, bool definite) {
  const auto& [t, q, u] = start;
  M_tilde_.set_zero();
  M_tilde_.add(M_, 1.0);
  K_.set_zero();
  if (definite) {
    evaluate_.add_definite_force_derivatives(t + dt, q, u, 1.0, 0.0, K_);
    evaluate_.add_definite_force_derivatives(t + dt, q, u, 0.0, -theta_ * dt, M_tilde_);
  } else {
    evaluate_.add_force_derivatives(t + dt, q, u, 1.0, 0.0, K_);
    evaluate_.add_force_derivatives(t + dt, q, u, 0.0, -theta_ * dt, M_tilde_);
  }
  M_tilde_.add(K_, -theta_ * theta_ * dt * dt);
}

// Whether the symmetric part of M̃ is positive definite. Large blocks (elastic bodies) are assumed to be.
bool LinearlyImplicit::is_positive() {
  for (int b = 0; b < M_tilde_.block_count(); ++b) {
    const auto indices = M_tilde_.block(b);
    const int n = static_cast<int>(indices.size());
    if (n > 64) continue;
    block_.resize(n * n);
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i)
        block_[j * n + i] = (M_tilde_(indices[i], indices[j]) + M_tilde_(indices[j], indices[i])) / 2;
    if (!dense::cholesky(block_.data(), n)) return false;
  }
  return true;
}

}  // namespace tappet
