// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the path of path_equations.h in arclength. κ is an unknown in addition to z, so folds, where κ turns back,
// can be passed. The tangent is κ dz/dκ from the right-hand side κ w, in the metric of 1/r_N², 1/u_N², 1/ψ². Its sense
// is the one in which −det(Ĝ + D) keeps its sign. If the tangents agree, continuity overrules this, because the sign of
// a determinant is noise at the rounding floor. The predictor goes along the tangent, and bordered Newton steps
// orthogonal to it are the correctors.
#include <algorithm>
#include <cmath>

#include "solvers/path/exact_path.h"

namespace tappet {

namespace {

struct Tangent {
  PathPoint weight;  // squares of the weights of the metric
  PathPoint z;
  double kappa = 0.0;  // dκ/κ
};

template <class Term>
double sum_over(const PathPoint& a, const PathPoint& b, const PathPoint& c, Term&& term) {
  double sum = 0.0;
  for (int i = 0; i < a.r.size(); ++i) sum += term(a.r[i], b.r[i], c.r[i]) + term(a.u[i], b.u[i], c.u[i]);
  for (int k = 0; k < a.psi.size(); ++k) sum += term(a.psi[k], b.psi[k], c.psi[k]);
  return sum;
}

double product(const PathPoint& weight, const PathPoint& a, const PathPoint& b) {
  return sum_over(weight, a, b, [](double w, double x, double y) { return w * x * y; });
}

void multiply(double factor, PathPoint& z) {
  for (Vec* part : {&z.r, &z.u, &z.psi})
    for (double& x : *part) x *= factor;
}

void fill_weight(const Laws& laws, const PathPoint& z, PathPoint& weight) {
  weight.r.assign(z.r.size(), 0.0), weight.u.assign(z.u.size(), 0.0), weight.psi.assign(z.psi.size(), 0.0);
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row;
    for (int i = N; i < N + law.rows; ++i) weight.r[i] = 1.0 / (z.r[N] * z.r[N]);
    weight.u[N] = 1.0 / (z.u[N] * z.u[N]);
    if (law.rows == 1) continue;
    for (int i = N + 1; i < N + law.rows; ++i) weight.u[i] = 1.0 / (z.psi[k] * z.psi[k]);
    weight.psi[k] = 1.0 / (z.psi[k] * z.psi[k]);
  }
}

}  // namespace

struct ExactPath::Arc {
  ExactPath& path;
  const FoldOptions& options;
  PathPoint& z;
  double& kappa;
  double average = 1.0;  // number of terms of the metric: 3 per contact
  double h = 0.3, taken = 0.3;
  int flip = 0;  // −1 if the sense is against that of the determinant; 0 if it is not known yet
  Tangent tangent, previous;
  bool has_previous = false, has_back = false;
  struct {
    PathPoint z;
    double kappa;
    Tangent previous;
    bool has_previous;
    int flip;
  } back;
  PathPoint z_new, predicted, x1, x2, d;
  double kappa_new = 0.0;
  int corrections = 0;

  Arc(ExactPath& owner, const FoldOptions& fold_options, PathPoint& point, double& kappa_there)
      : path(owner), options(fold_options), z(point), kappa(kappa_there) {
    int contacts = 0;
    for (const Law& law : path.state_->problem.laws) contacts += law.kind == Law::Kind::contact;
    average = 3.0 * std::max(contacts, 1);
  }
  bool find_tangent(bool& turned_back);
  double cosine();
  bool step();
  bool correct();
  double moved(double kappa_predicted);
};

// The cosine between this tangent (not yet scaled by its length) and the previous one.
double ExactPath::Arc::cosine() {
  double sum = 0.0;
  const auto add = [&](const Vec& w, const Vec& v, const Vec& x, const Vec& y) {
    for (int i = 0; i < w.size(); ++i) sum += std::sqrt(w[i] * v[i]) * x[i] * y[i];
  };
  add(previous.weight.r, tangent.weight.r, previous.z.r, tangent.z.r);
  add(previous.weight.u, tangent.weight.u, previous.z.u, tangent.z.u);
  add(previous.weight.psi, tangent.weight.psi, previous.z.psi, tangent.z.psi);
  return sum / average + previous.kappa;
}

// Returns false if the tangent is not finite. `turned_back` means that the path was left and the last step is undone.
bool ExactPath::Arc::find_tangent(bool& turned_back) {
  path.factor(z);
  const int sign = path.state_->system.determinant_sign();
  path.unit_target(kappa, path.target_);
  path.solve(z, path.target_, nullptr, tangent.z);
  fill_weight(path.state_->problem.laws, z, tangent.weight);
  const double length = std::sqrt(product(tangent.weight, tangent.z, tangent.z) / average + 1.0);
  if (!std::isfinite(length)) return false;
  if (flip == 0) flip = sign;  // at first κ decreases
  int sense = -sign * flip;
  if (has_previous) {
    const double c = cosine() / length;
    if (c * sense < options.continuity && std::abs(c) <= 0.9 && taken > 1e-3 && has_back) {
      z = back.z, kappa = back.kappa, previous = back.previous, has_previous = back.has_previous, flip = back.flip;
      has_back = false;
      h = taken / 4.0;
      turned_back = true;
      return true;
    }
    if (c * sense < 0.0 && std::abs(c) > 0.9) sense = c > 0.0 ? 1 : -1, flip = -sense * sign;
  }
  multiply(sense / length, tangent.z);
  tangent.kappa = sense / length;
  return true;
}

// Bordered Newton steps from z_new, kappa_new. Returns true if they end on the path.
bool ExactPath::Arc::correct() {
  double distance_before = 0.0;
  corrections = 0;
  for (int attempt = 0; attempt < 4; ++attempt, ++corrections) {
    path.residual(z_new, path.res_);
    path.products(z_new, path.p_);
    const double distance = path.centrality(z_new, path.p_, kappa_new, &path.res_);
    if (distance < 0.5) return true;
    if (!std::isfinite(distance) || (attempt >= 2 && distance > 0.7 * distance_before)) return false;
    distance_before = distance;
    path.factor(z_new);
    path.target(kappa_new, path.p_, path.target_);
    path.solve(z_new, path.target_, &path.res_, x1);
    path.unit_target(kappa_new, path.target_);
    path.solve(z_new, path.target_, nullptr, x2);
    const double along_1 = product(tangent.weight, tangent.z, x1) / average,
                 along_2 = product(tangent.weight, tangent.z, x2) / average;
    const double dk = -along_1 / (along_2 + tangent.kappa * kappa_new / kappa);
    path.add(x1, dk, x2, d);
    const double longest = path.step_length(z_new, d, true);
    if (!std::isfinite(dk) || !std::isfinite(longest)) return false;
    double a = std::min(1.0, 0.9 * longest);
    if (std::abs(a * dk) > 0.5) a = 0.5 / std::abs(dk);
    path.retract(z_new, a, d, z_new);
    kappa_new *= 1.0 + a * dk;
  }
  return false;
}

// The length of all corrections together.
double ExactPath::Arc::moved(double kappa_predicted) {
  path.add(z_new, -1.0, predicted, d);
  const double change = (kappa_new - kappa_predicted) / kappa;
  return std::sqrt(product(tangent.weight, d, d) / average + change * change);
}

// One step along the tangent, shortened until the corrections end near it. Returns false if it would have to be too
// short.
bool ExactPath::Arc::step() {
  for (;;) {
    taken = std::min(h, tangent.kappa < 0.0 ? 0.98 / std::abs(tangent.kappa) : 1e300);
    d = tangent.z;
    multiply(taken, d);
    taken *= std::min(1.0, 0.9 * path.step_length(z, d, true));
    path.retract(z, taken, tangent.z, z_new);
    kappa_new = kappa * (1.0 + taken * tangent.kappa);
    predicted = z_new;
    const double kappa_predicted = kappa_new;
    if (correct() && (moved(kappa_predicted) <= options.jump * taken || taken < 1e-4)) return true;
    h = taken / 3.0;
    if (!(h >= 1e-7) || path.state_->late()) return false;
  }
}

// From a point on the path until κ ≤ stop (returns true), or until the judge ends it or it makes no more progress
// (returns false).
bool ExactPath::pass_fold(const FoldOptions& options, double stop, PathPoint& z, double& kappa, Judge& judge) {
  constexpr double growth[] = {3.0, 2.5, 2.0, 1.2};  // growth of the step, by the number of corrections
  Arc arc(*this, options, z, kappa);
  const int last = state_->factorisations + options.max_factorisations;
  while (state_->factorisations < last && !state_->late()) {
    bool turned_back = false;
    if (!arc.find_tangent(turned_back)) return false;
    if (turned_back) continue;
    if (!arc.step()) return false;
    arc.back = {z, kappa, arc.previous, arc.has_previous, arc.flip};
    arc.has_back = true;
    std::swap(arc.previous, arc.tangent);
    arc.has_previous = true;
    std::swap(z, arc.z_new);
    kappa = arc.kappa_new;
    if (judge.done(z.r)) return false;
    if (kappa <= stop) return true;
    arc.h = arc.taken * growth[std::min(arc.corrections, 3)];
  }
  return false;
}

// Newton's method at one κ until z is near the path.
bool ExactPath::centre(PathPoint& z, double kappa, int max_steps) {
  for (int iteration = 0; iteration < max_steps; ++iteration) {
    products(z, p_);
    residual(z, res_);
    if (centrality(z, p_, kappa, nullptr) < 0.05 && res_.eigen().norm() < 1e-9) return true;
    factor(z);
    target(kappa, p_, target_);
    solve(z, target_, &res_, d_);
    const double longest = step_length(z, d_, true);
    if (!std::isfinite(longest)) return false;
    const double a = std::min(1.0, 0.9 * longest);
    retract(z, a, d_, z);
    if (a < 1e-8) return false;
  }
  return false;
}

void ExactPath::follow_folds(double scale, const FoldOptions& options, Judge& judge) {
  double k = 1.0;
  bool centred = false;
  for (double factor : {1.0, 100.0})
    if (!centred) k = cold_point(scale * factor, z_), centred = centre(z_, k, 80);
  if (!has_pairs() || judge.done(z_.r)) return;
  pass_fold(options, 1e-26, z_, k, judge);
}

}  // namespace tappet
