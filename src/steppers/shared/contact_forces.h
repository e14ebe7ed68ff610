// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "steppers/shared/acceleration_law.h"
#include "system/evaluator.h"

namespace tappet {

// The forces that keep joints and contacts as their modes say, at a state:
//   M u̇ = h + W λ,   γ̇ = Wᵀu̇ + ζ = 0 in joints, closed normals and sticking tangents,   λ_F = −μ λ_N d in slip.
// Their signs tell when a mode ends. They are the basis of the complementarity problem that is held, Potra 2006
// (7.13)–(7.15), in the limit dt → 0. Dependent directions share their forces (AccelerationLaw::hold).
class ContactForces {
 public:
  ContactForces(const ContactList& contacts, Evaluator& evaluate);

  // `modes` is indexed by the contacts of the set.
  void evaluate(double t, const Vec& q, const Vec& u, const ContactSet& set, const std::vector<ContactMode>& modes);

  const Vec& lambda() const { return lambda_; }        // rows [joints | set]
  const Vec& gamma_dot() const { return gamma_dot_; }  // the same rows
  const Vec& gamma() const { return gamma_; }

 private:
  void evaluate_without_forces(double t, const Vec& q, const Vec& u, const ContactSet& set);

  Evaluator& evaluate_;
  AccelerationLaw law_;
  BlockMatrix M_;
  BlockRows W_;
  Delassus G_;
  Vec chi_, zeta_, a_, c_, lambda_, gamma_, gamma_dot_, unit_, column_;
};

}  // namespace tappet
