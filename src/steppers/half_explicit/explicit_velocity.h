// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "steppers/half_explicit/forecasting_trapezoid.h"

namespace tappet {

struct ExplicitVelocityOptions {
  std::string projection = "velocity";  // h̃ = 0 of (100), the paper's Fig. 8; "forces": h̃ = h
  std::string impact = "newton";

  template <class V>
  void describe(V& v) {
    v.choice("projection", projection, {"velocity", "forces"},
             "the forces of (100) project the given velocity (option 2), or that with the forces of a step (option 1)");
    describe_impact(v, impact);
  }
};

// The explicit timestepping scheme on velocity level, Schindler and Acary 2014, Fig. 7: forces that would project the
// velocity at the start of a stage onto the contact laws within one step.
//   λ⁺: −W₀ᵀ(u₀ + dt M₀⁻¹ (h̃₀ + W₀ λ⁺)) ∈ N_C(λ⁺)  where g_N(q₀) ≤ 0                                 (98)–(103)
//   û  = u₀ + dt M₀⁻¹ (h₀ + W₀ λ⁺),   q₁ = q₀ ⊕ dt/2 (u₀ + û)                                         (108), (75)
//   λ⁻: −W₁ᵀ(û + dt M₁⁻¹ (h̃(q₁, û) + W₁ λ⁻)) ∈ N_C(λ⁻)  where g_N(q₁) ≤ 0
//   u₁ = u₀ + dt/2 M₀⁻¹ (h₀ + W₀ λ⁺) + dt/2 M₁⁻¹ (h(q₁, û) + W₁ λ⁻)                                   (109)
// This is the negative example of the paper: the laws hold for no velocity that is kept, so contacts drift.
class ExplicitVelocity final : public ForecastingTrapezoid {
 public:
  static constexpr SchemeFacts facts{.name = "explicit-velocity",
                                     .paper = "Schindler and Acary 2014, Fig. 7, (100)",
                                     .level = "velocity",
                                     .order = "the negative example: strong drift",
                                     .summary = "forces that project the velocity at the start of a stage",
                                     .forces = SchemeFacts::Forces::given,
                                     .follows_found_contacts = true};
  using Options = ExplicitVelocityOptions;
  ExplicitVelocity(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  // u += M⁻¹W P, where dt λ = P projects u + dt M⁻¹h̃ at (t, q). h̃ depends on the option, and a = M⁻¹h.
  SolveReport project(double t, const Vec& q, const ContactSet& closed, double dt, const Vec& a, Vec& u);

  const bool with_forces_;
};

}  // namespace tappet
