// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "math/reciprocals.h"
#include "system/evaluator.h"

namespace tappet {

// The mass matrix of a scheme and its factors. If the matrix is constant, as between bodies, it is computed and
// factorised only once.
class FactorisedMass {
 public:
  explicit FactorisedMass(const ContactList& contacts)
      : constant_(contacts.system().mass_is_constant()), M_(contacts.system().mass_matrix(contacts.execution())) {
    if (constant_ && M_.size() <= few_velocities) forces_.resize(M_.size()), accelerations_.resize(M_.size());
  }

  // M(t, q). Returns false if it is singular.
  bool evaluate(Evaluator& evaluate, double t, const Vec& q) {
    if (known_) return regular_;
    evaluate.mass(t, q, M_);
    return factor();
  }
  // The same, and the forces h(t, q, u).
  bool evaluate(Evaluator& evaluate, double t, const Vec& q, const Vec& u, Vec& h) {
    if (known_) {
      evaluate.forces(t, q, u, h);
      return regular_;
    }
    evaluate.mass_and_forces(t, q, u, M_, h);
    return factor();
  }

  operator const BlockMatrix&() const { return M_; }
  bool is_constant() const { return constant_; }
  void solve(std::span<double> x) const {  // x ← M⁻¹ x
    if (reciprocals_.empty()) return M_.solve(x);
    for (size_t i = 0; i < x.size(); ++i) x[i] *= reciprocals_[i];
  }
  // h ← M⁻¹ h. If M and h are those of the last call, as under weights alone, the result is copied.
  void accelerate(Vec& h) {
    if (forces_.empty()) return M_.solve(h);
    const size_t bytes = sizeof(double) * h.size();
    if (accelerated_ && std::memcmp(h.data(), forces_.data(), bytes) == 0) {
      std::memcpy(h.data(), accelerations_.data(), bytes);
      return;
    }
    forces_are_constant_ = false;
    std::memcpy(forces_.data(), h.data(), bytes);
    M_.solve(h);
    std::memcpy(accelerations_.data(), h.data(), bytes);
    accelerated_ = known_;
  }
  // M⁻¹h at a state. h is only computed if these forces are not constant.
  const Vec& accelerations(Evaluator& evaluate, double t, const Vec& q, const Vec& u, Vec& h) {
    if (accelerated_ && evaluate.forces_are_constant() && forces_are_constant_) return accelerations_;
    this->evaluate(evaluate, t, q, u, h);
    accelerate(h);
    forces_are_constant_ = evaluate.forces_are_constant();
    return h;
  }

 private:
  bool factor() {
    known_ = constant_;
    regular_ = M_.factor();
    if (known_ && regular_ && M_.size() <= few_velocities) reciprocals_ = reciprocals_of(M_);
    return regular_;
  }

  const bool constant_;
  static constexpr int few_velocities = 600;  // with more, nothing is kept
  bool known_ = false, regular_ = true, accelerated_ = false;
  bool forces_are_constant_ = false;  // whether forces_ are those of any state
  BlockMatrix M_;
  std::vector<double> reciprocals_;  // of M, if it is constant and diagonal
  Vec forces_, accelerations_;       // of the last call, if M is constant
};

// The factorised matrix M̂ that a contact law is given: a mass matrix, or the iteration matrix of an implicit scheme.
struct GivenInertia {
  GivenInertia(const BlockMatrix& M_hat, bool stays = false) : matrix(M_hat), stays(stays) {}
  GivenInertia(const FactorisedMass& M) : matrix(M), stays(M.is_constant()) {}

  const BlockMatrix& matrix;
  const bool stays;  // whether it has the same numbers whenever it is given
};

}  // namespace tappet
