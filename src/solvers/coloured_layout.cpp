// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a sweep goes through: colours, in each of them contacts between balls by fours, then all others.
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
  choose_colours(problem);
  place_velocities(problem.G);
  of_balls_.resize(laws);
  parallel_for(laws, 256, [&](int first, int last) {
    for (int k = first; k < last; ++k) of_balls_[k] = colour_of_[k] < colours && between_balls(problem, k);
  });
  order_by_body(problem);
  sort_by_colour(problem);
  parallel_for(static_cast<int>(quads_.size()), 64, [&](int first, int last) {
    for (int q = first; q < last; ++q) fill(problem, q);
  });
  parallel_for(static_cast<int>(parts_.size()), 256, [&](int first, int last) {
    for (int i = first; i < last; ++i) fill(problem, parts_[i]);
  });
  sums_.resize(quads_.size() / quads_in_block + parts_.size() / parts_in_block + 2);
}

// Greedy, in the order of the laws: the lowest colour that none of the bodies has seen.
void ColouredSweeps::choose_colours(const ContactProblem& problem) {
  const Delassus& G = problem.G;
  const int laws = static_cast<int>(problem.laws.size());
  used_.assign(G.blocks(), 0);
  colour_of_.resize(laws);
  for (int k = 0; k < laws; ++k) {
    const auto columns = G.Y().columns(k);
    std::uint64_t used = 0;
    for (int v : columns) used |= used_[G.block_of(v)];
    const int colour = std::min(std::countr_one(used), colours);
    for (int v : columns) used_[G.block_of(v)] |= std::uint64_t{1} << colour;
    colour_of_[k] = colour;
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

bool ColouredSweeps::between_balls(const ContactProblem& problem, int law) const {
  if (problem.laws[law].kind != Law::Kind::contact || problem.laws[law].rows != 3) return false;
  const BlockRows& W = problem.G.W();
  if (&W != &problem.G.Y()) return false;
  const auto columns = W.columns(law);
  const int width = static_cast<int>(columns.size());
  if ((width != body && width != 2 * body) || body_at(columns[0]) < 0) return false;
  if (width == 2 * body && body_at(columns[body]) < 0) return false;
  const double *n = W.values(law), *s = n + width, *t = s + width;
  const double G_N = dot(n, n, width), G_F = dot(s, s, width), small = rounding * (G_N + G_F);
  const auto none = [&](double x) { return std::abs(x) <= small; };
  if (!(G_N > 0.0 && G_F > 0.0) || !none(dot(t, t, width) - G_F)) return false;
  if (!none(dot(n, s, width)) || !none(dot(n, t, width)) || !none(dot(s, t, width))) return false;
  const double scale = std::sqrt(G_N + G_F);
  for (int i = 3; i < width; i += i == 5 ? 4 : 1)
    if (std::abs(n[i]) > rounding * scale) return false;
  if (width == body) return dot(n, n, 3) > 0.0;
  if (!(dot(n, n, 3) > 0.0)) return false;
  const double kappa = ratio(n);
  for (const double* w : {n, s, t})
    for (int i = 0; i < 3; ++i)
      if (std::abs(w[body + i] + kappa * w[i]) > rounding * scale) return false;
  return true;
}

// Found contacts come in the order in which they were first found. In the order of their bodies a sweep goes through
// the velocities as they lie in memory, which matters where these do not fit the cache.
void ColouredSweeps::order_by_body(const ContactProblem& problem) {
  const Delassus& G = problem.G;
  const int laws = static_cast<int>(problem.laws.size());
  const auto body_of = [&](int k) {
    const auto columns = G.Y().columns(k);
    return columns.empty() ? 0 : G.block_of(columns[0]);
  };
  first_.assign(G.blocks() + 1, 0);
  order_.resize(laws);
  for (int k = 0; k < laws; ++k) ++first_[body_of(k) + 1];
  for (int b = 0; b < G.blocks(); ++b) first_[b + 1] += first_[b];
  for (int k = 0; k < laws; ++k) order_[first_[body_of(k)]++] = k;
}

// Counts, places, fills in: lanes and parts of a colour in the order of their bodies.
void ColouredSweeps::sort_by_colour(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  count_.assign(2 * (colours + 1), 0);  // balls and others by colour
  for (int k = 0; k < laws; ++k) ++count_[2 * colour_of_[k] + (of_balls_[k] ? 0 : 1)];
  colours_.clear();
  int quads = 0, parts = 0;
  for (int c = 0; c <= colours; ++c) {
    const int lanes = count_[2 * c], others = count_[2 * c + 1];
    if (lanes + others > 0) {
      colours_.push_back({quads, quads + (lanes + 3) / 4, parts, parts + others});
      last_is_serial_ = c == colours;
    }
    count_[2 * c] = 4 * quads, count_[2 * c + 1] = parts;
    quads += (lanes + 3) / 4, parts += others;
  }
  make_room_anew(quads_, quads), make_room_anew(parts_, parts);
  quads_.resize(quads), parts_.resize(parts), lane_law_.assign(4 * static_cast<size_t>(quads), -1);
  for (int k : order_) {
    const int place = count_[2 * colour_of_[k] + (of_balls_[k] ? 0 : 1)]++;
    (of_balls_[k] ? lane_law_[place] : parts_[place].law) = k;
  }
  int at = 12 * quads;
  for (Part& part : parts_) part.at = at, at += problem.laws[part.law].rows;
  P_.resize(at);
}

void ColouredSweeps::fill(const ContactProblem& problem, int index) {
  ContactQuad& quad = quads_[index];
  quad = ContactQuad{};
  for (int lane = 0; lane < 4; ++lane) {
    const int k = lane_law_[4 * static_cast<size_t>(index) + lane];
    quad.A[lane] = quad.B[lane] = quad.A[0];
    if (k < 0) continue;
    const auto columns = problem.G.W().columns(k);
    const int width = static_cast<int>(columns.size());
    const double* w = problem.G.W().values(k);
    quad.A[lane] = quad.B[lane] = body_at(columns[0]);
    quad.moves_A |= 1u << lane;
    if (width > body) quad.B[lane] = body_at(columns[body]), quad.moves_B |= 1u << lane, quad.kappa[lane] = ratio(w);
    for (int r = 0; r < 3; ++r, w += width)
      for (int i = 0; i < 3; ++i) {
        quad.centre[r][i][lane] = w[i];
        if (r > 0) quad.turn_A[r - 1][i][lane] = w[3 + i];
        if (r > 0 && width > body) quad.turn_B[r - 1][i][lane] = w[body + 3 + i];
      }
    const Law& law = problem.laws[k];
    for (int r = 0; r < 3; ++r) quad.c[r][lane] = problem.c[law.row + r];
    quad.mu[lane] = law.mu;
    w = problem.G.W().values(k);
    for (int r = 0; r < 2; ++r, w += width)
      quad.G[r][lane] = dot(w, w, width), quad.G_inverse[r][lane] = 1.0 / quad.G[r][lane];
  }
}

void ColouredSweeps::fill(const ContactProblem& problem, Part& part) {
  const Law& law = problem.laws[part.law];
  const BlockRows& W = problem.G.W();
  part.row = law.row, part.mu = law.mu, part.kind = Part::Kind::general;
  if (&W != &problem.G.Y() || law.kind != Law::Kind::contact || (law.rows != 1 && law.rows != 3)) return;
  const auto columns = W.columns(part.law);
  const int width = static_cast<int>(columns.size());
  if (width != body && width != 2 * body) return;
  part.A = body_at(columns[0]), part.B = width > body ? body_at(columns[body]) : -1;
  if (part.A < 0 || (width > body && part.B < 0)) return;
  const double* w = W.values(part.law);
  for (int j = 0; j < law.rows; ++j)
    for (int i = 0; i < law.rows; ++i) part.G[j * law.rows + i] = dot(w + i * width, w + j * width, width);
  if (law.rows == 1 || invert(part.G, part.inverse))
    part.kind = law.rows == 1 ? Part::Kind::normal : Part::Kind::spatial;
}

}  // namespace tappet
