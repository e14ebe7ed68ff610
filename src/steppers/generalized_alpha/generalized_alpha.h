// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/minimum_norm.h"
#include "steppers/generalized_alpha/levels.h"
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
// A step is solved by semismooth Newton (143), a minimum-norm step where directions depend on each other; then level
// by level with the contact solver; then Newton with new contacts held, and from open contacts; then two half steps.
class GeneralizedAlpha final : public Stepper {
 public:
  static constexpr SchemeFacts facts{
      .name = "generalized-alpha",
      .paper = "Capobianco, Harsch, Eugster and Leine 2021, §5–§9",
      .level = "position, velocity and acceleration",
      .order = "2",
      .summary = "separates forces from impacts, no penetration, rho_inf damps stiff forces",
      .forces = SchemeFacts::Forces::given};
  using Options = GeneralizedAlphaOptions;
  GeneralizedAlpha(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  enum Strategy { newton, levels, fixed_point, held, opened, halved };

  void restart(const State& state);           // a₀ and λ₀ of a state that this stepper did not leave itself
  void begin(const State& state, double dt);  // start_, and the first guess
  void begin_contacts();                      // γ⁻, e of the involved contacts
  bool advance(State& state, double dt, int depth, StepReport& report);
  bool solve(StepReport& report);
  bool iterate(Strategy strategy, int most, StepReport& report);
  bool paradox(double share) const;
  bool leave(StepReport& report);
  bool evaluate();          // returns true if converged
  void newton_direction();  // δz
  void accept(State& state, StepReport& report);
  void remember();  // auxiliary variables; they are reset if a contact changed its state
  void note_events();

  const ContactList& contacts_;
  const System& system_;
  const Options options_;
  const alpha::Coefficients coefficients_;
  alpha::Balance balance_;
  alpha::Response response_;
  alpha::StepLaw law_;
  alpha::Levels levels_;
  alpha::Forces forces_;
  alpha::Start start_;
  alpha::Unknowns x_, guess_, closed_;
  Vec dz_, right_;
  Mat S_, LU_;
  std::vector<int> pivots_;
  MinimumNorm minimum_norm_;
  double error_ = 0, smallest_dt_ = 0;
  std::vector<alpha::StepLaw::Sets> state_of_;  // of every contact at the end of the last step
  BlockRows W_0_;
  Vec chi_0_, gamma_0_, h_0_;
  BlockMatrix M_0_;
  LeftState left_;
};

}  // namespace tappet
