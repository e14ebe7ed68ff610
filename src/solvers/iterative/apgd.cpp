// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/iterative/apgd.h"

#include <cmath>
#include <utility>

#include "math/wide/wide.h"
#include "solvers/support.h"

namespace tappet {

namespace {

// z = x + a (x − y)
TAPPET_WIDE void go_beyond(int n, double a, const double* x, const double* y, double* z) {
  int i = 0;
  for (; i + 4 <= n; i += 4) reinterpret_cast<Four&>(z[i]) = four(x + i) + a * (four(x + i) - four(y + i));
  for (; i < n; ++i) z[i] = x[i] + a * (x[i] - y[i]);
}

}  // namespace

void add_slip(const Laws& laws, Vec& u) {
  for (const Law& law : laws) {
    if (law.kind == Law::Kind::bilateral) continue;
    double sum = 0.0;
    for (int i = law.row + 1; i < law.row + law.rows; ++i) sum += u[i] * u[i];
    u[law.row] += law.mu * std::sqrt(sum);
  }
}

void project(const Laws& laws, Vec& r) {
  for (const Law& law : laws)
    if (law.kind == Law::Kind::contact) project_cone(law.rows, law.mu, r.data() + law.row);
}

void Apgd::step(double length, const Vec& y, const Vec& gradient, Vec& r) const {
  r.resize(y.size());
  for (int i = 0; i < y.size(); ++i) r[i] = y[i] - length * gradient[i];
  project(scaled_.laws, r);
}

void Apgd::velocity(const Vec& r, Vec& u) const {
  scaled_.multiply(r, u);
  for (int i = 0; i < u.size(); ++i) u[i] += scaled_.q[i];
}

// Sets next_ to a step from y_ along which ‖Ĝ d‖ ≤ L ‖d‖. Returns L.
double Apgd::find_step(double L) {
  for (;; L *= 2.0) {
    step(1.0 / L, y_, gradient_, next_);
    velocity(next_, next_u_);
    double bend = 0.0, move = 0.0;
    for (int i = 0; i < y_.size(); ++i) {
      const double d = next_[i] - y_[i];
      bend += d * (next_u_[i] - u_[i]), move += d * d;
    }
    if (bend <= L * move || L > 1e12) return L;
  }
}

// Computes y_ from r_ and next_, and u_ from their velocities, so that Ĝ is applied once per step. Returns θ of the
// next step.
double Apgd::extrapolate(double theta) {
  double against = 0.0;
  for (int i = 0; i < y_.size(); ++i) against += (y_[i] - next_[i]) * (next_[i] - r_[i]);
  const double theta_next = 0.5 * (std::sqrt(theta * theta * (theta * theta + 4.0)) - theta * theta);
  const double momentum = against > 0.0 ? 0.0 : theta * (1.0 - theta) / (theta * theta + theta_next);
  go_beyond(y_.size(), momentum, next_.data(), r_.data(), y_.data());
  go_beyond(u_.size(), momentum, next_u_.data(), r_u_.data(), u_.data());
  return against > 0.0 ? 1.0 : theta_next;
}

bool Apgd::begin(const ContactProblem& problem, const Vec& P) {
  if (!scaled_.build(problem)) return false;
  scaled_.from_original(P, r_);
  velocity(r_, r_u_);
  error_ = scaled_.error(r_, r_u_), theta_ = L_ = 1.0, steps_ = 0;
  best_ = y_ = r_, u_ = r_u_;
  return true;
}

void Apgd::continue_to(int steps, double seconds) {
  const Deadline deadline(seconds);
  while (!finished() && steps_ < steps) {
    ++steps_;
    if (steps_ % 64 == 0 && deadline.passed()) break;
    gradient_ = u_;
    add_slip(scaled_.laws, gradient_);
    L_ = find_step(L_);
    theta_ = extrapolate(theta_);
    std::swap(r_, next_), std::swap(r_u_, next_u_);
    L_ *= 0.97;
    if (const double e = scaled_.error(r_, r_u_, error_); e < error_) error_ = e, best_ = r_;
  }
}

SolveReport Apgd::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    SolveReport report;
    if (!begin(problem, P)) {
      P.set_zero();
    } else {
      continue_to(options_.max_iterations > 0 ? options_.max_iterations : 50'000, options_.budget_s);
      report.iterations = steps_;
      best(P);
    }
    respond(problem, P, xi_);
    report.residual = residual(problem, P, xi_);
    report.status = report.residual <= options_.tolerance ? SolveStatus::converged : SolveStatus::not_converged;
    return report;
  });
}

}  // namespace tappet
