// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solvers/path/exact_path.h"

namespace tappet {

// A path that does not stop at folds. Coulomb's law is written as one cone (De Saxcé). With the shift s = ‖u_F‖,
//   x = (μ r_N, r_F),  y = (u_N/μ + s, u_F),  x and y in the cone {x_0 ≥ ‖x_F‖} and orthogonal.
// If s were given, the problem would be convex, and its path x ∘ y = κ e would be unique and without folds. So s is a
// separate variable that follows φ(y) = ‖y_F‖²/y_0 (which is ‖u_F‖ at κ = 0): ds = c (φ + φ' dy − s). With c = 1 this
// is Newton's method on the whole problem. With c < 1 it is an implicit step of ṡ = φ(y(s)) − s, which near a fold
// leaves the branch that ends there and runs to another one at the same κ.
class RelaxedPath {
 public:
  struct Pace {
    double fall;  // factor by which κ decreases
    double most;  // largest c
  };
  // Which branches end and begin depends on the pace. If one pace leads nowhere, another one may.
  static constexpr Pace first_pace[] = {{0.3, 0.98}};
  static constexpr Pace paces[] = {{0.2, 0.95}, {0.4, 0.95}, {0.15, 0.98}};
  static constexpr Pace more_paces[] = {{0.47, 0.99}, {0.31, 0.95}, {0.25, 0.99}, {0.5, 0.98}};

  void follow(PathState& state, double scale, const Pace& pace, int max_factorisations, ExactPath::Judge& judge);

 private:
  double cold_point(double scale);  // returns κ
  bool near_path(double kappa);     // also finds φ − s, φ' and the residual
  bool settle(double kappa, double most, int last);
  bool jump(double kappa);
  double step(double kappa, double c);
  void direction(double kappa, double c);

  PathState* state_ = nullptr;
  PathSystem system_;
  Vec r_, x_, y_, s_;                    // s by laws
  Vec phi_slope_, miss_, residual_, t_;  // φ'; φ − s; Ĝ r + q − u; κ x⁻¹ − y
  std::vector<double> scaling_;          // Q of Nesterov and Todd, Q x = y; 16 a law
  Vec rhs_, dr_, dx_, dy_, ds_, before_;
  double off_ = 0.0, wrong_ = 0.0, lag_ = 0.0;  // distances from x ∘ y = κ e, u = Ĝ r + q and s = φ, in units of κ
  double stride_ = 1.0;
};

}  // namespace tappet
