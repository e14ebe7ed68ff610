// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "system/evaluator.h"

// Nodes of flexible bodies whose frame turns with the deformation: twist = J(q) u, where J's last row is Dθ. What the
// elements' derivatives, which know frames only, lack is collected here from D²θ and D³θ.
namespace tappet {

namespace {

constexpr int spin = 5;  // ω_z among the six components of a twist

}  // namespace

bool Evaluator::turns(const PairLayout& layout) const {
  return system_.frames_[layout.frames[0]].turns || system_.frames_[layout.frames[1]].turns;
}

double Evaluator::turn(const Frame& frame, const Vec& q, const double* u, const double* w, const double* z) const {
  const auto& body = system_.bodies_[frame.body];
  return std::visit(
      [&]<class Element>(const Element& element) {
        if constexpr (TurningNodes<Element>) {
          const double* own = q.data() + body.q;
          return z ? element.node_turn(frame.node, own, u, w, z) : element.node_turn(frame.node, own, u, w);
        } else {
          return 0.0;
        }
      },
      system_.model_.bodies[frame.body].element);
}

// The turning frames of a pair: f(frame, side, first column, columns).
template <class F>
void Evaluator::each_turning(const PairLayout& layout, const Vec& q, F&& f) {
  const int columns = static_cast<int>(layout.columns.size());
  for (int side = 0; side < 2; ++side) {
    const Frame& frame = system_.frames_[layout.frames[side]];
    if (!frame.turns) continue;
    const auto& body = system_.bodies_[frame.body];
    unit_i_.assign(body.nu, 0.0), unit_j_.assign(body.nu, 0.0);
    const int first = side == 0 ? 0 : layout.columns_A, last = side == 0 ? layout.columns_A : columns;
    f(frame, body.u, side, first, last);
  }
}

void Evaluator::turn_rates(const Vec& q, const Vec& u, std::vector<Twist<double>>& twist_rates) const {
  for (int f : frames_in_use_) {
    const Frame& frame = system_.frames_[f];
    if (!frame.turns) continue;
    const double* own = u.data() + system_.bodies_[frame.body].u;
    twist_rates[f][spin] += turn(frame, q, own, own);
  }
}

void Evaluator::add_turn_accelerations(const Constraint& c, double t, const Vec& q, const Vec& u, double* zeta) {
  row_coefficients(c, t);
  each_turning(c, q, [&](const Frame& frame, int first_u, int side, int, int) {
    const double rate = turn(frame, q, u.data() + first_u, u.data() + first_u);
    for (int r = 0; r < c.rows; ++r)
      zeta[r] += coefficients_[(c.kept.empty() ? r : c.kept[r]) * pair_size + 6 * side + spin] * rate;
  });
}

// rows += factor · coefficient · (D²θ[u, ·] + D³θ[v, v, ·])
void Evaluator::add_turn_gradient(const Constraint& c, double t, const Vec& q, const Vec& u, const Vec* v,
                                  double factor, double* rows) {
  row_coefficients(c, t);
  const int columns = static_cast<int>(c.columns.size());
  each_turning(c, q, [&](const Frame& frame, int first_u, int side, int first, int last) {
    for (int k = first; k < last; ++k) {
      unit_i_[c.columns[k] - first_u] = 1.0;
      double bend = turn(frame, q, u.data() + first_u, unit_i_.data());
      if (v) bend += turn(frame, q, v->data() + first_u, v->data() + first_u, unit_i_.data());
      unit_i_[c.columns[k] - first_u] = 0.0;
      for (int r = 0; r < c.rows; ++r)
        rows[r * columns + k] +=
            factor * coefficients_[(c.kept.empty() ? r : c.kept[r]) * pair_size + 6 * side + spin] * bend;
    }
  });
}

void Evaluator::add_turn_contraction(const Constraint& c, double t, const Vec& q, const double* multipliers,
                                     double* block) {
  row_coefficients(c, t);
  const int columns = static_cast<int>(c.columns.size());
  each_turning(c, q, [&](const Frame& frame, int first_u, int side, int first, int last) {
    double torque = 0.0;
    for (int r = 0; r < c.rows; ++r) {
      const int own = c.kept.empty() ? r : c.kept[r];
      torque += coefficients_[own * pair_size + 6 * side + spin] * multipliers[own];
    }
    for (int i = first; i < last && torque != 0.0; ++i)
      for (int j = first; j < last; ++j) {
        unit_i_[c.columns[i] - first_u] = 1.0, unit_j_[c.columns[j] - first_u] = 1.0;
        block[i * columns + j] += torque * turn(frame, q, unit_i_.data(), unit_j_.data());
        unit_i_[c.columns[i] - first_u] = 0.0, unit_j_[c.columns[j] - first_u] = 0.0;
      }
  });
}

}  // namespace tappet
