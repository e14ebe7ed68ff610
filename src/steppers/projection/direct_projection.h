// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "steppers/projection/projected_theta.h"

namespace tappet {

struct DirectProjectionOptions : ProjectedThetaOptions {
  std::string forecast = "explicit";  // (61); "free": (62); "newton": (63); "implicit": (64)
  double gamma = 0.0;                 // of (61)
  // larger than the error of the projection, so that round-off does not open a contact
  double forecast_tolerance = 1e-9;

  template <class V>
  void describe(V& v) {
    ProjectedThetaOptions::describe(v);
    v.choice("forecast", forecast, {"explicit", "free", "newton", "implicit"},
             "contacts are active by (61), by the position without contact (62), by that in Newton's loop (63) or at "
             "its end (64)");
    v.optional("gamma", gamma, Range{0, 2}, "extrapolation in the explicit forecast (61)");
    v.optional("forecast_tolerance", forecast_tolerance, Range{0, 1},
               "a contact is active if the forecast of its gap is below this");
  }
};

// The direct projected scheme of Acary 2012, (28), Algorithm 1:
//   M(q_θ)(u₁ − u₀) − dt F(t_θ, q_θ, u_θ) = G(q₁) P
//   q₁ = q₀ + dt u_θ + N G(q₁) τ                                  N = 1 or, by (59), M̂⁻¹
//   −(U₁ + e U₀) ∈ N_C(P) if the forecast ḡ ≤ 0, otherwise P = 0    U₁ = G(q₁)ᵀ u₁
//   0 ≤ g(q₁) ⊥ τ ≥ 0 for all contacts, g(q₁) = 0 for joints
//   forecast  ḡ = g₀ + γ dt U₀   (61)   or   ḡ = g₀ + dt (θ U_free + (1−θ) U₀)   (62)
//             or ḡ = g(q₀ + dt u_θ) of the iterate (63) or of the step itself (64). The paper rejects the last two: an
//             active contact is pushed out, is then found open, and closes again. Such a step is reported as not
//             converged.
// The projection acts even if the velocity law of a contact is not active. This is why the scheme chatters at rest with
// (61).
class DirectProjection final : public ProjectedTheta {
 public:
  static constexpr SchemeFacts facts{
      .name = "direct-projection",
      .paper = "Acary 2012, (28), Algorithm 1",
      .level = "velocity and position",
      .order = "1",
      .summary = "the theta rule and a projection; no penetration, but it chatters at rest",
      .forces = SchemeFacts::Forces::mean_of_steps,
      .follows_found_contacts = true};
  using Options = DirectProjectionOptions;
  DirectProjection(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

  double largest_tau() const { return largest_tau_; }  // of the last step

 private:
  StepReport forecast(const State& state, double dt);
  void rates_of(const State& state, const ContactSet& set);
  StepReport decoupled(const State& state, double dt, const ContactSet& active, bool project);
  StepReport settle(const State& state, double dt);  // (64)
  bool take_closed(double t);  // active_ by the gaps at q₀ + dt u_θ; returns whether the set has changed
  StepReport coupled(const State& state, double dt);

  const Options options_;
  const bool free_forecast_, in_newton_, implicit_;
  const ContactSet none_;
  ContactSet projected_;
  std::vector<char> equal_;
  Vec gaps_, rates_0_, rates_free_;
  double largest_tau_ = 0.0;
};

}  // namespace tappet
