// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "describe/describe.h"

namespace tappet {

struct GeneralizedAlphaOptions {
  std::string family = "chung-hulbert";  // (72) by rho_inf; "newmark", "hht"
  double rho_inf = 0.5;
  double newmark_beta = 0.25, newmark_gamma = 0.5;
  double hht_alpha = 0.1;
  std::string law = "consistent";   // "printed": (88) and (138) as printed; "bruls": κ_N, Λ_N for κ̂_N, P_N
  std::string strategy = "newton";  // the strategy that is tried first; "levels", "fixed-point"
  std::string first_iterate = "extrapolated";  // as previous steps suggest; "start": a and λ at the start of the step
  double tolerance = 1e-9;                     // of forces and impulses, relative to those in the balance
  double position_tolerance = 1e-12;           // of gaps and joints
  int newton_iterations = 16;                  // before the next strategy
  int level_iterations = 50;
  int fixed_point_iterations = 1000;
  int halvings = 6;

  template <class V>
  void describe(V& v) {
    v.choice("family", family, {"chung-hulbert", "newmark", "hht"}, "choice of alpha_m, alpha_f, beta, gamma");
    v.optional("rho_inf", rho_inf, Range{0, 1}, "spectral radius at infinite frequency (72)");
    v.optional("newmark_beta", newmark_beta, Range{0, 0.5}, "beta of Newmark's family");
    v.optional("newmark_gamma", newmark_gamma, Range{0.5, 1}, "gamma of Newmark's family");
    v.optional("hht_alpha", hht_alpha, Range{0, 1.0 / 3.0}, "alpha of Hilber, Hughes and Taylor");
    v.choice("law", law, {"consistent", "printed", "bruls"},
             "contact law: of second order, as printed, or that of Bruels");
    v.choice("strategy", strategy, {"newton", "levels", "fixed-point"}, "the strategy that is tried first");
    v.choice(
        "first_iterate", first_iterate, {"start", "extrapolated"},
        "iterations begin with the forces at the start of the step, or with those that the previous steps suggest");
    v.renamed("violation_tolerance", "force_tolerance");  // this name means a tolerance of gaps in all other schemes
    v.optional("force_tolerance", tolerance, Range{0, 1},
               "tolerance of forces and impulses, relative to those in the balance");
    v.optional("position_tolerance", position_tolerance, Range{0, 1}, "tolerance of gaps and joints, absolute");
    v.optional("newton_iterations", newton_iterations, Range{1, 1000},
               "largest number of Newton iterations before the next strategy");
    v.optional("level_iterations", level_iterations, Range{1, 10000},
               "largest number of passes of the level-by-level strategy");
    v.optional("fixed_point_iterations", fixed_point_iterations, Range{1, 1000000},
               "largest number of fixed-point updates");
    v.optional("halvings", halvings, Range{0, 20}, "largest number of times that a failed step is halved");
  }
};

namespace alpha {

struct Coefficients {
  double alpha_m, alpha_f, beta, gamma;
};
Coefficients coefficients(const GeneralizedAlphaOptions& options);

// The quadratures (70) with the auxiliary recurrence (71) inserted. They are the same for accelerations a and forces λ:
//   ∫ a dt   ≈ velocity_bar ā₀ + velocity_0 a₀ + velocity_1 a₁
//   ∫∫ a dt² ≈ position_bar ā₀ + position_0 a₀ + position_1 a₁
struct Quadrature {
  Quadrature() = default;
  Quadrature(const Coefficients& c, double dt);
  double bar(double bar_0, double x_0, double x_1) const { return bar_bar * bar_0 + bar_start * x_0 + bar_end * x_1; }

  double dt = 0;
  double bar_bar = 0, bar_start = 0, bar_end = 0;  // ā₁ from ā₀, a₀, a₁
  double velocity_bar = 0, velocity_0 = 0, velocity_1 = 0;
  double position_bar = 0, position_0 = 0, position_1 = 0;
};

}  // namespace alpha
}  // namespace tappet
