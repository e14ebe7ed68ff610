// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "steppers/projection/position_projection.h"
#include "steppers/shared/active_set.h"
#include "steppers/shared/factorised_mass.h"
#include "steppers/shared/joint_level.h"
#include "steppers/shared/stability.h"
#include "steppers/shared/velocity_law.h"

namespace tappet {

struct GglDecoupledOptions {
  std::string joint_level = "ggl";
  double tolerance = 1e-15;  // violation that the projection may leave

  template <class V>
  void describe(V& v) {
    v.choice("joint_level", joint_level, {"ggl", "position", "velocity", "acceleration"},
             "level on which joints are held");
    v.optional("violation_tolerance", tolerance, Range{0, 1}, "violation that a projection may leave");
  }
};

// Moreau's midpoint rule, followed by a projection of the positions, Schoeder, Ulbrich, Schindler 2013, (29)–(33):
//   q_M = q₀ + dt/2 u₀;  active: g_N(q_M) ≤ 0                                                  (11)
//   M_M (u₁ − u₀) = dt h_M + W_M P,   −(γ₁ + e γ₀) ∈ N_C(P) on the active contacts             (29), (30)
//   q₁ = q₀ + dt/2 (u₀ + u₁) + W_M Ψ,   0 ≤ g(q₁) ⊥ Ψ ≥ 0 for all contacts                     (31), (32)
// W_M Ψ is a projection in the Euclidean metric that does not change the velocities, so the energy jumps up. Joints
// have g = 0 and ġ = 0 (ggl), only ġ = 0 (velocity), g(q₁) = 0 by the impulses alone (position), or W_Mᵀ(u₁ − u₀) + dt
// ζ_M = 0 (acceleration).
class GglDecoupled final : public Stepper {
 public:
  static constexpr SchemeFacts facts{.name = "ggl-decoupled",
                                     .paper = "Schoeder, Ulbrich and Schindler 2013, (29)–(33)",
                                     .level = "velocity, then position",
                                     .order = "1",
                                     .summary = "the midpoint rule and a projection; the energy may jump up",
                                     .forces = SchemeFacts::Forces::mean_of_steps,
                                     .follows_found_contacts = true};
  using Options = GglDecoupledOptions;
  GglDecoupled(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;
  std::string diagnosis() const override { return stability_.diagnosis(); }

 private:
  bool history(Archive& a) override { return a(law_, active_, stability_), true; }
  void free_velocity(const State& state, double dt);
  void hold_joint_accelerations(const State& state, double dt);
  SolveReport hold_joint_positions(const State& state, double dt);

  const ContactList& contacts_;
  const System& system_;
  const Options options_;
  const JointLevel joints_;
  Evaluator evaluate_;
  VelocityLaw law_;
  PositionProjection projection_;
  Identity identity_;
  FactorisedMass M_;
  ActiveSet active_;
  StabilityWatch stability_;
  const ContactSet none_;
  ContactSet projected_;
  std::vector<char> none_equal_;
  Vec q_M_, q_free_, q_1_, u_1_, u_free_, s_, h_, gaps_, zeta_, joint_residuals_, rates_;
};

}  // namespace tappet
