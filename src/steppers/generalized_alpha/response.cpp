// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/response.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/wide/wide.h"

namespace tappet::alpha {

namespace {

constexpr int lanes = sizeof(Four) / sizeof(double);

// Four columns of a matrix to vectors side by side, and one of them back.
TAPPET_WIDE void gather(int rows, const double* a, Four* to) {
  const double *b = a + rows, *c = b + rows, *d = c + rows;
  for (int i = 0; i < rows; ++i) to[i] = Four{a[i], b[i], c[i], d[i]};
}
void scatter(const Four* from, int rows, int lane, double* to) {
  const double* x = reinterpret_cast<const double*>(from) + lane;
  for (int i = 0; i < rows; ++i) to[i] = x[lanes * i];
}

TAPPET_WIDE void subtract(int n, const Four* x, Four* y) {
  for (int i = 0; i < n; ++i) y[i] -= x[i];
}

TAPPET_WIDE void add_multiple(int n, double factor, const Four* x, const Four* y, Four* sum) {
  for (int i = 0; i < n; ++i) sum[i] = factor * x[i] + y[i];
}

// y += the first `count` columns of n numbers, times x.
TAPPET_WIDE void add_columns(int n, int count, const double* columns, const double* x, double* y) {
  for (int c = 0; c < count; ++c, columns += n) {
    if (x[c] == 0.0) continue;
    int i = 0;
    for (; i + 4 <= n; i += 4) four(y + i) = four(y + i) + four(columns + i) * x[c];
    for (; i < n; ++i) y[i] += columns[i] * x[c];
  }
}

// The places of rotations in p, turned by these matrices.
template <class X>
[[gnu::always_inline]] inline void turn_by(const std::vector<int>& rotations, const Mat3d* R, X* p) {
  for (const int first : rotations) {
    X* c = p + first;
    const X x = c[0], y = c[1], z = c[2];
    c[0] = R->x.x * x + R->y.x * y + R->z.x * z;
    c[1] = R->x.y * x + R->y.y * y + R->z.y * z;
    c[2] = R->x.z * x + R->y.z * y + R->z.z * z;
    ++R;
  }
}
TAPPET_WIDE void turn_four(const std::vector<int>& rotations, const Mat3d* R, Four* p) { turn_by(rotations, R, p); }

// W and the derivatives of γ and γ̇ of one row, at the places `columns` of the velocities.
struct Row {
  const double *W, *gamma_q, *gamma_dot_q, *gamma_dot_u;
  std::span<const int> columns;
};

// The change of (g, γ, γ̇) of a row by the accelerations a, positions p and velocities v.
struct Change {
  Four *g, *gamma, *gamma_dot;  // g may be null
};
TAPPET_WIDE void observe_row(const Row& row, const Four* a, const Four* p, const Four* v, const Change& change) {
  Four W_p{}, W_v{}, W_a{}, by_q{}, dot_by_q{}, dot_by_u{};
  for (size_t c = 0; c < row.columns.size(); ++c) {
    const int k = row.columns[c];
    const double w = row.W[c];
    W_p += w * p[k], W_v += w * v[k], W_a += w * a[k];
    by_q += row.gamma_q[c] * p[k], dot_by_q += row.gamma_dot_q[c] * p[k], dot_by_u += row.gamma_dot_u[c] * v[k];
  }
  if (change.g) *change.g = W_p;
  *change.gamma = W_v + by_q;
  *change.gamma_dot = W_a + (dot_by_q + dot_by_u);
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
      bodies_(system_),
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
  int largest = 4 * 12;  // numbers of W of a joint or contact: a found contact between rigid bodies, or one of the file
  for (const Constraint& joint : system_.joints())
    largest = std::max(largest, joint.rows * static_cast<int>(joint.columns.size()));
  for (const Contact& contact : contacts)
    largest = std::max(largest, contact.rows * static_cast<int>(contact.columns.size()));
  own_.reserve(largest);
  if (M_hat_.whole()) LU_.reserve(n, n), pivots_.resize(n);
  for (BlockRows* x : {&gamma_q_, &gamma_dot_q_, &gamma_dot_u_}) reserve_rows(contacts, *x);
}

bool Response::linearise(Balance& at, const Start& start, const Unknowns& x, bool hold_joints) {
  const int n = at.u.size(), m = at.rows;
  contacts_taken_ = at.involved;
  derivatives(at, x);
  if (!at.factor_mass()) return false;
  if (hold_joints && linearise_held(at, start)) return true;

  held_rows_ = held_positions_ = 0, size_ = at.positions + 2 * m;
  if (!factor(at, start)) return false;
  H.resize(size_, size_), offset.resize(size_);
  for (Mat* y : {&da_, &dU_, &dQ_}) y->resize(n, size_ + lanes), y->set_zero();
  unit_multipliers(at, start);
  start_column_of_residual(at);
  for (int first = 0; first <= size_; first += lanes) respond_and_observe(at, start, first);
  return true;
}

bool Response::renew(Balance& at, const Start& start) {
  if (!at.factor_mass()) return false;
  if (held_rows_ > 0) {
    respond_held(at, start, size_, size_ / lanes + 1);
    return true;
  }
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

bool Response::factor(Balance& at, const Start& start) {
  M_hat_.set_zero();
  M_hat_.add(at.M, 1.0);
  if (uncoupled_) return M_hat_.factor(), true;
  M_hat_.add(K_, start.weight.position_1);
  M_hat_.add(C_, start.weight.velocity_1);
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
    own_.resize(at.W.block(b).rows * static_cast<int>(columns.size()));
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
      for (size_t c = 0; c < columns.size(); ++c) own_[k * columns.size() + c] = direction_[columns[c]];
    }
    prox_parameters(at, b);
  }
}

void Response::derivatives(Balance& at, const Unknowns& x) {
  for (size_t k = 0; k < right_.size(); ++k) {
    const int c = system_.rotations()[k];
    right_[k] = right_jacobian({at.w[c], at.w[c + 1], at.w[c + 2]});
  }
  uncoupled_ = system_.mass_is_constant() && !forces_move_ && at.rows == 0;
  if (uncoupled_) return;
  if (coupling_.cover(at.involved)) make_matrices();
  K_.set_zero(), C_.set_zero();
  at.evaluator.add_mass_derivative(at.t, at.q, x.a, 1.0, K_);
  at.evaluator.add_impulse_derivative(at.t, at.q, at.involved, at.lambda, -1.0, K_);
  if (forces_move_) {
    at.evaluator.add_force_derivatives(at.t, at.q, at.u, -1.0, 0.0, K_);
    at.evaluator.add_force_derivatives(at.t, at.q, at.u, 0.0, -1.0, C_);
  }
  if (at.rows == 0) return;
  at.evaluator.velocity_derivatives(at.t, at.q, at.u, at.involved, gamma_q_);
  at.evaluator.acceleration_derivatives(at.t, at.q, at.u, x.a, at.involved, gamma_dot_q_, gamma_dot_u_);
}

void Response::respond_and_observe(const Balance& at, const Start& start, int first) {
  const int n = at.u.size(), count = std::min(lanes, size_ + 1 - first);
  const bool together = !uncoupled_ && M_hat_.whole();
  if (!together) respond_one_by_one(first, count);
  gather(n, da_.column(first), a_.data());
  gather(n, dU_.column(first), U_.data());
  gather(n, dQ_.column(first), Q_.data());
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
  turn_four(system_.rotations(), right_.data(), p);
  dense::multiply(K_.whole(), n, p, work);
  subtract(n, work, a);
  if (forces_move_) {
    dense::multiply(C_.whole(), n, U_.data(), work);
    subtract(n, work, a);
  }
  dense::lu_solve(LU_.data(), n, pivots_.data(), a);
}

void Response::respond_one_by_one(int first, int count) {
  const int n = shift_.size();
  for (int column = first; column < first + count; ++column) {
    std::span<double> da(da_.column(column), n);
    if (!uncoupled_) {
      std::copy_n(dQ_.column(column), n, shift_.data());
      turn_by(system_.rotations(), right_.data(), shift_.data());
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
  const Four* a = a_.data();
  Four *p = p_.data(), *v = v_.data();
  add_multiple(n, start.weight.position_1, a, Q_.data(), p);
  add_multiple(n, start.weight.velocity_1, a, U_.data(), v);
  turn_four(system_.rotations(), right_.data(), p);
  for (int b = 0; b < at.W.blocks(); ++b) observe(at, b, a, p, v);
}

// The rows of one joint or contact.
void Response::observe(const Balance& at, int b, const Four* a, const Four* p, const Four* v) {
  Four *rows = rows_.data() - held_positions_, *gamma = rows + at.positions - held_rows_,
       *gamma_dot = gamma + at.rows - held_rows_;
  const auto& block = at.W.block(b);
  Row row{at.W.values(b), gamma_q_.values(b), gamma_dot_q_.values(b), gamma_dot_u_.values(b), at.W.columns(b)};
  for (int i = block.row; i < block.row + block.rows; ++i) {
    Four* g = at.position[i] >= 0 ? rows + at.position[i] : nullptr;
    observe_row(row, a, p, v, {g, gamma + i, gamma_dot + i});
    for (const double** from : {&row.W, &row.gamma_q, &row.gamma_dot_q, &row.gamma_dot_u}) *from += block.columns;
  }
}

// For friction rows this is 1 divided by a bound of the largest eigenvalue of W_Fᵀ M⁻¹ W_F.
void Response::prox_parameters(const Balance& at, int b) {
  const int first = at.W.block(b).row, count = at.W.block(b).rows, width = at.W.block(b).columns;
  const double* values = at.W.values(b);
  const bool joint = at.row[first] < system_.joint_rows();
  auto G = [&](int i, int j) {
    double sum = 0.0;
    for (int c = 0; c < width; ++c) sum += values[i * width + c] * own_[j * width + c];
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
    for (int c = 0; c < width; ++c) largest = std::max(largest, std::abs(values[i * width + c]));
  }
}

void Response::move(const Balance& at, const Start& start, const Vec& dz, Unknowns& x) {
  const int n = x.a.size();
  const auto add = [&](const Mat& columns, Vec& y) {
    constexpr double one = 1.0;
    add_columns(n, 1, columns.column(size_), &one, y.data());
    add_columns(n, size_, columns.data(), dz.data(), y.data());
  };
  if (held_rows_ > 0)
    bodies_.move(start.weight, dz, x);
  else
    add(da_, x.a), add(dU_, x.U), add(dQ_, x.Q);
  for (int i = held_rows_; i < at.rows; ++i) {
    const int s = at.row[i];
    x.Lambda[s] += dz[place(at, Lambda(at, i))];
    x.lambda[s] += dz[place(at, lambda(at, i))];
    x.kappa[s] = at.position[i] >= 0 ? x.kappa[s] + dz[place(at, kappa(at, i))] : start.weight.dt / 2 * x.Lambda[s];
  }
}

}  // namespace tappet::alpha
