// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/sparse/scaled_problem.h"

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

void sort_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

bool ScaledProblem::build(const ContactProblem& problem, bool form) {
  rows_there_ = problem.size();
  const double per_impulse = velocity_per_impulse(problem), size = scale(problem, per_impulse);
  if (!(problem.G.trace() > 0.0) || !(size > 0.0)) return false;
  const double rho = 1.0 / per_impulse;
  choose_rows(problem);
  choose_units(problem, rho);
  formed_ = (form && problem.G.form() != Delassus::Form::factored) || !better_factored(problem);
  if (formed_)
    fill(problem, rho);
  else
    fill_factors(problem, rho);
  const int n = static_cast<int>(row_.size());
  q.resize(n);
  for (int i = 0; i < n; ++i) q[i] = problem.c[row_[i]] / size * d_[i];
  velocity_ = q.eigen().norm();
  if (!(velocity_ > 0.0)) velocity_ = 1.0;
  for (double& x : q) x /= velocity_;
  unit_ = velocity_ * size * rho;
  return true;
}

// D: for contacts from the mean of their diagonal, for joints row by row.
void ScaledProblem::choose_units(const ContactProblem& problem, double rho) {
  d_.resize(static_cast<int>(row_.size())), joint_.resize(d_.size());
  double largest = 0.0;
  for (const Law& law : laws) {
    column_.resize(law.rows);
    for (int i = 0; i < law.rows; ++i) column_[i] = problem.G.diagonal(row_[law.row + i]);
    double mean = 0.0;
    for (int i = 0; i < law.rows; ++i) mean += rho * column_[i] / law.rows;
    for (int i = 0; i < law.rows; ++i) {
      const double d = law.kind == Law::Kind::bilateral ? rho * column_[i] : mean;
      d_[law.row + i] = d;
      if (law.kind == Law::Kind::bilateral) joint_[law.row + i] = joint_weight(problem, 1.0 / rho, row_[law.row + i]);
      largest = std::max(largest, d);
    }
  }
  for (double& d : d_) d = 1.0 / std::sqrt(std::max(d, 1e-12 * largest));
}

void ScaledProblem::choose_rows(const ContactProblem& problem) {
  row_.clear(), node_start.assign(1, 0), laws.clear();
  kept_.assign(problem.size(), -1);
  for (const Law& law : problem.laws) {
    Law here = law;
    here.row = static_cast<int>(row_.size());
    if (law.kind == Law::Kind::contact && law.mu == 0.0) here.rows = 1;
    for (int i = law.row; i < law.row + here.rows; ++i) kept_[i] = static_cast<int>(row_.size()), row_.push_back(i);
    laws.push_back(here);
    node_start.push_back(static_cast<int>(row_.size()));
  }
  node_of_.resize(row_.size());
  for (size_t k = 0; k < laws.size(); ++k)
    std::fill(node_of_.begin() + node_start[k], node_of_.begin() + node_start[k + 1], static_cast<int>(k));
}

// The laws that interact through G, in both orders and sorted. If G does not tell, all interact with all.
void ScaledProblem::find_neighbours(const Delassus& G) {
  const int nodes = static_cast<int>(laws.size());
  if (static_cast<int>(neighbours_.size()) < nodes) neighbours_.resize(nodes);
  for (int k = 0; k < nodes; ++k) neighbours_[k].clear();
  if (G.form() != Delassus::Form::sparse) {
    for (int k = 0; k < nodes; ++k)
      for (int l = 0; l < nodes; ++l) neighbours_[k].push_back(l);
    return;
  }
  mark_.assign(nodes, -1), order_.resize(nodes);
  for (int k = 0; k < nodes; ++k) {
    mark_[k] = k, neighbours_[k].push_back(k);
    for (int j = node_start[k]; j < node_start[k + 1]; ++j)
      for (int e = G.sparse().start[row_[j]]; e < G.sparse().start[row_[j] + 1]; ++e)
        if (const int i = kept_[G.sparse().row[e]]; i >= 0 && mark_[node_of_[i]] != k)
          mark_[node_of_[i]] = k, neighbours_[k].push_back(node_of_[i]);
    order_[k] = static_cast<int>(neighbours_[k].size());  // those found here, before the others add theirs
  }
  for (int k = 0; k < nodes; ++k)
    for (int i = 0; i < order_[k]; ++i)
      if (const int other = neighbours_[k][i]; other != k) neighbours_[other].push_back(k);
  for (int k = 0; k < nodes; ++k) sort_unique(neighbours_[k]);
}

// column_ = ρG e_j over the rows that are kept. It is zero on entry.
void ScaledProblem::take_column(const Delassus& G, int j, double rho) {
  const int n = static_cast<int>(row_.size());
  if (G.form() == Delassus::Form::dense) {
    for (int i = 0; i < n; ++i) column_[i] = rho * G.dense()(row_[i], row_[j]);
  } else if (G.form() == Delassus::Form::sparse) {
    for (int e = G.sparse().start[row_[j]]; e < G.sparse().start[row_[j] + 1]; ++e)
      if (const int i = kept_[G.sparse().row[e]]; i >= 0) column_[i] = rho * G.sparse().value[e];
  } else {
    unit_impulse_.assign(G.size(), 0.0), response_.resize(G.size());
    unit_impulse_[row_[j]] = 1.0;
    G.multiply(unit_impulse_, response_);
    for (int i = 0; i < n; ++i) column_[i] = rho * response_[row_[i]];
  }
}

// Stores ρG by columns in whole blocks, with a symmetric pattern.
void ScaledProblem::fill(const ContactProblem& problem, double rho) {
  const int n = static_cast<int>(row_.size());
  find_neighbours(problem.G);
  std::swap(before_start_, G_hat.start), std::swap(before_row_, G_hat.row);
  G_hat.start.assign(1, 0), G_hat.row.clear(), G_hat.value.clear();
  diagonal.resize(n);
  column_.assign(n, 0.0);
  for (int j = 0; j < n; ++j) {
    const int k = node_of_[j];
    take_column(problem.G, j, rho);
    for (int other : neighbours_[k]) {
      if (other == k) diagonal[j] = static_cast<int>(G_hat.row.size());
      for (int i = node_start[other]; i < node_start[other + 1]; ++i) {
        G_hat.row.push_back(i), G_hat.value.push_back(column_[i] * d_[i] * d_[j]);
        column_[i] = 0.0;
      }
    }
    G_hat.start.push_back(static_cast<int>(G_hat.row.size()));
  }
  pattern_changed_ = before_start_ != G_hat.start || before_row_ != G_hat.row;
}

// Whether the bodies in play have fewer velocities than there are rows, in blocks small enough to be dense.
bool ScaledProblem::better_factored(const ContactProblem& problem) {
  const Delassus& G = problem.G;
  if (G.form() == Delassus::Form::dense || !G.has_factors() ||
      problem.laws.size() != static_cast<size_t>(G.W().blocks()))
    return false;
  for (size_t k = 0; k < laws.size(); ++k)
    if (problem.laws[k].row != G.W().block(static_cast<int>(k)).row) return false;
  const int velocities = number_velocities(G);
  int largest = 0;
  for (size_t b = 0; b + 1 < bodies_start.size(); ++b)
    largest = std::max(largest, bodies_start[b + 1] - bodies_start[b]);
  return velocities < static_cast<int>(row_.size()) && largest <= 64;
}

// Numbers the velocities in play and lists their bodies. Returns the number of velocities.
int ScaledProblem::number_velocities(const Delassus& G) {
  // Y_k lists the velocities of a contact block of M̂ by block. compact_ numbers those in play in that order.
  compact_.assign(G.velocities(), -1);
  bodies_start.assign(1, 0), body_of_.clear();
  int count = 0;
  for (int k = 0; k < G.Y().blocks(); ++k) {
    int block = -1;
    for (int v : G.Y().columns(k)) {
      const int owner = G.block_of(v);
      if (compact_[v] < 0) {
        if (owner != block && bodies_start.back() != count) bodies_start.push_back(count);
        compact_[v] = count++;
      }
      block = owner;
    }
    if (bodies_start.back() != count) bodies_start.push_back(count);
  }
  return count;
}

void ScaledProblem::fill_factors(const ContactProblem& problem, double rho) {
  const Delassus& G = problem.G;
  const double root = std::sqrt(rho);
  before_start_.swap(columns_), columns_.clear();
  W_hat.clear(), Y.clear();
  auto& list = order_;
  for (size_t k = 0; k < laws.size(); ++k) {
    const int block = static_cast<int>(k);
    const auto copy = [&](const BlockRows& from, BlockRows& to) {
      list.clear();
      for (int v : from.columns(block)) list.push_back(compact_[v]);
      columns_.insert(columns_.end(), list.begin(), list.end());
      double* target = to.append(laws[k].rows, list);
      const double* source = from.values(block);
      for (int i = 0; i < laws[k].rows; ++i)
        for (size_t c = 0; c < list.size(); ++c) *target++ = *source++ * root * d_[laws[k].row + i];
    };
    copy(G.W(), W_hat), copy(G.Y(), Y);
  }
  pattern_changed_ = columns_ != before_start_ || before_row_ != node_start;
  before_row_ = node_start;
}

void ScaledProblem::multiply(const Vec& r, Vec& u) const {
  if (!formed_) {
    u.resize(size());
    velocity_in_play_.assign(bodies_start.back(), 0.0);
    Y.multiply_transposed(r, velocity_in_play_);
    W_hat.multiply(velocity_in_play_, u);
    return;
  }
  u.assign(size(), 0.0);
  for (int j = 0; j < size(); ++j) {
    if (r[j] == 0.0) continue;
    const double value = r[j];
    for (int e = G_hat.start[j]; e < G_hat.start[j + 1]; ++e) u[G_hat.row[e]] += G_hat.value[e] * value;
  }
}

void ScaledProblem::multiply_transposed(const Vec& y, Vec& x) const {
  x.assign(size(), 0.0);
  if (!formed_) {
    velocity_in_play_.assign(bodies_start.back(), 0.0);
    W_hat.multiply_transposed(y, velocity_in_play_);
    Y.multiply(velocity_in_play_, x);
    return;
  }
  for (int j = 0; j < size(); ++j)
    for (int e = G_hat.start[j]; e < G_hat.start[j + 1]; ++e) x[j] += G_hat.value[e] * y[G_hat.row[e]];
}

// In the units of residual(): r D velocity for P/ρ, u velocity / D for ξ, both divided by ‖c‖. Joints have their
// weights.
double ScaledProblem::error(const Vec& r, const Vec& u, double enough) const {
  const double most = std::pow(enough / velocity_, 2) * (1.0 + 1e-12);  // of the sum; beyond round-off
  double sum = 0.0;
  for (const Law& law : laws) {
    double R[4], x[4];
    if (law.kind == Law::Kind::bilateral) {
      for (int i = law.row; i < law.row + law.rows; ++i) sum += std::pow(u[i] / d_[i] * joint_[i], 2);
      continue;
    }
    double slip = 0.0;
    for (int i = 0; i < law.rows; ++i) {
      const double d = d_[law.row + i], xi = u[law.row + i] / d;
      R[i] = r[law.row + i] * d;
      x[i] = R[i] - xi;
      if (i > 0) slip += xi * xi;
    }
    x[0] -= law.mu * std::sqrt(slip);
    project_cone(law.rows, law.mu, x);
    for (int i = 0; i < law.rows; ++i) sum += (R[i] - x[i]) * (R[i] - x[i]);
    if (sum > most) return HUGE_VAL;
  }
  return std::sqrt(sum) * velocity_;
}

void ScaledProblem::to_original(const Vec& r, Vec& P) const {
  P.assign(rows_there_, 0.0);
  for (int i = 0; i < size(); ++i) P[row_[i]] = r[i] * d_[i] * unit_;
}

void ScaledProblem::from_original(const Vec& P, Vec& r) const {
  r.resize(size());
  for (int i = 0; i < size(); ++i) r[i] = P[row_[i]] / (d_[i] * unit_);
}

}  // namespace tappet
