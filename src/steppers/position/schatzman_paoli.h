// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "steppers/shared/active_set.h"
#include "steppers/shared/left_state.h"
#include "steppers/shared/velocity_law.h"

namespace tappet {

struct SchatzmanPaoliOptions {
  double theta = 0.5;
  double newton_tolerance = 1e-10;  // for the momentum balance, relative to its momenta
  double tolerance = 1e-15;         // violation of the law on position level that may be left
  int newton_iterations = 30;

  template <class V>
  void describe(V& v) {
    v.optional("theta", theta, Range{0, 1}, "weight of the end of the step");
    v.optional("newton_tolerance", newton_tolerance, Range{0, 1},
               "residual of the momentum balance at which Newton's method stops, relative");
    v.optional("violation_tolerance", tolerance, Range{0, 1},
               "violation of the law on position level that may be left");
    v.optional("newton_iterations", newton_iterations, Range{1, 1000}, "largest number of Newton iterations per step");
  }
};

// The scheme of Schatzman and Paoli with a θ-rule, Acary 2012, (20)–(22), a two-step scheme in q:
//   M(q_{k+1})(q_{k+1} − 2 q_k + q_{k−1}) − dt² F(t_θ, q_θ, u_θ) = dt G(q_e) P     q_e = (q_{k+1} + e q_{k−1})/(1 + e)
//   u_{k+1} = (q_{k+1} − q_{k−1})/(2 dt)                                                          (20b)
//   0 ≤ g(q_e) ⊥ P_N ≥ 0,   joints g(q_{k+1}) = 0                                                 (22)
// It is written with the mean velocities of the steps, ν₁ = (q_{k+1} − q_k)/dt and ν₀ = (q_k − q_{k−1})/dt. So
// rotations are only displaced and never subtracted: q_{k+1} = q_k ⊕ dt ν₁, q_e = q_k ⊕ dt (ν₁ − e ν₀)/(1 + e). The
// paper leaves friction open. Here it acts on the mean velocity: −(γ_F(ν₁) + e_F γ_F(ν₀)) ∈ N_{C(P_N)}(P_F). The law on
// position level spreads an impact over two steps, in shares that depend on where the impact lies on the time grid.
// Friction therefore holds for the impact as a whole: in the steps that follow the closing of a contact (at most two),
// P_N and P_F in it are the sums since the closing, and ν₀ is that before it. If friction held in each step alone, the
// result of an impact would depend on the grid if normal and tangential directions are coupled, and the scheme would
// not converge. The first step takes ν₀ = u₀ − dt/2 a₀ with the acceleration a₀ that contacts and joints allow, which
// is consistent to second order. If e > 0, the positions may penetrate, because only q_e is held.
class SchatzmanPaoli final : public Stepper {
 public:
  static constexpr SchemeFacts facts{
      .name = "schatzman-paoli",
      .paper = "Acary 2012, (20)–(22)",
      .level = "position",
      .order = "1",
      .summary = "a two-step scheme in the positions; the impact law acts over several steps",
      .follows_found_contacts = true};
  using Options = SchatzmanPaoliOptions;
  SchatzmanPaoli(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  bool history(Archive& a) override {
    a(law_, active_, dt_before_, impact_steps_, P_impact_, nu_impact_, memory_, left_, nu_0_);
    return true;
  }
  void follow_contacts();                                 // P_impact_ to the present rows
  void begin_active();                                    // the contacts of an impact in progress
  void start(const State& state, double dt);              // ν₀
  void place(const State& state, double dt);              // q₁, q_θ, u_θ of ν₁
  void measure(const State& state, double dt);            // g(q_e) of all contacts, g(q₁) of joints
  double balance(const State& state);                     // r_; returns the size of its terms
  void ask_for_positions(const State& state, double dt);  // rows of the law
  bool holds(double size, StepReport& report);
  void linearise(const State& state, double dt);
  // after a step: determines the part that the friction of the next step counts
  void follow_impact(const StepReport& report);
  void hold_place(const State& state, double dt, double e, double& t_e);  // q_e_

  const ContactList& contacts_;
  const System& system_;
  const Options options_;
  Evaluator evaluate_;
  VelocityLaw law_;
  BlockMatrix M_, M_hat_;
  bool M_known_ = false, M_hat_known_ = false;  // whether they have been computed and never change
  std::vector<double> restitutions_;            // distinct e_N
  ActiveSet active_;
  ContactSet group_, resting_;
  const ContactSet none_;
  double dt_before_ = 0.0, dt_mean_ = 0.0;
  // An impact in progress: the steps since a contact closed, their impulses by row of the system, and ν before it.
  int impact_steps_ = 0;
  Vec P_impact_, nu_impact_, given_;
  ContactMemory memory_;  // of P_impact_
  Vec spare_;
  LeftState left_;
  std::vector<BlockRows> W_e_;  // joints at q₁, then the contacts of each restitution
  std::vector<int> next_;       // by restitution: the next block of W_e_ that is copied
  Vec nu_0_, nu_1_, nu_before_, w_, q_1_, q_e_, q_theta_, u_1_, u_theta_, F_, r_;
  Vec gaps_, joint_residuals_, rates_, rates_0_;
  std::vector<Vec> chi_e_;
};

}  // namespace tappet
