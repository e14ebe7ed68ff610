// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "solvers/chain_state.h"

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
  // Called at every point with its error; true ends the stage.
  using Check = std::function<bool(const Vec& r, const Vec& u)>;
  struct Checkpoint {
    PathPoint z;
    double kappa;
  };
  struct FoldOptions {
    double continuity = 0.0;  // smallest cosine between tangents before a step is taken back
    double jump = 1.0;        // largest correction, in step lengths
    int max_factorisations = 4000;
  };

  void start(ChainState& state, const Vec* weights);  // w by laws, null: 1

  // Mehrotra's predictor–corrector. Returns the last well-centred point if it stalls.
  std::optional<Checkpoint> predictor_corrector(double scale, int max_steps, const Check& check);

  // Arclength through the folds of the path.
  void follow_folds(const std::optional<Checkpoint>& checkpoint, double scale, const FoldOptions& options,
                    const Check& check);

 private:
  struct Products {  // r_N u_N; the two parts of the Jordan product
    Vec normal, scalar, vector;
  };

  double cold_point(double scale, PathPoint& z) const;  // returns κ
  void products(const PathPoint& z, Products& p) const;
  double kappa(const Products& p) const;
  double centrality(const PathPoint& z, const Products& p, double kappa, const Vec* residual) const;
  double smallest_eigenvalue(const Products& p) const;
  void residual(const PathPoint& z, Vec& res) const;
  void factor(const PathPoint& z);
  void subtract_product(const Vec& x, Vec& y);
  void solve(const PathPoint& z, const Products& rhs, const Vec* res, PathPoint& d);
  double step_length(const PathPoint& z, const PathPoint& d, bool polar) const;
  void add(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum) const;
  void retract(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum) const;
  bool centre(PathPoint& z, double kappa, int max_steps);
  void target(double kappa, const Products& p, Products& rhs) const;  // κ w − products
  bool frictional(const Law& law) const { return law.kind == Law::Kind::contact && law.rows > 1; }

  ChainState* state_ = nullptr;
  Vec w_;
  double pairs_ = 0.0;         // Σ w over the complementarity pairs
  std::vector<double> D_, A_;  // blocks of D (16 a law) and A⁻¹ (9 a law)
  Vec cc_, rhs_, x_, correction_, product_;
};

}  // namespace tappet
