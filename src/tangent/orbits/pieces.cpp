// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>

#include "tangent/orbits/orbit.h"

namespace tappet {

namespace {

// The states at which the pieces begin, and the equations that close them. The unknowns are the changes of all states
// and, if the motion is not forced, of the period. The place of a piece in the period stays the same.
class Pieces {
 public:
  Pieces(ReturnMap& map, const ReturnRule& rule, const State& start, const Return& back)
      : map_(map), equations_(back, rule), period_(back.period) {
    states_ = map.quiet_states(start, back);
    states_.insert(states_.begin(), start);
    for (const State& state : states_) places_.push_back((state.t - start.t) / period_);
    places_.push_back(1);
  }

  const State& start() const { return states_.front(); }

  // One step of Newton's method. Returns its size; `open` is how far the pieces are apart.
  double improve(double& open) {
    const auto m = static_cast<int>(equations_.kept().size()), n = 2 * start().u.size();
    const auto count = static_cast<int>(states_.size()), free = equations_.forced() ? 0 : 1;
    const int size = m + (count - 1) * n + free;  // the first state has no cyclic positions among its unknowns
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd r(size);
    for (int i = 0; i < count; ++i) {
      const MotionPiece piece = map_.piece(states_[i], start().t + places_[i + 1] * period_);
      const bool last = i + 1 == count;
      const State end = last ? map_.mirrored(piece.end) : piece.end;
      const Eigen::VectorXd apart = map_.displacement(states_[last ? 0 : i + 1], end);
      const Eigen::VectorXd sign = last ? map_.signs() : Eigen::VectorXd(Eigen::VectorXd::Ones(n));
      const Eigen::MatrixXd by_start = sign.asDiagonal() * piece.by_start;
      const Eigen::VectorXd by_period = (places_[i + 1] - places_[i]) * (sign.asDiagonal() * piece.rate);
      const int row = i * n, column = i == 0 ? 0 : m + (i - 1) * n;
      const auto picked = [&](const Eigen::MatrixXd& all) -> Eigen::MatrixXd {
        return last ? Eigen::MatrixXd(all(equations_.kept(), Eigen::all)) : all;
      };
      const int rows = last ? m : n;
      r.segment(row, rows) = picked(apart);
      const Eigen::MatrixXd own = picked(by_start);
      if (i == 0)
        J.block(row, 0, rows, m) = own(Eigen::all, equations_.kept());
      else
        J.block(row, column, rows, n) = own;
      if (last)
        J.block(row, 0, rows, m) -= Eigen::MatrixXd::Identity(m, m);
      else
        J.block(row, m + i * n, n, n) -= Eigen::MatrixXd::Identity(n, n);
      if (free) J.col(size - 1).segment(row, rows) = picked(by_period);
    }
    if (free) {
      r[size - 1] = map_.section_value(start());
      J.row(size - 1).head(m) = map_.section_row(start())(equations_.kept());
    }
    open = r.cwiseAbs().maxCoeff();
    const Eigen::VectorXd step = J.completeOrthogonalDecomposition().solve(-r);
    take(step, m, n, free);
    return step.cwiseAbs().maxCoeff();
  }

 private:
  void take(const Eigen::VectorXd& step, int m, int n, int free) {
    if (free) period_ += step[step.size() - 1];
    const double t = start().t;
    for (size_t i = 0; i < states_.size(); ++i) {
      const Eigen::VectorXd x =
          i == 0 ? equations_.expanded(step) : Eigen::VectorXd(step.segment(m + (static_cast<int>(i) - 1) * n, n));
      states_[i] = map_.moved(states_[i], x);
      states_[i].t = t + places_[i] * period_;
    }
  }

  ReturnMap& map_;
  const OrbitEquations equations_;
  double period_;
  std::vector<State> states_;
  std::vector<double> places_;  // parts of the period
};

}  // namespace

Orbit find_orbit_in_pieces(ReturnMap& map, const ReturnRule& rule, State start) {
  constexpr int most = 40;
  constexpr double near = 1e-7;
  Pieces pieces(map, rule, start, map.from(start));
  double open = 0, best = INFINITY;
  for (int i = 0; i < most; ++i) {
    const double size = pieces.improve(open);
    best = std::min(best, open);
    if (!(size < 1e6)) break;
    double scale = 1e-3;
    for (const double x : pieces.start().q) scale = std::max(scale, std::abs(x));
    if (size < near * scale) return find_orbit(map, rule, pieces.start());  // the last digits, in one piece
  }
  throw std::runtime_error(
      fmt::format("no orbit was found by multiple shooting: the pieces are {:.3g} apart at best", best));
}

}  // namespace tappet
