// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "solvers/support.h"

namespace tappet {

SolveReport Chain::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    SolveReport report;
    const auto now = std::chrono::steady_clock::now();
    state_.deadline = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                std::chrono::duration<double>(options_.budget_s));
    // Half of what is asked for: the judgement in the original units must hold it.
    state_.tolerance = 0.5 * options_.tolerance;
    state_.factorisations = 0;
    if (!state_.problem.build(problem)) {
      P.set_zero();
    } else {
      if (!analysed_ || state_.problem.pattern_changed() || formed_ != state_.problem.formed()) {
        formed_ = state_.problem.formed();
        state_.system.analyse(state_.problem);
        analysed_ = true;
      }
      const bool warm = std::any_of(P.begin(), P.end(), [](double x) { return x != 0.0; });
      r_.assign(state_.problem.size(), 0.0);
      state_.best = state_.problem.error(r_, state_.problem.q);
      state_.best_r = r_;
      if (!state_.done() && warm) {
        state_.problem.from_original(P, r_);
        polish_.quick(state_, r_);
      }
      if (!state_.done()) run();
      state_.problem.to_original(state_.best_r, P);
    }
    respond(problem, P, xi_);
    report.residual = residual(problem, P, xi_);
    report.iterations = report.factorisations = state_.factorisations;
    report.status = report.residual <= options_.tolerance ? SolveStatus::converged : SolveStatus::not_converged;
    return report;
  });
}

// Judges every point of a path and tries to finish from it, after every tenfold (proximal: thirtyfold) drop.
Path::Check Chain::checker(double quick_below, double proximal_below) {
  return [this, quick_below, proximal_below](const Vec& r, const Vec&) mutable {
    state_.problem.multiply(r, u_);
    for (int i = 0; i < u_.size(); ++i) u_[i] += state_.problem.q[i];
    const double e = state_.offer(r, u_);
    if (!state_.done() && e < quick_below) quick_below = e / 10.0, polish_.quick(state_, r);
    if (!state_.done() && e < proximal_below) proximal_below = e / 30.0, polish_.proximal(state_, r, 12, 20);
    return state_.done();
  };
}

// ‖(W + 1e-10 I)⁻¹ q‖: how large the impulses are to be expected.
double Chain::size_of_solution() {
  zero_.assign(16 * state_.problem.laws.size(), 0.0);
  state_.factor(nullptr, zero_.data(), 1e-10, 1e-10);
  r_ = state_.problem.q;
  state_.solve(r_);
  const double size = r_.eigen().norm();
  return std::isfinite(size) ? std::clamp(size, 1.0, 1e8) : 1.0;
}

bool Chain::run() {
  const double scale = size_of_solution();
  std::mt19937 random(options_.seed);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  const int laws = static_cast<int>(state_.problem.laws.size());
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (attempt >= 2) {
      weights_.resize(laws);
      for (double& w : weights_) w = std::exp(uniform(random));
    }
    path_.start(state_, attempt >= 2 ? &weights_ : nullptr);
    const double scale_here = attempt == 3 ? 1.0 : scale;
    std::optional<Path::Checkpoint> checkpoint;
    if (attempt != 1) {
      checkpoint = path_.predictor_corrector(scale_here, 60, checker(1e-2, 0.0));
      if (state_.done() || state_.late()) break;
      if (state_.best < 1e-1) polish_.proximal(state_, Vec(state_.best_r), 15, 20);
      if (state_.done() || state_.late()) break;
    }
    const Path::FoldOptions folds =
        attempt == 1 ? Path::FoldOptions{.continuity = 0.2, .jump = 0.7} : Path::FoldOptions{};
    path_.follow_folds(checkpoint, scale_here, folds, checker(1e-2, 1e-3));
    if (state_.done() || state_.late()) break;
    polish_.proximal(state_, Vec(state_.best_r), 60, 30);
    if (state_.done() || state_.late()) break;
  }
  return state_.done();
}

}  // namespace tappet
