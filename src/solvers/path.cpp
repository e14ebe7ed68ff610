// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The Newton step for right-hand sides c1, c2s, c2v and res = u − W r − q, with m = μ r_N:
//   A⁻¹ = (I + r_F r_Fᵀ / ((m − ‖r_F‖)(m + ‖r_F‖))) / m,   B = [μ u_F − r_F μψ/m,  ψ I − r_F u_Fᵀ/m],
//   D = [u_N/r_N, 0; A⁻¹B],   cc = (c1/r_N, A⁻¹(c2v − r_F c2s/m)),
//   (W + D) dr = cc + res,   du = cc − D dr,   dψ = (c2s − μψ dr_N − u_F·dr_F − r_F·du_F)/m.
#include "solvers/path.h"

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

constexpr double far = 1e300;

double norm(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

double dot(const double* x, const double* y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

double to_zero(double x, double dx) { return dx < 0.0 ? -x / dx : far; }

// Near the boundary of the cone a step turns the tangential part; its length, not its components, is bounded then.
struct Polar {
  bool on = false;
  double length = 0.0, change = 0.0;
  Polar(double x0, const double* x, const double* dx, int f) {
    length = norm(x, f);
    change = dot(x, dx, f) / (length > 0.0 ? length : 1.0);
    on = length > 0.3 * x0 && length + change > 0.1 * length;
  }
};

// The largest a with x + a d in the cone {x0 ≥ ‖x‖}.
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

}  // namespace

void Path::start(ChainState& state, const Vec* weights) {
  state_ = &state;
  const auto& laws = state.problem.laws;
  w_.assign(static_cast<int>(laws.size()), 1.0);
  if (weights) w_ = *weights;
  pairs_ = 0.0;
  for (size_t k = 0; k < laws.size(); ++k)
    if (laws[k].kind == Law::Kind::contact) pairs_ += (frictional(laws[k]) ? 2.0 : 1.0) * w_[k];
}

double Path::cold_point(double scale, PathPoint& z) const {
  const auto& laws = state_->problem.laws;
  const int n = state_->problem.size(), m = static_cast<int>(laws.size());
  z.r.assign(n, 0.0), z.u.assign(n, 0.0), z.psi.assign(m, 0.0);
  int count = 0;
  for (const Law& law : laws) count += law.kind == Law::Kind::contact;
  const double c = 1.0 / std::sqrt(std::max(count, 1));
  for (int k = 0; k < m; ++k) {
    if (laws[k].kind == Law::Kind::bilateral) continue;
    z.r[laws[k].row] = c * scale, z.u[laws[k].row] = c * w_[k];
    if (frictional(laws[k])) z.psi[k] = c * w_[k] / laws[k].mu;
  }
  return c * c * scale;
}

void Path::products(const PathPoint& z, Products& p) const {
  const auto& laws = state_->problem.laws;
  const int n = state_->problem.size(), m = static_cast<int>(laws.size());
  p.normal.assign(m, 0.0), p.scalar.assign(m, 0.0), p.vector.assign(n, 0.0);
  for (int k = 0; k < m; ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row;
    p.normal[k] = z.r[N] * z.u[N];
    if (law.rows == 1) continue;
    const double mr = law.mu * z.r[N];
    p.scalar[k] = mr * z.psi[k] + dot(z.r.data() + N + 1, z.u.data() + N + 1, law.rows - 1);
    for (int i = N + 1; i < N + law.rows; ++i) p.vector[i] = mr * z.u[i] + z.psi[k] * z.r[i];
  }
}

double Path::kappa(const Products& p) const {
  double sum = 0.0;
  for (double x : p.normal) sum += x;
  for (double x : p.scalar) sum += x;
  return sum / pairs_;
}

double Path::smallest_eigenvalue(const Products& p) const {
  const auto& laws = state_->problem.laws;
  double smallest = far;
  for (size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].kind == Law::Kind::bilateral) continue;
    smallest = std::min(smallest, p.normal[k] / w_[k]);
    if (laws[k].rows > 1)
      smallest = std::min(smallest, (p.scalar[k] - norm(p.vector.data() + laws[k].row + 1, laws[k].rows - 1)) / w_[k]);
  }
  return smallest;
}

// Distance from the path relative to κ, above the rounding of the sums that cancel.
double Path::centrality(const PathPoint& z, const Products& p, double kappa, const Vec* res) const {
  const auto& laws = state_->problem.laws;
  double sum = 0.0;
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const double kw = kappa * w_[k];
    const int N = law.row, f = law.rows - 1;
    sum += (p.normal[k] / kw - 1.0) * (p.normal[k] / kw - 1.0);
    if (f > 0) {
      const double floor =
          1e-14 * (law.mu * z.r[N] * norm(z.u.data() + N + 1, f) + z.psi[k] * norm(z.r.data() + N + 1, f));
      const double s = std::max(std::abs(p.scalar[k] - kw) - floor, 0.0) / kw;
      const double v = std::max(norm(p.vector.data() + N + 1, f) - floor, 0.0) / kw;
      sum += s * s + v * v;
    }
    if (res) {
      const double miss = z.r[N] * std::max(norm(res->data() + N, law.rows) - 1e-10, 0.0) / kw;
      sum += miss * miss;
    }
  }
  return std::sqrt(sum);
}

void Path::residual(const PathPoint& z, Vec& res) const {
  state_->problem.multiply(z.r, res);
  for (int i = 0; i < res.size(); ++i) res[i] = z.u[i] - res[i] - state_->problem.q[i];
}

void Path::factor(const PathPoint& z) {
  const ScaledProblem& problem = state_->problem;
  const auto& laws = problem.laws;
  D_.assign(16 * laws.size(), 0.0), A_.assign(9 * laws.size(), 0.0);
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row, f = law.rows - 1;
    double *D = D_.data() + 16 * k, *A = A_.data() + 9 * k;
    D[0] = z.u[N] / z.r[N];
    if (f > 0) {
      const double m = law.mu * z.r[N], *r_F = z.r.data() + N + 1, *u_F = z.u.data() + N + 1, t = norm(r_F, f);
      const double det = std::max((m - t) * (m + t), 1e-300);
      double B[3][4];
      for (int i = 0; i < f; ++i) {
        B[i][0] = law.mu * u_F[i] - r_F[i] * law.mu * z.psi[k] / m;
        for (int j = 0; j < f; ++j) {
          B[i][1 + j] = (i == j ? z.psi[k] : 0.0) - r_F[i] * u_F[j] / m;
          A[3 * j + i] = ((i == j ? 1.0 : 0.0) + r_F[i] * r_F[j] / det) / m;
        }
      }
      for (int j = 0; j <= f; ++j)
        for (int i = 0; i < f; ++i)
          for (int s = 0; s < f; ++s) D[4 * j + 1 + i] += A[3 * s + i] * B[s][j];
    }
  }
  for (double shift : {problem.formed() ? 1e-13 : 1e-11, 1e-9}) {
    state_->system.factor(problem, nullptr, D_.data(), shift, shift);
    if (state_->system.perturbed() == 0) break;
  }
  ++state_->factorisations;
}

// y −= (W + D) x
void Path::subtract_product(const Vec& x, Vec& y) {
  const ScaledProblem& problem = state_->problem;
  problem.multiply(x, product_);
  for (int i = 0; i < x.size(); ++i) y[i] -= product_[i];
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const double* D = D_.data() + 16 * k;
    for (int j = 0; j < law.rows; ++j)
      for (int i = 0; i < law.rows; ++i) y[law.row + i] -= D[4 * j + i] * x[law.row + j];
  }
}

void Path::solve(const PathPoint& z, const Products& c, const Vec* res, PathPoint& d) {
  const ScaledProblem& problem = state_->problem;
  const auto& laws = problem.laws;
  const int n = problem.size();
  cc_.assign(n, 0.0), rhs_.resize(n), x_.resize(n), correction_.resize(n);
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row, f = law.rows - 1;
    cc_[N] = c.normal[k] / z.r[N];
    if (f == 0) continue;
    const double m = law.mu * z.r[N], *A = A_.data() + 9 * k;
    for (int j = 0; j < f; ++j) {
      const double b = c.vector[N + 1 + j] - z.r[N + 1 + j] * c.scalar[k] / m;
      for (int i = 0; i < f; ++i) cc_[N + 1 + i] += A[3 * j + i] * b;
    }
  }
  for (int i = 0; i < n; ++i) rhs_[i] = x_[i] = cc_[i] + (res ? (*res)[i] : 0.0);
  state_->solve(x_);
  // Refinement against W + D itself: once where it is factored as such, more where the bodies are.
  for (int pass = 0; pass < (problem.formed() ? 1 : 3); ++pass) {
    correction_ = rhs_;
    subtract_product(x_, correction_);
    state_->solve(correction_);
    double size = 0.0, change = 0.0;
    for (int i = 0; i < n; ++i) {
      x_[i] += correction_[i];
      size += x_[i] * x_[i], change += correction_[i] * correction_[i];
    }
    if (change <= 1e-20 * size) break;
  }
  d.u.assign(n, 0.0), d.psi.assign(static_cast<int>(laws.size()), 0.0);
  d.r = x_;
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row, f = law.rows - 1;
    const double* D = D_.data() + 16 * k;
    for (int i = 0; i < law.rows; ++i) {
      d.u[N + i] = cc_[N + i];
      for (int j = 0; j < law.rows; ++j) d.u[N + i] -= D[4 * j + i] * d.r[N + j];
    }
    if (f == 0) continue;
    d.psi[k] = (c.scalar[k] - law.mu * z.psi[k] * d.r[N] - dot(z.u.data() + N + 1, d.r.data() + N + 1, f) -
                dot(z.r.data() + N + 1, d.u.data() + N + 1, f)) /
               (law.mu * z.r[N]);
  }
}

double Path::step_length(const PathPoint& z, const PathPoint& d, bool polar) const {
  const auto& laws = state_->problem.laws;
  double a = far;
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row, f = law.rows - 1;
    if (!std::isfinite(d.r[N]) || !std::isfinite(d.u[N])) return NAN;
    a = std::min({a, to_zero(z.r[N], d.r[N]), to_zero(z.u[N], d.u[N])});
    if (f == 0) continue;
    a = std::min(a, to_cone(law.mu * z.r[N], z.r.data() + N + 1, law.mu * d.r[N], d.r.data() + N + 1, f, polar));
    a = std::min(a, to_cone(z.psi[k], z.u.data() + N + 1, d.psi[k], d.u.data() + N + 1, f, polar));
  }
  return a;
}

void Path::add(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum) const {
  sum.r.resize(z.r.size()), sum.u.resize(z.u.size()), sum.psi.resize(z.psi.size());
  for (int i = 0; i < z.r.size(); ++i) sum.r[i] = z.r[i] + a * d.r[i], sum.u[i] = z.u[i] + a * d.u[i];
  for (int k = 0; k < z.psi.size(); ++k) sum.psi[k] = z.psi[k] + a * d.psi[k];
}

// A step in which tangential parts near the boundary keep the direction of the step but its linearised length.
void Path::retract(const PathPoint& z, double a, const PathPoint& d, PathPoint& sum) const {
  const auto& laws = state_->problem.laws;
  PathPoint out;
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

void Path::target(double kappa, const Products& p, Products& rhs) const {
  const auto& laws = state_->problem.laws;
  rhs = p;
  for (size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].kind == Law::Kind::bilateral) continue;
    const double kw = kappa * w_[k];
    rhs.normal[k] = kw - p.normal[k];
    if (frictional(laws[k])) rhs.scalar[k] = kw - p.scalar[k];
  }
  for (double& x : rhs.vector) x = -x;
}

std::optional<Path::Checkpoint> Path::predictor_corrector(double scale, int max_steps, const Check& check) {
  std::optional<Checkpoint> checkpoint;
  PathPoint z, d, trial;
  Products p, rhs, second, affine;
  Vec res;
  cold_point(scale, z);
  const auto& laws = state_->problem.laws;
  for (int iteration = 0, short_steps = 0; iteration < max_steps && !state_->late(); ++iteration) {
    products(z, p);
    const double k = kappa(p);
    residual(z, res);
    if (check(z.r, z.u)) return checkpoint;
    if (smallest_eigenvalue(p) > 0.05 * k && res.eigen().norm() < 1e-8) checkpoint = Checkpoint{z, k};
    factor(z);
    target(0.0, p, rhs);
    solve(z, rhs, &res, d);
    const double reach = std::min(1.0, step_length(z, d, false));
    if (!std::isfinite(reach)) break;
    add(z, reach, d, trial);
    products(trial, affine);
    const double ratio = std::min(1.0, std::max(kappa(affine), 0.0) / k);
    const double sigma = std::max(reach > 0.1 ? ratio * ratio * ratio : 0.5, 1e-4);
    products(d, second);  // the second-order term has the form of the products
    target(sigma * k, p, rhs);
    const double damp = reach * reach;
    for (size_t i = 0; i < laws.size(); ++i)
      rhs.normal[i] -= damp * second.normal[i], rhs.scalar[i] -= damp * second.scalar[i];
    for (int i = 0; i < rhs.vector.size(); ++i) rhs.vector[i] -= damp * second.vector[i];
    solve(z, rhs, &res, d);
    const double longest = step_length(z, d, false);
    if (!std::isfinite(longest)) break;
    const double a = std::min(1.0, (k > 1e-6 ? 0.95 : 0.99) * longest);
    add(z, a, d, trial);
    std::swap(z, trial);
    short_steps = a < 0.1 ? short_steps + 1 : 0;
    if (short_steps >= 4 || a < 1e-6) break;
  }
  return checkpoint;
}

bool Path::centre(PathPoint& z, double kappa, int max_steps) {
  Products p, rhs;
  PathPoint d;
  Vec res;
  for (int iteration = 0; iteration < max_steps; ++iteration) {
    products(z, p);
    residual(z, res);
    if (centrality(z, p, kappa, nullptr) < 0.05 && res.eigen().norm() < 1e-9) return true;
    factor(z);
    target(kappa, p, rhs);
    solve(z, rhs, &res, d);
    const double longest = step_length(z, d, true);
    if (!std::isfinite(longest)) return false;
    const double a = std::min(1.0, 0.9 * longest);
    retract(z, a, d, z);
    if (a < 1e-8) return false;
  }
  return false;
}

}  // namespace tappet
