// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The path of path.h followed in arclength: κ is an unknown beside z, so that folds, where κ turns back, are passed.
// Tangent: κ dz/dκ from the right-hand side κ w, in the metric of 1/r_N², 1/u_N², 1/ψ². Its sense is that in which
// −det(W + D) keeps its sign, overruled by continuity where the tangents agree (the sign of a determinant at the
// rounding floor is noise). Predictor along the tangent, bordered Newton steps orthogonal to it as correctors.
#include <algorithm>
#include <cmath>

#include "solvers/path.h"

namespace tappet {

namespace {

struct Metric {  // squares of the weights, by rows of r, u and by laws of ψ
  Vec r, u, psi;
};

struct Tangent {
  Metric metric;
  PathPoint z;
  double kappa = 0.0;  // dκ/κ
  int sense = 1;
};

template <class Term>
double sum_over(const PathPoint& a, Term&& term) {
  double sum = 0.0;
  for (int i = 0; i < a.r.size(); ++i) sum += term(a.r[i], 0, i) + term(a.u[i], 1, i);
  for (int k = 0; k < a.psi.size(); ++k) sum += term(a.psi[k], 2, k);
  return sum;
}

double weight(const Metric& m, int part, int i) { return part == 0 ? m.r[i] : part == 1 ? m.u[i] : m.psi[i]; }
double value(const PathPoint& z, int part, int i) { return part == 0 ? z.r[i] : part == 1 ? z.u[i] : z.psi[i]; }

void fill_metric(const Laws& laws, const PathPoint& z, Metric& m) {
  m.r.assign(z.r.size(), 0.0), m.u.assign(z.u.size(), 0.0), m.psi.assign(z.psi.size(), 0.0);
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    if (law.kind == Law::Kind::bilateral) continue;
    const int N = law.row;
    for (int i = N; i < N + law.rows; ++i) m.r[i] = 1.0 / (z.r[N] * z.r[N]);
    m.u[N] = 1.0 / (z.u[N] * z.u[N]);
    if (law.rows == 1) continue;
    for (int i = N + 1; i < N + law.rows; ++i) m.u[i] = 1.0 / (z.psi[k] * z.psi[k]);
    m.psi[k] = 1.0 / (z.psi[k] * z.psi[k]);
  }
}

}  // namespace

void Path::follow_folds(const std::optional<Checkpoint>& checkpoint, double scale, const FoldOptions& options,
                        const Check& check) {
  const auto& laws = state_->problem.laws;
  const int first_factorisation = state_->factorisations;
  const auto used = [&] { return state_->factorisations - first_factorisation; };
  int contacts = 0;
  for (const Law& law : laws) contacts += law.kind == Law::Kind::contact;
  if (contacts == 0) return;
  const double average = 3.0 * contacts;

  PathPoint z, z_new, predicted, x1, x2, d;
  double k = 1.0;
  bool centred = false;
  if (checkpoint) z = checkpoint->z, k = checkpoint->kappa, centred = centre(z, k, 12);
  for (double factor : {1.0, 100.0})
    if (!centred) k = cold_point(scale * factor, z), centred = centre(z, k, 80);
  if (check(z.r, z.u)) return;

  Products p, rhs, unit;
  unit.normal.resize(z.psi.size()), unit.scalar.resize(z.psi.size()), unit.vector.assign(z.r.size(), 0.0);
  const auto set_unit = [&](double kappa_here) {
    for (size_t i = 0; i < laws.size(); ++i) {
      const double kw = laws[i].kind == Law::Kind::contact ? kappa_here * w_[i] : 0.0;
      unit.normal[i] = kw, unit.scalar[i] = frictional(laws[i]) ? kw : 0.0;
    }
  };
  struct Saved {
    PathPoint z;
    double kappa;
    std::optional<Tangent> tangent;
    int flip;
  };
  std::optional<Tangent> previous;
  std::optional<Saved> back;
  Vec res;
  double h = 0.7, taken = 0.7;
  int flip = 1;
  while (used() < options.max_factorisations && !state_->late()) {
    factor(z);
    const int sign = state_->system.determinant_sign();
    set_unit(k);
    Tangent tangent;
    solve(z, unit, nullptr, tangent.z);
    fill_metric(laws, z, tangent.metric);
    const double length = std::sqrt(
        sum_over(tangent.z, [&](double t, int part, int i) { return weight(tangent.metric, part, i) * t * t; }) /
            average +
        1.0);
    if (!std::isfinite(length)) return;
    int sense = -sign * flip;
    if (previous) {
      const double cosine =
          (sum_over(tangent.z,
                    [&](double t, int part, int i) {
                      return std::sqrt(weight(previous->metric, part, i) * weight(tangent.metric, part, i)) *
                             value(previous->z, part, i) * t;
                    }) /
               average +
           previous->kappa) /
          length;
      if (cosine * sense < options.continuity && std::abs(cosine) <= 0.9 && taken > 1e-3 && back) {
        z = back->z, k = back->kappa, previous = back->tangent, flip = back->flip;
        back.reset();
        h = taken / 4.0;
        continue;
      }
      if (cosine * sense < 0.0 && std::abs(cosine) > 0.9) sense = cosine > 0.0 ? 1 : -1, flip = -sense * sign;
    }
    for (double& t : tangent.z.r) t *= sense / length;
    for (double& t : tangent.z.u) t *= sense / length;
    for (double& t : tangent.z.psi) t *= sense / length;
    tangent.kappa = sense / length;
    tangent.sense = sense;
    const std::optional<Tangent> before = previous;
    previous = tangent;

    const auto along = [&](const PathPoint& x) {
      return sum_over(x, [&](double t, int part,
                             int i) { return weight(tangent.metric, part, i) * value(tangent.z, part, i) * t; }) /
             average;
    };
    double k_new = k;
    int corrections = 0;
    for (;;) {
      taken = std::min(h, tangent.kappa < 0.0 ? 0.98 / std::abs(tangent.kappa) : 1e300);
      d = tangent.z;
      for (double& t : d.r) t *= taken;
      for (double& t : d.u) t *= taken;
      for (double& t : d.psi) t *= taken;
      taken *= std::min(1.0, 0.9 * step_length(z, d, true));
      retract(z, taken, tangent.z, z_new);
      k_new = k * (1.0 + taken * tangent.kappa);
      predicted = z_new;
      const double k_predicted = k_new;
      bool good = false;
      double centrality_before = 0.0;
      corrections = 0;
      for (int attempt = 0; attempt < 4; ++attempt) {
        residual(z_new, res);
        products(z_new, p);
        const double c = centrality(z_new, p, k_new, &res);
        if (c < 0.1) {
          good = true;
          break;
        }
        if (!std::isfinite(c) || (attempt >= 2 && c > 0.7 * centrality_before)) break;
        centrality_before = c;
        factor(z_new);
        target(k_new, p, rhs);
        solve(z_new, rhs, &res, x1);
        set_unit(k_new);
        solve(z_new, unit, nullptr, x2);
        const double dk = -along(x1) / (along(x2) + tangent.kappa * k_new / k);
        add(x1, dk, x2, d);
        const double longest = step_length(z_new, d, true);
        if (!std::isfinite(dk) || !std::isfinite(longest)) break;
        double a = std::min(1.0, 0.9 * longest);
        if (std::abs(a * dk) > 0.5) a = 0.5 / std::abs(dk);
        retract(z_new, a, d, z_new);
        k_new *= 1.0 + a * dk;
        ++corrections;
      }
      if (good) {
        add(z_new, -1.0, predicted, d);
        const double moved = std::sqrt(
            sum_over(d, [&](double t, int part, int i) { return weight(tangent.metric, part, i) * t * t; }) / average +
            (k_new - k_predicted) / k * ((k_new - k_predicted) / k));
        if (moved <= options.jump * taken || taken < 1e-4) break;
      }
      h = taken / 3.0;
      if (h < 1e-7 || used() > options.max_factorisations || state_->late()) return;
    }
    back = Saved{z, k, before, flip};
    std::swap(z, z_new);
    k = k_new;
    if (check(z.r, z.u)) return;
    h = taken * (corrections == 0   ? 3.0
                 : corrections == 1 ? 2.0
                 : corrections == 2 ? 1.4
                 : corrections == 3 ? 1.0
                                    : 0.6);
    if (k < 1e-26) return;
  }
}

}  // namespace tappet
