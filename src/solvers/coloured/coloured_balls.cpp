// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts between balls: finds them and fills their lanes.
#include <cmath>

#include "solvers/coloured/coloured_sweeps.h"

namespace tappet {

namespace {

void cross(const double* a, const double* b, double* c) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = a[j] * b[k] - a[k] * b[j];
  }
}

}  // namespace

// The angular velocity ω of a ball is expressed in the frame of the contacts, in which its rows do not depend on the
// rotation of the ball. The first contact of a ball (Law::Balls) gives this rotation: −b t and b s (ball_groups.h)
// are the entries of W over ω for s and for t. Bodies that are not balls, and those of joints and the like, are not
// changed.
void ColouredSweeps::choose_frames(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  frames_.resize(bodies_), is_turned_.assign(bodies_, false);
  first_law_.assign(bodies_, -1);
  for (int k = laws - 1; k >= 0; --k)
    if (const auto [A, B] = sides_[k]; problem.laws[k].rows == 3 && A >= 0) {
      if (problem.laws[k].balls.first) first_law_[A] = k;
      if (problem.laws[k].balls.second && B >= 0) first_law_[B] = k;
    }
  for (int k = 0; k < laws; ++k)
    if (const int rows = problem.laws[k].rows; sides_[k].A < 0 || (rows != 1 && rows != 3))
      for (int v : problem.G.Y().columns(k))
        if (const int b = body_of(v); b >= 0) first_law_[b] = -1;
  parallel_for(problem.G.execution(), bodies_, 1024, [&](int first, int last) {
    for (int b = first; b < last; ++b)
      if (const int k = first_law_[b]; k >= 0) {
        frames_[b] = turn_of(problem.G.W().values(k), sides_[k].B < 0 ? body : 2 * body, b == sides_[k].B);
        is_turned_[b] = true;
      }
  });
}

// R = s xᵀ + t yᵀ + n zᵀ with x, y, z the axes of the contact in the frame of the body.
ColouredSweeps::Frame ColouredSweeps::turn_of(const double* n, int width, int side) {
  const double *s = n + width, *t = s + width, *over_s = s + side * body + 3, *over_t = t + side * body + 3;
  const double a = std::sqrt(dot(n, n, 3)), b = std::sqrt(dot(over_s, over_s, 3));
  Frame R;
  double x[3], y[3], z[3];
  for (int i = 0; i < 3; ++i) x[i] = over_t[i] / b, y[i] = -over_s[i] / b;
  cross(x, y, z);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R[3 * i + j] = (s[i] * x[j] + t[i] * y[j] + n[i] * z[j]) / a;
  return R;
}

bool ColouredSweeps::between_balls(const Law& law, Sides sides) const {
  if (law.rows != 3 || sides.A < 0 || !law.balls.first || !is_turned_[sides.A]) return false;
  return sides.B < 0 || (law.balls.second && is_turned_[sides.B]);
}

// The rows are n, s and t = n × s times a over the first ball, and −a_B over the second. Over ω they are 0, −b t and b
// s.
template <class Real>
void ColouredSweeps::fill_lane(const ContactProblem& problem, int k, Units units, Balls<Real>& balls) const {
  const auto [A, B] = sides_[k];
  const int lane = place_of_law_[k] % balls.lanes, width = B < 0 ? body : 2 * body;
  BallGroup<Real>& group = balls.groups[place_of_law_[k] / balls.lanes];
  const double *n = problem.G.W().values(k), *s = n + width, *t = s + width, a = std::sqrt(dot(n, n, 3));
  const auto set = [lane](auto& pack, double x) { pack[lane] = static_cast<Real>(x); };
  for (int i = 0; i < 3; ++i) set(group.n[i], n[i] / a), set(group.s[i], s[i] / a);
  set(group.a[0], a * units.W), set(group.a[1], B < 0 ? 0.0 : -dot(n, n + body, 3) / a * units.W);
  set(group.b[1], 0.0);
  for (int side = 0; side < width / body; ++side) {
    const Frame& R = frames_[side == 0 ? A : B];
    const int from = side * body + 3;
    double over_t[3];
    for (int i = 0; i < 3; ++i) over_t[i] = dot(&R[3 * i], t + from, 3);
    set(group.b[side], dot(s, over_t, 3) / a * units.W);
  }
  const Law& law = problem.laws[k];
  set(group.mu, law.mu);
  for (int r = 0; r < 3; ++r) set(group.c[r], problem.c[law.row + r] * units.c);
  group.body[0][lane] = 8 * A, group.body[1][lane] = B < 0 ? BallGroup<Real>::ground : 8 * B;
}

// Fills the lanes of the last group of a colour that have no contact. Nothing moves there.
template <class Real>
void ColouredSweeps::close_groups(Balls<Real>& balls) const {
  constexpr int lanes = Wide<Real>::lanes;
  for (size_t list = 0; list < colours_.size(); ++list)
    for (const Colour& colour : colours_[list])
      for (const Group kind : {pairs, on_ground}) {
        const int last = kind == pairs ? colour.first_on_ground : colour.last_group;
        for (int lane = colour.lanes[kind] % lanes; lane > 0 && lane < lanes; ++lane) {
          BallGroup<Real>& group = balls.groups[last - 1];
          for (int i = 0; i < 3; ++i) group.n[i][lane] = group.s[i][lane] = group.c[i][lane] = 0;
          group.mu[lane] = group.a[1][lane] = group.b[0][lane] = group.b[1][lane] = 0;
          group.a[0][lane] = 1;  // a divisor
          group.body[0][lane] = 8 * unused_line(list, kind);
          group.body[1][lane] = kind == pairs ? group.body[0][lane] : BallGroup<Real>::ground;
          for (int r = 0; r < 3; ++r) balls.P[BallGroup<Real>::numbers * (last - 1) + r * lanes + lane] = 0;
        }
      }
}

template void ColouredSweeps::fill_lane(const ContactProblem&, int, Units, Balls<float>&) const;
template void ColouredSweeps::fill_lane(const ContactProblem&, int, Units, Balls<double>&) const;
template void ColouredSweeps::close_groups(Balls<float>&) const;
template void ColouredSweeps::close_groups(Balls<double>&) const;

}  // namespace tappet
