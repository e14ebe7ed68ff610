// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "system/contact_list.h"

namespace tappet {

// Poisson's impact law for any contact solver. With the velocities γ⁻ before the impact and G = WᵀM⁻¹W:
//   compression     γᶜ = γ⁻ + G Pᶜ,  −γᶜ ∈ N_C(Pᶜ)
//   decompression   γ⁺ = γᶜ + G Pᵉ,  0 ≤ γ_N⁺ ⊥ P_Nᵉ − e P_Nᶜ ≥ 0,  −γ_F⁺ ∈ N_{‖·‖ ≤ μ P_Nᵉ}(P_Fᵉ)
// Decompression is not a contact problem: if P_Nᵉ = e P_Nᶜ, friction has a disc of given radius. It becomes one if the
// normal row is taken out, ξ_N = G_NN (P_N − e P_Nᶜ), and e P_Nᶜ is moved to the right-hand side. Which contacts press
// with more than e P_Nᶜ is found by trial: those that would close are set free, and those that would need less are not.
class PoissonLaw {
 public:
  // Throws if a contact has e_F ≠ 0, which this law does not have, and names the contact.
  static void check(const ContactList& contacts);

  // problem.c is γᶜ of the velocities after compression (and whatever else acts on them). `restored` is e P_Nᶜ in the
  // normal rows. P is Pᵉ.
  SolveReport decompress(ContactSolver& solver, const ContactProblem& problem, const Vec& restored, Vec& P);

 private:
  void pose(const ContactProblem& problem, const Vec& restored);
  bool revise(const ContactProblem& problem, const Vec& restored, const Vec& P);

  ContactProblem posed_;
  std::vector<char> given_;  // by row: whether its normal impulse is given as e P_Nᶜ
  Vec shift_, xi_;
};

}  // namespace tappet
