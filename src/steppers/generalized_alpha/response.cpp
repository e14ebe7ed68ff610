// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/response.h"

#include <algorithm>
#include <cmath>

namespace tappet::alpha {

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
      p_(system_.u_size()),
      v_(system_.u_size()),
      work_(system_.u_size()),
      right_(system_.rotations().size()) {
  const int most = std::min(contacts.rows(), reserved_rows), n = system_.u_size();
  H.reserve(3 * most, 3 * most);
  for (Mat* x : {&da_, &dU_, &dQ_}) x->reserve(n, 3 * most + 1);
  offset.reserve(3 * most);
  for (BlockRows* x : {&gamma_q_, &gamma_dot_q_, &gamma_dot_u_}) reserve_rows(contacts, *x);
}

bool Response::linearise(Balance& at, const Start& start, const Unknowns& x) {
  const int n = at.u.size(), m = at.rows;
  size_ = at.positions + 2 * m;
  matrices(at, start, x);
  if (!at.factor_mass() || (!uncoupled_ && !M_hat_.factor())) return false;

  H.resize(size_, size_), offset.resize(size_);
  for (Mat* y : {&da_, &dU_, &dQ_}) y->resize(n, size_ + 1), y->set_zero();
  unit_multipliers(at, start);
  prox_parameters(at);
  at.M.solve(at.R_U);
  at.M.solve(at.R_Q);
  for (int c = 0; c < n; ++c) da_(c, size_) = -at.R_a[c], dU_(c, size_) = -at.R_U[c], dQ_(c, size_) = -at.R_Q[c];

  if (m > 0) {
    at.evaluator.velocity_derivatives(at.t, at.q, at.u, at.involved, gamma_q_);
    at.evaluator.acceleration_derivatives(at.t, at.q, at.u, x.a, at.involved, gamma_dot_q_, gamma_dot_u_);
  }
  for (int column = 0; column <= size_; ++column) {
    const int row = column - at.positions;  // of Λ
    const bool by_Lambda = row >= 0 && row < m, by_all = column == size_;
    respond(column, row < 0 || by_all || (by_Lambda && at.position[row] < 0), by_Lambda || by_all);
    if (m > 0) observe(at, start, column, column < size_ ? H.column(column) : offset.data());
  }
  return true;
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

void Response::respond(int column, bool has_Q, bool has_U) {
  const int n = p_.size();
  std::span<double> da(da_.column(column), n);
  if (!uncoupled_ && has_Q) {
    std::copy_n(dQ_.column(column), n, p_.data());
    turn(p_);
    K_.multiply(p_, work_);
    for (int i = 0; i < n; ++i) da[i] -= work_[i];
  }
  if (!uncoupled_ && has_U && forces_move_) {
    C_.multiply({dU_.column(column), static_cast<size_t>(n)}, work_);
    for (int i = 0; i < n; ++i) da[i] -= work_[i];
  }
  M_hat_.solve(da);
}

void Response::observe(const Balance& at, const Start& start, int column, double* rows) {
  const int n = p_.size();
  const double *da = da_.column(column), *dU = dU_.column(column), *dQ = dQ_.column(column);
  for (int i = 0; i < n; ++i) p_[i] = start.weight.position_1 * da[i] + dQ[i];
  for (int i = 0; i < n; ++i) v_[i] = start.weight.velocity_1 * da[i] + dU[i];
  turn(p_);
  for (int b = 0; b < at.W.blocks(); ++b) observe(at, b, da, rows);
}

// The rows of one joint or contact.
void Response::observe(const Balance& at, int b, const double* da, double* rows) const {
  double *gamma = rows + at.positions, *gamma_dot = gamma + at.rows;
  const auto& block = at.W.block(b);
  const int* column = at.W.columns(b).data();
  const double *W = at.W.values(b), *gamma_q = gamma_q_.values(b);
  const double *gamma_dot_q = gamma_dot_q_.values(b), *gamma_dot_u = gamma_dot_u_.values(b);
  for (int i = block.row; i < block.row + block.rows; ++i) {
    double W_p = 0.0, W_v = 0.0, W_a = 0.0, by_q = 0.0, dot_by_q = 0.0, dot_by_u = 0.0;
    for (int c = 0; c < block.columns; ++c) {
      const double p = p_[column[c]], v = v_[column[c]], w = *W++;
      W_p += w * p, W_v += w * v, W_a += w * da[column[c]];
      by_q += *gamma_q++ * p, dot_by_q += *gamma_dot_q++ * p, dot_by_u += *gamma_dot_u++ * v;
    }
    if (at.position[i] >= 0) rows[at.position[i]] = W_p;
    gamma[i] = W_v + by_q;
    gamma_dot[i] = W_a + (dot_by_q + dot_by_u);
  }
}

void Response::turn(Vec& p) const {
  for (size_t k = 0; k < right_.size(); ++k) {
    double* c = p.data() + system_.rotations()[k];
    const Vec3d turned = right_[k] * Vec3d{c[0], c[1], c[2]};
    c[0] = turned.x, c[1] = turned.y, c[2] = turned.z;
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
