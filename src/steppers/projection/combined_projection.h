// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/projection/projected_theta.h"

namespace tappet {

// The combined projection and activation scheme of Acary 2012, Algorithm 2. Starting from I = ∅, it repeats
//   M(q_θ)(u₁ − u₀) − dt F(t_θ, q_θ, u_θ) = G(q₁) P
//   q₁ = q₀ + dt u_θ + N G(q₁) τ
//   on I:  −(U₁ + e U₀) ∈ N_C(P)
//          g(q₁) = 0, τ of any sign  if P_N > 0;   0 ≤ g(q₁) ⊥ τ ≥ 0  otherwise           (65), (68)
//   I ← I ∪ {g(q₁) ≤ 0}                                                                   (66)
// until I no longer changes. "P_N > 0" means above CoupledNewton::pressed. Otherwise round-off would change the branch
// from pass to pass.
class CombinedProjection final : public ProjectedTheta {
 public:
  static constexpr SchemeFacts facts{
      .name = "combined-projection",
      .paper = "Acary 2012, (65), (66), Algorithm 2",
      .level = "velocity and position",
      .order = "1",
      .summary = "contacts that are projected become active; no penetration, bodies come to rest",
      .follows_found_contacts = true};
  using Options = ProjectedThetaOptions;
  CombinedProjection(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  void pass(const State& state, double dt, StepReport& report);  // (65) for the present I
  // The positions at the time t; `shifted` becomes whether they are others. Returns false if this fails.
  bool project(double t, bool& shifted, StepReport& inner, StepReport& report);
  void coupled_pass(const State& state, double dt, StepReport& report);
  void choose_branches();  // equal_

  const Options options_;
  const bool has_joints_;
  std::vector<char> equal_;
  Vec gaps_, gamma_0_, rates_0_;
};

}  // namespace tappet
