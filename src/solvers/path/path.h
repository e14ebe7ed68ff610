// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "solvers/path/path_system.h"

namespace tappet {

// Path following on exact Coulomb friction. Per contact z = (r, u, ψ), and at κ > 0
//   u = W r + q,   r_N u_N = κ w,   (μ r_N, r_F) ∘ (ψ, u_F) = κ w (1, 0, …)      (∘: Jordan product of the cone),
// so that κ → 0 leads to Coulomb's law with ψ = ‖u_F‖. Frictionless contacts have the first equation alone; joints
// have u = 0 throughout.
struct PathPoint {
  Vec r, u, psi;  // psi by laws
};

class Path {
 public:
  // Sees the r of every point worth judging; true ends the stage.
  struct Judge {
    virtual bool done(const Vec& r) = 0;

   protected:
    ~Judge() = default;
  };
  struct FoldOptions {
    double continuity = 0.0;  // smallest cosine between tangents before a step is taken back
    double jump = 2.0;        // largest correction, in step lengths
    int max_factorisations = 4000;
  };

  void start(ChainState& state, const Vec* weights);  // w by laws, null: 1

  // Mehrotra's predictor–corrector (predictor_corrector.cpp): fast, but one contact at a bend of the path holds up all.
  void predictor_corrector(double scale, int max_steps, Judge& judge);

  // Newton's method at falling κ, every contact with a step of its own; folds in arclength (track.cpp).
  void track(double scale, int max_factorisations, Judge& judge);

  // All of the path in arclength (folds.cpp).
  void follow_folds(double scale, const FoldOptions& options, Judge& judge);

 private:
  struct Products {  // r_N u_N; the two parts of the Jordan product
    Vec normal, scalar, vector;
  };
  struct Arc;  // folds.cpp

  // path.cpp: the equations
  double cold_point(double scale, PathPoint& z) const;  // returns κ
  void products(const PathPoint& z, Products& p) const;
  double kappa(const Products& p) const;
  double centrality(const PathPoint& z, const Products& p, double kappa, const Vec* residual) const;
  void residual(const PathPoint& z, Vec& res) const;
  void target(double kappa, const Products& p, Products& rhs) const;  // κ w − products
  void unit_target(double kappa, Products& rhs) const;                // κ w, the right-hand side of κ dz/dκ

  // path_newton.cpp: the linear systems
  void factor(const PathPoint& z);
  void solve(const PathPoint& z, const Products& rhs, const Vec* res, PathPoint& d, bool refined = true);

  // path_steps.cpp: how far, and the step itself
  double reach(size_t law, const PathPoint& z, const PathPoint& d, bool polar) const;
  double step_length(const PathPoint& z, const PathPoint& d, bool polar) const;
  void shorten_each(const PathPoint& z, PathPoint& d) const;
  void add(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum) const;
  void retract(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum);

  void correct_products(double target_kappa, int most, double& longest);
  bool centre(PathPoint& z, double kappa, int max_steps);
  bool pass_fold(const FoldOptions& options, double stop, PathPoint& z, double& kappa, Judge& judge);

  ChainState* state_ = nullptr;
  Vec w_;
  double pairs_ = 0.0;     // Σ w over the complementarity pairs
  PathSystem system_;      // W + D
  std::vector<double> A_;  // blocks of A⁻¹, 9 a law
  Vec cc_, rhs_, x_;

  // Of the stages; members so that a second solve asks for no memory.
  PathPoint z_, d_, trial_, back_, retracted_;
  Products p_, target_, second_;
  Vec res_;
};

}  // namespace tappet
