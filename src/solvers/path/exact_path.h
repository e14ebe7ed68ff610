// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solvers/path/path_equations.h"

namespace tappet {

// Path following on exact Coulomb friction, in three ways. Each ends if it makes no more progress.
class ExactPath : private PathEquations {
 public:
  // Is given the r of every point that is worth judging. Returning true ends the stage.
  struct Judge {
    virtual bool done(const Vec& r) = 0;

   protected:
    ~Judge() = default;
  };
  struct FoldOptions {
    double continuity = 0.0;  // the smallest cosine between tangents; below it a step is taken back
    double jump = 2.0;        // the largest correction, in step lengths
    int max_factorisations = 4000;
  };

  using PathEquations::start;

  // Mehrotra's predictor–corrector method (predictor_corrector.cpp). It is fast, but one contact at a bend of the path
  // delays all others.
  void predictor_corrector(double scale, int max_steps, Judge& judge);

  // Newton's method at decreasing κ with a separate step length for every contact. Folds are followed in arclength
  // (track.cpp).
  void track(double scale, int max_factorisations, Judge& judge);

  // Follows the whole path in arclength (folds.cpp).
  void follow_folds(double scale, const FoldOptions& options, Judge& judge);

 private:
  struct Arc;  // folds.cpp

  void correct_products(double target_kappa, int most, double& longest);
  bool centre(PathPoint& z, double kappa, int max_steps);
  bool pass_fold(const FoldOptions& options, double stop, PathPoint& z, double& kappa, Judge& judge);

  // These are members so that a second solution allocates no memory.
  PathPoint z_, d_, trial_, back_;
  Products p_, target_, second_;
  Vec res_;
};

}  // namespace tappet
