// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/iterative/admm.h"

#include <algorithm>
#include <cmath>

#include "solvers/iterative/apgd.h"
#include "solvers/support.h"

namespace tappet {

namespace {

constexpr int spectral_changes = 8;

// The spectral step of a gradient map from differences of its argument x and value g, and how well the two align.
struct Spectral {
  double step = 0.0, correlation = 0.0;
};

Spectral estimate(const Vec& x, const Vec& x_seen, const Vec& g, const Vec& g_seen, double sign) {
  double xx = 0.0, xg = 0.0, gg = 0.0;
  for (int i = 0; i < x.size(); ++i) {
    const double dx = sign * (x[i] - x_seen[i]), dg = g[i] - g_seen[i];
    xx += dx * dx, xg += dx * dg, gg += dg * dg;
  }
  if (!(xx > 0.0) || !(gg > 0.0) || !(xg > 0.0)) return {};
  const double steepest = gg / xg, minimum = xg / xx;
  return {2.0 * minimum > steepest ? minimum : steepest - 0.5 * minimum, xg / std::sqrt(xx * gg)};
}

}  // namespace

double Admm::penalty(double tau) const {
  constexpr double aligned = 0.2;
  const Spectral a = estimate(r_, r_seen_, lambda_hat_, lambda_hat_seen_, 1.0);
  const Spectral b = estimate(z_, z_seen_, lambda_, lambda_seen_, -1.0);
  if (a.correlation > aligned && b.correlation > aligned) return std::sqrt(a.step * b.step);
  return a.correlation > aligned ? a.step : b.correlation > aligned ? b.step : tau;
}

void Admm::factor(double tau) {
  zero_.assign(16 * scaled_.laws.size(), 0.0);
  system_.factor(scaled_, nullptr, zero_.data(), tau, tau);
  ++factorisations_;
}

void Admm::velocity(const Vec& r) {
  scaled_.multiply(r, u_);
  for (int i = 0; i < u_.size(); ++i) u_[i] += scaled_.q[i];
}

// Returns the error of P, from which the iteration starts.
double Admm::start(const Vec& P) {
  system_.analyse(scaled_);
  scaled_.from_original(P, z_);
  velocity(z_);
  const double error = scaled_.error(z_, u_);
  best_ = r_ = z_;
  slip_ = lambda_ = u_;
  add_slip(scaled_.laws, lambda_);  // at a solution û is the multiplier
  for (int i = 0; i < scaled_.size(); ++i) slip_[i] = lambda_[i] - u_[i];
  if (std::all_of(P.begin(), P.end(), [](double x) { return x == 0.0; })) lambda_.set_zero();
  lambda_hat_ = lambda_;
  changes_ = 0;
  return error;
}

// Chooses the penalty by the balance of the two residuals.
double Admm::balanced(double tau) const {
  double primal = 0.0, dual = 0.0;
  for (int i = 0; i < scaled_.size(); ++i) {
    primal += (r_[i] - z_[i]) * (r_[i] - z_[i]);
    dual += tau * tau * (z_[i] - z_before_[i]) * (z_[i] - z_before_[i]);
  }
  return primal > 100.0 * dual ? 2.0 * tau : dual > 100.0 * primal ? 0.5 * tau : tau;
}

double Admm::look_at_penalty(int iterations, double tau) {
  double next = tau;
  if (changes_ < spectral_changes) {
    if (iterations > 0) next = std::clamp(penalty(tau), tau / 10.0, tau * 10.0);
  } else if (iterations % 50 == 0) {
    next = balanced(tau);
  }
  next = std::clamp(next, 1e-4, 1e2);
  if (next > 1.5 * tau || next < tau / 1.5) tau = next, ++changes_, factor(tau);
  r_seen_ = r_, z_seen_ = z_, lambda_seen_ = lambda_, lambda_hat_seen_ = lambda_hat_;
  return tau;
}

void Admm::iterate(double tau) {
  const int n = scaled_.size();
  for (int i = 0; i < n; ++i) r_[i] = lambda_[i] + tau * z_[i] - scaled_.q[i] - slip_[i];
  system_.solve(scaled_, r_);
  for (int i = 0; i < n; ++i) {
    lambda_hat_[i] = lambda_[i] + tau * (z_[i] - r_[i]);
    z_[i] = r_[i] - lambda_[i] / tau;
  }
  project(scaled_.laws, z_);
  for (int i = 0; i < n; ++i) lambda_[i] += tau * (z_[i] - r_[i]);
  velocity(z_);
}

// Returns the number of iterations; the best point is in best_.
int Admm::search(const Vec& P) {
  const int n = scaled_.size(), limit = options_.max_iterations > 0 ? options_.max_iterations : 20'000;
  const Deadline deadline(options_.budget_s);
  double best = start(P), tau = 1.0;
  if (best > 0.5 * options_.tolerance) factor(tau);
  int iterations = 0;
  while (best > 0.5 * options_.tolerance && iterations < limit) {
    if (iterations % 10 == 0) tau = look_at_penalty(iterations, tau);
    z_before_ = z_;
    ++iterations;
    if (iterations % 64 == 0 && deadline.passed()) break;
    iterate(tau);
    const double e = scaled_.error(z_, u_);
    if (!std::isfinite(e)) break;
    if (e < best) best = e, best_ = z_;
    for (int i = 0; i < n; ++i) slip_[i] = -u_[i];
    add_slip(scaled_.laws, u_);
    for (int i = 0; i < n; ++i) slip_[i] += u_[i];
  }
  return iterations;
}

SolveReport Admm::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    SolveReport report;
    factorisations_ = 0;
    if (!scaled_.build(problem)) {
      P.set_zero();
    } else {
      report.iterations = search(P);
      scaled_.to_original(best_, P);
    }
    respond(problem, P, xi_);
    report.residual = residual(problem, P, xi_);
    report.factorisations = factorisations_;
    report.status = report.residual <= options_.tolerance ? SolveStatus::converged : SolveStatus::not_converged;
    return report;
  });
}

}  // namespace tappet
