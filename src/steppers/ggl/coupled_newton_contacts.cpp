// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// If joints hold the bodies, an iteration of the Newton loop is a contact problem without rows of joints. The motion
// (δu, δq) of the bodies and the multipliers (P, τ) of the joints follow from those of the contacts:
//   M_u δu + B δq − W P = r,      L_u δu + L_q δq = −ξ      with M̂ = M_u + dt θ B
//   N⁻¹(δq − dt θ δu) − G τ = −N⁻¹ s,             G₁ δq = −g
// Joints have the same directions on both levels. Of their P and τ only the changes are solved for, so that little is
// lost in round-off near the solution.
#include <algorithm>
#include <cmath>
#include <utility>

#include "problem/wide_rows.h"
#include "steppers/ggl/coupled_newton.h"

namespace tappet {

namespace {

Four* fours(Vec& x) { return reinterpret_cast<Four*>(x.data()); }
Four* panel(Mat& vectors, int p) { return reinterpret_cast<Four*>(vectors.column(p)); }
const Four* panel(const Mat& vectors, int p) { return reinterpret_cast<const Four*>(vectors.column(p)); }

// Row `row` of some rows of contacts, which are those from block `first` on, as column `lane` of four.
void set_column(const BlockRows& W, int first, int row, int lane, Four* f) {
  int k = first;
  for (; row >= W.block(k).rows; ++k) row -= W.block(k).rows;
  const auto columns = W.columns(k);
  const double* w = W.values(k) + row * columns.size();
  for (size_t c = 0; c < columns.size(); ++c) f[columns[c]][lane] += w[c];
}

// f += the first rows of W times P
void add_force(const BlockRows& W, int rows, const Vec& P, Vec& f) {
  for (int k = 0; k < W.blocks() && W.block(k).row < rows; ++k) {
    const double* w = W.values(k);
    for (int r = W.block(k).row; r < W.block(k).row + W.block(k).rows; ++r)
      for (int column : W.columns(k)) f[column] += *w++ * P[r];
  }
}

}  // namespace

bool CoupledNewton::factor_held(double dt) {
  const double by_q = dt * settings_.theta;
  const BorderedElimination::JointTerm act[] = {{0, 0, &W_}, {1, 1, &W_}},
                                       judge[] = {{0, 0, &L_u_}, {0, 1, &L_q_}, {1, 1, &L_u_}};
  const std::initializer_list<double> euclidean{1.0, 1.0, -by_q, 1.0},
      kinetic{1.0, 1.0, -by_q, -by_q * by_q, 1.0, by_q};
  const auto& factors = settings_.kinetic ? kinetic : euclidean;
  return held_.factor({factors.begin(), factors.size()}, act, judge);
}

bool CoupledNewton::solve_contacts(const State& state, double dt, const ContactSet& active, const ContactSet& projected,
                                   bool again, StepReport& report) {
  if (settings_.prox || !held_.suitable()) {
    linearise(state, dt, active);
    return false;
  }
  again = std::exchange(holds_, false) && again;
  if (again && respond_held(dt, true) && solve_held(dt, true, active, projected, report)) return holds_ = true;
  linearise(state, dt, active);
  return holds_ = factor_held(dt) && respond_held(dt, false) && solve_held(dt, false, active, projected, report);
}

bool CoupledNewton::solve_held(double dt, bool again, const ContactSet& active, const ContactSet& projected,
                               StepReport& report) {
  const int held = system_.joint_rows(), rates = xi_.size() - held, rows = problem_.c.size();
  contact_row_.resize(rows);
  for (int r = 0; r < rates; ++r) contact_row_[r] = P[held + r];
  for (int r = rates, i = joint_gaps_; r < rows; ++r, ++i) contact_row_[r] = i < tau.size() ? tau[i] : 0.0;
  SolveReport solve{SolveStatus::converged, 1, 0.0, 0, 1};
  if (rows > 0) {
    set_contact_laws(active, projected);
    solve = solver_.solve(problem_, contact_row_);
  }
  if (solve.status != SolveStatus::converged || !move_held(dt, again, solve.residual)) return false;
  report.solve = solve;
  return true;
}

void CoupledNewton::set_contact_laws(const ContactSet& active, const ContactSet& projected) {
  const int held = system_.joint_rows();
  problem_.laws.clear();
  for (const auto& [k, contact, row] : contacts_.each(active))
    problem_.laws.push_back({Law::Kind::contact, row - held, contact.rows, contact.law->mu_law(), contact.balls});
  set_position_laws(projected, xi_.size() - held);
}

// Four of the columns, which are those of the contacts' impulses and of their multipliers on position level.
void CoupledNewton::set_right_sides(int first) {
  const int n = u_1.size(), held = system_.joint_rows(), rates = xi_.size() - held, gaps = g_.size() - joint_gaps_;
  f_.assign(lanes * 2 * n, 0.0), d_.assign(lanes * 2 * held, 0.0);
  for (int lane = 0; lane < lanes && first + lane < rates + gaps; ++lane) {
    const int column = first + lane;
    if (column < rates)
      set_column(W_, static_cast<int>(system_.joints().size()), column, lane, fours(f_));
    else
      set_column(G_, G_.blocks() - gaps, column - rates, lane, fours(f_) + n);
  }
}

void CoupledNewton::set_residuals(double dt, int lane) {
  const int n = u_1.size(), held = system_.joint_rows();
  Four *f = fours(f_), *d = fours(d_);
  for (int i = 0; i < n; ++i) x_[i] = r_[i], y_[i] = -s_[i];
  if (settings_.kinetic && shifted()) {
    M_u_.multiply(s_, y_), B_.multiply(s_, a_);
    for (int i = 0; i < n; ++i) y_[i] = -(y_[i] + dt * settings_.theta * a_[i]);
  }
  add_force(W_, held, P, x_);
  if (tau.size() >= joint_gaps_) add_force(G_, joint_gaps_, tau, y_);
  for (int i = 0; i < n; ++i) f[i][lane] = x_[i], f[n + i][lane] = y_[i];
  for (int r = 0; r < held; ++r) d[r][lane] = -xi_[r];
  if (joint_gaps_ == 0) return;
  int row = 0;
  for (const Constraint& joint : system_.joints())
    for (int r = 0; r < joint.rows && joint.position_level; ++r) d[held + joint.row + r][lane] = -g_[row++];
}

// The problem of the contacts. Returns false if the joints block one of them. `again`: with the matrix of the last
// call, so that only the column of the residuals is new. It is the last one.
bool CoupledNewton::respond_held(double dt, bool again) {
  constexpr double blocked = 1e-6;  // a row of which the joints leave less than this share would be lost in round-off
  const int n = u_1.size(), held = system_.joint_rows(), rates = xi_.size() - held, gaps = g_.size() - joint_gaps_;
  const int rows = rates + gaps, panels = rows / lanes + 1, joints = static_cast<int>(system_.joints().size());
  moved_.resize(lanes * 2 * n, panels + 1), resisted_.resize(lanes * 2 * held, panels + 1);
  responses_.resize(lanes * rows), by_positions_.resize(lanes * rates);
  Mat& G = problem_.G.dense(rows);
  problem_.c.resize(rows);
  for (int p = again ? panels : 0; p < panels + again; ++p) {
    Four *y = panel(moved_, p), *response = fours(responses_), *by_q = fours(by_positions_);
    set_right_sides(lanes * p);
    if (p >= panels - 1) {
      residuals_panel_ = p, residuals_lane_ = again ? 0 : rows % lanes;
      set_residuals(dt, residuals_lane_);
    }
    held_.solve(fours(f_), fours(d_), y, panel(resisted_, p));
    if (rows == 0) break;
    multiply(L_u_, joints, y, response);
    multiply(L_q_, joints, y + n, by_q);
    for (int r = 0; r < rates; ++r) response[r] += by_q[r];
    multiply(G_1_, G_1_.blocks() - gaps, y + n, response + rates);
    for (int lane = 0; lane < lanes && lanes * p + lane < rows; ++lane)
      for (int r = 0; r < rows; ++r) G(r, lanes * p + lane) = response[r][lane];
    if (p == residuals_panel_)
      for (int r = 0; r < rows; ++r) problem_.c[r] = response[r][residuals_lane_];
  }
  for (int r = 0; r < rates; ++r) problem_.c[r] += xi_[held + r];
  for (int r = 0; r < gaps; ++r) problem_.c[rates + r] += g_[joint_gaps_ + r];
  if (!again) take_free_rates();
  for (int r = 0; r < rows && !again; ++r)
    if (!(G(r, r) > blocked * free_response(r))) return false;
  return true;
}

// rate_, where the rates of joints are those that the residual of momentum would cause without them.
void CoupledNewton::take_free_rates() {
  const int held = system_.joint_rows();
  rate_ = 0.0;
  for (int r = 0; r < xi_.size() - held; ++r) rate_ = std::max(rate_, std::abs(problem_.c[r]));
  for (int i = 0; i < r_.size(); ++i) x_[i] = r_[i] / M_(i, i);
  for (int k = 0; k < static_cast<int>(system_.joints().size()); ++k) {
    const auto& b = L_u_.block(k);
    const double* w = L_u_.values(k);
    for (int r = 0; r < b.rows; ++r) {
      double sum = xi_[b.row + r];
      for (int column : L_u_.columns(k)) sum += *w++ * x_[column];
      rate_ = std::max(rate_, std::abs(sum));
    }
  }
}

// About what a row of a contact would answer to its own impulse or multiplier without joints.
double CoupledNewton::free_response(int row) const {
  const int rates = xi_.size() - system_.joint_rows();
  const bool velocity = row < rates;
  const BlockRows &act = velocity ? W_ : G_, &judge = velocity ? L_u_ : G_1_;
  int k = velocity ? static_cast<int>(system_.joints().size()) : G_.blocks() - (g_.size() - joint_gaps_);
  for (row -= velocity ? 0 : rates; row >= act.block(k).rows; ++k) row -= act.block(k).rows;
  const auto columns = act.columns(k);
  const double *w = act.values(k) + row * columns.size(), *l = judge.values(k) + row * columns.size();
  double sum = 0.0;
  for (size_t c = 0; c < columns.size(); ++c)
    sum += w[c] * l[c] / (velocity || settings_.kinetic ? M_(columns[c], columns[c]) : 1.0);
  return sum;
}

// `residual` gets that of the joints if it is larger. With an earlier matrix the next iteration corrects it.
bool CoupledNewton::move_held(double dt, bool again, double& residual) {
  constexpr double good = 1e-6, good_again = 1e-2;
  const int n = u_1.size(), held = system_.joint_rows(), rates = xi_.size() - held, rows = contact_row_.size();
  sum_columns(moved_, 2 * n, moves_), sum_columns(resisted_, 2 * held, resists_);
  for (int i = 0; i < n; ++i) x_[i] = moves_[i], y_[i] = moves_[n + i];
  const double error = joint_error();
  if (!(error <= (again ? good_again : good))) return false;
  if (!again) residual = std::max(residual, error);
  std::fill_n(xi_linear_.begin(), held, 0.0);
  std::fill_n(xi_linear_.begin() + xi_.size(), joint_gaps_, 0.0);
  for (int r = 0; r < rows; ++r) {
    double sum = problem_.c[r];
    for (int j = 0; j < rows; ++j) sum += problem_.G.dense()(r, j) * contact_row_[j];
    xi_linear_[r < rates ? held + r : xi_.size() + joint_gaps_ + r - rates] = sum;
  }
  for (int i = 0; i < n; ++i) u_1[i] += x_[i], s_[i] += y_[i] - dt * settings_.theta * x_[i];
  if (tau.size() != g_.size()) tau.assign(g_.size(), 0.0);
  for (int r = 0; r < held; ++r) P[r] += resists_[r];
  std::copy_n(contact_row_.begin(), rates, P.begin() + held);
  int row = 0;
  if (joint_gaps_ > 0)
    for (const Constraint& joint : system_.joints())
      for (int r = 0; r < joint.rows && joint.position_level; ++r) tau[row++] += resists_[held + joint.row + r];
  std::copy(contact_row_.begin() + rates, contact_row_.end(), tau.begin() + row);
  return true;
}

// The column of the residuals, and those of the contacts times their impulses and multipliers.
void CoupledNewton::sum_columns(const Mat& panels, int size, Vec& sum) const {
  const int rows = contact_row_.size();
  sum.resize(size);
  const Four* residuals = panel(panels, residuals_panel_);
  for (int i = 0; i < size; ++i) sum[i] = residuals[i][residuals_lane_];
  for (int p = 0; lanes * p < rows; ++p) {
    Four x{};
    for (int lane = 0; lane < lanes && lanes * p + lane < rows; ++lane) x[lane] = contact_row_[lanes * p + lane];
    const Four* from = panel(panels, p);
    for (int i = 0; i < size; ++i) {
      const Four term = from[i] * x;
      sum[i] += (term[0] + term[1]) + (term[2] + term[3]);
    }
  }
}

}  // namespace tappet
