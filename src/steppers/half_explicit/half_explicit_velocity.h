// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/lists/disjoint_sets.h"
#include "steppers/half_explicit/forecasting_trapezoid.h"

namespace tappet {

struct HalfExplicitVelocityOptions : ImpactOptions {
  std::string impulsive = "everywhere";  // "component": forces remain where no impact reaches

  template <class V>
  void describe(V& v) {
    ImpactOptions::describe(v);
    v.choice("impulsive", impulsive, {"everywhere", "component"},
             "an impact sets the forces of the whole system to zero, or only of the bodies rigidly connected with it");
  }
};

// The half-explicit timestepping scheme on velocity level, Schindler and Acary 2014, Fig. 9 and (119)–(131): contact
// laws are implicit on velocity level at the end of each stage, and everything else is explicit.
//   û  = u₀ + dt M₀⁻¹ (h₀ + W₀ λ⁺),   −W(q₀ ⊕ dt u₀)ᵀ û ∈ N_C(λ⁺)  where g_N(q₀) ≤ 0               (120)–(124)
//   q₁ = q₀ ⊕ dt/2 (u₀ + û)                                                                       (125)
//   u₁ = u₀ + dt/2 M₀⁻¹ (h₀ + W₀ λ⁺) + dt/2 M₁⁻¹ (h(q₁, û) + W₁ λ⁻),
//        −W₁ᵀ u₁ ∈ N_C(λ⁻)  where g_N(q₁) ≤ 0                                                     (126)–(128)
// and the impact (129)–(131) if a gap closed. Joints are held on velocity level together with the contacts. In an
// impulsive step all forces are zero, as in the paper "for the ease of description". With impulsive = component only
// those of the rigidly connected component of the impact are zero (after (76)): the velocities that masses, joints and
// closed contacts couple with it. The others keep their forces, at second order. Without damping and contact this is
// velocity Verlet, which is stable for dt < 2/ω_max.
class HalfExplicitVelocity : public ForecastingTrapezoid {
 public:
  static constexpr SchemeFacts facts{
      .name = "half-explicit-velocity",
      .paper = "Schindler and Acary 2014, Fig. 9, (119)–(131)",
      .level = "velocity",
      .order = "2",
      .summary = "explicit forces, contact laws at the end of each stage, separates impacts from forces",
      .forces = SchemeFacts::Forces::given,
      .follows_found_contacts = true};
  using Options = HalfExplicitVelocityOptions;
  HalfExplicitVelocity(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 protected:
  SolveReport forecast(const State& state, double dt);  // u_hat_, P_plus_
  SolveReport correct(const State& state, double dt);   // u_1_, P_minus_

 private:
  SolveReport impact_and_forces(const State& state, double dt);  // each where it belongs
  void connect();                                                // component_: the rigidly connected parts

  const bool by_component_;
  DisjointSets component_;
  std::vector<char> hit_;  // by component: whether it has an impact
  Vec u_smooth_;
};

}  // namespace tappet
