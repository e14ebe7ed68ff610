// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/generalized_alpha/step_solver.h"
#include "steppers/shared/left_state.h"
#include "steppers/stepper.h"

namespace tappet {

// The nonsmooth generalized-α method with friction, Capobianco, Harsch, Eugster, Leine 2021, §5–§9:
//   u₁ = u₀ + dt ((1−γ) ā₀ + γ ā₁) + U                                                       (73)
//   q₁ = q₀ ⊕ (dt u₀ + dt²/2 ((1−2β) ā₀ + 2β ā₁) + Q)                                        (73), for (125)
//   α_m ā₀ + (1−α_m) ā₁ = α_f a₀ + (1−α_f) a₁                                                (71)
//   M a₁ = h + W λ,   M U = W Λ,   M Q = W_{g,N} κ + dt/2 W_{γ,F} Λ_{γ,F}                    (74), (78), (80)
//   joints: g = 0, ġ = 0, g̈ = 0; γ = 0, γ̇ = 0                                               (84), (85)
//   contacts: g_N ∈ N(−κ̂_N), ξ_N ∈ N(−P_N), g̈_N ∈ N(−λ_N)                                   (101), (94), (87)
//             ξ_F ∈ N_{C(P_N)}(−P_F), γ̇_F ∈ N_{C(λ_N)}(−λ_F) in stick, λ_F on the cone in slip (112), (117)
// with the percussions P, κ̂ (95), (102), (113): Λ, κ plus the quadrature of the forces. All of M, h, W at the end.
//
// A contact between colliders that appears has no forces to remember. If one that carried a force is no longer in the
// list, because other features of the two bodies touch from now on, the step starts with consistent forces, as the
// first step does (§9).
//
// A step is solved by alpha::StepSolver, which has several strategies. If all of them fail, two half steps are made. If
// colliders then penetrate each other with features that were not found at the start of the step, these join the list
// of contacts, and the step is solved again.
class GeneralizedAlpha final : public Stepper {
 public:
  static constexpr SchemeFacts facts{
      .name = "generalized-alpha",
      .paper = "Capobianco, Harsch, Eugster and Leine 2021, §5–§9",
      .level = "position, velocity and acceleration",
      .order = "2",
      .summary = "separates forces from impacts, no penetration, rho_inf damps stiff forces",
      .forces = SchemeFacts::Forces::given,
      .follows_found_contacts = true};
  using Options = GeneralizedAlphaOptions;
  GeneralizedAlpha(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

  // The list may get contacts within a step (ContactList::grow).
  void may_grow(ContactList& contacts) { growing_ = &contacts; }

 private:
  static constexpr int most_rounds = 8;  // in which contacts are found within a step
  bool history(Archive& a) override {
    a(start_.a, start_.a_bar, start_.lambda, start_.lambda_bar, states_, memory_, left_, solver_);
    return true;
  }
  void follow_contacts();                     // forces and states go to the present places of their contacts
  bool lost_a_force() const;                  // whether a contact that carried a force is no longer in the list
  bool find_more();                           // contacts between colliders that penetrate each other at the end
  void begin(const State& state, double dt);  // what is known at the start of a step
  bool advance(State& state, double dt, int depth, StepReport& report);
  void accept(State& state, StepReport& report);  // state, impulses and forces, events, memory of the next step
  void remember();                                // auxiliary variables; they are reset if a contact changed its state
  bool remember_contacts();                       // true: one has changed its state
  void note_events();
  bool is_catastrophic(const Contact& contact, int row, double approach) const;

  const ContactList& contacts_;
  ContactList* growing_ = nullptr;
  const System& system_;
  const Options options_;
  const alpha::Coefficients coefficients_;
  alpha::StepSolver solver_;
  alpha::Start start_;
  double smallest_dt_ = 0;
  ByContact<alpha::StepLaw::Sets> states_;  // of every contact at the end of the last step
  ContactMemory memory_;                    // of the numbers by row
  Vec spare_;
  LeftState left_;
};

}  // namespace tappet
