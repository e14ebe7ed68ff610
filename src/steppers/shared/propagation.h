// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "math/minimum_norm.h"
#include "problem/contact_problem.h"
#include "system/system.h"

namespace tappet {

// Impact laws that let an impact travel through touching bodies, without friction. With the velocities γ⁻ of the
// contacts before the impact and G = WᵀM⁻¹W, from which the joints are eliminated:
//
// sequential  The contact that approaches fastest is hit alone, P_i = −(1 + e_i) γ_i/G_ii, and all velocities change.
//             This is repeated until no contact approaches. Contacts that approach equally fast are hit together, which
//             keeps the symmetry (Han and Gilmore 1993; Acary and Brogliato 2008, chapter 3).
//
// energetic   The law of Liu, Zhao and Brogliato (Frictionless multiple impacts in multibody systems. I. Theoretical
//             framework, Proc. R. Soc. A 464, 2008) in its form with two stiffnesses. Contact i stores the work E_i of
//             its impulse, and the impulses of contacts grow in the ratio of their forces,
//               dP_i/dP_j = (K_i/K_j)^(1/(η+1)) (E_i/E_j)^(η/(η+1)).
//             In compression (γ_i < 0) dE_i = −γ_i dP_i, in expansion dE_i = −γ_i dP_i/e_i², until all E_i are zero and
//             no contact approaches. Only the ratios of the stiffnesses K count. η = 1 is a linear contact, η = 3/2
//             that of Hertz. It is integrated over a time τ in which dP_i = F_i dτ, with δ_i of E_i = K_i
//             δ_i^(η+1)/(η+1):
//               dγ/dτ = G F,  F_i = K_i δ_i^η,  dδ_i/dτ = −γ_i (compression), −γ_i/e_i² (expansion).
class Propagation {
 public:
  enum class Kind { sequential, energetic, hertz };
  static std::optional<Kind> named(std::string_view name);  // none: another law

  // Throws if a contact has friction or e_F, which these laws do not have, and names the contact.
  static void check(const System& system, std::string_view name);

  explicit Propagation(Kind kind) : kind_(kind) {}

  // gamma, e and P are by row of the problem, K by contact in the order of its laws. P holds the impulses of the
  // impact, including those of the joints.
  SolveReport solve(const ContactProblem& problem, const Vec& gamma, const Vec& e, const Vec& K, Vec& P);

 private:
  void condense(const ContactProblem& problem);
  bool one_after_the_other();
  void hit(double approach);
  bool by_energy(double exponent);
  double energy_step(double exponent) const;
  void rates(double exponent, const Vec& gamma, const Vec& delta, Vec& gamma_dot, Vec& delta_dot);
  void runge_kutta(double exponent, double h);
  void step_to_first_end(double exponent, double h, double deepest);
  bool over() const;

  const Kind kind_;
  std::vector<int> joint_rows_, contact_rows_;
  Mat G_all_, G_, joints_block_, response_;  // response_: joint impulses per contact impulse
  MinimumNorm joints_;
  Vec unit_, column_;
  Vec gamma_, e_, K_, P_;      // by contact
  double still_ = 0.0;         // velocities below are none
  std::vector<int> together_;  // sequential: contacts that are hit together
  Vec p_, target_;
  Vec delta_, F_, gamma_0_, delta_0_, P_0_, k_gamma_, k_delta_, sum_gamma_, sum_delta_, sum_P_;  // energetic
};

}  // namespace tappet
