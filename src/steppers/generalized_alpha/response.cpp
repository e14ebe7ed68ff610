// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/response.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"

namespace tappet::alpha {

namespace {

constexpr int lanes = sizeof(Four) / sizeof(double);

// Four columns of a matrix to vectors side by side, and one of them back.
void gather(const Mat& from, int first, Four* to) {
  const double *a = from.column(first), *b = from.column(first + 1), *c = from.column(first + 2),
               *d = from.column(first + 3);
  for (int i = 0; i < from.rows(); ++i) to[i] = Four{a[i], b[i], c[i], d[i]};
}
void scatter(const Four* from, int rows, int lane, double* to) {
  const double* x = reinterpret_cast<const double*>(from) + lane;
  for (int i = 0; i < rows; ++i) to[i] = x[lanes * i];
}

}  // namespace

Response::Response(const ContactList& contacts)
    : r(contacts.rows(), 1.0),
      weight(contacts.rows(), 1.0),
      contacts_(contacts),
      system_(contacts.system()),
      forces_move_(system_.forces_depend_on_state()),
      coupling_(contacts),
      K_(system_.constrained_matrix(contacts.execution())),
      C_(system_.constrained_matrix(contacts.execution())),
      M_hat_(system_.constrained_matrix(contacts.execution())),
      direction_(system_.u_size()),
      shift_(system_.u_size()),
      force_(system_.u_size()),
      right_(system_.rotations().size()) {
  const int most = std::min(contacts.rows(), reserved_rows), n = system_.u_size();
  H.reserve(3 * most, 3 * most);
  for (Mat* x : {&da_, &dU_, &dQ_}) x->reserve(n, 3 * most + lanes);
  offset.reserve(3 * most), rows_.numbers.reserve(lanes * 3 * most);
  for (Panel* x : {&a_, &U_, &Q_, &p_, &v_, &work_}) x->numbers.resize(lanes * n);
  contacts_taken_.reserve(contacts.size());
  if (M_hat_.whole()) LU_.reserve(n, n), pivots_.resize(n);
  for (BlockRows* x : {&gamma_q_, &gamma_dot_q_, &gamma_dot_u_}) reserve_rows(contacts, *x);
}

bool Response::linearise(Balance& at, const Start& start, const Unknowns& x) {
  const int n = at.u.size(), m = at.rows;
  size_ = at.positions + 2 * m;
  contacts_taken_ = at.involved;
  matrices(at, start, x);
  if (!at.factor_mass() || !factor()) return false;

  H.resize(size_, size_), offset.resize(size_);
  for (Mat* y : {&da_, &dU_, &dQ_}) y->resize(n, size_ + lanes), y->set_zero();
  unit_multipliers(at, start);
  prox_parameters(at);
  start_column_of_residual(at);
  if (m > 0) {
    at.evaluator.velocity_derivatives(at.t, at.q, at.u, at.involved, gamma_q_);
    at.evaluator.acceleration_derivatives(at.t, at.q, at.u, x.a, at.involved, gamma_dot_q_, gamma_dot_u_);
  }
  for (int first = 0; first <= size_; first += lanes) respond_and_observe(at, start, first);
  return true;
}

bool Response::renew(Balance& at, const Start& start) {
  if (!at.factor_mass()) return false;
  start_column_of_residual(at);
  respond_and_observe(at, start, size_);
  return true;
}

void Response::start_column_of_residual(Balance& at) {
  at.M.solve(at.R_U);
  at.M.solve(at.R_Q);
  for (int c = 0; c < at.u.size(); ++c)
    da_(c, size_) = -at.R_a[c], dU_(c, size_) = -at.R_U[c], dQ_(c, size_) = -at.R_Q[c];
}

bool Response::factor() {
  if (uncoupled_) return true;  // matrices() did
  const double* entries = M_hat_.whole();
  if (!entries) return M_hat_.factor();
  const int n = M_hat_.size();
  LU_.resize(n, n), pivots_.resize(n);
  std::copy_n(entries, n * n, LU_.data());
  return dense::lu(LU_.data(), n, pivots_.data());
}

// δU and δQ by unit multipliers, and the right-hand sides W of δa.
void Response::unit_multipliers(const Balance& at, const Start& start) {
  const int n = at.u.size();
  for (int b = 0, i = 0; b < at.W.blocks(); ++b) {
    const auto columns = at.W.columns(b);
    const double* values = at.W.values(b);
    for (int k = 0; k < at.W.block(b).rows; ++k, ++i, values += columns.size()) {
      direction_.set_zero();
      for (size_t c = 0; c < columns.size(); ++c) direction_[columns[c]] = values[c];
      std::copy_n(direction_.data(), n, da_.column(lambda(at, i)));
      at.M.solve(direction_);
      std::copy_n(direction_.data(), n, dU_.column(Lambda(at, i)));
      if (at.position[i] >= 0)
        std::copy_n(direction_.data(), n, dQ_.column(kappa(at, i)));
      else
        for (int c = 0; c < n; ++c) dQ_(c, Lambda(at, i)) = start.weight.dt / 2 * direction_[c];  // (80)
    }
  }
}

void Response::matrices(Balance& at, const Start& start, const Unknowns& x) {
  for (size_t k = 0; k < right_.size(); ++k) {
    const int c = system_.rotations()[k];
    right_[k] = right_jacobian({at.w[c], at.w[c + 1], at.w[c + 2]});
  }
  uncoupled_ = system_.mass_is_constant() && !forces_move_ && at.rows == 0;
  if (uncoupled_) {
    M_hat_.set_zero();
    M_hat_.add(at.M, 1.0);
    M_hat_.factor();
    return;
  }
  if (coupling_.cover(at.involved)) make_matrices();
  K_.set_zero(), C_.set_zero();
  at.evaluator.add_mass_derivative(at.t, at.q, x.a, 1.0, K_);
  at.evaluator.add_impulse_derivative(at.t, at.q, at.involved, at.lambda, -1.0, K_);
  if (forces_move_) {
    at.evaluator.add_force_derivatives(at.t, at.q, at.u, -1.0, 0.0, K_);
    at.evaluator.add_force_derivatives(at.t, at.q, at.u, 0.0, -1.0, C_);
  }
  M_hat_.set_zero();
  M_hat_.add(at.M, 1.0);
  M_hat_.add(K_, start.weight.position_1);
  M_hat_.add(C_, start.weight.velocity_1);
}

void Response::respond_and_observe(const Balance& at, const Start& start, int first) {
  const int n = at.u.size(), count = std::min(lanes, size_ + 1 - first);
  const bool together = !uncoupled_ && M_hat_.whole();
  if (!together) respond_one_by_one(first, count);
  gather(da_, first, a_.data()), gather(dU_, first, U_.data()), gather(dQ_, first, Q_.data());
  if (together) {
    respond();
    for (int k = 0; k < count; ++k) scatter(a_.data(), n, k, da_.column(first + k));
  }
  if (at.rows == 0) return;
  observe(at, start);
  for (int k = 0; k < count; ++k)
    scatter(rows_.data(), size_, k, first + k < size_ ? H.column(first + k) : offset.data());
}

// If M̂ is one dense block.
void Response::respond() {
  const int n = M_hat_.size();
  Four *a = a_.data(), *p = p_.data(), *work = work_.data();
  std::copy_n(Q_.data(), n, p);
  turn(p);
  dense::multiply(K_.whole(), n, p, work);
  for (int i = 0; i < n; ++i) a[i] -= work[i];
  if (forces_move_) {
    dense::multiply(C_.whole(), n, U_.data(), work);
    for (int i = 0; i < n; ++i) a[i] -= work[i];
  }
  dense::lu_solve(LU_.data(), n, pivots_.data(), a);
}

void Response::respond_one_by_one(int first, int count) {
  const int n = shift_.size();
  for (int column = first; column < first + count; ++column) {
    std::span<double> da(da_.column(column), n);
    if (!uncoupled_) {
      std::copy_n(dQ_.column(column), n, shift_.data());
      turn(shift_.data());
      K_.multiply(shift_, force_);
      for (int i = 0; i < n; ++i) da[i] -= force_[i];
    }
    if (!uncoupled_ && forces_move_) {
      C_.multiply({dU_.column(column), static_cast<size_t>(n)}, force_);
      for (int i = 0; i < n; ++i) da[i] -= force_[i];
    }
    M_hat_.solve(da);
  }
}

void Response::observe(const Balance& at, const Start& start) {
  const int n = at.u.size();
  rows_.numbers.resize(lanes * size_);
  const Four *a = a_.data(), *U = U_.data(), *Q = Q_.data();
  Four *p = p_.data(), *v = v_.data();
  for (int i = 0; i < n; ++i) p[i] = start.weight.position_1 * a[i] + Q[i];
  for (int i = 0; i < n; ++i) v[i] = start.weight.velocity_1 * a[i] + U[i];
  turn(p);
  for (int b = 0; b < at.W.blocks(); ++b) observe(at, b);
}

// The rows of one joint or contact.
void Response::observe(const Balance& at, int b) {
  Four *rows = rows_.data(), *gamma = rows + at.positions, *gamma_dot = gamma + at.rows;
  const auto& block = at.W.block(b);
  const int* column = at.W.columns(b).data();
  const double *W = at.W.values(b), *gamma_q = gamma_q_.values(b);
  const double *gamma_dot_q = gamma_dot_q_.values(b), *gamma_dot_u = gamma_dot_u_.values(b);
  const Four *a = a_.data(), *p = p_.data(), *v = v_.data();
  for (int i = block.row; i < block.row + block.rows; ++i) {
    Four W_p{}, W_v{}, W_a{}, by_q{}, dot_by_q{}, dot_by_u{};
    for (int c = 0; c < block.columns; ++c) {
      const int k = column[c];
      const double w = *W++;
      W_p += w * p[k], W_v += w * v[k], W_a += w * a[k];
      by_q += *gamma_q++ * p[k], dot_by_q += *gamma_dot_q++ * p[k], dot_by_u += *gamma_dot_u++ * v[k];
    }
    if (at.position[i] >= 0) rows[at.position[i]] = W_p;
    gamma[i] = W_v + by_q;
    gamma_dot[i] = W_a + (dot_by_q + dot_by_u);
  }
}

template <class X>
void Response::turn(X* p) const {
  for (size_t k = 0; k < right_.size(); ++k) {
    X* c = p + system_.rotations()[k];
    const Mat3d& R = right_[k];
    const X x = c[0], y = c[1], z = c[2];
    c[0] = R.x.x * x + R.y.x * y + R.z.x * z;
    c[1] = R.x.y * x + R.y.y * y + R.z.y * z;
    c[2] = R.x.z * x + R.y.z * y + R.z.z * z;
  }
}

// For friction rows this is 1 divided by a bound of the largest eigenvalue of W_Fᵀ M⁻¹ W_F.
void Response::prox_parameters(const Balance& at) {
  for (int b = 0; b < at.W.blocks(); ++b) {
    const int first = at.W.block(b).row, count = at.W.block(b).rows;
    const auto columns = at.W.columns(b);
    const double* values = at.W.values(b);
    const bool joint = at.row[first] < system_.joint_rows();
    auto G = [&](int i, int j) {
      double sum = 0.0;
      for (size_t c = 0; c < columns.size(); ++c)
        sum += values[i * columns.size() + c] * dU_(columns[c], Lambda(at, first + j));
      return sum;
    };
    double friction = 0.0;
    for (int i = 1; !joint && i < count; ++i) {
      double sum = 0.0;
      for (int j = 1; j < count; ++j) sum += std::abs(G(i, j));
      friction = std::max(friction, sum);
    }
    for (int i = 0; i < count; ++i) {
      const double inverse = joint || i == 0 ? G(i, i) : friction;
      r[at.row[first + i]] = inverse > 0.0 ? 1.0 / inverse : 1.0;
      double& largest = weight[at.row[first + i]] = 0.0;
      for (size_t c = 0; c < columns.size(); ++c) largest = std::max(largest, std::abs(values[i * columns.size() + c]));
    }
  }
}

void Response::move(const Balance& at, const Start& start, const Vec& dz, Unknowns& x) const {
  const int n = x.a.size();
  auto add = [&](const Mat& columns, Vec& y) {
    for (int i = 0; i < n; ++i) y[i] += columns(i, size_);
    for (int c = 0; c < size_; ++c) {
      if (dz[c] == 0.0) continue;
      const double* column = columns.column(c);
      for (int i = 0; i < n; ++i) y[i] += column[i] * dz[c];
    }
  };
  add(da_, x.a), add(dU_, x.U), add(dQ_, x.Q);
  for (int i = 0; i < at.rows; ++i) {
    const int s = at.row[i];
    x.Lambda[s] += dz[Lambda(at, i)];
    x.lambda[s] += dz[lambda(at, i)];
    x.kappa[s] = at.position[i] >= 0 ? x.kappa[s] + dz[kappa(at, i)] : start.weight.dt / 2 * x.Lambda[s];
  }
}

}  // namespace tappet::alpha
