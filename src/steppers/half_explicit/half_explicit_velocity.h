// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/half_explicit/forecasting_trapezoid.h"

namespace tappet {

// The half-explicit timestepping scheme on velocity level, Schindler and Acary 2014, Fig. 9 and (119)–(131): contact
// laws implicit on velocity level at the end of each stage, everything else explicit.
//   û  = u₀ + dt M₀⁻¹ (h₀ + W₀ λ⁺),   −W(q₀ ⊕ dt u₀)ᵀ û ∈ N_C(λ⁺)  where g_N(q₀) ≤ 0               (120)–(124)
//   q₁ = q₀ ⊕ dt/2 (u₀ + û)                                                                       (125)
//   u₁ = u₀ + dt/2 M₀⁻¹ (h₀ + W₀ λ⁺) + dt/2 M₁⁻¹ (h(q₁, û) + W₁ λ⁻),
//        −W₁ᵀ u₁ ∈ N_C(λ⁻)  where g_N(q₁) ≤ 0                                                     (126)–(128)
// and the impact (129)–(131) where a gap closed. Joints stand on velocity level with the contacts.
// Without damping and contact this is velocity Verlet: stable for dt < 2/ω_max.
class HalfExplicitVelocity : public ForecastingTrapezoid {
 public:
  using Options = ImpactOptions;
  HalfExplicitVelocity(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 protected:
  SolveReport forecast(const State& state, double dt);  // u_hat_, P_plus_
  SolveReport correct(const State& state, double dt);   // u_1_, P_minus_
};

}  // namespace tappet
