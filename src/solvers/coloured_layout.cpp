// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a sweep goes through: colours, in each of them contacts between balls by fours, then all others. Laws are read
// in their order, in which they lie in memory; a colour has its contacts in that order too.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "math/growth.h"
#include "math/parallel.h"
#include "solvers/coloured_sweeps.h"

namespace tappet {

namespace {

constexpr int colours = 63;  // a body in more contacts than these has the rest solved one after the other
constexpr int region_contacts = 8192, smallest_region = 1024;
constexpr int body = 6;             // velocities of a rigid body
constexpr double rounding = 1e-12;  // relative to the rows of a contact

// The last colour of a region: its contacts share bodies.
bool is_serial(int colour) { return colour % (colours + 1) == colours; }

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
  sides_.resize(laws), of_balls_.resize(laws);
  parallel_for(laws, 1024, [&](int first, int last) {
    for (int k = first; k < last; ++k) sides_[k] = sides_of(problem, k);
  });
  choose_colours(problem);
  choose_frames(problem);
  for (int k = 0; k < laws; ++k)
    of_balls_[k] = !is_serial(colour_of_[k]) && may_be_of_balls(problem.laws[k], sides_[k]);
  do sort_by_colour(problem);
  while (!fill(problem));
  close_quads();
  sums_.resize(quads_.size() + parts_.size());
}

// False: contacts that seemed to be between balls are not, and are no longer of_balls_.
bool ColouredSweeps::fill(const ContactProblem& problem) {
  std::atomic<bool> as_expected = true;
  parallel_for(static_cast<int>(problem.laws.size()), 256, [&](int first, int last) {
    for (int k = first; k < last; ++k)
      if (!of_balls_[k])
        fill(problem, k, parts_[place_of_law_[k]]);
      else if (!fill_lane(problem, k))
        of_balls_[k] = false, as_expected = false;
  });
  return as_expected;
}

// Found contacts come in the order of their bodies, and neighbours are near in it: bodies in a row make a region. The
// last region is that of contacts across.
void ColouredSweeps::choose_regions() {
  const int laws = static_cast<int>(sides_.size());
  regions_ = laws < 2 * smallest_region ? 0 : std::max(2, laws / region_contacts);
  region_of_.resize(bodies_);
  for (int r = 0, from = 0; r < regions_; ++r) {
    const int next = r + 1 == regions_ ? -1 : static_cast<int>(static_cast<std::int64_t>(laws) * (r + 1) / regions_);
    const int to = next < 0 ? bodies_ : std::max(from, sides_[next].A);
    std::fill(region_of_.begin() + from, region_of_.begin() + to, static_cast<std::uint16_t>(r));
    from = to;
  }
  if (static_cast<int>(colours_.size()) < regions_ + 1) colours_.resize(regions_ + 1);
}

int ColouredSweeps::region_of(Sides sides) const {
  if (sides.A < 0 || regions_ == 0) return regions_;
  return sides.B < 0 || region_of_[sides.A] == region_of_[sides.B] ? region_of_[sides.A] : regions_;
}

// Greedy, in the order of the laws: the lowest colour of its region that none of the bodies has seen.
void ColouredSweeps::choose_colours(const ContactProblem& problem) {
  const Delassus& G = problem.G;
  const int laws = static_cast<int>(problem.laws.size());
  choose_regions();
  used_.assign(2 * (bodies_ + G.blocks()), 0);  // within regions, across; of bodies, and the blocks of all others
  colour_of_.resize(laws);
  const auto least = [](std::uint64_t used) { return std::min(std::countr_one(used), colours); };
  for (int k = 0; k < laws; ++k) {
    const int region = region_of(sides_[k]);
    std::uint64_t* seen = used_.data() + (region == regions_ ? bodies_ + G.blocks() : 0);
    int colour;
    if (const auto [A, B] = sides_[k]; A >= 0) {
      std::uint64_t &of_A = seen[A], &of_B = seen[B < 0 ? A : B];
      colour = least(of_A | of_B);
      of_A |= std::uint64_t{1} << colour, of_B |= std::uint64_t{1} << colour;
    } else {
      const auto columns = G.Y().columns(k);
      const auto at = [&](int v) -> std::uint64_t& {
        return seen[body_of(v) >= 0 ? body_of(v) : bodies_ + G.block_of(v)];
      };
      std::uint64_t used = 0;
      for (int v : columns) used |= at(v);
      colour = least(used);
      for (int v : columns) at(v) |= std::uint64_t{1} << colour;
    }
    colour_of_[k] = static_cast<std::uint16_t>(region * (colours + 1) + colour);
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

int ColouredSweeps::body_of(int velocity) const { return place_[velocity] < 8 * bodies_ ? place_[velocity] / 8 : -1; }

ColouredSweeps::Sides ColouredSweeps::sides_of(const ContactProblem& problem, int law) const {
  if (problem.laws[law].kind != Law::Kind::contact || &problem.G.W() != &problem.G.Y()) return {};
  const auto columns = problem.G.W().columns(law);
  const auto starts_body = [&](int v) { return place_[v] < 8 * bodies_ && place_[v] % 8 == 0; };
  if (columns.size() == body && starts_body(columns[0])) return {body_of(columns[0]), -1};
  if (columns.size() != 2 * body || !starts_body(columns[0]) || !starts_body(columns[body])) return {};
  return {body_of(columns[0]), body_of(columns[body])};
}

// ω of a ball counts in the frame of the contacts, where its rows do not depend on how it has turned. The first of
// its contacts tells how: there −b t and b s (contact_quads.h) are what W has over ω for s and for t. Bodies of joints
// and the like stay as they are.
void ColouredSweeps::choose_frames(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  frames_.resize(bodies_), frame_.assign(bodies_, Turn::unknown);
  for (int k = 0; k < laws; ++k)
    if (const int rows = problem.laws[k].rows; sides_[k].A < 0 || (rows != 1 && rows != 3))
      for (int v : problem.G.Y().columns(k))
        if (const int b = body_of(v); b >= 0) frame_[b] = Turn::none;
  first_law_.assign(bodies_, -1);
  for (int k = laws - 1; k >= 0; --k)
    if (const auto [A, B] = sides_[k]; problem.laws[k].rows == 3 && A >= 0)
      first_law_[B < 0 ? A : B] = first_law_[A] = k;
  parallel_for(bodies_, 1024, [&](int first, int last) {
    for (int b = first; b < last; ++b)
      if (const int k = first_law_[b]; k >= 0 && frame_[b] == Turn::unknown)
        frame_[b] = turn_of(problem.G.W().values(k), sides_[k].B < 0 ? body : 2 * body, b == sides_[k].B, frames_[b]);
  });
}

// R = s xᵀ + t yᵀ + n zᵀ with x, y, z the axes of the contact as the body sees them.
ColouredSweeps::Turn ColouredSweeps::turn_of(const double* n, int width, int side, Frame& R) {
  const double *s = n + width, *t = s + width, *over_s = s + side * body + 3, *over_t = t + side * body + 3;
  const double a = std::sqrt(dot(n, n, 3)), b = std::sqrt(dot(over_s, over_s, 3));
  if (!(a > 0.0 && b > rounding * a)) return Turn::none;
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

bool ColouredSweeps::may_be_of_balls(const Law& law, Sides sides) const {
  return law.rows == 3 && sides.A >= 0 && is_turned(sides.A) && (sides.B < 0 || is_turned(sides.B));
}

// Counts, and gives every law its lane or part.
void ColouredSweeps::sort_by_colour(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  count_.assign(2 * (regions_ + 1) * (colours + 1), 0);  // balls and others by colour
  for (int k = 0; k < laws; ++k) ++count_[2 * colour_of_[k] + (of_balls_[k] ? 0 : 1)];
  for (auto& list : colours_) list.clear();
  int quads = 0, parts = 0;
  for (int c = 0; c < (regions_ + 1) * (colours + 1); ++c) {
    const int lanes = count_[2 * c], others = count_[2 * c + 1];
    if (lanes + others > 0)
      colours_[c / (colours + 1)].push_back(
          {quads, quads + (lanes + 3) / 4, lanes, parts, parts + others, is_serial(c)});
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

// False where the contact is not between balls.
bool ColouredSweeps::fill_lane(const ContactProblem& problem, int k) {
  const auto [A, B] = sides_[k];
  const int lane = place_of_law_[k] % 4, width = B < 0 ? body : 2 * body;
  ContactQuad& quad = quads_[place_of_law_[k] / 4];
  const double *n = problem.G.W().values(k), *s = n + width, *t = s + width;
  const double G_N = dot(n, n, width), G_F = dot(s, s, width), a = std::sqrt(dot(n, n, 3));
  const auto none = [small = rounding * (G_N + G_F)](double x) { return std::abs(x) <= small; };

  // s ⟂ n and t = n × s, all of one length.
  if (!(a > 0.0) || !none(dot(s, s, 3) - a * a) || !none(dot(n, s, 3))) return false;
  double n_s[3];
  cross(n, s, n_s);
  for (int i = 0; i < 3; ++i)
    if (!none(n_s[i] - a * t[i])) return false;
  // The same against B, a_B/a times as long.
  const double a_B = B < 0 ? 0.0 : -dot(n, n + body, 3) / a;
  for (int i = 0; B >= 0 && i < 3; ++i)
    for (const double* row : {n, s, t})
      if (!none(a * row[body + i] + a_B * row[i])) return false;
  // Over ω: 0, −b t, b s.
  double b[2] = {};
  for (int side = 0; side < width / body; ++side) {
    const Frame& R = frames_[side == 0 ? A : B];
    const int from = side * body + 3;
    double over_s[3], over_t[3];
    for (int i = 0; i < 3; ++i) over_s[i] = dot(&R[3 * i], s + from, 3), over_t[i] = dot(&R[3 * i], t + from, 3);
    b[side] = dot(s, over_t, 3) / a;
    for (int i = 0; i < 3; ++i)
      if (!none(a * n[from + i]) || !none(a * over_s[i] + b[side] * t[i]) || !none(a * over_t[i] - b[side] * s[i]))
        return false;
  }

  for (int i = 0; i < 3; ++i) quad.ns[i].set(lane, n[i] / a, s[i] / a);
  quad.a.set(lane, a, a_B), quad.b.set(lane, b[0], b[1]);
  quad.inverse.set(lane, 1.0 / G_N, 1.0 / G_F);
  const Law& law = problem.laws[k];
  for (int r = 0; r < 3; ++r) quad.c[r][lane] = problem.c[law.row + r];
  quad.mu[lane] = law.mu;
  quad.A[lane] = 8 * A, quad.B[lane] = 8 * (B < 0 ? A : B);
  quad.moves_A[lane] = true, quad.moves_B[lane] = B >= 0;
  return true;
}

// Lanes of the last quad of a colour that no contact has.
void ColouredSweeps::close_quads() {
  for (const auto& list : colours_)
    for (const Colour& colour : list)
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
  if (sides_[k].A < 0 || (law.rows != 1 && law.rows != 3)) return;
  part.A = sides_[k].A, part.B = sides_[k].B;
  const int width = part.B < 0 ? body : 2 * body;
  const double* w = W.values(k);
  for (int j = 0; j < law.rows; ++j)
    for (int i = 0; i < law.rows; ++i) part.G[j * law.rows + i] = dot(w + i * width, w + j * width, width);
  if (law.rows == 1 || invert(part.G, part.inverse))
    part.kind = law.rows == 1 ? Part::Kind::normal : Part::Kind::spatial;
}

}  // namespace tappet
