// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "steppers/coupled_newton.h"
#include "steppers/position_projection.h"
#include "steppers/theta_balance.h"

namespace tappet {

struct CombinedProjectionOptions {
  double theta = 0.5;
  std::string coupling = "decoupled";  // velocities, then positions (70); "coupled": one problem (69)
  std::string metric = "euclidean";    // N = 1; "kinetic": N = M̂⁻¹ (60)
  std::string joint_level = "ggl";     // "velocity": joints are not projected
  double tolerance = 1e-15;            // violation left by the projection
  double newton_tolerance = 1e-10;     // on the momentum balance, relative to the momenta in it
  int newton_iterations = 30;
  std::string first_iterate = "extrapolated";  // u₁ from the smooth steps before; "start": u₀, as in the paper

  template <class V>
  void describe(V& v) {
    v.number("theta", theta, 0, 1, "weight of the end of the step");
    v.choice("coupling", coupling, {"decoupled", "coupled"}, "velocities, then positions, or both in one problem");
    v.choice("metric", metric, {"euclidean", "kinetic"}, "metric of the projection");
    v.choice("joint_level", joint_level, {"ggl", "velocity"},
             "joints on position and velocity level, or velocity only");
    v.number("violation_tolerance", tolerance, 0, 1, "violation that a projection may leave");
    v.number("newton_tolerance", newton_tolerance, 0, 1, "stops Newton on the relative momentum balance");
    v.integer("newton_iterations", newton_iterations, 1, 1000, "most Newton iterations a pass");
    v.choice("first_iterate", first_iterate, {"extrapolated", "start"},
             "Newton starts from the steps before or from u0");
  }
};

// The combined projection and activation scheme of Acary 2012, Algorithm 2. Starting from I = ∅, repeat
//   M(q_θ)(u₁ − u₀) − dt F(t_θ, q_θ, u_θ) = G(q₁) P
//   q₁ = q₀ + dt u_θ + N G(q₁) τ
//   on I:  −(U₁ + e U₀) ∈ N_C(P)
//          g(q₁) = 0, τ of any sign  where P_N > 0;   0 ≤ g(q₁) ⊥ τ ≥ 0  otherwise        (65), (68)
//   I ← I ∪ {g(q₁) ≤ 0}                                                                   (66)
// until I stays. "P_N > 0" means above CoupledNewton::pressed: round-off would flip the branch from pass to pass.
class CombinedProjection final : public Stepper {
 public:
  using Options = CombinedProjectionOptions;
  CombinedProjection(const System& system, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  void pass(const State& state, double dt, StepReport& report);  // (65) for the present I
  void coupled_pass(const State& state, double dt, StepReport& report);
  CoupledNewton& newton();
  void choose_branches();  // equal_

  const System& system_;
  const Options options_;
  const bool coupled_, kinetic_, has_joints_;
  Evaluator evaluate_;
  VelocityLaw law_;
  ThetaBalance balance_;
  PositionProjection projection_;
  std::optional<CoupledNewton> newton_;  // coupled form, or where the decoupled one fails
  Identity identity_;
  ContactSet active_, active_before_;
  ContactMemory active_memory_;
  std::vector<char> equal_;
  Vec gaps_, gamma_0_, rates_0_;
};

}  // namespace tappet
