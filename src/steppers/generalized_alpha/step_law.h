// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "steppers/generalized_alpha/response.h"

namespace tappet::alpha {

// The laws of joints (84), (85) and contacts (129)–(142): index sets and residual R_c. Every row is stated in the unit
// of its multiplier: kinematic ones are times the prox parameter r.
//
// `consistent` departs from the paper in two places, because the printed law is not of second order:
//   ξ = γ(t₁, q₁, u₁) + e γ(t₀, q₀, u₀). (88) takes γ⁻ at q₁, so a closed curved contact never has ξ = 0.
//   If spatial slip continues, Λ_F + μ Λ_N d = 0 instead of (138), which turns the friction of the whole step into the
//   direction at its end. If the contact did not slide before, or if d turned by more than a right angle, (138) is
//   used.
// Also, a contact that rebounds carries no force at the end of the step. (136) would hold it as closed. Then a₁ is that
// of a resting body, which contradicts the velocity of the rebound if contacts depend on each other. Slip directions
// are d = (r ξ_F − P_F)/‖·‖, which is defined at ξ_F = 0 too. On acceleration level in stick they are r γ̇_F − λ_F.
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
  void follow_contacts();  // to the present list

  // At the start of the step: γ⁻ and e of the involved contacts, and whether they slid with λ_N > 0 in the last step.
  Vec gamma_before, e;  // by rows of the system
  ByContact<char> slid;
  bool allow_continued = true;
  // Contacts that take their impulse although the position level leaves them open. In an impact at the very end of a
  // step, friction, which acts over dt/2 by (80), can lift off its own contact. Then neither open nor closed is a
  // solution. The same happens in the last step of a contact that opens: κ̂ follows the force at the end of the step,
  // which would pull, while P still has the force at its beginning.
  std::vector<char> held;  // by contact

  bool rebounds(int contact) const {
    const int row = contacts_[contact].row;
    return kind == Kind::consistent && e[row] * gamma_before[row] < 0.0;
  }

  // P, κ̂, ξ, sets and R_c at the trial point.
  void evaluate(const Balance& at, const Start& start, const Response& response);
  // The largest residual of all rows, where 1 is the tolerance.
  double error(const Balance& at, const Start& start, const Response& response, double tolerance,
               double position_tolerance) const;
  // w_Nᵀ M⁻¹ (w_N − μ W_F d) / w_Nᵀ M⁻¹ w_N of a sliding contact. The response must belong to the present rows.
  double pressing(const Balance& at, const Response& response, int contact, int first) const;

  struct Direction {
    std::array<double, 3> d{};
    double length = 0;
  };

  // By involved contact: its index sets, and the directions of slip on the levels of velocity and acceleration.
  const std::vector<Sets>& sets() const { return sets_; }
  const Direction& slip(int c) const { return slip_[c]; }
  const Direction& slip_acceleration(int c) const { return slip_acceleration_[c]; }
  Vec P, kappa_hat, xi, residual;  // by rows; residual in the order of z
  Kind kind;

 private:
  Direction toward(const double* x, const double* y, double r, int n) const;  // of r x − y
  void evaluate_percussions(const Balance& at, const Start& start);
  void evaluate_normal(const Balance& at, const Response& response, int c, int row);
  void evaluate_slip(const Balance& at, const Response& response, int c, int first);
  void evaluate_friction_force(const Balance& at, const Response& response, int c, int first);

  const ContactList& contacts_;
  const System& system_;
  std::vector<Sets> sets_;  // by involved contact
  std::vector<Direction> slip_, slip_acceleration_;
  Vec printed_;
};

// A trial point of the iteration with everything that was evaluated there.
struct Trial {
  const Balance& at;
  const Start& start;
  const Response& response;
  const StepLaw& law;
};

}  // namespace tappet::alpha
