// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a sweep goes through: colours, in each of them contacts between balls by fours, then all others. Laws are read in
// their order, in which they lie in memory; a colour has its contacts in that order too.
#include <algorithm>
#include <bit>
#include <cmath>

#include "math/growth.h"
#include "math/parallel.h"
#include "solvers/coloured_sweeps.h"

namespace tappet {

namespace {

constexpr int colours = 63;         // a body in more contacts than these has the rest solved one after the other
constexpr int body = 6;             // velocities of a rigid body
constexpr double rounding = 1e-12;  // relative to the rows of a contact

double dot(const double* a, const double* b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void cross(const double* a, const double* b, double* c) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = a[j] * b[k] - a[k] * b[j];
  }
}

// Of what B sees of a push against what A sees: centre_B = −κ centre_A.
double ratio(const double* w) { return -dot(w, w + body, 3) / dot(w, w, 3); }

// G⁻¹ of 3 rows, symmetric; false where it is singular to rounding.
bool invert(const double* G, double* inverse) {
  const double a = G[4] * G[8] - G[5] * G[5], b = G[2] * G[5] - G[1] * G[8], c = G[1] * G[5] - G[2] * G[4];
  const double det = G[0] * a + G[1] * b + G[2] * c, trace = G[0] + G[4] + G[8];
  if (!(det > 1e-9 * trace * trace * trace)) return false;
  const double d = (G[0] * G[8] - G[2] * G[2]) / det, e = (G[1] * G[2] - G[0] * G[5]) / det;
  const double f = (G[0] * G[4] - G[1] * G[1]) / det;
  const double values[9] = {a / det, b / det, c / det, b / det, d, e, c / det, e, f};
  std::copy(values, values + 9, inverse);
  return true;
}

}  // namespace

void ColouredSweeps::lay_out(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  place_velocities(problem.G);
  choose_colours(problem);
  choose_frames(problem);
  of_balls_.resize(laws);
  parallel_for(laws, 256, [&](int first, int last) {
    for (int k = first; k < last; ++k) of_balls_[k] = colour_of_[k] < colours && between_balls(problem, k);
  });
  sort_by_colour(problem);
  parallel_for(laws, 256, [&](int first, int last) {
    for (int k = first; k < last; ++k)
      of_balls_[k] ? fill_lane(problem, k) : fill(problem, k, parts_[place_of_law_[k]]);
  });
  close_quads();
  sums_.resize(quads_.size() / quads_in_block + parts_.size() / parts_in_block + 2);
}

// Greedy, in the order of the laws: the lowest colour that none of the bodies has seen.
void ColouredSweeps::choose_colours(const ContactProblem& problem) {
  const Delassus& G = problem.G;
  const int laws = static_cast<int>(problem.laws.size());
  used_.assign(G.blocks(), 0);
  colour_of_.resize(laws);
  for (int k = 0; k < laws; ++k) {
    const auto columns = G.Y().columns(k);  // whole blocks
    const auto each_block = [&](auto&& f) {
      for (size_t i = 0; i < columns.size(); i += body_at(columns[i]) < 0 ? 1 : body) f(used_[G.block_of(columns[i])]);
    };
    std::uint64_t used = 0;
    each_block([&](std::uint64_t seen) { used |= seen; });
    const int colour = std::min(std::countr_one(used), colours);
    each_block([&](std::uint64_t& seen) { seen |= std::uint64_t{1} << colour; });
    colour_of_[k] = static_cast<std::uint8_t>(colour);
  }
}

// Bodies of six velocities on a line each, then all other velocities.
void ColouredSweeps::place_velocities(const Delassus& G) {
  const int n = G.velocities();
  const auto end_of_block = [&](int first) {
    int last = first;
    while (last < n && G.block_of(last) == G.block_of(first)) ++last;
    return last;
  };
  place_.resize(n);
  bodies_ = 0;
  for (int first = 0, last = 0; first < n; first = last) {
    last = end_of_block(first);
    for (int v = first; v < last; ++v)
      place_[v] = last - first == body ? 8 * bodies_ + v - first + (v - first) / 3 : -1;
    bodies_ += last - first == body;
  }
  int at = 8 * bodies_;
  for (int v = 0; v < n; ++v)
    if (place_[v] < 0) place_[v] = at++;
  velocity_.resize((at + 7) / 8);
}

int ColouredSweeps::body_at(int velocity) const {
  return place_[velocity] < 8 * bodies_ && place_[velocity] % 8 == 0 ? place_[velocity] / 8 : -1;
}

// b of a side: what its ω adds to F2 along s.
double ColouredSweeps::arm_of(const double* n, int width, int side, const Frame& R) {
  const double *s = n + width, *over_t = s + width + side * body + 3;
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += s[i] * dot(&R[3 * i], over_t, 3);
  return sum / std::sqrt(dot(n, n, 3));
}

// Between one or two bodies of six velocities, given by one factor.
bool ColouredSweeps::between_bodies(const ContactProblem& problem, int law) const {
  if (problem.laws[law].kind != Law::Kind::contact || &problem.G.W() != &problem.G.Y()) return false;
  const auto columns = problem.G.W().columns(law);
  const size_t width = columns.size();
  return (width == body || width == 2 * body) && body_at(columns[0]) >= 0 && body_at(columns[width - body]) >= 0;
}

// ω of a ball counts in the frame of the contacts, where its rows do not depend on how it has turned. The first of
// its contacts tells how: there −b t and b s (contact_quads.h) are what W has over ω for s and for t. Bodies of joints
// and the like stay as they are.
void ColouredSweeps::choose_frames(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  frames_.resize(bodies_), frame_.assign(bodies_, Turn::unknown);
  for (int k = 0; k < laws; ++k)
    if (const int rows = problem.laws[k].rows; !between_bodies(problem, k) || (rows != 1 && rows != 3))
      for (int v : problem.G.Y().columns(k))
        if (const int b = body_at(v); b >= 0) frame_[b] = Turn::none;
  for (int k = 0; k < laws; ++k) {
    if (problem.laws[k].rows != 3 || !between_bodies(problem, k)) continue;
    const auto columns = problem.G.W().columns(k);
    const int width = static_cast<int>(columns.size());
    for (int side = 0; side < width / body; ++side)
      if (const int b = body_at(columns[side * body]); frame_[b] == Turn::unknown)
        frame_[b] = turn_of(problem.G.W().values(k), width, side, frames_[b]);
  }
}

// R = s xᵀ + t yᵀ + n zᵀ with x, y, z the axes of the contact as the body sees them.
ColouredSweeps::Turn ColouredSweeps::turn_of(const double* n, int width, int side, Frame& R) {
  const double *s = n + width, *t = s + width, *over_s = s + side * body + 3, *over_t = t + side * body + 3;
  const double a = std::sqrt(dot(n, n, 3)), b = std::sqrt(dot(over_s, over_s, 3));
  if (!(a > 0.0)) return Turn::none;
  if (!(b > rounding * a)) return Turn::unknown;
  double x[3], y[3], z[3];
  for (int i = 0; i < 3; ++i) x[i] = over_t[i] / b, y[i] = -over_s[i] / b;
  cross(x, y, z);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R[3 * i + j] = (s[i] * x[j] + t[i] * y[j] + n[i] * z[j]) / a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      if (std::abs(dot(&R[3 * i], &R[3 * j], 3) - (i == j ? 1.0 : 0.0)) > rounding) return Turn::none;
  return Turn::known;
}

bool ColouredSweeps::between_balls(const ContactProblem& problem, int law) const {
  if (problem.laws[law].rows != 3 || !between_bodies(problem, law)) return false;
  const auto columns = problem.G.W().columns(law);
  const int width = static_cast<int>(columns.size());
  const double *n = problem.G.W().values(law), *s = n + width, *t = s + width;
  const double a = std::sqrt(dot(n, n, 3)), small = rounding * (dot(n, n, width) + dot(s, s, width));
  const auto none = [&](double x) { return std::abs(x) <= small; };
  if (!(a > 0.0) || !none(dot(s, s, 3) - a * a) || !none(dot(n, s, 3))) return false;
  double n_s[3];
  cross(n, s, n_s);
  const double kappa = width > body ? ratio(n) : 0.0;
  for (int i = 0; i < 3; ++i) {
    if (!none(n_s[i] - a * t[i])) return false;
    for (const double* row : {n, s, t})
      if (width > body && !none(a * (row[body + i] + kappa * row[i]))) return false;
  }
  for (int side = 0; side < width / body; ++side) {
    const int b = body_at(columns[side * body]);
    if (frame_[b] != Turn::known) return false;
    const double *over = n + side * body + 3, arm = arm_of(n, width, side, frames_[b]);
    for (int i = 0; i < 3; ++i) {
      if (!none(a * over[i])) return false;
      const double *R = &frames_[b][3 * i], over_s = dot(R, over + width, 3), over_t = dot(R, over + 2 * width, 3);
      if (!none(a * over_s + arm * t[i]) || !none(a * over_t - arm * s[i])) return false;
    }
  }
  return true;
}

// Counts, and gives every law its lane or part.
void ColouredSweeps::sort_by_colour(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  count_.assign(2 * (colours + 1), 0);  // balls and others by colour
  for (int k = 0; k < laws; ++k) ++count_[2 * colour_of_[k] + (of_balls_[k] ? 0 : 1)];
  colours_.clear();
  int quads = 0, parts = 0;
  for (int c = 0; c <= colours; ++c) {
    const int lanes = count_[2 * c], others = count_[2 * c + 1];
    if (lanes + others > 0) {
      colours_.push_back({quads, quads + (lanes + 3) / 4, lanes, parts, parts + others});
      last_is_serial_ = c == colours;
    }
    count_[2 * c] = 4 * quads, count_[2 * c + 1] = parts;
    quads += (lanes + 3) / 4, parts += others;
  }
  make_room_anew(quads_, quads), make_room_anew(parts_, parts);
  quads_.resize(quads), parts_.resize(parts), place_of_law_.resize(laws);
  for (int k = 0; k < laws; ++k) place_of_law_[k] = count_[2 * colour_of_[k] + (of_balls_[k] ? 0 : 1)]++;
  int at = 12 * quads;
  for (int k = 0; k < laws; ++k)
    if (!of_balls_[k]) parts_[place_of_law_[k]].at = at, at += problem.laws[k].rows;
  numbers_ = at;
}

void ColouredSweeps::fill_lane(const ContactProblem& problem, int k) {
  const int lane = place_of_law_[k] % 4;
  ContactQuad& quad = quads_[place_of_law_[k] / 4];
  const auto columns = problem.G.W().columns(k);
  const int width = static_cast<int>(columns.size());
  const double *n = problem.G.W().values(k), *s = n + width;
  const double a_A = std::sqrt(dot(n, n, 3));
  const bool two = width > body;
  const int A = body_at(columns[0]), B = body_at(columns[width - body]);
  quad.A[lane] = 8 * A, quad.B[lane] = 8 * B;
  quad.moves_A[lane] = true, quad.moves_B[lane] = two;
  for (int i = 0; i < 3; ++i) quad.ns[i].set(lane, n[i] / a_A, s[i] / a_A);
  quad.a.set(lane, a_A, two ? a_A * ratio(n) : 0.0);
  quad.b.set(lane, arm_of(n, width, 0, frames_[A]), two ? arm_of(n, width, 1, frames_[B]) : 0.0);
  const Law& law = problem.laws[k];
  for (int r = 0; r < 3; ++r) quad.c[r][lane] = problem.c[law.row + r];
  quad.mu[lane] = law.mu;
  quad.inverse.set(lane, 1.0 / dot(n, n, width), 1.0 / dot(s, s, width));
}

// Lanes of the last quad of a colour that no contact has.
void ColouredSweeps::close_quads() {
  for (const Colour& colour : colours_)
    for (int lane = colour.lanes % 4; lane > 0 && lane < 4; ++lane) {
      ContactQuad& quad = quads_[colour.last_quad - 1];
      for (Two* x : {&quad.ns[0], &quad.ns[1], &quad.ns[2], &quad.a, &quad.b, &quad.inverse}) x->set(lane, 0.0, 0.0);
      for (Four* x : {&quad.mu, &quad.c[0], &quad.c[1], &quad.c[2]}) (*x)[lane] = 0.0;
      quad.A[lane] = quad.B[lane] = quad.A[0];
      quad.moves_A[lane] = quad.moves_B[lane] = false;
    }
}

void ColouredSweeps::fill(const ContactProblem& problem, int k, Part& part) {
  const Law& law = problem.laws[k];
  const BlockRows& W = problem.G.W();
  part.law = k, part.row = law.row, part.mu = law.mu, part.kind = Part::Kind::general;
  if (!between_bodies(problem, k) || (law.rows != 1 && law.rows != 3)) return;
  const auto columns = W.columns(k);
  const int width = static_cast<int>(columns.size());
  part.A = body_at(columns[0]), part.B = width > body ? body_at(columns[body]) : -1;
  const double* w = W.values(k);
  for (int j = 0; j < law.rows; ++j)
    for (int i = 0; i < law.rows; ++i) part.G[j * law.rows + i] = dot(w + i * width, w + j * width, width);
  if (law.rows == 1 || invert(part.G, part.inverse))
    part.kind = law.rows == 1 ? Part::Kind::normal : Part::Kind::spatial;
}

}  // namespace tappet
