// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/newton.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/wide/wide.h"

namespace tappet::alpha {

namespace {

// y += factor x
TAPPET_WIDE void add_multiple(int n, double factor, const double* x, double* y) {
  int i = 0;
  for (; i + 4 <= n; i += 4) four(y + i) = four(y + i) + factor * four(x + i);
  for (; i < n; ++i) y[i] += factor * x[i];
}

// y ← by ∘ (y / own)
TAPPET_WIDE void rescale(int n, double own, const double* by, double* y) {
  const double inverse = 1.0 / own;
  int i = 0;
  for (; i + 4 <= n; i += 4) four(y + i) = four(y + i) * inverse * four(by + i);
  for (; i < n; ++i) y[i] = y[i] * inverse * by[i];
}

// Of square matrices.
void transpose(const Mat& from, Mat& to) {
  to.resize(from.rows(), from.rows());
  dense::transpose(from.data(), from.rows(), to.data());
}

// An unknown is scale() times its scaled value.
double scale(const Trial& trial, int place) {
  const auto& [at, start, response, law] = trial;
  const int z = response.all(at, place);
  const double dt = start.weight.dt;
  if (z >= at.positions + at.rows) return response.r[at.row[z - at.positions - at.rows]];
  if (z >= at.positions) return dt * response.r[at.row[z - at.positions]];
  return dt * dt * response.r[at.row[at.position_row[z]]];
}

// The rows of the linearised laws over δz, each of them a column of `rows`. H is also given by its rows. Without `rows`
// only the right-hand side is assembled.
class LinearisedLaws {
 public:
  LinearisedLaws(const Trial& trial, const Mat& H_by_rows, Mat* rows, Vec& right)
      : at_(trial.at),
        start_(trial.start),
        response_(trial.response),
        law_(trial.law),
        H_by_rows_(H_by_rows),
        rows_(rows),
        right_(right) {}

  void joint(int i) {
    const double r = response_.r[at_.row[i]];
    if (at_.position[i] >= 0) position(kappa_of(i), r, i);
    velocity(Lambda_of(i), r, i);
    acceleration(lambda_of(i), r, i);
  }

  // (129), (132), (135)
  void normal(const StepLaw::Sets& set, int i) {
    const double r = response_.r[at_.row[i]], hat = law_.kind == StepLaw::Kind::bruls ? 0.0 : 1.0;
    const int on_kappa = kappa_of(i), on_Lambda = Lambda_of(i), on_lambda = lambda_of(i);
    if (set.A)
      position(on_kappa, r, i);
    else
      kappa_hat(on_kappa, 1.0, i, hat);
    if (set.B)
      velocity(on_Lambda, r, i);
    else
      P(on_Lambda, 1.0, i, hat);
    if (set.C)
      acceleration(on_lambda, r, i);
    else
      lambda(on_lambda, 1.0, i);
  }

  // (138)
  void slip(const Contact& contact, const StepLaw::Sets& set, const StepLaw::Direction& slip, int i) {
    const int n = contact.rows - 1, f = i + 1;
    const double mu = contact.law->mu_law(), r = response_.r[contact.row + 1];
    const double bound = mu * (set.continued ? at_.Lambda[i] : std::max(law_.P[i], 0.0));
    const double turning = n > 1 && slip.length > 0.0 ? bound / slip.length : 0.0;
    for (int j = 0; j < n; ++j) {
      const int o = Lambda_of(f + j);
      if (!set.B) {
        P(o, 1.0, f + j);
        continue;
      }
      if (set.D_stick) {
        velocity(o, r, f + j);
        continue;
      }
      if (set.continued) {
        Lambda(o, 1.0, f + j);
        Lambda(o, mu * slip.d[j], i);
      } else {
        P(o, 1.0, f + j);
        if (law_.P[i] >= 0.0) P(o, mu * slip.d[j], i);
      }
      for (int l = 0; l < n && turning != 0.0; ++l) {
        const double factor = turning * ((j == l) - slip.d[j] * slip.d[l]);
        velocity(o, factor * r, f + l);
        P(o, -factor, f + l);
      }
    }
  }

  // (142)
  void friction_force(const Contact& contact, const StepLaw::Sets& set, const StepLaw::Direction& slide, bool carries,
                      int i) {
    const int n = contact.rows - 1, f = i + 1;
    const double mu = contact.law->mu_law(), r = response_.r[contact.row + 1];
    const double bound = mu * std::max(at_.lambda[i], 0.0);
    const double turning = n > 1 && slide.length > 0.0 ? bound / slide.length : 0.0;
    for (int j = 0; j < n; ++j) {
      const int o = lambda_of(f + j);
      if (carries && set.E_stick) {
        acceleration(o, r, f + j);
        continue;
      }
      lambda(o, 1.0, f + j);
      if (!carries) continue;
      if (at_.lambda[i] >= 0.0) lambda(o, mu * slide.d[j], i);
      for (int l = 0; l < n && turning != 0.0; ++l) {
        const double factor = turning * ((j == l) - slide.d[j] * slide.d[l]);
        if (set.D_stick) {
          acceleration(o, factor * r, f + l);
          lambda(o, -factor, f + l);
        } else {
          velocity(o, factor, f + l);
        }
      }
    }
  }

 private:
  // The places of a row on the three levels
  int kappa_of(int row) const { return response_.place(at_, Response::kappa(at_, row)); }
  int Lambda_of(int row) const { return response_.place(at_, Response::Lambda(at_, row)); }
  int lambda_of(int row) const { return response_.place(at_, Response::lambda(at_, row)); }

  // row o += factor · δ of the kinematic quantity k of (g, γ, γ̇)
  void kinematic(int o, double factor, int k) {
    if (rows_) add_multiple(rows_->rows(), factor, H_by_rows_.column(k), rows_->column(o));
    right_[o] -= factor * response_.offset[k];
  }
  void position(int o, double factor, int row) { kinematic(o, factor, kappa_of(row)); }
  void velocity(int o, double factor, int row) { kinematic(o, factor, Lambda_of(row)); }
  void acceleration(int o, double factor, int row) { kinematic(o, factor, lambda_of(row)); }

  void add(int o, int z, double factor) {
    if (rows_) (*rows_)(z, o) += factor;
  }

  // row o += factor · δκ̂, δP, δΛ, δλ of a row
  void kappa_hat(int o, double factor, int row, double hat) {
    add(o, kappa_of(row), factor);
    lambda(o, hat * factor * start_.weight.position_1, row);
  }
  void P(int o, double factor, int row, double hat = 1.0) {
    Lambda(o, factor, row);
    lambda(o, hat * factor * start_.weight.velocity_1, row);
  }
  void Lambda(int o, double factor, int row) { add(o, Lambda_of(row), factor); }
  void lambda(int o, double factor, int row) { add(o, lambda_of(row), factor); }

  const Balance& at_;
  const Start& start_;
  const Response& response_;
  const StepLaw& law_;
  const Mat& H_by_rows_;
  Mat* rows_;
  Vec& right_;
};

}  // namespace

Newton::Newton(int rows) {
  pivots_.reserve(3 * rows), scale_.reserve(3 * rows), kept_sets_.reserve(rows);
  if (rows > reserved_rows) return;
  for (Mat* x : {&rows_, &H_by_rows_, &S_}) x->reserve(3 * rows, 3 * rows);
}

void Newton::direction(const Trial& trial, bool kept, Vec& dz) {
  const int size = trial.response.size();
  dz.resize(size);
  if (size == 0) return;
  if (kept && regular_ && S_.cols() == size && trial.law.sets() == kept_sets_) {
    assemble(trial, nullptr, dz);
    dense::lu_solve(S_.data(), size, pivots_.data(), dz.data());
  } else {
    rows_.resize(size, size);
    rows_.set_zero();
    assemble(trial, &rows_, dz);
    factor(trial);
    regular_ ? dense::lu_solve(S_.data(), size, pivots_.data(), dz.data()) : minimum_norm_.solve(dz.data());
  }
  for (int z = 0; z < size; ++z) dz[z] *= scale_[z];
}

void Newton::factor(const Trial& trial) {
  constexpr double dependent = 1e-10;
  const int size = rows_.rows();
  transpose(rows_, S_);
  pivots_.resize(size);
  kept_sets_ = trial.law.sets();
  regular_ = dense::lu(S_.data(), size, pivots_.data());
  for (int i = 0; regular_ && i < size; ++i) regular_ = std::abs(S_(i, i)) > dependent;
  if (regular_) return;
  transpose(rows_, S_);
  minimum_norm_.factor(size, S_.data(), dependent);
}

void Newton::assemble(const Trial& trial, Mat* by_rows, Vec& right) {
  const auto& [at, start, response, law] = trial;
  const int size = response.size();
  if (by_rows) transpose(response.H, H_by_rows_);
  scale_.resize(size);
  for (int z = 0; z < size; ++z) scale_[z] = scale(trial, z), right[z] = -law.residual[response.all(at, z)];
  LinearisedLaws rows(trial, H_by_rows_, by_rows, right);
  for (int i = response.held_rows(); i < at.system.joint_rows(); ++i) rows.joint(i);
  for (const auto& [c, k, contact, i] : at.contacts.numbered(at.involved)) {
    const StepLaw::Sets& set = law.sets()[c];
    rows.normal(set, i);
    if (contact.rows == 1) continue;
    rows.slip(contact, set, law.slip(c), i);
    rows.friction_force(contact, set, law.slip_acceleration(c), set.B && !law.rebounds(k), i);
  }
  for (int o = 0; o < size; ++o) {
    right[o] *= 1.0 / scale_[o];
    if (by_rows) rescale(size, scale_[o], scale_.data(), by_rows->column(o));
  }
}

}  // namespace tappet::alpha
