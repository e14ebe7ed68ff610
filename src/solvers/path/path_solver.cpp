// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/path_solver.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "solvers/support.h"

namespace tappet {

namespace {

// Steps of the accelerated gradients per factorisation.
constexpr int beside_relaxed = 20, beside_proximal = 40;

}  // namespace

SolveReport PathSolver::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    SolveReport report;
    const bool warm = std::any_of(P.begin(), P.end(), [](double x) { return x != 0.0; });
    if (warm && still_solves(problem, P, report)) return report;
    start_ = P;
    start();
    original_ = &problem;
    if (!state_.prepare(problem)) {
      P.set_zero();
    } else {
      search(P);
      state_.problem.to_original(state_.best_r, P);
    }
    respond(problem, P, xi_);
    left_ = report.residual = residual(problem, P, xi_);
    if (warm) keep_change(problem, P);
    report.iterations = report.factorisations = state_.factorisations;
    report.status = report.residual <= options_.tolerance ? SolveStatus::converged
                    : infeasible_                         ? SolveStatus::infeasible
                                                          : SolveStatus::not_converged;
    return report;
  });
}

void PathSolver::start() {
  const auto now = std::chrono::steady_clock::now();
  state_.deadline = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                              std::chrono::duration<double>(options_.budget_s));
  // Half of the tolerance, because the result must also hold in the original units.
  state_.tolerance = 0.5 * options_.tolerance;
  state_.factorisations = 0;
  infeasible_ = false;
}

// Returns true if the impulses of the last solution, or those that continue their last change, are still right. An
// error that is just good enough would not be in the next step. If the last solution left more than that, the problem
// allows no better.
bool PathSolver::still_solves(const ContactProblem& problem, Vec& P, SolveReport& report) {
  constexpr double most = 0.1, far_below = 0.1;
  const double tolerance = options_.tolerance;
  const double good = std::clamp(3.0 * left_, Polish::ahead * tolerance, most * tolerance);
  respond(problem, P, xi_);
  const double present = report.residual = residual(problem, P, xi_);
  if (present <= far_below * good) return true;
  LastChange::residuals(problem, P, xi_, r_start_);
  if (last_change_.predict(P, r_start_, predicted_)) {
    respond(problem, predicted_, xi_);
    if (const double e = residual(problem, predicted_, xi_); e < present) {
      std::swap(P, predicted_);
      report.residual = e;
      if (e > good) LastChange::residuals(problem, P, xi_, r_start_);
    }
  }
  return report.residual <= good;
}

// From start_ to P, whose response is xi_.
void PathSolver::keep_change(const ContactProblem& problem, const Vec& P) {
  LastChange::residuals(problem, P, xi_, r_end_);
  last_change_.learn(start_, r_start_, P, r_end_);
}

void PathSolver::search(const Vec& P) {
  r_.assign(state_.problem.size(), 0.0);
  state_.best = state_.problem.error(r_, state_.problem.q);
  state_.best_r = r_;
  const bool warm = std::any_of(P.begin(), P.end(), [](double x) { return x != 0.0; });
  if (!state_.done() && warm) {
    state_.problem.from_original(P, r_);
    const bool resumed = polish_.resume(state_, r_);
    if (!state_.done() || (!resumed && polish_.are_old(state_))) polish_.quick(state_, r_, 15, 1.0, Polish::near);
    if (!state_.done()) polish_.quick(state_, r_);
  }
  if (!state_.done()) run();
}

// Judges points of a path and tries to finish from them, each time the error has decreased by a given factor.
struct PathSolver::Finisher final : ExactPath::Judge {
  PathSolver& solver;
  double quick_drop, quick_below = 1e-2, proximal_below, rho;
  bool keeps_lowest = false;  // the best point of this path alone, in lowest_r_
  int steps_beside = 0;       // of the accelerated gradients, per factorisation
  double lowest = HUGE_VAL;
  Finisher(PathSolver& owner, double drop, double proximal, double weight = 1.0)
      : solver(owner), quick_drop(drop), proximal_below(proximal), rho(weight) {}

  bool done(const Vec& r) override {
    PathState& state = solver.state_;
    Vec& u = solver.u_;
    state.problem.multiply(r, u);
    for (int i = 0; i < u.size(); ++i) u[i] += state.problem.q[i];
    const double e = state.offer(r, u);
    if (keeps_lowest && e < lowest) lowest = e, solver.lowest_r_ = r;
    if (!state.done() && e < quick_below) quick_below = quick_drop * e, solver.polish_.quick(state, r, 15, rho);
    if (!state.done() && e < proximal_below) proximal_below = e / 30.0, solver.polish_.proximal(state, r, 12, 20);
    if (!state.done() && steps_beside > 0) solver.descend(steps_beside);
    return state.done();
  }
};

PathSolver::Finisher PathSolver::after_pivots() {
  Finisher finisher(*this, 0.3, 0.0, 1e4);
  finisher.quick_below = std::min(finisher.quick_below, 0.3 * state_.best);
  finisher.steps_beside = beside_proximal;
  return finisher;
}

// ‖(Ĝ + 1e-10 I)⁻¹ q‖, an estimate of the size of the impulses.
double PathSolver::size_of_solution() {
  zero_.assign(16 * state_.problem.laws.size(), 0.0);
  state_.factor(nullptr, zero_.data(), 1e-10, 1e-10);
  r_ = state_.problem.q;
  state_.solve(r_);
  const double size = r_.eigen().norm();
  return std::isfinite(size) ? std::clamp(size, 1.0, 1e8) : 1.0;
}

// Finds joints that require different velocities for the same motion. It looks for a y over their rows with Ĝᵀy = 0.
// Then yᵀu = yᵀq for all impulses, and the error is at least |yᵀq| / ‖y‖. y is what remains of q when only the joints
// have done their best. It is computed with contacts held at P = 0 by a stiff diagonal.
bool PathSolver::joints_contradict() {
  constexpr double shift = 1e-5;
  const ScaledProblem& problem = state_.problem;
  Vec y(problem.size()), x(problem.size());
  zero_.assign(16 * problem.laws.size(), 0.0);
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    const bool joint = law.kind == Law::Kind::bilateral;
    for (int i = 0; i < law.rows; ++i) y[law.row + i] = joint ? problem.q[law.row + i] : 0.0;
    for (int i = 0; !joint && i < law.rows; ++i) zero_[16 * k + 5 * i] = 1e10;
  }
  if (y.eigen().norm() == 0.0) return false;
  state_.factor(nullptr, zero_.data(), shift, shift);
  for (int pass = 0; pass < 4; ++pass) {
    for (int i = 0; i < x.size(); ++i) x[i] = -y[i];
    state_.solve(x);
    problem.multiply(x, u_);
    for (const Law& law : problem.laws)
      for (int i = law.row; law.kind == Law::Kind::bilateral && i < law.row + law.rows; ++i) y[i] += u_[i];
  }
  problem.multiply_transposed(y, x);
  const double size = y.eigen().norm(), bound = std::abs(y.eigen().dot(problem.q.eigen())) / size * problem.velocity();
  return x.eigen().norm() <= 1e-7 * size && bound > 10.0 * options_.tolerance;
}

void PathSolver::run() {
  const double scale = size_of_solution();
  const auto over = [&] { return state_.done() || state_.late(); };
  path_.start(state_, nullptr);
  Finisher first(*this, 0.1, 0.0);
  first.quick_below = 1e-2 * std::min(1.0, 600.0 / state_.problem.laws.size());
  path_.predictor_corrector(scale, 60, first);
  if (over()) return;
  if ((infeasible_ = joints_contradict())) return improve();
  begin_descent();
  for (ProximalPath& curve : curves_) curve.forget();
  if (relax(scale, RelaxedPath::first_pace, 650) || relax(scale, RelaxedPath::paces, 800)) return;
  polish_.flow(state_, Vec(state_.best_r), 1200);
  if (over()) return;
  Finisher second(*this, 0.3, 0.0);
  path_.track(scale, 1500, second);
  if (over()) return;
  if (state_.best < 1e-1) polish_.proximal(state_, Vec(state_.best_r), 15, 20);
  if (over() || relax(scale, RelaxedPath::more_paces, 800)) return;
  Finisher third(*this, 0.1, 1e-3);
  path_.follow_folds(scale, {.continuity = 0.2, .jump = 0.7}, third);
  if (!over()) restart(scale);
}

// Accelerated gradients from zero know neither paths nor folds and need no factorisation. They come within 1e-5 of a
// solution sooner than a path that folds, and they solve some heaps of rods that nothing else here solves, often after
// tens of thousands of steps without progress. So they run beside the paths. The number of their steps follows from the
// number of factorisations so far, so that the result does not depend on the speed of the machine.
void PathSolver::begin_descent() {
  descent_error_ = HUGE_VAL;
  descent_P_.assign(original_->size(), 0.0);
  descent_.begin(*original_, descent_P_);
}

void PathSolver::descend(int steps_per_factorisation) {
  const std::chrono::duration<double> left = state_.deadline - std::chrono::steady_clock::now();
  descent_.continue_to(steps_per_factorisation * state_.factorisations, left.count());
  if (descent_.error() >= descent_error_) return;
  descent_error_ = descent_.error();
  descent_.best(descent_P_);
  if (beyond_judgement(*original_, descent_P_, options_.tolerance)) return;
  state_.problem.from_original(descent_P_, r_);
  state_.problem.multiply(r_, u_);
  for (int i = 0; i < u_.size(); ++i) u_[i] += state_.problem.q[i];
  state_.offer(r_, u_);
}

// If a pace does not lead to a solution, the proximal path is followed from its best point, because every pace ends at
// another point. How long a curve is can differ from one centre to the next by a factor of ten and more, and nothing
// tells beforehand. So all curves so far then continue by the same number of factorisations, the newest first. Returns
// true if the solver is done or late.
bool PathSolver::relax(double scale, std::span<const RelaxedPath::Pace> paces, int max_factorisations) {
  constexpr int turn = 1000;  // factorisations
  const auto over = [&] { return state_.done() || state_.late(); };
  for (const RelaxedPath::Pace& pace : paces) {
    Finisher finisher(*this, 0.3, 1e-5, 1e4);
    finisher.keeps_lowest = true, finisher.steps_beside = beside_relaxed;
    relaxed_.follow(state_, scale, pace, max_factorisations, finisher);
    if (over()) return true;
    state_.restore();
    std::rotate(curves_.rbegin(), curves_.rbegin() + 1,
                curves_.rend());  // the oldest one gives its place to the new one
    Finisher pivots = after_pivots();
    curves_.front().follow(state_, Vec(finisher.lowest < HUGE_VAL ? lowest_r_ : state_.best_r), turn, pivots);
    for (size_t k = 1; k < curves_.size() && !over(); ++k) {
      Finisher more = after_pivots();
      curves_[k].resume(turn, more);
    }
    if (over()) return true;
  }
  return false;
}

// Improves the best point if no point is a solution.
void PathSolver::improve() {
  if (!state_.late()) polish_.proximal(state_, Vec(state_.best_r), 15, 20);
}

// The path depends on its weights, so other weights may reach a solution if these did not.
void PathSolver::restart(double scale) {
  std::mt19937 random(static_cast<unsigned>(options_.seed));
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  weights_.resize(static_cast<int>(state_.problem.laws.size()));
  for (int attempt = 0; attempt < 4 && !state_.done() && !state_.late(); ++attempt) {
    for (double& w : weights_) w = std::exp(uniform(random));
    path_.start(state_, &weights_);
    const double scale_here = attempt % 2 ? 1.0 : scale;
    Finisher fast(*this, 0.1, 0.0);
    path_.predictor_corrector(scale_here, 60, fast);
    if (state_.done() || state_.late()) return;
    Finisher sure(*this, 0.3, 1e-3);
    path_.track(scale_here, 3000, sure);
    if (state_.done() || state_.late()) return;
    polish_.proximal(state_, Vec(state_.best_r), 60, 30);
  }
}

}  // namespace tappet
