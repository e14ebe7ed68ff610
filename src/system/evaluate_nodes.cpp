// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "system/evaluator.h"

namespace tappet {

namespace {

constexpr int spin = 5;  // ω_z among the six components of a twist

}  // namespace

// A planar node turns by an angle θ(q), so only the last row of J, Dθ, depends on q.
void Evaluator::curvature(const Frame& frame, const Vec& q, const double* x, double* D) {
  const System::Body& body = system_.bodies()[frame.body];
  const int columns = static_cast<int>(frame.columns.size());
  const double* own = q.data() + body.q;
  std::visit(
      [&]<class Element>(const Element& element) {
        if constexpr (TurningFrames<Element>) {
          element.node_curvature(frame.node, own, x, D);
        } else if constexpr (TurningNodes<Element>) {
          std::fill(D, D + 6 * columns, 0.0);
          spread(frame, x);
          for (int c = 0; c < columns; ++c) {
            const int k = frame.columns[c] - body.u;
            body_unit_[k] = 1.0;
            D[spin * columns + c] = element.node_turn(frame.node, own, body_x_.data(), body_unit_.data());
            body_unit_[k] = 0.0;
          }
        }
      },
      system_.model().bodies[frame.body].element);
}

void Evaluator::curvature_rate(const Frame& frame, const Vec& q, const double* u, double* D_q, double* D_u) {
  const System::Body& body = system_.bodies()[frame.body];
  const int columns = static_cast<int>(frame.columns.size());
  const double* own = q.data() + body.q;
  std::visit(
      [&]<class Element>(const Element& element) {
        if constexpr (TurningFrames<Element>) {
          element.node_curvature_rate(frame.node, own, u, D_q, D_u);
        } else if constexpr (TurningNodes<Element>) {
          std::fill(D_q, D_q + 6 * columns, 0.0);
          std::fill(D_u, D_u + 6 * columns, 0.0);
          spread(frame, u);
          for (int c = 0; c < columns; ++c) {
            const int k = frame.columns[c] - body.u;
            body_unit_[k] = 1.0;
            const double *x = body_x_.data(), *unit = body_unit_.data();
            D_q[spin * columns + c] = element.node_turn(frame.node, own, x, x, unit);
            D_u[spin * columns + c] = 2 * element.node_turn(frame.node, own, x, unit);
            body_unit_[k] = 0.0;
          }
        }
      },
      system_.model().bodies[frame.body].element);
}

// Copies x over the columns of a node to the velocities of its body.
void Evaluator::spread(const Frame& frame, const double* x) {
  std::fill(body_x_.begin(), body_x_.end(), 0.0);
  for (size_t c = 0; c < frame.columns.size(); ++c) body_x_[frame.columns[c] - system_.bodies()[frame.body].u] = x[c];
}

// Calls f(side, frame) for those nodes of a pair whose Jacobian J depends on the position. Their twist J u changes with
// q even if u is fixed.
template <class F>
static void each_turning(const std::vector<Frame>& frames, const PairLayout& layout, F&& f) {
  for (int side = 0; side < 2; ++side)
    if (const Frame& frame = frames[layout.frames[side]]; frame.turns) f(side, frame);
}

void Evaluator::node_bias(const PairLayout& layout, const Vec& q, const Vec& u, double* twelve) {
  std::fill(twelve, twelve + pair_size, 0.0);
  each_turning(system_.frames(), layout, [&](int side, const Frame& frame) {
    const size_t columns = frame.columns.size();
    for (size_t c = 0; c < columns; ++c) node_x_[c] = u[frame.columns[c]];
    curvature(frame, q, node_x_.data(), node_D_.data());
    for (int i = 0; i < 6; ++i)
      for (size_t c = 0; c < columns; ++c) twelve[6 * side + i] += node_D_[i * columns + c] * node_x_[c];
  });
}

void Evaluator::add_rows(const Constraint& c, int side, const double* twelve, const double* D, double* rows) const {
  const size_t columns = c.columns.size(), own = system_.frames()[c.frames[side]].columns.size();
  const size_t first = side ? c.columns_A : 0;
  for (int r = 0; r < c.rows; ++r) {
    const double* from = twelve + c.kept(r) * pair_size + 6 * side;
    for (size_t d = 0; d < own; ++d)
      for (int i = 0; i < 6; ++i) rows[r * columns + first + d] += from[i] * D[i * own + d];
  }
}

void Evaluator::add_curvature(const Constraint& c, const Vec& q, const Vec& x, const double* twelve, double* rows) {
  each_turning(system_.frames(), c, [&](int side, const Frame& frame) {
    for (size_t k = 0; k < frame.columns.size(); ++k) node_x_[k] = x[frame.columns[k]];
    curvature(frame, q, node_x_.data(), node_D_.data());
    add_rows(c, side, twelve, node_D_.data(), rows);
  });
}

void Evaluator::add_curvature_rate(const Constraint& c, const Vec& q, const Vec& u, double* rows_q, double* rows_u) {
  each_turning(system_.frames(), c, [&](int side, const Frame& frame) {
    for (size_t k = 0; k < frame.columns.size(); ++k) node_x_[k] = u[frame.columns[k]];
    curvature_rate(frame, q, node_x_.data(), node_D_.data(), node_D_2_.data());
    add_rows(c, side, directions_.data(), node_D_.data(), rows_q);
    add_rows(c, side, directions_.data(), node_D_2_.data(), rows_u);
  });
}

void Evaluator::add_wrench_curvature(const PairLayout& layout, const Vec& q, const double* f, double factor,
                                     double* block) {
  const size_t columns = layout.columns.size();
  each_turning(system_.frames(), layout, [&](int side, const Frame& frame) {
    const size_t own = frame.columns.size(), first = side ? layout.columns_A : 0;
    for (size_t c = 0; c < own; ++c) {
      std::fill(node_x_.begin(), node_x_.end(), 0.0);
      node_x_[c] = 1.0;
      curvature(frame, q, node_x_.data(), node_D_.data());
      for (size_t d = 0; d < own; ++d)
        for (int i = 0; i < 6; ++i)
          block[(first + c) * columns + first + d] += factor * f[6 * side + i] * node_D_[i * own + d];
    }
  });
}

// Jᵀ (∂f/∂twist) ∂(J u)/∂q
void Evaluator::add_damper_curvature(const PairLayout& layout, const Vec& q, const Vec& u, const double* by_twist,
                                     double factor, double* block) {
  const size_t columns = layout.columns.size();
  each_turning(system_.frames(), layout, [&](int side, const Frame& frame) {
    const size_t own = frame.columns.size(), first = side ? layout.columns_A : 0;
    for (size_t k = 0; k < own; ++k) node_x_[k] = u[frame.columns[k]];
    curvature(frame, q, node_x_.data(), node_D_.data());
    for (size_t d = 0; d < own; ++d) {
      double change[pair_size] = {};
      for (int i = 0; i < pair_size; ++i)
        for (int j = 0; j < 6; ++j) change[i] += by_twist[i * pair_size + 6 * side + j] * node_D_[j * own + d];
      for (size_t c = 0; c < columns; ++c)
        block[c * columns + first + d] +=
            factor * system_.pulled(layout, static_cast<int>(c), change, jacobians_.data());
    }
  });
}

}  // namespace tappet
