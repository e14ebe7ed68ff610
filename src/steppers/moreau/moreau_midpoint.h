// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/shared/active_set.h"
#include "steppers/shared/factorised_mass.h"
#include "steppers/shared/stability.h"
#include "steppers/shared/velocity_law.h"

namespace tappet {

// Moreau's midpoint rule, Schoeder, Ulbrich, Schindler 2013, (8)–(13):
//   q_M = q₀ + dt/2 u₀
//   M_M (u₁ − u₀) = dt h_M + W_M P         M_M = M(q_M), h_M = h(q_M, u₀), W_M = W(q_M)      (8), (10)
//   q₁ = q₀ + dt/2 (u₀ + u₁)                                                                 (9)
//   active: g_N(q_M) ≤ 0                                                                     (11)
//   −(γ₁ + e γ₀) ∈ N_C(P) on the active contacts, γ taken at q_M                             (13)
class MoreauMidpoint final : public Stepper {
 public:
  static constexpr SchemeFacts facts{.name = "moreau-midpoint",
                                     .paper = "Schoeder, Ulbrich and Schindler 2013, (8)–(13)",
                                     .level = "velocity",
                                     .order = "1 (2 without contact)",
                                     .summary = "everything evaluated at the midpoint",
                                     .forces = SchemeFacts::Forces::mean_of_steps,
                                     .follows_found_contacts = true};
  using Options = ImpactOptions;
  MoreauMidpoint(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;
  std::string diagnosis() const override { return stability_.diagnosis(); }

 private:
  bool history(Archive& a) override { return a(law_, active_, stability_), true; }
  const ContactList& contacts_;
  const System& system_;
  Evaluator evaluate_;
  VelocityLaw law_;
  FactorisedMass M_;
  ActiveSet active_;
  StabilityWatch stability_;
  Vec q_M_, h_, gaps_, u_1_;
};

}  // namespace tappet
