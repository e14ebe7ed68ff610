// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "steppers/moreau/theta_balance.h"
#include "steppers/shared/active_set.h"

namespace tappet {

struct MoreauJeanOptions {
  double theta = 0.5;
  std::string forecast = "explicit";    // (61); "free": (62)
  double gamma = 0.0;                   // of (61)
  std::string directions = "implicit";  // G at q₁; "frozen": at q₀
  std::string joint_forces = "theta";   // act along G(q_θ); "end": along G(q₁), as printed
  std::string form = "printed";     // (18); "table3": M(q₁) and θ F₁ + (1−θ) F₀, as Acary's Table 3 was made
  std::string impact = "newton";    // "poisson": velocity_law.h
  double newton_tolerance = 1e-10;  // for the momentum balance, relative to its largest term (table3: absolute)
  int newton_iterations = 30;

  template <class V>
  void describe(V& v) {
    v.optional("theta", theta, Range{0, 1}, "weight of the end of the step");
    v.choice("forecast", forecast, {"explicit", "free"},
             "contacts are active by (61), or by the position without contact (62)");
    v.optional("gamma", gamma, Range{0, 2}, "extrapolation in the explicit forecast (61)");
    v.choice("directions", directions, {"implicit", "frozen"},
             "contact directions at the end or the start of the step");
    v.choice("joint_forces", joint_forces, {"theta", "end"},
             "directions of joint forces at q_theta, where all forces are taken, or at the end of the step");
    v.choice("form", form, {"printed", "table3"}, "(18), or the variant behind Table 3");
    describe_impact(v, impact);
    v.optional("newton_tolerance", newton_tolerance, Range{0, 1},
               "residual of the momentum balance at which Newton's method stops");
    v.optional("newton_iterations", newton_iterations, Range{1, 1000}, "largest number of Newton iterations per step");
  }
};

// The θ-scheme of Moreau and Jean, Acary 2012, (18):
//   M(q_θ)(u₁ − u₀) − dt F(t_θ, q_θ, u_θ) = G(q₁) P      q_θ, u_θ: weights (1−θ), θ      (18a)
//   q₁ = q₀ + dt u_θ                                                                     (18b)
//   U₁ = G(q₁)ᵀ u₁                                                                       (18c)
//   −(U₁ + e U₀) ∈ N_C(P) if the forecast ḡ ≤ 0, otherwise P = 0                         (18d)
//   forecast  ḡ = g₀ + γ dt U₀   (61)   or   ḡ = g₀ + dt (θ U_free + (1−θ) U₀)           (62)
// It applies Newton's method to (18a) with M̂ = M + dt θ C + dt² θ² K, C = −∂F/∂u, K = −∂F/∂q (47). Each iteration
// solves the contact problem of M̂ exactly, with G at the present q₁. M̂ of the first iteration is kept for the rest of
// the step as long as each iteration reduces the residual quickly. Joints differ from (18) in one point. Their velocity
// is zero at the end of the step, G(q₁)ᵀu₁ + χ = 0, as for contacts, but their forces act along G(q_θ), where all other
// forces of the step are taken. With θ = ½ they then do work of third order in dt per step. Along G(q₁) the work is ½
// u₀ᵀ(G₁ − G₀) P, which is of second order and always a loss if a body turns: a rolling disc loses a third of its
// energy in thousands of steps. `joint_forces: end` is the printed form.
class MoreauJean final : public Stepper {
 public:
  static constexpr SchemeFacts facts{.name = "moreau-jean",
                                     .paper = "Acary 2012, (18)",
                                     .level = "velocity",
                                     .order = "1 (2 at theta = 0.5 without contact)",
                                     .summary = "implicit in the forces by the theta rule",
                                     .forces = SchemeFacts::Forces::mean_of_steps,
                                     .follows_found_contacts = true};
  using Options = MoreauJeanOptions;
  MoreauJean(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  bool history(Archive& a) override { return a(law_, balance_, active_), true; }
  void forecast(const State& state, double dt);
  StepReport newton(const State& state, double dt, const ContactSet& active);  // u₁, q₁ of the balance
  // The directions of the law at the end of the step, and those along which its impulses act.
  const BlockRows& directions(const State& state, double dt, const ContactSet& active);

  const ContactList& contacts_;
  const System& system_;
  const Options options_;
  const bool frozen_, free_forecast_;
  const bool joints_at_theta_;  // whether joint forces act along G(q_θ)
  Evaluator evaluate_;
  VelocityLaw law_;
  ThetaBalance balance_;
  const ContactSet none_;
  ActiveSet active_;
  Vec rates_0_, gaps_, rates_free_;
  BlockRows W_theta_;  // joints at q_θ, then the contacts as in the law
  Vec chi_theta_;
};

}  // namespace tappet
