// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The rows of the problem in (P, τ) that each iteration solves: rates, gaps, their derivatives.
#include <algorithm>

#include "problem/wide_rows.h"
#include "steppers/ggl/coupled_newton.h"
#include "steppers/shared/contact_rows.h"

namespace tappet {

namespace {

Four* fours(Vec& x) { return reinterpret_cast<Four*>(x.data()); }

void scale(BlockRows& rows, int block, double factor) {
  const auto& b = rows.block(block);
  for (int i = 0; i < b.rows * b.columns; ++i) rows.values(block)[i] *= factor;
}

}  // namespace

// ξ of the rows [joints | active], and its derivatives L_u, L_q with respect to u₁ and q₁.
void CoupledNewton::rates(const State& state, double dt, const ContactSet& active, const Vec& rates_0) {
  const double t_1 = state.t + dt;
  const int rows = contacts_.rows(active);
  xi_.resize(rows);
  if (rows == 0) return;
  if (positions_alone(active)) return joint_positions(t_1, dt);
  gather_rows(contacts_, active, rates_0, z_);
  contacts_.restitution(active, e_);
  if (settings_.linearised) {
    L_u_ = W_;
    for (int i = 0; i < u_1.size(); ++i) x_[i] = u_1[i] - state.u[i];
    evaluate_.velocity_derivatives(state.t + weight_ * dt, q_directions_, x_, active, L_q_);
    for (int k = 0; k < L_q_.blocks(); ++k) scale(L_q_, k, weight_);
    L_u_.multiply(x_, xi_);
    for (int r = 0; r < rows; ++r) xi_[r] += (1 + e_[r]) * z_[r];  // (42)
  } else {
    if (settings_.midpoint)
      evaluate_.directions(t_1, q_1, active, L_u_, chi_1_);
    else
      L_u_ = W_, chi_1_ = chi_;
    if (!derives_late()) evaluate_.velocity_derivatives(t_1, q_1, u_1, active, L_q_);
    L_u_.multiply(u_1, xi_);
    for (int r = 0; r < rows; ++r) xi_[r] += chi_1_[r] + e_[r] * z_[r];
  }
  if (system_.joint_rows() == 0) return;
  if (settings_.joints == JointLevel::acceleration) joint_accelerations(state, dt);
  if (settings_.joints == JointLevel::position) joint_positions(t_1, dt);
  if (settings_.joints == JointLevel::position && !derives_late()) position_gradients(dt);
}

bool CoupledNewton::derives_late() const {
  return !settings_.linearised && settings_.joints != JointLevel::acceleration;
}

void CoupledNewton::rate_gradients(double t_1, double dt, const ContactSet& active) {
  if (xi_.empty() || positions_alone(active)) return;
  evaluate_.velocity_derivatives(t_1, q_1, u_1, active, L_q_);
  if (settings_.joints == JointLevel::position && system_.joint_rows() > 0) position_gradients(dt);
}

// Then ξ is known without L_u and L_q. They only follow if the iteration goes on: joint_gradients().
bool CoupledNewton::positions_alone(const ContactSet& active) const { return joints_by_position_ && active.empty(); }

void CoupledNewton::joint_gradients(double t_1, double dt) {
  if (settings_.midpoint)
    evaluate_.directions(t_1, q_1, none_, L_u_, chi_1_);
  else
    L_u_ = W_;
  L_q_ = L_u_;
  position_gradients(dt);
}

// The rows of joints on position level: ξ = g(q₁)/(dt θ).
void CoupledNewton::joint_positions(double t_1, double dt) {
  const double factor = 1 / (dt * settings_.theta);
  evaluate_.joint_residuals(t_1, q_1, joint_residuals_);
  for (const Constraint& joint : system_.joints())
    if (joint.position_level)
      for (int r = joint.row; r < joint.row + joint.rows; ++r) xi_[r] = factor * joint_residuals_[r];
}

void CoupledNewton::position_gradients(double dt) {
  const double factor = 1 / (dt * settings_.theta);
  int block = 0;
  for (const Constraint& joint : system_.joints()) {
    const int k = block++, count = joint.rows * static_cast<int>(joint.columns.size());
    if (!joint.position_level) continue;
    double *by_u = L_u_.values(k), *by_q = L_q_.values(k);
    for (int i = 0; i < count; ++i) by_q[i] = factor * by_u[i], by_u[i] = 0.0;
  }
}

// The rows of joints on acceleration level: ξ = dt (Wᵀa + ζ) at the middle of the step, a = (u₁ − u₀)/dt.
void CoupledNewton::joint_accelerations(const State& state, double dt) {
  const double t_M = state.t + weight_ * dt;
  for (int i = 0; i < u_1.size(); ++i) a_[i] = (u_1[i] - state.u[i]) / dt;
  evaluate_.accelerations(t_M, q_directions_, u_theta_, none_, zeta_);
  evaluate_.acceleration_derivatives(t_M, q_directions_, u_theta_, a_, none_, joint_q_, joint_u_);
  int block = 0;
  for (const Constraint& joint : system_.joints()) {
    const int k = block++, columns = static_cast<int>(joint.columns.size()), count = joint.rows * columns;
    if (!joint.position_level) continue;
    const double* W = W_.values(k);
    for (int r = 0; r < joint.rows; ++r) {
      double rate = zeta_[joint.row + r];
      for (int c = 0; c < columns; ++c) rate += W[r * columns + c] * a_[joint.columns[c]];
      xi_[joint.row + r] = dt * rate;
    }
    double *by_u = L_u_.values(k), *by_q = L_q_.values(k);
    for (int i = 0; i < count; ++i) by_u[i] = W[i] + dt * settings_.theta * joint_u_.values(k)[i];
    for (int i = 0; i < count; ++i) by_q[i] = dt * weight_ * joint_q_.values(k)[i];
  }
}

// g of the rows [joints | projected], its gradient G₁, and the directions G of the multipliers.
void CoupledNewton::gap_rows(const State& state, double dt, const ContactSet& active, const ContactSet& projected) {
  const double t_1 = state.t + dt;
  const bool any = !projected.empty() || (project_joints_ && system_.joint_rows() > 0);
  g_.resize(0);
  if (!any) return G_.clear(), G_1_.clear();
  // The directions of the same contacts are already in W and L_u.
  const bool same = projected == active, other_end = settings_.midpoint && !settings_.linearised;
  if (!same) evaluate_.directions(state.t + weight_ * dt, q_directions_, projected, W_position_, chi_1_);
  position_rows(contacts_, projected, project_joints_, same ? W_ : W_position_, G_);
  if (other_end) {
    if (!same) evaluate_.directions(t_1, q_1, projected, W_position_, chi_1_);
    position_rows(contacts_, projected, project_joints_, same ? L_u_ : W_position_, G_1_);
  } else {
    G_1_ = G_;
  }
  g_.resize(G_.rows());
  int row = 0;
  if (project_joints_ && system_.joint_rows() > 0) {
    evaluate_.joint_residuals(t_1, q_1, joint_residuals_);
    for (const Constraint& joint : system_.joints())
      if (joint.position_level)
        for (int r = 0; r < joint.rows; ++r) g_[row++] = joint_residuals_[joint.row + r];
  }
  if (settings_.linearised) {
    row_.resize(G_.rows());
    G_.multiply(w_, row_);
    for (int k : projected) g_[row] = gaps_0_[k] + row_[row], ++row;  // (41)
    return;
  }
  evaluate_.gaps(t_1, q_1, gaps_);
  for (int k : projected) g_[row++] = gaps_[k];
}

void CoupledNewton::set_change(int lane) {
  for (int i = 0; i < x_.size(); ++i) du_[lanes * i + lane] = x_[i], dq_[lanes * i + lane] = y_[i];
}

void CoupledNewton::respond() {
  const int rows_v = xi_.size();
  responses_.resize(lanes * (rows_v + g_.size())), by_positions_.resize(lanes * rows_v);
  if (rows_v > 0) {
    multiply(L_u_, 0, fours(du_), fours(responses_));
    multiply(L_q_, 0, fours(dq_), fours(by_positions_));
    for (int i = 0; i < by_positions_.size(); ++i) responses_[i] += by_positions_[i];
  }
  if (g_.size() > 0) multiply(G_1_, 0, fours(dq_), fours(responses_) + rows_v);
}

void CoupledNewton::move_freely(double dt) {
  const int n = u_1.size(), rows_v = xi_.size();
  B_.multiply(s_, x_);
  for (int i = 0; i < n; ++i) r_[i] += x_[i];
  M_hat_.solve(r_);
  for (int i = 0; i < n; ++i) x_[i] = r_[i], y_[i] = dt * settings_.theta * r_[i] - s_[i];
  problem_.c.resize(rows_v + g_.size());
  set_change(0);
  respond();
  rate_ = 0.0;
  for (int r = 0; r < rows_v; ++r) {
    problem_.c[r] = responses_[lanes * r] + xi_[r];
    rate_ = std::max(rate_, std::abs(problem_.c[r]));
  }
  for (int r = 0; r < g_.size(); ++r) problem_.c[rows_v + r] = responses_[lanes * (rows_v + r)] + g_[r];
}

// The problem in (P, τ): δu = M̂⁻¹(r + B s) + X (P, τ), δq = dt θ δu − s + Z (P, τ).
void CoupledNewton::assemble(double dt, const ContactSet& active, const ContactSet& projected) {
  const double step = dt * settings_.theta;
  const int n = u_1.size(), rows_v = xi_.size(), rows = rows_v + g_.size();
  const Inertia& metric = settings_.kinetic ? static_cast<const Inertia&>(M_hat_) : identity_;
  Mat& A = problem_.G.dense(rows);
  X_.resize(n, rows), Z_.resize(n, rows);
  auto column_of = [&](const BlockRows& directions, int block, int r, int column, bool position) {
    const auto& b = directions.block(block);
    x_.set_zero();
    for (int c = 0; c < b.columns; ++c) x_[directions.columns(block)[c]] += directions.values(block)[r * b.columns + c];
    if (position) {
      metric.solve(x_);
      std::copy(x_.begin(), x_.end(), Z_.column(column));
      B_.multiply(x_, y_);
      for (int i = 0; i < n; ++i) x_[i] = -y_[i];
    } else {
      std::fill_n(Z_.column(column), n, 0.0);
    }
    M_hat_.solve(x_);
    std::copy(x_.begin(), x_.end(), X_.column(column));
    const double* z = Z_.column(column);
    for (int i = 0; i < n; ++i) y_[i] = step * x_[i] + z[i];
    const int lane = column % lanes;
    set_change(lane);
    if (lane + 1 < lanes && column + 1 < rows) return;
    respond();
    for (int j = 0; j <= lane; ++j) {
      double* to = A.column(column - lane + j);
      for (int i = 0; i < rows; ++i) to[i] = responses_[lanes * i + j];
    }
  };
  for (int k = 0; k < W_.blocks() && rows_v > 0; ++k)
    for (int r = 0; r < W_.block(k).rows; ++r) column_of(W_, k, r, W_.block(k).row + r, false);
  for (int k = 0; k < G_.blocks(); ++k)
    for (int r = 0; r < G_.block(k).rows; ++r) column_of(G_, k, r, rows_v + G_.block(k).row + r, true);

  contacts_.laws(active, problem_.laws);
  int row = rows_v;
  if (project_joints_)
    for (const Constraint& joint : system_.joints())
      if (joint.position_level) {
        problem_.laws.push_back({Law::Kind::bilateral, row, joint.rows, 0.0});
        row += joint.rows;
      }
  set_position_laws(projected, row);
  row_.resize(rows);
  for (int r = 0; r < rows_v; ++r) row_[r] = P[r];
  for (int r = rows_v; r < rows; ++r) row_[r] = r - rows_v < tau.size() ? tau[r - rows_v] : 0.0;
}

void CoupledNewton::set_position_laws(const ContactSet& projected, int row) {
  for (size_t i = 0; i < projected.size(); ++i)
    problem_.laws.push_back({equal_[i] ? Law::Kind::bilateral : Law::Kind::contact, row++, 1, 0.0});
}

}  // namespace tappet
