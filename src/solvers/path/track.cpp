// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Newton's method on the equations of the path at a decreasing sequence of κ. At a sharp bend of the path, few contacts
// change their status while all others hardly move, and a common step length would stop there. Here every contact takes
// its own step, and u = Ĝ r + q is corrected by the next step. If a κ is not reached, a larger one is tried. If even a
// slightly smaller κ is not reached, the path folds back. It is then followed in arclength until κ has halved.
#include <algorithm>
#include <cmath>

#include "solvers/path/exact_path.h"

namespace tappet {

namespace {

constexpr double centred = 2.0;        // distance from the path at which κ may decrease
constexpr int patience = 8;            // steps at one κ
constexpr int patience_at_start = 40;  // before the first point on the path
constexpr double folded = 0.7;         // a decrease of κ by less than this factor is given up

double next_fall(double fall, int steps) {
  if (steps <= 2) return std::max(0.3 * fall, 1e-3);
  if (steps <= 4) return std::max(0.6 * fall, 1e-3);
  return steps <= 5 ? fall : std::min(0.9, std::pow(fall, 0.7));
}

}  // namespace

void ExactPath::track(double scale, int max_factorisations, Judge& judge) {
  const int last = state_->factorisations + max_factorisations;
  const FoldOptions fold{.max_factorisations = max_factorisations / 3};
  PathPoint& z = z_;
  double kappa = cold_point(scale, z), kappa_back = 0.0, fall = 0.3;
  bool on_path = false;
  for (int steps = 0; state_->factorisations < last && !state_->late(); ++steps) {
    products(z, p_);
    residual(z, res_);
    const double distance = centrality(z, p_, kappa, &res_);
    if (distance < centred) {
      if (judge.done(z.r)) return;
      back_ = z, kappa_back = kappa, on_path = true;
      fall = next_fall(fall, steps);
      kappa *= fall, steps = 0;
      if (kappa < 1e-26) return;
    } else if (!std::isfinite(distance) || steps >= (on_path ? patience : patience_at_start)) {
      if (!on_path) return;
      z = back_, kappa = kappa_back, steps = 0;
      fall = std::sqrt(fall);
      if (fall > folded) {
        if (!pass_fold(fold, 0.5 * kappa_back, z, kappa, judge)) return;
        fall = 0.5;
        continue;
      }
      kappa *= fall;
      products(z, p_);
      residual(z, res_);
    }
    factor(z);
    target(kappa, p_, target_);
    solve(z, target_, &res_, d_);
    shorten_each(z, d_);
    retract(z, 1.0, d_, z);
  }
}

}  // namespace tappet
