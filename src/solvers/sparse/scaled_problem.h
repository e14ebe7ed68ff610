// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "problem/block_rows.h"
#include "problem/contact_problem.h"

namespace tappet {

// A problem without units: u = Ĝ r + q with Ĝ = D ρG D, ρ as in residual(), D_i = (mean diagonal of ρG over the
// contact)^−½ (for a joint row by row), and ‖q‖ = 1. Friction rows of contacts with μ = 0 are left out. Ĝ is stored by
// columns with whole blocks, so every matrix A Ĝ + B with block-diagonal A, B has the same pattern. If G came with its
// factors and has more rows than the bodies have velocities, Ĝ = Ŵᵀ Y is kept as a product and never formed.
class ScaledProblem {
 public:
  // Returns false if there is nothing to scale by, because c = 0 or no row moves anything. With `form`, Ĝ is used even
  // if its factors are smaller, provided that G has it formed.
  bool build(const ContactProblem& problem, bool form = false);

  // Whether a problem that is given by factors should be given by columns, because its factors are not smaller.
  bool needs_columns(const ContactProblem& problem) { return choose_rows(problem), !better_factored(problem); }

  int size() const { return q.size(); }
  int node(int row) const { return node_of_[row]; }      // the law to which a row belongs
  void multiply(const Vec& r, Vec& u) const;             // u = Ĝ r
  void multiply_transposed(const Vec& y, Vec& x) const;  // x = Ĝᵀ y
  // residual() of r, given u = Ĝ r + q, or infinity as soon as it is seen to be larger than `enough`.
  double error(const Vec& r, const Vec& u, double enough = HUGE_VAL) const;
  double velocity() const { return velocity_; }  // residual() of a joint that moves with u = 1
  void to_original(const Vec& r, Vec& P) const;
  void from_original(const Vec& P, Vec& r) const;
  bool pattern_changed() const { return pattern_changed_; }  // since the previous build

  bool formed() const { return formed_; }

  SparseColumns G_hat;            // if formed
  BlockRows W_hat, Y;             // if not formed: by laws, over the velocities of the bodies in play
  std::vector<int> bodies_start;  // if not formed: first velocity of every block of M̂ in play
  std::vector<int> node_start;    // the rows of a law, which are also the nodes of the pattern
  std::vector<int> diagonal;      // for each column, its entry in the first row of its own block
  Vec q;
  Laws laws;  // over the rows that are kept; contacts with μ = 0 have one row

 private:
  void choose_rows(const ContactProblem& problem);
  void find_neighbours(const Delassus& G);
  void take_column(const Delassus& G, int column, double rho);
  void fill(const ContactProblem& problem, double rho);
  bool better_factored(const ContactProblem& problem);
  int number_velocities(const Delassus& G);
  void fill_factors(const ContactProblem& problem, double rho);
  void choose_units(const ContactProblem& problem, double rho);

  std::vector<int> row_, kept_;  // from a row here to the row there, and back (−1 if left out)
  std::vector<int> node_of_, order_, mark_;
  std::vector<std::vector<int>> neighbours_;  // by laws; there may be more entries than laws
  std::vector<int> before_start_, before_row_;
  Vec d_, joint_, column_;  // D; the factors by which residual() multiplies rows of joints
  Vec unit_impulse_, response_;
  mutable Vec velocity_in_play_;
  double unit_ = 1.0, velocity_ = 1.0;  // P = unit r D; u_there = velocity u / D relative to ‖c‖
  int rows_there_ = 0;
  bool pattern_changed_ = true, formed_ = true;
  // from a velocity to the velocity in play; the block of M̂ of a velocity in play
  std::vector<int> compact_, body_of_, columns_;
};

}  // namespace tappet
