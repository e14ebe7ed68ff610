// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tappet {

namespace {

constexpr double growth = 1e8;
constexpr long alarm_steps = 1000;

// ρ(M⁻¹A): the growth of the M-norm under M⁻¹A, after the start vector has turned to the fastest direction.
double spectral_radius(const BlockMatrix& M, const BlockMatrix& A) {
  constexpr int iterations = 200;
  const int n = M.size();
  Vec x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = (i % 2 ? -1.0 : 1.0) * (1.0 + 0.3 * std::sin(1.7 * i));
  double radius = 0.0;
  for (int k = 0; k < iterations; ++k) {
    M.multiply(x, y);
    const double norm = std::sqrt(std::max(0.0, x.eigen().dot(y.eigen())));
    if (!(norm > 0.0) || !std::isfinite(norm)) return radius;
    if (k > 0) radius = norm;
    for (double& value : x) value /= norm;
    A.multiply(x, y);
    M.solve(y);
    std::swap(x, y);
  }
  return radius;
}

}  // namespace

StepLimit step_limit(const System& system, const State& state) {
  const ContactList contacts(system);
  Evaluator evaluate(contacts);
  BlockMatrix M = system.mass_matrix(), A = system.iteration_matrix();
  evaluate.mass(state.t, state.q, M);
  M.factor();
  StepLimit limit;
  A.set_zero();
  evaluate.add_force_derivatives(state.t, state.q, state.u, -1.0, 0.0, A);
  limit.omega = std::sqrt(spectral_radius(M, A));
  A.set_zero();
  evaluate.add_force_derivatives(state.t, state.q, state.u, 0.0, -1.0, A);
  limit.damping = spectral_radius(M, A);
  const double rate = std::hypot(limit.omega, limit.damping / 2) + limit.damping / 2;
  limit.dt = rate > 0 ? 2 / rate : std::numeric_limits<double>::infinity();
  return limit;
}

void StabilityWatch::look(const State& state, double dt) {
  double sum = 0.0;
  for (double u : state.u) sum += u * u;
  if (!std::isfinite(sum)) {
    diagnose(state, dt, false);
    return;
  }
  if (reference_ >= 0.0 && sum > growth * reference_) {
    if (alarm_ >= 0 && steps_ - alarm_ < alarm_steps) diagnose(state, dt, true);
    alarm_ = steps_;
    reference_ = recent_ = largest_ = sum;
  }
  largest_ = std::max(largest_, sum);
  if (++steps_ == next_) {
    reference_ = steps_ == 4 ? largest_ : recent_;
    recent_ = largest_;
    next_ *= 2;
  }
}

// If numbers overflowed, the stiffness is taken at the initial state.
void StabilityWatch::diagnose(const State& state, double dt, bool finite) {
  const StepLimit limit = step_limit(system_, finite ? state : system_.initial());
  if (dt > limit.dt)
    diagnosis_ = fmt::format(
        "unstable: dt = {:.6g} s is above the limit {:.4g} s of this explicit scheme (fastest oscillation {:.4g} "
        "rad/s, "
        "fastest damping {:.4g} 1/s of the forces, estimated); expected dt <= {:.2g} s",
        dt, limit.dt, limit.omega, limit.damping, 0.9 * limit.dt);
  else if (!finite)
    diagnosis_ = fmt::format(
        "velocities are no longer finite, and dt is not the reason: the forces allow {} at the start; masses, forces "
        "or "
        "velocities are outside the range of the numbers",
        std::isfinite(limit.dt) ? fmt::format("dt <= {:.3g} s", limit.dt) : "any dt");
}

}  // namespace tappet
