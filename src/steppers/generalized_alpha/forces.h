// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "problem/contact_problem.h"
#include "system/contact_list.h"

namespace tappet::alpha {

// Forces on acceleration level: γ̇ = G λ + c with γ̇_N ≥ 0 ⊥ λ_N ≥ 0; −γ̇_F ∈ N_C(λ_F) where the contact sticks,
// λ_F = −μ λ_N d where it slides along d. Rows [joints | contacts of the set] of which only some take part.
class Forces {
 public:
  enum class Mode { none, stick, slip };
  Forces(const ContactList& contacts, ContactSolver* solver);

  // mode and direction (three numbers each) by contact of the set; G and c over all rows of [joints | set].
  SolveReport solve(const ContactSet& set, const std::vector<Mode>& mode, const Vec& direction, const Mat& G,
                    const Vec& c, Vec& lambda);

 private:
  const ContactList& contacts_;
  const System& system_;
  ContactSolver* solver_;
  ContactProblem problem_;
  std::vector<int> first_;     // reduced unknown → row
  std::vector<int> along_;     // its contact where it slides, −1
  std::vector<int> friction_;  // how many friction rows that contact has
  Vec lambda_;
};

}  // namespace tappet::alpha
