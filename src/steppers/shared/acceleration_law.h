// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "math/minimum_norm.h"
#include "problem/contact_problem.h"
#include "system/contact_list.h"

namespace tappet {

// The assumed behaviour of a contact at an instant.
struct ContactMode {
  enum class Kind { open, slips, sticks };
  Kind kind = Kind::open;
  std::array<double, 3> d{};  // if it slips: unit direction; friction is −μ λ_N d
};

// The contact law on acceleration level at one instant, for the joints and the contacts of a set in given modes:
//   γ̇ = G λ + c,   joints: γ̇ = 0,   contacts: 0 ≤ γ̇_N ⊥ λ_N ≥ 0,
//   friction: −γ̇_F ∈ N_C(λ_F) if the contact sticks, λ_F = −μ λ_N d if it slips along d;   λ = 0 if it is open.
// Forces and accelerations have the rows [joints | contacts of the set]. The unknowns are a part of these rows: all
// rows of joints and of contacts that stick, and the normal row of contacts that slip.
//
// solve() finds the forces of this law with a contact solver. hold() takes all modes for granted, γ̇ = 0 in the rows of
// all unknowns: the signs of its forces tell when a mode ends.
class AccelerationLaw {
 public:
  explicit AccelerationLaw(const ContactList& contacts);

  // Chooses the unknowns; modes by contact of the set.
  void set_modes(const ContactSet& set, const std::vector<ContactMode>& modes);
  int size() const { return static_cast<int>(rows_.size()); }  // the number of unknowns
  int row(int j) const { return rows_[j]; }                    // of unknown j
  const Laws& laws() const { return problem_.laws; }           // of the unknowns

  // Calls apply(row, force) with the friction that goes with a unit of unknown j: none unless its contact slips.
  template <class Apply>
  void friction_of(int j, const Apply& apply) const {
    for (int f = 0; f < slips_[j].rows; ++f) apply(rows_[j] + 1 + f, -(slips_[j].mu * slips_[j].d[f]));
  }

  // Sets G and c of the unknowns. c has all rows. accelerate(j, γ̇) writes the accelerations that a unit of unknown j
  // and its friction cause; only the rows of unknowns are read.
  template <class Accelerate>
  void pose(const Vec& c, const Accelerate& accelerate) {
    Mat& G = problem_.G.dense(size());
    problem_.c.resize(size()), column_.resize(c.size());
    for (int j = 0; j < size(); ++j) {
      accelerate(j, column_);
      for (int i = 0; i < size(); ++i) G(i, j) = column_[rows_[i]];
      problem_.c[j] = c[rows_[j]];
    }
  }
  const Mat& G() const { return problem_.G.dense(); }
  const Vec& c() const { return problem_.c; }

  Vec x;                                     // the unknowns: the start of solve(), and the forces that were found
  void start_from(const Vec& lambda);        // x from the forces of all rows
  SolveReport solve(ContactSolver& solver);  // the law
  void hold();                               // the modes; if rows depend on each other, the shortest solution
  void expand(Vec& lambda) const;            // x and its friction in all rows, zero elsewhere

  // All of this with G over all rows. lambda: the start on entry, the forces on return.
  SolveReport solve(const ContactSet& set, const std::vector<ContactMode>& modes, const Mat& G, const Vec& c,
                    ContactSolver& solver, Vec& lambda);

 private:
  struct Slip {  // of an unknown: rows = 0 unless its contact slips
    int rows = 0;
    double mu = 0.0;
    std::array<double, 3> d{};
  };

  const ContactList& contacts_;
  ContactProblem problem_;
  std::vector<int> rows_;
  std::vector<Slip> slips_;
  Vec column_;
  MinimumNorm factors_;
};

}  // namespace tappet
