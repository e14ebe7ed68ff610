// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "math/minimum_norm.h"
#include "problem/delassus.h"
#include "system/evaluator.h"

namespace tappet {

// The assumed behaviour of a contact at an instant.
struct ContactMode {
  enum class Kind { open, slips, sticks };
  Kind kind = Kind::open;
  std::array<double, 3> d{};  // if it slips: unit direction; friction is −μ λ_N d
};

// The forces that keep joints and contacts in their modes, at one instant:
//   M u̇ = h + W λ,   γ̇ = Wᵀu̇ + ζ = 0 in joints, closed normals and sticking tangents,   λ_F = −μ λ_N d in slip.
// Their signs tell when a mode ends. This is the basis of the complementarity problem held fixed, Potra 2006
// (7.13)–(7.15), in the limit dt → 0. Dependent directions share their forces (shortest solution).
class ContactForces {
 public:
  ContactForces(const ContactList& contacts, Evaluator& evaluate);

  // `modes` is indexed by the contacts of the set.
  void evaluate(double t, const Vec& q, const Vec& u, const ContactSet& set, const std::vector<ContactMode>& modes);

  const Vec& lambda() const { return lambda_; }        // rows [joints | set]
  const Vec& gamma_dot() const { return gamma_dot_; }  // the same rows
  const Vec& gamma() const { return gamma_; }

 private:
  const ContactList& contacts_;
  const System& system_;
  Evaluator& evaluate_;
  BlockMatrix M_;
  BlockRows W_;
  Delassus G_;
  MinimumNorm factors_;
  Mat held_;
  Vec chi_, zeta_, a_, c_, lambda_, gamma_, gamma_dot_, x_, unit_, column_;
  std::vector<int> rows_;    // the rows held
  std::vector<int> pushes_;  // by held row: the contact of the set that slips with it, or −1
  std::vector<int> first_;   // first row by contact of the set
};

}  // namespace tappet
