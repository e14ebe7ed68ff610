// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "problem/joints/joint_elimination.h"

namespace tappet {

// The contacts of bodies that joints hold. An impulse of a contact moves the bodies, and the joints resist:
//   G = W₁ᵀ (Y − Y_J S⁻¹ W_J₁ᵀ Y),   Y = M̂⁻¹ W₀ of the contacts,   W_J₁, Y_J and S of the joints (JointElimination).
// So the contact problem has no rows of joints.
class HeldContacts {
 public:
  // The blocks of W₁ and W₀ after those of the joints are the contacts. Makes G a dense matrix over their rows. Returns
  // false if they depend on the joints, so that a contact and a joint may share a load in many ways. Contacts that only
  // depend on each other, such as two that slide along the same line, are left to the contact solver.
  bool respond(const JointElimination& joints, const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0,
               Delassus& G);
  // u += what the impulses of the contacts do together with the joints. `P` are the impulses of the joints, which
  // change too, and after them those of the contacts, which are copied.
  void apply(const Vec& impulses, Vec& u, Vec& P) const;

 private:
  bool are_independent_of_joints(const Mat& G, int first, const Inertia& inertia, const BlockRows& W_1,
                                 const BlockRows& W_0);
  bool find_dependent(const Mat& G, std::vector<char>& dependent);  // returns whether there are any
  void form_without_joints(int first, const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0);

  Mat moved_, resisted_;  // velocities and impulses of the joints, by row of a contact
  Mat free_, pivots_;     // G without joints; scratch
  Vec diagonal_;          // of G without joints
  Vec scratch_, response_;
  std::vector<char> dependent_, dependent_free_;  // rows that follow from those before them
};

// Row r of block k of W, times u.
inline double rate(const BlockRows& W, int k, int r, std::span<const double> u) {
  const auto columns = W.columns(k);
  const double* w = W.values(k) + r * columns.size();
  double sum = 0.0;
  for (size_t c = 0; c < columns.size(); ++c) sum += w[c] * u[columns[c]];
  return sum;
}

}  // namespace tappet
