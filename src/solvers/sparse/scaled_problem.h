// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "problem/block_rows.h"
#include "problem/contact_problem.h"

namespace tappet {

// A problem without units: u = Ĝ r + q with Ĝ = D ρG D, ρ as in residual(), D_i = (mean diagonal of ρG over the
// contact)^−½ (a joint: row by row), ‖q‖ = 1. Friction rows of contacts with μ = 0 are left out. Ĝ is kept by columns
// with whole blocks, so that every matrix A Ĝ + B with block-diagonal A, B has the same pattern; or, where G came with
// its factors and has more rows than the bodies have velocities, as the product Ĝ = Ŵᵀ Y, never formed.
class ScaledProblem {
 public:
  // False: c = 0 or no row that moves anything, nothing to scale by.
  // `form`: Ĝ even where its factors are smaller, if G has them formed.
  bool build(const ContactProblem& problem, bool form = false);

  // Whether a problem in factors is to be given by columns: its factors are not the smaller ones.
  bool needs_columns(const ContactProblem& problem) { return choose_rows(problem), !better_factored(problem); }

  int size() const { return q.size(); }
  int node(int row) const { return node_of_[row]; }      // the law a row belongs to
  void multiply(const Vec& r, Vec& u) const;             // u = Ĝ r
  void multiply_transposed(const Vec& y, Vec& x) const;  // x = Ĝᵀ y
  double error(const Vec& r, const Vec& u) const;        // residual() of r, given u = Ĝ r + q
  double velocity() const { return velocity_; }          // residual() of a joint that moves with u = 1
  void to_original(const Vec& r, Vec& P) const;
  void from_original(const Vec& P, Vec& r) const;
  bool pattern_changed() const { return pattern_changed_; }  // since the build before

  bool formed() const { return formed_; }

  SparseColumns G_hat;            // formed
  BlockRows W_hat, Y;             // not formed: by laws, over the velocities of the bodies in play
  std::vector<int> bodies_start;  // not formed: first velocity of every block of M̂ in play
  std::vector<int> node_start;    // rows of a law, also the nodes of the pattern
  std::vector<int> diagonal;      // column → its entry in the first row of its own block
  Vec q;
  Laws laws;  // over the rows kept; μ = 0 contacts have one row

 private:
  void choose_rows(const ContactProblem& problem);
  void find_neighbours(const Delassus& G);
  void take_column(const Delassus& G, int column, double rho);
  void fill(const ContactProblem& problem, double rho);
  bool better_factored(const ContactProblem& problem);
  int number_velocities(const Delassus& G);
  void fill_factors(const ContactProblem& problem, double rho);
  void choose_units(const ContactProblem& problem, double rho);

  std::vector<int> row_, kept_;  // row here → row there, and back (−1: left out)
  std::vector<int> node_of_, order_, mark_;
  std::vector<std::vector<int>> neighbours_;  // by laws; may be longer than they are
  std::vector<int> before_start_, before_row_;
  Vec d_, joint_, column_;  // D; what residual() multiplies rows of joints by
  Vec unit_impulse_, response_;
  mutable Vec velocity_in_play_;
  double unit_ = 1.0, velocity_ = 1.0;  // P = unit r D; u_there = velocity u / D relative to ‖c‖
  int rows_there_ = 0;
  bool pattern_changed_ = true, formed_ = true;
  std::vector<int> compact_, body_of_, columns_;  // velocity → velocity in play; block of M̂ of a velocity in play
};

}  // namespace tappet
