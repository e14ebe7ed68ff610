// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "steppers/projection/extrapolation.h"
#include "steppers/shared/velocity_law.h"
#include "steppers/stepper.h"
#include "system/evaluator.h"

namespace tappet {

struct ThetaForm {
  double theta = 0.5;
  bool corrected = false;  // whether the end position is moved by s
  // Newton's method starts from the previous smooth steps; otherwise as in the paper, from u₀ with a new M̂ in every
  // iteration
  bool extrapolated = true;
  // whether Newton's method stops at a residual in kg m/s instead of a fraction of the largest term
  bool absolute = false;
  bool of_table_3 = false;  // M(q₁) and θ F₁ + (1−θ) F₀, Newton's method from q¹ = q₀ to an absolute tolerance
};

// The balance of momentum of a θ-step whose end position may be corrected, Acary 2012, (18) and (28):
//   M(q_θ)(u₁ − u₀) − dt F(t_θ, q_θ, u_θ) = G P
//   q₁ = (q₀ ⊕ dt u_θ) ⊕ s,   q_θ = q₀ ⊕ θ (dt u_θ + s)
// and the parts of a Newton loop on it. G and M are updated from one iteration to the next and not differentiated, as
// in the paper (43). The iteration matrix is M̂ = M + dt θ C + dt² θ² K, C = −∂F/∂u, K = −∂F/∂q (47). That of the first
// iteration of a step is kept as long as each iteration reduces the residual quickly.
class ThetaBalance {
 public:
  ThetaBalance(const ContactList& contacts, Evaluator& evaluate, const ThetaForm& form);

  Vec u_1, q_1;  // the iterate
  Vec q_free;    // corrected: q₀ ⊕ dt u_θ
  Vec shift;     // corrected: s, along the velocities
  BlockMatrix M_hat;

  void start(const State& state, double dt);  // u₁ = u₀, or from the previous smooth steps; s = 0
  // The same for other contacts in the same step. Returns whether the first iteration is that of start(), up to the
  // contacts. Then q₁ and the velocity without contact are already there, and place(), balance() and linearise() are
  // not needed for this iteration.
  bool start_again(const State& state, double dt);
  void place(const State& state, double dt);    // q_free, q₁, q_θ of u₁ and s
  void balance(const State& state, double dt);  // M, F and the imbalance without G P
  enum class Verdict { go_on, holds, failed };
  // Whether the balance with the impulses of the law is close enough to zero. `failed` is also written into the report.
  Verdict verdict(const VelocityLaw& law, double tolerance, int most_iterations, StepReport& report) {
    return verdict(law, law.W, tolerance, most_iterations, report);
  }
  // The same if the impulses act along other directions than those that the law judges.
  Verdict verdict(const VelocityLaw& law, const BlockRows& W, double tolerance, int most_iterations,
                  StepReport& report);
  const Vec& q_theta() const { return q_theta_; }  // of the last place(); not with of_table_3
  // Whether a solution, with or without rows of joints and contacts, is valid until the shift changes.
  bool exact(bool with_rows) const { return with_rows ? linear_ : constant_matrix_; }
  void linearise(const State& state, double dt);           // M̂, factorised; u₁ becomes the velocity without contact
  void learn(const State& state, double dt, bool smooth);  // the finished step, before the state is updated

  void archive(Archive& a) { a(smooth_); }

 private:
  void add_step_to_first_iterate(double t, double dt);
  // The time and position at which forces and M are taken.
  double t_F(const State& state, double dt) const { return state.t + (at_end_ ? dt : form_.theta * dt); }
  const Vec& q_F() const { return at_end_ ? q_1 : q_theta_; }
  const Vec& u_F() const { return at_end_ ? u_1 : u_theta_; }

  const ContactList& contacts_;
  const System& system_;
  Evaluator& evaluate_;
  const ThetaForm form_;
  const bool at_end_;                    // of_table_3: forces and M are those of q₁, u₁
  const bool constant_matrix_, linear_;  // M̂ changes only with dt; and one iteration is exact
  double dt_factored_ = 0.0;
  Extrapolation smooth_;
  BlockMatrix M_;
  std::optional<BlockMatrix> K_;  // of_table_3
  bool first_ = true;             // no iteration of the step has been made yet
  bool stale_ = true;             // M̂ belongs to another step, or did not reduce the residual much
  double residual_before_ = 0.0;  // of the previous iterate, if no balance held or was disturbed since
  double size_ = 0.0;             // size of the largest term of the balance, kg m/s
  Vec w_, u_theta_, q_theta_, F_, F_0_, r_, u_before_;
  Vec u_free_first_, q_first_;  // of the first iteration of the step
};

}  // namespace tappet
