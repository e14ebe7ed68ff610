// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "problem/contact_problem.h"
#include "system/contact_list.h"

namespace tappet::alpha {

// Forces on acceleration level: γ̇ = G λ + c with γ̇_N ≥ 0 ⊥ λ_N ≥ 0. If the contact sticks, −γ̇_F ∈ N_C(λ_F). If it
// slides along d, λ_F = −μ λ_N d. Only some of the rows [joints | contacts of the set] take part.
class Forces {
 public:
  enum class Mode { none, stick, slip };
  Forces(const ContactList& contacts, ContactSolver* solver);

  // mode and direction (three numbers each) are indexed by the contacts of the set. G and c are over all rows of
  // [joints | set].
  SolveReport solve(const ContactSet& set, const std::vector<Mode>& mode, const Vec& direction, const Mat& G,
                    const Vec& c, Vec& lambda);

 private:
  const ContactList& contacts_;
  const System& system_;
  ContactSolver* solver_;
  ContactProblem problem_;
  std::vector<int> first_;     // from a reduced unknown to its row
  std::vector<int> along_;     // its contact if it slides, otherwise −1
  std::vector<int> friction_;  // the number of friction rows of that contact
  Vec lambda_;
};

}  // namespace tappet::alpha
