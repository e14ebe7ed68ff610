// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tappet {

// The set-valued law of one group of rows, −ξ ∈ N_C(P):
//   bilateral  C = ℝⁿ            the rows of a joint: ξ = 0
//   contact    C = {(P_N, P_F): P_N ≥ 0, ‖P_F‖ ≤ μ P_N} in Coulomb's sense: 0 ≤ ξ_N ⊥ P_N ≥ 0 and
//              −ξ_F ∈ N_{‖·‖ ≤ μ P_N}(P_F). Rows in the order N, F1, F2, …; rows = 1 is frictionless,
//              2 planar, 3 spatial, 4 with drilling friction (Coulomb–Contensou).
// Anisotropic friction is expressed by scaled rows, so every friction set here is a disc.
struct Law {
  enum class Kind { bilateral, contact };
  Kind kind = Kind::contact;
  int row = 0;      // first row
  int rows = 1;     // the number of rows
  double mu = 0.0;  // if it is 0 and rows > 1, then P_F = 0

  // Says which bodies of a contact with three rows are balls, in the order of their velocities in W. A ball is a rigid
  // body with six velocities and equal moments of inertia that is touched along a normal through its centre of mass,
  // with rows n, s and n × s. This is set by code that knows the bodies. A solver may treat contacts between balls
  // faster, but need not. Without it they are contacts like all others.
  struct Balls {
    bool first = false, second = false;
    friend bool operator==(const Balls&, const Balls&) = default;
  };
  Balls balls{};

  int friction_rows() const { return kind == Kind::contact ? rows - 1 : 0; }
  friend bool operator==(const Law&, const Law&) = default;
};

using Laws = std::vector<Law>;

// x ← its projection on the cone {x_N ≥ 0, ‖x_F‖ ≤ μ x_N}; x has 1 to 4 rows.
void project_cone(int rows, double mu, double* x);

}  // namespace tappet
