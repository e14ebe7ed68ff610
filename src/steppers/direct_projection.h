// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "steppers/coupled_newton.h"
#include "steppers/position_projection.h"
#include "steppers/theta_balance.h"

namespace tappet {

struct DirectProjectionOptions {
  double theta = 0.5;
  std::string coupling = "decoupled";  // (57), (58) one after the other; "coupled": (53)–(55)
  std::string metric = "euclidean";    // N = 1; "kinetic": N = M̂⁻¹ (60)
  std::string forecast = "explicit";   // (61); "free": (62)
  double gamma = 0.0;                  // of (61)
  double forecast_tolerance = 1e-9;    // above what the projection leaves: round-off must not open a contact
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
    v.choice("forecast", forecast, {"explicit", "free"}, "activity by (61) or by the free position (62)");
    v.number("gamma", gamma, 0, 2, "extrapolation in the explicit forecast (61)");
    v.number("forecast_tolerance", forecast_tolerance, 0, 1, "a contact is active below this forecast of its gap");
    v.choice("joint_level", joint_level, {"ggl", "velocity"},
             "joints on position and velocity level, or velocity only");
    v.number("violation_tolerance", tolerance, 0, 1, "violation that a projection may leave");
    v.number("newton_tolerance", newton_tolerance, 0, 1, "stops Newton on the relative momentum balance");
    v.integer("newton_iterations", newton_iterations, 1, 1000, "most Newton iterations a step");
    v.choice("first_iterate", first_iterate, {"extrapolated", "start"}, "Newton starts from the steps before or from u0");
  }
};

// The direct projected scheme of Acary 2012, (28), Algorithm 1:
//   M(q_θ)(u₁ − u₀) − dt F(t_θ, q_θ, u_θ) = G(q₁) P
//   q₁ = q₀ + dt u_θ + N G(q₁) τ                                  N = 1 or, by (59), M̂⁻¹
//   −(U₁ + e U₀) ∈ N_C(P) where the forecast ḡ ≤ 0, else P = 0    U₁ = G(q₁)ᵀ u₁
//   0 ≤ g(q₁) ⊥ τ ≥ 0 for all contacts, g(q₁) = 0 for joints
//   forecast  ḡ = g₀ + γ dt U₀   (61)   or   ḡ = g₀ + dt (θ U_free + (1−θ) U₀)   (62)
// The projection acts whether or not the velocity law of a contact is active: hence its chattering at rest with (61).
class DirectProjection final : public Stepper {
 public:
  using Options = DirectProjectionOptions;
  DirectProjection(const System& system, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

  double largest_tau() const { return largest_tau_; }  // of the last step

 private:
  StepReport forecast(const State& state, double dt);
  void rates_of(const State& state, const ContactSet& set);
  StepReport decoupled(const State& state, double dt, const ContactSet& active, bool project);
  StepReport coupled(const State& state, double dt);
  CoupledNewton& newton();

  const System& system_;
  const Options options_;
  const bool coupled_, kinetic_, free_forecast_;
  Evaluator evaluate_;
  VelocityLaw law_;
  ThetaBalance balance_;
  PositionProjection projection_;
  std::optional<CoupledNewton> newton_;  // coupled form, or where the decoupled one fails
  Identity identity_;
  ContactSet all_, none_, active_, active_before_, projected_;
  ContactMemory active_memory_;
  std::vector<char> equal_;
  Vec gaps_, rates_0_, rates_free_;
  double largest_tau_ = 0.0;
};

}  // namespace tappet
