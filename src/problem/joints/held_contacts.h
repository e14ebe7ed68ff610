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
  // false if the joints block one of them, so that it shares its load with them in many ways. Contacts that depend on
  // each other while the joints hold, such as the wheels of one axle across their track, are left to the contact solver
  // as those of one rigid body are.
  bool respond(const JointElimination& joints, const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0,
               Delassus& G);
  // u += what the impulses of the contacts do together with the joints. `P` are the impulses of the joints, which
  // change too, and after them those of the contacts, which are copied.
  void apply(const Vec& impulses, Vec& u, Vec& P) const;

 private:
  // A row of which the joints leave less than this share would be lost in round-off.
  static constexpr double blocked = 1e-6;

  static constexpr int lanes = sizeof(Four) / sizeof(double);

  void move(const Inertia& inertia, std::span<const double> reciprocals, const BlockRows& W_1, const BlockRows& W_0,
            int k, int first);
  void solve_blocks(const Inertia& inertia, std::span<const int> columns, std::span<double> x);

  // Panels of four vectors side by side, one panel per column of the matrix.
  static Four* panel(Mat& vectors, int p) { return reinterpret_cast<Four*>(vectors.column(p)); }
  static const Four* panel(const Mat& vectors, int p) { return reinterpret_cast<const Four*>(vectors.column(p)); }
  // The first number of vector j; the next one comes `lanes` numbers later.
  static double* number(Mat& vectors, int j) { return vectors.column(j / lanes) + j % lanes; }

  Mat moved_, resisted_;  // velocities and impulses of the joints, for each row of a contact
  Vec free_response_;     // of each such row to its own impulse if there were no joints
  Vec rates_, scratch_, column_;
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
