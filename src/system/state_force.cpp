// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/state_force.h"

#include <tappet/pose.h>

#include <algorithm>

namespace tappet {
namespace {

Quatd quaternion(const Vec& q, int first) { return {q[first], q[first + 1], q[first + 2], q[first + 3]}; }
double number(const Quatd& p, int i) { return i == 0 ? p.w : i == 1 ? p.x : i == 2 ? p.y : p.z; }

}  // namespace

double StateFormula::Input::value(const Vec& at_q, const Vec& at_u) const {
  switch (kind) {
    case Kind::position:
      return at_q[q];
    case Kind::velocity:
      return at_u[u];
    case Kind::rotation:
      return rotation_matrix(quaternion(at_q, q))(index / 3, index % 3);
    case Kind::quaternion:
      break;
  }
  return number(quaternion(at_q, q), index);
}

// A turn by δθ in the frame of the body changes R to R (1 + δθ^) and the quaternion p to p + ½ p (0, δθ).
double StateFormula::Input::slope(const Vec& at_q, int k) const {
  if (kind == Kind::position) return 1.0;
  const Quatd p = quaternion(at_q, q);
  if (kind == Kind::quaternion)
    return number(p * Quatd{0.0, k == 0 ? 0.5 : 0.0, k == 1 ? 0.5 : 0.0, k == 2 ? 0.5 : 0.0}, index);
  const int row = index / 3, column = index % 3, other = 3 - k - column;
  if (column == k) return 0.0;
  // Column j of R e_k^ is R (e_k × e_j), which is the third axis with the sign of the cycle.
  return ((k + 1) % 3 == column ? 1.0 : -1.0) * rotation_matrix(p)(row, other);
}

double StateFormula::Input::rate(const Vec& at_q, const Vec& at_u, const Vec& a) const {
  if (kind == Kind::velocity) return a[u];
  double sum = 0.0;
  for (int k = 0; k < slopes(); ++k) sum += slope(at_q, k) * at_u[u + k];
  return sum;
}

// With the rate ω of the turn: R̈ = R (ω^ω^ + ω̇^), where ω^ω^ = ωωᵀ − |ω|² 1, and p̈ = ½ p (0, ω̇) − ¼ |ω|² p.
double StateFormula::Input::second_rate(const Vec& at_q, const Vec& at_u, const Vec& a) const {
  if (kind == Kind::velocity) return 0.0;
  double sum = 0.0;
  for (int k = 0; k < slopes(); ++k) sum += slope(at_q, k) * a[u + k];
  if (kind == Kind::position) return sum;
  const double omega[3] = {at_u[u], at_u[u + 1], at_u[u + 2]};
  const double square = omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2];
  const Quatd p = quaternion(at_q, q);
  if (kind == Kind::quaternion) return sum - 0.25 * square * number(p, index);
  const Mat3d R = rotation_matrix(p);
  const int row = index / 3, column = index % 3;
  for (int k = 0; k < 3; ++k) sum += R(row, k) * omega[k] * omega[column];
  return sum - square * R(row, column);
}

StateFormula::StateFormula(Graph& graph, std::span<const Node> components, std::vector<Input> inputs, int branches)
    : inputs_(std::move(inputs)), branches_(branches) {
  const int n = static_cast<int>(inputs_.size());
  std::vector<Node> slopes;
  for (const Node f : components)
    for (int i = 0; i < n; ++i) slopes.push_back(graph.derivative(f, graph.input(1 + i)));
  value_ = Program(graph, components, 1 + n + branches_);
  slope_ = Program(graph, slopes, 1 + n + branches_);
}

int StateFormula::numbers() const {
  return 1 + static_cast<int>(inputs_.size()) + branches_ + std::max(value_.register_count(), slope_.register_count());
}

void StateFormula::components(double t, const Vec& q, const Vec& u, const double* branches, double* f,
                              double* scratch) const {
  run(value_, t, q, u, branches, f, scratch);
}
void StateFormula::slopes(double t, const Vec& q, const Vec& u, const double* branches, double* D,
                          double* scratch) const {
  run(slope_, t, q, u, branches, D, scratch);
}

void StateFormula::run(const Program& program, double t, const Vec& q, const Vec& u, const double* branches,
                       double* out, double* scratch) const {
  double* next = scratch;
  *next++ = t;
  for (const Input& input : inputs_) *next++ = input.value(q, u);
  next = std::copy_n(branches, branches_, next);
  program.run(scratch, out, next);
}

StateSwitches::StateSwitches(Graph& graph, std::span<const Node> sigma, std::vector<StateFormula::Input> inputs)
    : inputs_(std::move(inputs)) {
  const int n = static_cast<int>(inputs_.size()), m = static_cast<int>(sigma.size());
  // After t, the inputs and the branches come the rates of the inputs and their second rates.
  const auto rate_of = [&](int i) { return graph.input(1 + n + m + i); };
  const auto second_rate_of = [&](int i) { return graph.input(1 + 2 * n + m + i); };
  const auto in_time = [&](Node f) {
    Node sum = graph.derivative(f, graph.input(0));
    for (int i = 0; i < n; ++i)
      sum = graph.add(sum, graph.multiply(graph.derivative(f, graph.input(1 + i)), rate_of(i)));
    return sum;
  };
  const auto order_of = [&](Node f) {
    int order = 0;
    for (int i = 0; i < n; ++i)
      if (graph.depends(f, graph.input(1 + i))) {
        if (inputs_[i].kind == StateFormula::Input::Kind::velocity) return 1;
        order = 2;
      }
    return order;
  };
  std::vector<Node> first, rate;
  for (const Node f : sigma) {
    orders_.push_back(order_of(f));
    first.push_back(in_time(f));
    rate.push_back(first.back());
    if (orders_.back() != 2) continue;
    rate.back() = in_time(first.back());
    for (int i = 0; i < n; ++i)
      rate.back() = graph.add(rate.back(), graph.multiply(graph.derivative(f, graph.input(1 + i)), second_rate_of(i)));
  }
  values_ = Program(graph, sigma, 1 + n + m);
  first.insert(first.end(), rate.begin(), rate.end());
  rates_ = Program(graph, first, 1 + 3 * n + m);
}

int StateSwitches::numbers() const {
  const int inputs = 1 + 3 * static_cast<int>(inputs_.size()) + size(), results = 2 * size();
  return inputs + results + std::max(values_.register_count(), rates_.register_count());
}

double* StateSwitches::load(double t, const Vec& q, const Vec& u, const double* branches, double* scratch) const {
  *scratch++ = t;
  for (const StateFormula::Input& input : inputs_) *scratch++ = input.value(q, u);
  return std::copy_n(branches, size(), scratch);
}

void StateSwitches::values(double t, const Vec& q, const Vec& u, const double* branches, double* sigma,
                           double* scratch) const {
  values_.run(scratch, sigma, load(t, q, u, branches, scratch));
}

void StateSwitches::rates(double t, const Vec& q, const Vec& u, const Vec& a, const double* branches, double* first,
                          double* rate, double* scratch) const {
  double* next = load(t, q, u, branches, scratch);
  for (const StateFormula::Input& input : inputs_) *next++ = input.rate(q, u, a);
  for (const StateFormula::Input& input : inputs_) *next++ = input.second_rate(q, u, a);
  double* results = next;
  rates_.run(scratch, results, next + 2 * size());
  std::copy_n(results, size(), first);
  std::copy_n(results + size(), size(), rate);
}

}  // namespace tappet
