// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/shared/active_set.h"
#include "steppers/shared/factorised_mass.h"
#include "steppers/shared/stability.h"
#include "steppers/shared/velocity_law.h"

namespace tappet {

// The classic explicit Moreau–Jean scheme as in Schindler and Acary 2014, (43)–(47):
//   q₁ = q₀ + dt u₀                                                            (43)
//   u₁ = u₀ + dt M₀⁻¹ h₀ + M₁⁻¹ W₁ P                                           (44)
//   −(γ₁ + e γ₀) ∈ N_C(P) on the active contacts, γ₀ at q₀, γ₁ at q₁           (45), (46)
//   active: g_N(q₀) + dt/2 ġ_N(q₀, u₀) ≤ 0                                     (47)
class MoreauExplicit final : public Stepper {
 public:
  static constexpr SchemeFacts facts{.name = "moreau-explicit",
                                     .paper = "Schindler and Acary 2014, (43)–(47)",
                                     .level = "velocity",
                                     .order = "1",
                                     .summary = "explicit positions, the contact law at the end of the step",
                                     .forces = SchemeFacts::Forces::mean_of_steps,
                                     .follows_found_contacts = true};
  using Options = ImpactOptions;
  MoreauExplicit(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
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
  Vec rates_0_, h_, gaps_, q_1_, u_1_;
};

}  // namespace tappet
