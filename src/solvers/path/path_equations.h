// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solvers/path/path_system.h"

namespace tappet {

// The equations of a path on exact Coulomb friction. For each contact z = (r, u, ψ), and at κ > 0
//   u = Ĝ r + q,   r_N u_N = κ w,   (μ r_N, r_F) ∘ (ψ, u_F) = κ w (1, 0, …)      (∘: Jordan product of the cone),
// so κ → 0 leads to Coulomb's law with ψ = ‖u_F‖. Frictionless contacts have only the first equation. Joints have u = 0
// throughout.
struct PathPoint {
  Vec r, u, psi;  // psi is indexed by law
};

class PathEquations {
 public:
  struct Products {  // r_N u_N; the two parts of the Jordan product
    Vec normal, scalar, vector;
  };

  void start(PathState& state, const Vec* weights);  // w is indexed by law; null means 1
  bool has_pairs() const { return pairs_ != 0.0; }   // whether there are pairs of complementary numbers

  double cold_point(double scale, PathPoint& z) const;  // returns κ
  void products(const PathPoint& z, Products& p) const;
  double kappa(const Products& p) const;
  double centrality(const PathPoint& z, const Products& p, double kappa, const Vec* residual) const;
  void residual(const PathPoint& z, Vec& res) const;
  void target(double kappa, const Products& p, Products& rhs) const;  // κ w − products
  void unit_target(double kappa, Products& rhs) const;                // κ w, the right-hand side of κ dz/dκ

  // The linear systems (path_newton.cpp).
  void factor(const PathPoint& z);
  void solve(const PathPoint& z, const Products& rhs, const Vec* res, PathPoint& d, bool refined = true);

  // The length of a step, and the step itself (path_steps.cpp).
  double step_length(const PathPoint& z, const PathPoint& d, bool polar) const;
  void shorten_each(const PathPoint& z, PathPoint& d) const;
  void add(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum) const;
  void retract(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum);

 protected:
  PathState* state_ = nullptr;

 private:
  void eliminate_psi(const PathPoint& z, const Products& c);
  double reach(size_t law, const PathPoint& z, const PathPoint& d, bool polar) const;

  Vec w_;
  double pairs_ = 0.0;     // Σ w over the complementary pairs
  PathSystem system_;      // Ĝ + D
  std::vector<double> A_;  // blocks of A⁻¹, 9 numbers per law
  Vec cc_, rhs_, x_;
  PathPoint retracted_;
};

}  // namespace tappet
