// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/state_force.h"

#include "math/rotation.h"

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

StateFormula::StateFormula(Graph& graph, std::span<const Node> components, std::vector<Input> inputs)
    : inputs_(std::move(inputs)) {
  const int n = static_cast<int>(inputs_.size());
  std::vector<Node> slopes;
  for (const Node f : components)
    for (int i = 0; i < n; ++i) slopes.push_back(graph.derivative(f, graph.input(1 + i)));
  value_ = Program(graph, components, 1 + n);
  slope_ = Program(graph, slopes, 1 + n);
}

int StateFormula::numbers() const {
  return 1 + static_cast<int>(inputs_.size()) + std::max(value_.register_count(), slope_.register_count());
}

void StateFormula::components(double t, const Vec& q, const Vec& u, double* f, double* scratch) const {
  run(value_, t, q, u, f, scratch);
}
void StateFormula::slopes(double t, const Vec& q, const Vec& u, double* D, double* scratch) const {
  run(slope_, t, q, u, D, scratch);
}

void StateFormula::run(const Program& program, double t, const Vec& q, const Vec& u, double* out,
                       double* scratch) const {
  scratch[0] = t;
  for (std::size_t i = 0; i < inputs_.size(); ++i) scratch[1 + i] = inputs_[i].value(q, u);
  program.run(scratch, out, scratch + 1 + inputs_.size());
}

}  // namespace tappet
