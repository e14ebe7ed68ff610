// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "steppers/generalized_alpha/parameters.h"
#include "system/evaluator.h"

namespace tappet::alpha {

// Systems with up to this number of rows get all their memory at construction. Larger ones allocate when they grow.
inline constexpr int reserved_rows = 120;
void reserve_rows(const ContactList& contacts, BlockRows& W);

// The unknowns of a step (126). Multipliers are over all rows of the system and are zero if a contact is far away. Rows
// without a position level (velocity joints, friction) hold κ = dt/2 Λ, so that M Q = W κ for all rows (80).
struct Unknowns {
  Unknowns() = default;
  Unknowns(int n, int rows) : a(n), U(n), Q(n), kappa(rows), Lambda(rows), lambda(rows) {}
  Vec a, U, Q, kappa, Lambda, lambda;
};

// What is known at the start of a step.
struct Start {
  double t = 0;
  Quadrature weight;
  Vec q, u;
  Vec a, a_bar, lambda, lambda_bar;  // auxiliary variables of (71), (96), (114)
  Vec w, v;                          // parts of q₁ ⊖ q₀ and u₁ that are known
  Vec P, kappa;                      // parts of P (95), (113) and κ̂ (102) that are known
};

// The smooth half R_s of the residual (127) at a trial point, and the kinematics of the rows on three levels. Positions
// are q₁ = q₀ ⊕ w, where w is the increment of (73). This retraction replaces (125). Both agree to dt³, and unit
// quaternions need no normalisation.
class Balance {
 public:
  explicit Balance(const ContactList& contacts);

  // The contacts that take part: those that touch at the trial point, and those with forces to remember. The list only
  // grows within a step.
  void involve(const Start& start);
  // Evaluates everything. Returns true if a contact had to be added to `involved` (its start values are then unknown).
  bool evaluate(const Start& start, const Unknowns& x);

  // The largest residual of the three balances, where 1 is the tolerance; and the tolerance itself on each of the three
  // levels.
  double error(const Start& start, double tolerance) const;
  double force_tolerance(double tolerance) const { return tolerance * force + 1e-300; }
  double impulse_tolerance(const Start& start, double tolerance) const {
    return tolerance * (start.weight.dt * force + impulse) + 1e-15 * momentum + 1e-300;
  }
  double shift_tolerance(const Start& start, double tolerance) const {
    return start.weight.dt * impulse_tolerance(start, tolerance) + tolerance * shift;
  }

  const ContactList& contacts;
  const System& system;
  Evaluator evaluator;
  ContactSet involved;
  std::vector<int> row;           // rows [joints | involved]: the row in the order of the system
  std::vector<int> position;      // the index among the rows with a position level, or −1
  std::vector<int> position_row;  // the inverse of `position`
  int rows = 0, positions = 0;

  double t = 0;
  Vec w, q, u, h;
  BlockMatrix M;
  bool factor_mass();  // returns false if it is singular
  BlockRows W;
  Vec chi;                        // γ = Wᵀu + χ
  Vec gaps, g, gamma, gamma_dot;  // of all contacts; of position rows; of rows
  Vec kappa, Lambda, lambda;      // multipliers gathered by rows
  Vec R_a, R_U, R_Q;
  double force = 0, impulse = 0, shift = 0, momentum = 0;  // the largest terms in the three balances, and of M u

 private:
  void evaluate_mass_and_forces();
  void lay_out();
  bool involve_touched();
  void evaluate_rows(const Unknowns& x);
  void evaluate_residuals(const Unknowns& x);
  void imbalance(const Vec& x, const Vec& multipliers, Vec& R, double& size);

  enum class Mass { unknown, known, factorised, singular };
  Mass mass_ = Mass::unknown;
  Vec zeta_, joint_g_, work_;
};

}  // namespace tappet::alpha
