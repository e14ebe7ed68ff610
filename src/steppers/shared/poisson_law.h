// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "system/contact_list.h"

namespace tappet {

// Poisson's impact law for any contact solver. With the velocities γ⁻ before the impact and G = WᵀM⁻¹W:
//   compression     γᶜ = γ⁻ + G Pᶜ,  −γᶜ ∈ N_C(Pᶜ)
//   decompression   γ⁺ = γᶜ + G Pᵉ,  0 ≤ γ_N⁺ ⊥ P_Nᵉ − e P_Nᶜ ≥ 0,  −γ_F⁺ ∈ N_{‖·‖ ≤ μ P_Nᵉ}(P_Fᵉ)
// Decompression is no contact problem: where P_Nᵉ = e P_Nᶜ friction has a disc of given radius. It becomes one with the
// normal row taken out, ξ_N = G_NN (P_N − e P_Nᶜ), and e P_Nᶜ moved to the right-hand side. Which contacts press beyond
// e P_Nᶜ is found by trial: those that would close are set free, those that would pull below it are not.
class PoissonLaw {
 public:
  // Which contacts have no place here: e_F ≠ 0 throws, naming the contact.
  static void check(const ContactList& contacts);

  // problem.c: γᶜ of the velocities after compression (and whatever else acts on them); restored: e P_Nᶜ in the normal
  // rows. P: Pᵉ.
  SolveReport decompress(ContactSolver& solver, const ContactProblem& problem, const Vec& restored, Vec& P);

 private:
  void pose(const ContactProblem& problem, const Vec& restored);
  bool revise(const ContactProblem& problem, const Vec& restored, const Vec& P);

  ContactProblem posed_;
  std::vector<char> given_;  // by row: a normal impulse that is e P_Nᶜ
  Vec shift_, xi_;
};

}  // namespace tappet
