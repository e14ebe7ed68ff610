// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "solvers/path/path_cone.h"
#include "solvers/path/path_equations.h"

namespace tappet {

namespace {

constexpr double far = 1e300;

double to_zero(double x, double dx) { return dx < 0.0 ? -x / dx : far; }

// Near the boundary of the cone a step turns the tangential part. Then its length is bounded and not its components.
struct Polar {
  bool on = false;
  double length = 0.0, change = 0.0;
  Polar(double x0, const double* x, const double* dx, int f) {
    length = norm(x, f);
    change = dot(x, dx, f) / (length > 0.0 ? length : 1.0);
    on = length > 0.3 * x0 && length + change > 0.1 * length;
  }
};

}  // namespace

double to_cone(double x0, const double* x, double d0, const double* d, int f, bool polar) {
  const double plane = to_zero(x0, d0);
  if (polar)
    if (const Polar p(x0, x, d, f); p.on) {
      const double slack = x0 - p.length;
      return std::min(to_zero(slack, d0 - p.change), plane);
    }
  const double t = norm(x, f), a = d0 * d0 - dot(d, d, f), b = x0 * d0 - dot(x, d, f),
               c = std::max((x0 - t) * (x0 + t), 0.0);
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return plane;
  const double root = std::sqrt(discriminant), s = b < 0.0 ? -b + root : -(b + root);
  double best = plane;
  for (double candidate : {s / a, c / s})
    if (std::isfinite(candidate) && candidate > 0.0) best = std::min(best, candidate);
  return best;
}

// How far the contact may go along d; NaN if d is not finite.
double PathEquations::reach(size_t k, const PathPoint& z, const PathPoint& d, bool polar) const {
  const Law& law = state_->problem.laws[k];
  const int N = law.row, f = law.rows - 1;
  if (!std::isfinite(d.r[N]) || !std::isfinite(d.u[N])) return NAN;
  double a = std::min(to_zero(z.r[N], d.r[N]), to_zero(z.u[N], d.u[N]));
  if (f == 0) return a;
  a = std::min(a, to_cone(law.mu * z.r[N], z.r.data() + N + 1, law.mu * d.r[N], d.r.data() + N + 1, f, polar));
  return std::min(a, to_cone(z.psi[k], z.u.data() + N + 1, d.psi[k], d.u.data() + N + 1, f, polar));
}

double PathEquations::step_length(const PathPoint& z, const PathPoint& d, bool polar) const {
  const auto& laws = state_->problem.laws;
  double a = far;
  for (size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].kind == Law::Kind::bilateral) continue;
    const double here = reach(k, z, d, polar);
    if (std::isnan(here)) return NAN;
    a = std::min(a, here);
  }
  return a;
}

// Each contact goes at most nine tenths of its own way to the boundary, independent of the others.
void PathEquations::shorten_each(const PathPoint& z, PathPoint& d) const {
  const auto& laws = state_->problem.laws;
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const double a = 0.9 * reach(k, z, d, true);
    if (!(a < 1.0)) continue;
    for (int i = law.row; i < law.row + law.rows; ++i) d.r[i] *= a, d.u[i] *= a;
    d.psi[k] *= a;
  }
}

void PathEquations::add(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum) const {
  sum.r.resize(z.r.size()), sum.u.resize(z.u.size()), sum.psi.resize(z.psi.size());
  for (int i = 0; i < z.r.size(); ++i) sum.r[i] = z.r[i] + a * d.r[i], sum.u[i] = z.u[i] + a * d.u[i];
  for (int k = 0; k < z.psi.size(); ++k) sum.psi[k] = z.psi[k] + a * d.psi[k];
}

// A step in which tangential parts near the boundary keep the direction of the step but get its linearised length.
void PathEquations::retract(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum) {
  const auto& laws = state_->problem.laws;
  PathPoint& out = retracted_;  // z and sum may be the same object
  add(z, a, d, out);
  double step[3];
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (!frictional(law)) continue;
    const int N = law.row, f = law.rows - 1;
    const auto turn = [&](double x0, const double* x, const double* dx, double* target) {
      for (int i = 0; i < f; ++i) step[i] = a * dx[i];
      const Polar p(x0, x, step, f);
      if (!p.on) return;
      const double factor = (p.length + p.change) / norm(target, f);
      for (int i = 0; i < f; ++i) target[i] *= factor;
    };
    turn(law.mu * z.r[N], z.r.data() + N + 1, d.r.data() + N + 1, out.r.data() + N + 1);
    turn(z.psi[k], z.u.data() + N + 1, d.u.data() + N + 1, out.u.data() + N + 1);
  }
  std::swap(sum, out);
}

}  // namespace tappet
