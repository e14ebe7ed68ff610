// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solvers/path/path_equations.h"

namespace tappet {

// Path following on exact Coulomb friction, in three ways that end where they get stuck.
class ExactPath : private PathEquations {
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

  using PathEquations::start;

  // Mehrotra's predictor–corrector (predictor_corrector.cpp): fast, but one contact at a bend of the path holds up all.
  void predictor_corrector(double scale, int max_steps, Judge& judge);

  // Newton's method at falling κ, every contact with a step of its own; folds in arclength (track.cpp).
  void track(double scale, int max_factorisations, Judge& judge);

  // All of the path in arclength (folds.cpp).
  void follow_folds(double scale, const FoldOptions& options, Judge& judge);

 private:
  struct Arc;  // folds.cpp

  void correct_products(double target_kappa, int most, double& longest);
  bool centre(PathPoint& z, double kappa, int max_steps);
  bool pass_fold(const FoldOptions& options, double stop, PathPoint& z, double& kappa, Judge& judge);

  // Members so that a second solve asks for no memory.
  PathPoint z_, d_, trial_, back_;
  Products p_, target_, second_;
  Vec res_;
};

}  // namespace tappet
