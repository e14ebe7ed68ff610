// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// With Q x = y (Nesterov and Todd), dy = t − Q dx, t = κ x⁻¹ − y, and G = I − c e_0 φ'ᵀ, the step of u is (μ, 1, …) ·
// (G dy − c (φ − s) e_0). So (Ĝ + D) dr = (μ, 1, …) · (G t − c (φ − s) e_0) − (Ĝ r + q − u) with D = (μ, 1, …) · G Q ·
// (μ, 1, …).
#include "solvers/path/relaxed_path.h"

#include <algorithm>
#include <cmath>

#include "solvers/path/path_cone.h"

namespace tappet {

namespace {

constexpr int patience = 60;       // steps at one κ before s jumps
constexpr int patience_short = 6;  // the number of short steps among them

double determinant(const double* x, int f) {
  const double t = norm(x + 1, f);
  return std::max((x[0] - t) * (x[0] + t), 1e-300);
}

// Q and its inverse, 4 × 4 column-major.
void fill_scaling(const double* x, const double* y, int f, double* Q, double* inverse) {
  const double dx = std::sqrt(determinant(x, f)), dy = std::sqrt(determinant(y, f));
  const double half = std::sqrt(0.5 * (1.0 + dot(x, y, f + 1) / (dx * dy)));
  double w[4];
  for (int i = 0; i <= f; ++i) w[i] = (y[i] / dy + (i == 0 ? x[i] : -x[i]) / dx) / (2.0 * half);
  for (int j = 0; j <= f; ++j)
    for (int i = 0; i <= f; ++i) {
      const double J = i == j ? (i == 0 ? 1.0 : -1.0) : 0.0;
      Q[4 * j + i] = dy / dx * (2.0 * w[i] * w[j] - J);
      inverse[4 * j + i] = dx / dy * (2.0 * ((i == 0) == (j == 0) ? w[i] * w[j] : -w[i] * w[j]) - J);
    }
}

}  // namespace

double RelaxedPath::cold_point(double scale) {
  const auto& laws = state_->problem.laws;
  const int n = state_->problem.size(), m = static_cast<int>(laws.size());
  r_.assign(n, 0.0), x_.assign(n, 0.0), y_.assign(n, 0.0), s_.assign(m, 0.0);
  int count = 0;
  for (const Law& law : laws) count += law.kind == Law::Kind::contact;
  const double c = 1.0 / std::sqrt(std::max(count, 1));
  for (const Law& law : laws) {
    if (law.kind == Law::Kind::bilateral) continue;
    r_[law.row] = c * scale;
    x_[law.row] = (frictional(law) ? law.mu : 1.0) * c * scale, y_[law.row] = c;
  }
  return c * c * scale;
}

bool RelaxedPath::near_path(double kappa) {
  const auto& laws = state_->problem.laws;
  const int n = state_->problem.size(), m = static_cast<int>(laws.size());
  phi_slope_.assign(n, 0.0), miss_.assign(m, 0.0);
  state_->problem.multiply(r_, residual_);
  double off = 0.0, wrong = 0.0, lag = 0.0;
  for (int k = 0; k < m; ++k) {
    const Law& law = laws[k];
    const int N = law.row, f = law.rows - 1;
    for (int i = N; i < N + law.rows; ++i) residual_[i] += state_->problem.q[i];
    if (law.kind == Law::Kind::bilateral) continue;
    if (f == 0) {
      residual_[N] -= y_[N];
      off += std::pow(x_[N] * y_[N] / kappa - 1.0, 2);
      wrong += std::pow(x_[N] * residual_[N] / kappa, 2);
      continue;
    }
    const double y0 = y_[N], slip = norm(y_.data() + N + 1, f);
    phi_slope_[N] = -(slip / y0) * (slip / y0), miss_[k] = slip * (slip / y0) - s_[k];
    residual_[N] -= law.mu * (y0 - s_[k]);
    double size = 0.0;
    for (int i = N + 1; i < N + law.rows; ++i) {
      phi_slope_[i] = 2.0 * y_[i] / y0;
      residual_[i] -= y_[i];
      off += std::pow((x_[N] * y_[i] + y0 * x_[i]) / kappa, 2);
    }
    off += std::pow(dot(x_.data() + N, y_.data() + N, law.rows) / kappa - 1.0, 2);
    size = norm(residual_.data() + N, law.rows);
    wrong += std::pow(x_[N] * size / kappa, 2), lag += std::pow(x_[N] * miss_[k] / kappa, 2);
  }
  off_ = std::sqrt(off), wrong_ = std::sqrt(wrong), lag_ = std::sqrt(lag);
  return off < 1.0 && wrong < 1.0 && lag < 1.0;
}

void RelaxedPath::direction(double kappa, double c) {
  const auto& laws = state_->problem.laws;
  const int n = state_->problem.size(), m = static_cast<int>(laws.size());
  system_.clear(*state_), system_.inverse.assign(16 * laws.size(), 0.0), scaling_.assign(16 * laws.size(), 0.0);
  rhs_.resize(n), t_.assign(n, 0.0);
  for (int k = 0; k < m; ++k) {
    const Law& law = laws[k];
    const int N = law.row, f = law.rows - 1;
    for (int i = N; i < N + law.rows; ++i) rhs_[i] = -residual_[i];
    if (law.kind == Law::Kind::bilateral) continue;
    double *D = system_.D.data() + 16 * k, *Q = scaling_.data() + 16 * k, *t = t_.data() + N;
    double* inverse_D = system_.inverse.data() + 16 * k;
    if (f == 0) {
      Q[0] = D[0] = y_[N] / x_[N], inverse_D[0] = x_[N] / y_[N], t[0] = kappa / x_[N] - y_[N];
      rhs_[N] += t[0];
      continue;
    }
    fill_scaling(x_.data() + N, y_.data() + N, f, Q, inverse_D);
    const double inverse = kappa / determinant(x_.data() + N, f), *slope = phi_slope_.data() + N;
    for (int i = 0; i <= f; ++i) t[i] = (i == 0 ? x_[N] : -x_[N + i]) * inverse - y_[N + i];
    rhs_[N] += law.mu * (t[0] - c * (dot(slope, t, law.rows) + miss_[k]));
    for (int i = 1; i <= f; ++i) rhs_[N + i] += t[i];
    for (int j = 0; j <= f; ++j) {
      const double right = j == 0 ? law.mu : 1.0;
      D[4 * j] = law.mu * right * (Q[4 * j] - c * dot(slope, Q + 4 * j, law.rows));
      for (int i = 1; i <= f; ++i) D[4 * j + i] = right * Q[4 * j + i];
    }
    // D⁻¹ = (1/μ, 1, …) · Q⁻¹ G⁻¹ · (1/μ, 1, …),  G⁻¹ = I + c e_0 φ'ᵀ / (1 − c φ'_0)
    const double bend = c / (1.0 - c * slope[0]);
    for (int i = 0; i <= f; ++i) {
      const double left = i == 0 ? 1.0 / law.mu : 1.0, first = inverse_D[i];
      for (int j = 0; j <= f; ++j)
        inverse_D[4 * j + i] = left * (inverse_D[4 * j + i] + first * bend * slope[j]) * (j == 0 ? 1.0 / law.mu : 1.0);
    }
  }
  system_.factor(*state_);
  system_.solve(*state_, rhs_, true, dr_);
}

// Returns the length of the step, or NaN if there is none.
double RelaxedPath::step(double kappa, double c) {
  const auto& laws = state_->problem.laws;
  direction(kappa, c);
  dx_ = dr_, dy_.assign(dr_.size(), 0.0), ds_.assign(s_.size(), 0.0);
  double longest = 1e300;
  for (size_t k = 0; k < laws.size(); ++k) {
    const Law& law = laws[k];
    const int N = law.row, f = law.rows - 1;
    if (law.kind == Law::Kind::bilateral) continue;
    if (f > 0) dx_[N] *= law.mu;
    const double *Q = scaling_.data() + 16 * k, *x = x_.data() + N, *y = y_.data() + N, *dx = dx_.data() + N;
    double* dy = dy_.data() + N;
    for (int i = 0; i <= f; ++i) {
      dy[i] = t_[N + i];
      for (int j = 0; j <= f; ++j) dy[i] -= Q[4 * j + i] * dx[j];
    }
    if (f > 0) ds_[k] = c * (miss_[k] + dot(phi_slope_.data() + N, dy, law.rows));
    if (!std::isfinite(dx[0]) || !std::isfinite(dy[0])) return NAN;
    longest = std::min(
        {longest, to_cone(x[0], x + 1, dx[0], dx + 1, f, false), to_cone(y[0], y + 1, dy[0], dy + 1, f, false)});
  }
  const double a = std::min(1.0, 0.9 * longest);
  for (int i = 0; i < r_.size(); ++i) r_[i] += a * dr_[i], x_[i] += a * dx_[i], y_[i] += a * dy_[i];
  for (int k = 0; k < s_.size(); ++k) s_[k] += a * ds_[k];
  return a;
}

// At a fold few contacts have far to go, and the cones allow only a little of it at this κ. So s is updated completely
// at once, and the convex problem that remains is solved again from a larger κ.
bool RelaxedPath::jump(double kappa) {
  double along = 0.0, before = 0.0, now = 0.0;
  for (int k = 0; k < miss_.size(); ++k)
    along += miss_[k] * before_[k], before += before_[k] * before_[k], now += miss_[k] * miss_[k];
  const double cosine = before > 0.0 ? along / std::sqrt(before * now) : 0.5;
  stride_ = cosine > 0.9 ? std::min(1.5 * stride_, 4.0) : cosine < 0.2 ? std::max(0.5 * stride_, 0.3) : stride_;
  before_ = miss_;
  for (int k = 0; k < s_.size(); ++k) s_[k] = std::max(0.0, s_[k] + stride_ * miss_[k]);
  for (double larger = kappa * std::clamp(lag_, 10.0, 1e5);; larger = std::max(kappa, 0.2 * larger)) {
    for (int steps = 0; steps < 10; ++steps) {
      near_path(larger);
      if (off_ < 2.0 && wrong_ < 1.0) break;
      if (std::isnan(step(larger, 0.0))) return false;
    }
    if (larger == kappa) return true;
  }
}

// Takes steps at one κ until they end on the path. Returns false if they do not, or if they are not finite.
bool RelaxedPath::settle(double kappa, double most, int last) {
  stride_ = 1.0, before_.assign(s_.size(), 0.0);
  double c = most;
  for (int steps = 0, short_steps = 0; !near_path(kappa); ++steps) {
    if (state_->factorisations >= last || state_->late()) return false;
    const double wrong_before = wrong_, a = step(kappa, c);
    if (std::isnan(a)) return false;
    if (a >= 0.7) c = std::min(most, 1.0 - 0.6 * (1.0 - c));
    if (a < 0.3) c = std::max(0.0, 1.0 - 2.0 * (1.0 - c));
    short_steps += a < 0.1;
    near_path(kappa);
    // A step can only decrease u − Ĝ r − q. If it does not, digits are lost.
    if (wrong_ > std::max(100.0, wrong_before)) state_->form();
    if (short_steps < patience_short && steps < patience) continue;
    if (!jump(kappa)) return false;
    short_steps = steps = 0, c = std::min(most, 0.7);
  }
  return true;
}

void RelaxedPath::follow(PathState& state, double scale, const Pace& pace, int max_factorisations,
                         ExactPath::Judge& judge) {
  state_ = &state;
  const int last = state.factorisations + max_factorisations;
  for (double kappa = cold_point(scale); kappa > 1e-15; kappa *= pace.fall)
    if (!settle(kappa, pace.most, last) || judge.done(r_)) return;
}

}  // namespace tappet
