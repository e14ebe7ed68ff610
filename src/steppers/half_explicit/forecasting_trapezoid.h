// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/shared/left_state.h"
#include "steppers/shared/stability.h"
#include "steppers/shared/velocity_law.h"

namespace tappet {

// What the forecasting trapezoidal rules of Schindler and Acary 2014 have in common. A forecast û of the velocity, with
// forces λ⁺ on the contacts closed at q₀, gives the positions
//   q₁ = q₀ ⊕ dt/2 (u₀ + û)                                                             (75), (83), (125)
// If no gap passed from > 0 to ≤ 0, the scheme corrects u with forces λ⁻. Otherwise the step is impulsive: all forces
// are zero and Λ carries everything,
//   u⁻ = u₀ + dt/2 (M₀⁻¹h₀ + M₁⁻¹h(q₁, û))                                              (77)
//   u₁ = u⁻ + M₁⁻¹W₁Λ,   −(γ⁺ + e γ⁻) ∈ N_C(Λ) where g_N(q₁) ≤ 0                        (129)–(131)
// Departures from the paper:
//   e acts only on the contacts that closed in this step. If a contact stayed closed, its γ⁻ is not an approach but
//   −a dt, the effect of the missing force.
//   Poisson's law can replace Newton's.
//   Index sets have no tolerance, except for contacts whose initial gap is within ±1e-12. The given state means them
//   to be closed, and round-off would cost an impact.
// A contact between colliders that was closed at the end of the last step is closed at the start of this one, also if
// the new search describes its gap by other features and the new gap is a little above zero. A contact that appears and
// is closed already starts as a closed contact, without an impact.
class ForecastingTrapezoid : public Stepper {
 public:
  std::string diagnosis() const override { return stability_.diagnosis(); }

 protected:
  ForecastingTrapezoid(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, Impact impact);

  // Computes closed_0_, M₀ and a_0_. If the state is the one that the last step left, with the same list of contacts,
  // M₁ and the contacts closed there are reused (continued_), because they depend only on (t, q). The law then still
  // holds their response M₁⁻¹W₁.
  void start(const State& state);
  bool arrive(const State& state, double dt);  // q_1_, closed_1_, M₁ and a_1_; returns whether the step is impulsive
  // If e |ġ⁻| < ½ |a| rest, e is set to zero.
  SolveReport impact(const State& state, double dt, double rest = 0.0);
  StepReport finish(State& state, double dt, const SolveReport& solve, bool impulsive);

  bool history(Archive& a) override {
    a(law_, stability_, left_, left_closed_, memory_, dt_before_, gap_tolerance_);
    if (a.settles()) responds_ = false;
    return true;
  }

  void closed_contacts(double t, const Vec& q, ContactSet& set);
  void free_accelerations(double t, const Vec& q, const Vec& u, Vec& a);  // a = M⁻¹h; M_ stays factorised
  void record_forces(double dt, const Vec& P_plus, const Vec& P_minus);  // P⁺ = dt λ⁺, P⁻ = dt/2 λ⁻, all rows

  const ContactList& contacts_;
  const System& system_;
  Evaluator evaluate_;
  VelocityLaw law_;
  FactorisedMass M_;
  ContactSet closed_0_, closed_1_;
  BlockRows W_0_;
  Vec a_0_, a_1_, u_hat_, u_1_, q_1_, P_plus_, P_minus_;
  bool continued_ = false;

 private:
  void mean_touching_contacts(const State& state);  // gap_tolerance_ of contacts that are found at the initial state
  void keep_closed();                               // adds those of left_closed_ to closed_0_

  StabilityWatch stability_;
  LeftState left_;
  bool responds_ = false;   // whether the law still holds the response of the last step
  ContactSet left_closed_;  // with colliders: the contacts closed at the end of the last step
  ContactMemory memory_;    // of left_closed_
  double dt_before_ = 0.0;
  ByContact<double> gap_tolerance_;
  Vec gaps_, rates_;
};

}  // namespace tappet
