// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "steppers/stepper.h"
#include "system/evaluator.h"

namespace tappet {

// The θ-rule for M u̇ = k(t, q, u), q̇ = u, linearised about the start of the step. It is one linear system,
//   M̃ (u₁ − u₀) = k̃,   M̃ = M̄ − θ dt k_u − θ² dt² k_q,
//   k̃ = dt ((1−θ) k(t₀, q₀, u₀) + θ k(t₁, q₀, u₀) + θ dt k_q u₀),   k_q, k_u at (t₁, q₀, u₀).
// θ = ½ is Potra 2006 (2.12)–(2.14), (6.9), with dt k_q u₀ instead of the misprinted dt/2 k_q u₀, which would make the
// method first order. θ = 1 is the linearly implicit Euler method of Anitescu and Potra 2002.
class LinearlyImplicit {
 public:
  enum class Jacobian { none, exact, definite, automatic };
  LinearlyImplicit(const ContactList& contacts, Evaluator& evaluate, Jacobian jacobian, double theta);

  // M̄ at (t_M, q_M). Leaves M̃ factorised and u_free = u₀ + M̃⁻¹ k̃. Returns false if M̃ is singular.
  bool assemble(const State& start, double t_M, const Vec& q_M, double dt, Vec& u_free);
  const BlockMatrix& M() const { return jacobian_ == Jacobian::none ? M_ : M_tilde_; }
  // How far the linearised forces of the last assembly miss those at the end of its step: θ dt M̃⁻¹ of the difference,
  // as a fraction of the velocities, both in the norm of the kinetic energy. w = q₁ ⊖ q₀.
  double miss(const State& start, double dt, const Vec& w, const Vec& q_1, const Vec& u_1);
  bool definite() const { return used_definite_; }  // whether the derivatives of the last step were made definite

  std::vector<ForceDerivative> derivatives() const;  // how they were computed so far, by force

  static Jacobian named(const std::string& name);  // none exact definite auto

  void archive(Archive& a) { a(exact_, made_definite_); }

 private:
  void add_derivatives(const State& start, double dt, bool definite);
  bool is_positive();
  double size(const Vec& u);  // √(uᵀM u)

  const ContactList& contacts_;
  const System& system_;
  Evaluator& evaluate_;
  const Jacobian jacobian_;
  const double theta_;
  const bool constant_;  // whether M̃ = M always
  bool factored_ = false, used_definite_ = false;
  long exact_ = 0, made_definite_ = 0;  // linearisations
  BlockMatrix M_, M_tilde_, K_;
  Vec k_, k_1_, K_u_, block_, missing_, du_, Mu_;
};

}  // namespace tappet
