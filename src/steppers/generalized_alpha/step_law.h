// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "steppers/generalized_alpha/response.h"

namespace tappet::alpha {

// The laws of joints (84), (85) and contacts (129)–(142): index sets, residual R_c, and the rows of its Jacobian with
// the sets held. Every row is stated in the unit of its multiplier: kinematic ones are times the prox parameter r.
//
// `consistent` departs from the paper in two places that cost the printed law its second order:
//   ξ = γ(t₁, q₁, u₁) + e γ(t₀, q₀, u₀): (88) takes γ⁻ at q₁, so that a closed curved contact never sees ξ = 0;
//   spatial slip that goes on: Λ_F + μ Λ_N d = 0 in place of (138), which turns the friction of the whole step into
//   the direction at its end. Where the contact did not slide before, or d turned by more than a right angle, (138).
// And a contact that rebounds carries no force at the end of the step: (136) holds it as closed, which makes a₁ that of
// a resting body, and contradicts the rebound's own velocity where contacts depend on each other.
// Slip directions are d = (r ξ_F − P_F)/‖·‖, defined at ξ_F = 0 too; on acceleration level in stick r γ̇_F − λ_F.
class StepLaw {
 public:
  enum class Kind { consistent, printed, bruls };
  struct Sets {
    bool A = false, B = false, C = false;   // (130), (133), (136)
    bool D_stick = false, E_stick = false;  // (139), (141)
    bool continued = false;                 // slip goes on, see above
    bool operator==(const Sets&) const = default;
  };

  StepLaw(const ContactList& contacts, Kind kind);

  // Start of the step: γ⁻ and e of the involved contacts; whether they slid with λ_N > 0 in the last step.
  Vec gamma_before, e;     // by rows of the system
  std::vector<char> slid;  // by contact
  bool allow_continued = true;
  // Contacts that take their impulse though the position level leaves them open. In an impact at the very end of a
  // step friction, acting over dt/2 by (80), can lift the contact it belongs to: then neither open nor closed solves.
  std::vector<char> held;  // by contact

  bool rebounds(int contact) const {
    const int row = contacts_[contact].row;
    return kind == Kind::consistent && e[row] * gamma_before[row] < 0.0;
  }

  // P, κ̂, ξ, sets and R_c at the trial point.
  void evaluate(const Balance& at, const Start& start, const Response& response);
  // Largest residual of all rows, 1: its tolerance.
  double error(const Balance& at, const Start& start, const Response& response, double tolerance,
               double position_tolerance) const;
  // S δz = right: R_c linearised with the sets held, rows and columns scaled to one size.
  void assemble(const Balance& at, const Start& start, const Response& response, Mat& S, Vec& right) const;
  static double scale(const Balance& at, const Start& start, const Response& response, int z);  // z = scale · scaled

  // w_Nᵀ M⁻¹ (w_N − μ W_F d) / w_Nᵀ M⁻¹ w_N of a sliding contact; the response must be of the present rows.
  double pressing(const Balance& at, const Response& response, int contact, int first) const;

  const std::vector<Sets>& sets() const { return sets_; }
  Vec P, kappa_hat, xi, residual;  // by rows; residual in the order of z
  Kind kind;

 private:
  struct Direction {
    std::array<double, 3> d{};
    double length = 0;
  };
  Direction toward(const double* x, const double* y, double r, int n) const;  // of r x − y
  void evaluate_friction(const Balance& at, const Response& response, int contact, int first);
  struct Rows;
  void assemble_normal(Rows& rows, int contact, int first) const;
  void assemble_slip(Rows& rows, int contact, int first) const;
  void assemble_friction_force(Rows& rows, int contact, int first) const;

  const ContactList& contacts_;
  const System& system_;
  std::vector<Sets> sets_;  // by involved contact
  std::vector<Direction> slip_, slip_acceleration_;
  Vec printed_;
};

}  // namespace tappet::alpha
