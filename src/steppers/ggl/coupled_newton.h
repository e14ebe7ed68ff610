// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "math/minimum_norm.h"
#include "math/wide/wide.h"
#include "problem/contact_problem.h"
#include "problem/joints/bordered_elimination.h"
#include "steppers/projection/position_projection.h"
#include "steppers/shared/contact_coupling.h"
#include "steppers/shared/joint_level.h"
#include "steppers/stepper.h"
#include "system/evaluator.h"

namespace tappet {

struct CoupledSettings {
  double theta = 0.5;
  bool kinetic = false;  // N = M̂⁻¹; otherwise 1
  bool midpoint = false;  // M at q₀ ⊕ dt/2 u₀, G halfway between q₀ and q₁ (Schoeder); otherwise M(q_θ), G(q₁) (Acary)
  bool linearised = false;    // ξ and g of contacts by Schoeder's (41), (42) instead of their values at q₁
  bool prox = false;          // Newton on the prox equations (39), (44), with the parameter below
  double prox_parameter = 1;  // r, in units of 1/G_ii
  bool hold_pressed = false;  // g = 0 if P_N > pressed (combined projection)
  JointLevel joints = JointLevel::ggl;
  double momentum_tolerance = 1e-12;  // relative to the momenta
  bool absolute = false;              // the same in kg m/s
  double gap_tolerance = 1e-15;       // m or rad
  int iterations = 30;
};

// Newton's method on velocities and positions together. With `prox` each iteration is a Newton step on the prox
// equations z = prox(z − r ξ) (39), (44) as printed: rows with z − r ξ > 0 at the iterate get ξ = 0, the others z = 0.
// Otherwise it solves the linearised complementarity problem:
//   M (u₁ − u₀) − dt F(t_θ, q_θ, u_θ) = G P,     q₁ = (q₀ ⊕ dt u_θ) ⊕ s,  s = N G τ
//   −(γ(q₁, u₁) + e γ₀) ∈ N_C(P) on `active`,    0 ≤ g(q₁) ⊥ τ ≥ 0 on `projected`, joints with equality
// With B = ∂(M Δu)/∂q − dt ∂F/∂q − ∂(G P)/∂q and M̂ = M − dt θ ∂F/∂u + dt θ B, all derivatives exact,
//   M̂ δu = r + G P − B (N G τ − s),    δq = dt θ δu + N G τ − s,
// so each iteration is one contact problem in (P, τ). Bodies and joints are eliminated from it along lists. Without
// contacts one linear system remains.
// This is the exact form of Acary's (53)–(55) and Schoeder's (43)–(52). The change of G within N G τ is dropped. It is
// of the size of the violation times the curvature.
class CoupledNewton {
 public:
  using Settings = CoupledSettings;
  static constexpr double pressed = 1e-12;  // kg m/s; smaller impulses count as round-off

  CoupledNewton(Evaluator& evaluate, ContactSolver& solver, const Settings& settings);

  Vec u_1, q_1;  // the iterate
  Vec P;         // rows [joints | active]
  Vec tau;       // rows [joints with a position level | projected]

  void start(const State& state);  // u₁ = u₀, s = 0
  // `rates_0` is γ at the start of the step, for all rows of the system.
  StepReport solve(const State& state, double dt, const Vec& rates_0, const ContactSet& active,
                   const ContactSet& projected);

  void archive(Archive& a);

 private:
  void make_matrices();  // of the present coupling
  void place(const State& state, double dt);
  bool shifted() const;                           // whether s ≠ 0
  double balance(const State& state, double dt);  // r_; returns the size of its terms
  void rates(const State& state, double dt, const ContactSet& active, const Vec& rates_0);
  void joint_accelerations(const State& state, double dt);
  void joint_positions(double t_1, double dt);
  void position_gradients(double dt);
  bool derives_late() const;  // whether L_q and the gradients of positions are only computed if the iteration goes on
  void rate_gradients(double t_1, double dt, const ContactSet& active);  // then
  bool positions_alone(const ContactSet& active) const;  // whether all rows are those of joints on position level
  void joint_gradients(double t_1, double dt);           // L_u, L_q if positions_alone()
  void gap_rows(const State& state, double dt, const ContactSet& active, const ContactSet& projected);
  bool hold(const ContactSet& active, const ContactSet& projected);  // equal_; returns whether it is unchanged
  double mismatch(double dt, double size);                           // of the iterate, in units of the tolerances
  void linearise(const State& state, double dt, const ContactSet& active);  // M_u, B
  // One of four changes side by side, δu and δq in x_ and y_, for respond().
  void set_change(int lane);
  void respond();  // responses_: what ξ and g change by with these changes
  void solve_all(double dt, const ContactSet& active, const ContactSet& projected, StepReport& report);
  void factor(double dt);       // M̂
  void move_freely(double dt);  // r_ = δu without P, τ; c
  // For joints and nothing else: P, u₁ without a contact solver. Returns false if this is not possible.
  // The eliminations of the joints refer to the entries of M_u, B and M̂, so they are analysed again whenever these are
  // made anew.
  void analyse_joints();
  bool solve_joints(const State& state, double dt, const ContactSet& active, StepReport& report);
  void linearise_together(const State& state, double dt, const ContactSet& active);  // M̂ without its part B
  bool factor_joints(const State& state, double dt, const ContactSet& active);
  bool move_along_joints(double dt, double& error);  // x_ = δu, row_ = δP; returns false if the error is too large
  double joint_error();  // of the joints in the linear system with δu = x_, δq = y_; sets xi_linear_
  void assemble(double dt, const ContactSet& active, const ContactSet& projected);
  void set_position_laws(const ContactSet& projected, int row);  // of the contacts, from this row on
  void advance();
  // Linearises, and solves for contacts of bodies that joints hold. Returns false if there are no joints, if they
  // depend on each other, or if they block a contact. `again`: the matrix of the last iteration may serve once more.
  bool solve_contacts(const State& state, double dt, const ContactSet& active, const ContactSet& projected, bool again,
                      StepReport& report);
  bool factor_held(double dt);
  bool respond_held(double dt, bool again);
  void set_right_sides(int first);
  void set_residuals(double dt, int lane);
  void set_contact_laws(const ContactSet& active, const ContactSet& projected);
  void take_free_rates();
  double free_response(int row) const;
  // The step x_ = δu, y_ = δq of the iterate. Returns false if its error is too large.
  bool move_held(double dt, bool again, double& residual);
  bool solve_held(double dt, bool again, const ContactSet& active, const ContactSet& projected, StepReport& report);
  void sum_columns(const Mat& panels, int size, Vec& sum) const;
  bool takes_force(int row) const;  // (44): whether z − r ξ > 0 at the iterate
  bool choose_rows();               // acting_ by (44); returns whether the choice has changed
  void solve_prox();                // row_: rows that act have ξ = 0, the others have no force

  const ContactList& contacts_;
  const System& system_;
  ContactSolver& solver_;
  const Settings settings_;
  const double weight_;  // weight of q₁ in the place at which G is taken
  const bool project_joints_;
  bool joints_by_position_ = false;  // whether all joints are held on position level
  Evaluator& evaluate_;
  Identity identity_;
  ContactCoupling coupling_;
  BlockMatrix M_, M_u_, M_hat_, B_;
  BorderedElimination alone_;  // δu and P of joints alone
  bool factored_ = false;      // whether alone_ holds the matrix of an earlier iteration of the step
  BorderedElimination held_;   // δu, δq and P, τ of joints beside contacts
  bool holds_ = false;         // whether held_ and problem_ are those of an earlier iteration of the step
  int residuals_panel_ = 0, residuals_lane_ = 0;  // where the column of the residuals is
  const ContactSet none_;
  double momentum_ = 0.0;  // the largest at the start of the step, kg m/s
  double rate_ = 0.0;      // the largest ξ without P and τ at the first iterate
  std::vector<char> equal_;
  ContactProblem problem_;
  BlockRows W_, W_1_, W_position_, G_, G_1_, L_u_, L_q_, joint_q_, joint_u_;
  Mat X_, Z_;  // δu and s per impulse and multiplier, one column each
  Vec w_, u_theta_, q_free_, q_theta_, q_directions_, s_, F_, r_, x_, y_, z_;
  static constexpr int lanes = sizeof(Four) / sizeof(double);
  Vec du_, dq_, responses_, by_positions_;  // four vectors side by side
  Vec joints_right_;                        // of solve_joints
  Vec f_, d_;                               // of held_: four right-hand sides side by side
  Mat moved_, resisted_;                    // its solutions, one panel of four per column
  Vec moves_, resists_, contact_row_;       // their sum, and the unknowns of the contacts
  int joint_gaps_ = 0;                      // rows of joints in G_
  Vec chi_, chi_1_, e_, xi_, xi_linear_, g_, gaps_0_, gaps_, joint_residuals_, row_;
  Vec a_, zeta_;
  std::vector<char> acting_;  // by row: prox
  Mat prox_matrix_;
  MinimumNorm prox_solver_;
};

}  // namespace tappet
