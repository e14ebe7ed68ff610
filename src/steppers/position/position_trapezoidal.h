// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/moreau/theta_balance.h"
#include "steppers/shared/active_set.h"

namespace tappet {

struct PositionTrapezoidalOptions {
  double theta = 0.5;
  double newton_tolerance = 1e-10;  // for the momentum balance, relative to its momenta
  double tolerance = 1e-15;         // violation that is left
  int newton_iterations = 30;

  template <class V>
  void describe(V& v) {
    v.optional("theta", theta, Range{0.01, 1}, "weight of the end of the step");
    v.optional("newton_tolerance", newton_tolerance, Range{0, 1},
               "residual of the momentum balance at which Newton's method stops, relative");
    v.optional("violation_tolerance", tolerance, Range{0, 1}, "violation that may be left");
    v.optional("newton_iterations", newton_iterations, Range{1, 1000}, "largest number of Newton iterations per step");
  }
};

// The trapezoidal rule with the constraints on position level, Acary 2012 §6.2, Fig. 11:
//   M(q_θ)(u₁ − u₀) − dt F(t_θ, q_θ, u_θ) = G(q₁) P,   q₁ = q₀ + dt u_θ                      (18a), (18b)
//   0 ≤ g(q₁) ⊥ P_N ≥ 0,   joints g(q₁) = 0,   friction −U_F ∈ N_{C(P_N)}(P_F) at the end of the step
// the last line in place of (18c), (18d), as §6.2 says in words. Newton's method is that of (47).
// This is a constraint of index 3 with a rule that does not damp. While a contact is closed, its velocity alternates
// from step to step. The scheme has no restitution.
class PositionTrapezoidal final : public Stepper {
 public:
  static constexpr SchemeFacts facts{.name = "position-trapezoidal",
                                     .paper = "Acary 2012, §6.2, Fig. 11",
                                     .level = "position",
                                     .order = "1 (2 without contact)",
                                     .summary = "a negative example: velocities oscillate in contact, no restitution",
                                     .follows_found_contacts = true};
  using Options = PositionTrapezoidalOptions;
  PositionTrapezoidal(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  bool history(Archive& a) override { return a(law_, balance_, active_), true; }
  void ask_for_positions(double step);  // rows of the law: (g(q₁) + Gᵀ dt θ (u − u₁)) / (dt θ)
  bool positions_hold() const;

  const ContactList& contacts_;
  const System& system_;
  const Options options_;
  Evaluator evaluate_;
  VelocityLaw law_;
  ThetaBalance balance_;
  ActiveSet active_;
  Vec gaps_, joint_residuals_, rates_;
};

}  // namespace tappet
