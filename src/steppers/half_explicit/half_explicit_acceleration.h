// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/half_explicit/forecasting_trapezoid.h"

namespace tappet {

// The half-explicit timestepping scheme on acceleration level, Schindler and Acary 2014, Fig. 4, without friction:
//   λ⁺: 0 ≤ λ⁺ ⊥ g̈_N(q₀, u₀, λ⁺) ≥ 0  where g_N(q₀) ≤ 0 and ġ_N(q₀, u₀) ≤ 0                      (56), (59), (70)
//   û  = u₀ + dt M₀⁻¹ (h₀ + W₀ λ⁺),   q₁ = q₀ ⊕ dt/2 (u₀ + û)                                     (74), (75)
//   λ⁻: the same at (q₁, û)                                                                       (57)
//   u₁ = u₀ + dt/2 M₀⁻¹ (h₀ + W₀ λ⁺) + dt/2 M₁⁻¹ (h(q₁, û) + W₁ λ⁻)                               (76)
// and the impact (77)–(82) on velocity level. g̈ = Wᵀu̇ + ζ. Joints are held on acceleration level, and in impacts on
// velocity level. Both drift.
class HalfExplicitAcceleration final : public ForecastingTrapezoid {
 public:
  static constexpr SchemeFacts facts{
      .name = "half-explicit-acceleration",
      .paper = "Schindler and Acary 2014, Fig. 4",
      .level = "acceleration; impacts on velocity",
      .order = "2",
      .summary = "explicit forces, separates impacts from forces, no friction; contacts drift",
      .forces = SchemeFacts::Forces::given,
      .follows_found_contacts = true};
  using Options = ImpactOptions;
  // Throws std::invalid_argument if a contact has friction.
  HalfExplicitAcceleration(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                           const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  // a = M⁻¹h → M⁻¹(h + W λ), where λ acts on the closed contacts that stay closed. λ is over all rows.
  SolveReport hold(double t, const Vec& q, const Vec& u, const ContactSet& closed, Vec& a, Vec& lambda);

  ContactSet staying_;
  Vec free_0_, rates_;
};

}  // namespace tappet
