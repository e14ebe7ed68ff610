// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solvers/path/exact_path.h"
#include "solvers/path/proximal/proximal_piece.h"

namespace tappet {

// Follows the solutions of the proximal problem u = Ĝ r + q + α (r − r_k) from an α at which Newton's method finds one,
// close to r_k, to α = 0. They form a curve of smooth pieces (proximal_piece.h). Where a piece ends, one contact
// changes its status, and the next piece begins there (a pivot, as in Lemke's method). The curve may turn back to
// larger α, and it is followed there too. It cannot end: solutions stay bounded if the contacts can all be opened at
// once, and for large α there is only one.
class ProximalPath {
 public:
  void follow(PathState& state, const Vec& centre, int max_factorisations, ExactPath::Judge& judge);
  void resume(int max_factorisations, ExactPath::Judge& judge);  // continues where follow() had to stop
  void forget() { ended_ = true; }                               // there is nothing to continue

 private:
  using Boundary = ProximalPiece::Boundary;
  using Point = ProximalPiece::Point;

  bool begin();
  void make_factors();  // at here_, unless the last ones are of this point
  bool find_tangent(Boundary crossed);
  Boundary next_boundary(double& length) const;
  Boundary first_crossed(double& share) const;
  void predict(double length);
  void go_back(double share);
  bool correct(Boundary boundary);
  double step_across(Boundary boundary, bool slow);
  bool along_tangent() const;
  bool reach(double& length, Boundary& reached);
  bool step(double& length, Boundary& reached);
  bool step_or_pass(double& length, Boundary& reached);

  static constexpr double little_across = 1e-9, far_across = 1e-5;

  PathState* state_ = nullptr;
  ProximalPiece piece_;
  Point here_, trial_, tangent_, before_;
  Vec dtau_, u_here_, newton_, slope_, dtau_newton_, dtau_slope_;
  Boundary crossed_;                       // at here_
  double longest_ = 1.0;                   // the length of the next step, unless a boundary comes first
  bool ended_ = true, shortened_ = false;  // the curve; the present step
  long factors_here_ = -1;                 // PathState::factors of those at here_
  double across_ = little_across;          // how far corrections may go across the tangent after any step
  double contraction_ = 0.0;               // of the first correction; it grows with the length of the step
};

}  // namespace tappet
