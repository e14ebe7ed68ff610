// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/evaluator.h"

namespace tappet {

// The mass matrix of a scheme and its factors. If the matrix is constant, as between bodies, it is computed and
// factorised only once.
class FactorisedMass {
 public:
  explicit FactorisedMass(const ContactList& contacts)
      : constant_(contacts.system().mass_is_constant()), M_(contacts.system().mass_matrix(contacts.execution())) {}

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
  void solve(std::span<double> x) const { M_.solve(x); }

 private:
  bool factor() {
    known_ = constant_;
    return regular_ = M_.factor();
  }

  const bool constant_;
  bool known_ = false, regular_ = true;
  BlockMatrix M_;
};

}  // namespace tappet
