// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured/ball_groups.h"

#include <cmath>

namespace tappet {

namespace {

#define TAPPET_INLINE inline __attribute__((always_inline))

TAPPET_INLINE Four load(const double* x) { return *reinterpret_cast<const Four*>(x); }
TAPPET_INLINE Eight load(const float* x) { return *reinterpret_cast<const Eight*>(x); }
TAPPET_INLINE void store(double* x, Four value) { *reinterpret_cast<Four*>(x) = value; }
TAPPET_INLINE void store(float* x, Eight value) { *reinterpret_cast<Eight*>(x) = value; }

TAPPET_INLINE Four even(Four a, Four b) { return __builtin_shufflevector(a, b, 0, 4, 2, 6); }
TAPPET_INLINE Four odd(Four a, Four b) { return __builtin_shufflevector(a, b, 1, 5, 3, 7); }
TAPPET_INLINE Four low(Four a, Four b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
TAPPET_INLINE Four high(Four a, Four b) { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }

// The same within each half of four numbers, and the halves of two vectors.
TAPPET_INLINE Eight first(Eight a, Eight b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13); }
TAPPET_INLINE Eight last(Eight a, Eight b) { return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15); }
TAPPET_INLINE Eight low(Eight a, Eight b) { return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13); }
TAPPET_INLINE Eight high(Eight a, Eight b) { return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15); }
TAPPET_INLINE Eight low_halves(Eight a, Eight b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11); }
TAPPET_INLINE Eight high_halves(Eight a, Eight b) { return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15); }

template <class Real>
struct Motion {
  using Pack = typename Wide<Real>::Pack;
  Pack v[3], omega[3];
};

// Transposes three numbers of four bodies: from one line per body to one number of all, and back.
TAPPET_INLINE void by_number(const double* const* line, Four* x) {
  const Four a = load(line[0]), b = load(line[1]), c = load(line[2]), d = load(line[3]);
  const Four ab = even(a, b), cd = even(c, d);
  x[0] = low(ab, cd), x[1] = low(odd(a, b), odd(c, d)), x[2] = high(ab, cd);
}
TAPPET_INLINE void by_body(const Four* x, double* const* line) {
  const Four zero = {};
  const Four xy = even(x[0], x[1]), odd_xy = odd(x[0], x[1]), z = even(x[2], zero), odd_z = odd(x[2], zero);
  store(line[0], low(xy, z)), store(line[1], low(odd_xy, odd_z));
  store(line[2], high(xy, z)), store(line[3], high(odd_xy, odd_z));
}

TAPPET_INLINE Motion<double> motion_of(const double* v, const std::uint32_t* at) {
  const double *center[4], *spin[4];
  for (int lane = 0; lane < 4; ++lane) center[lane] = v + at[lane], spin[lane] = center[lane] + 4;
  Motion<double> motion;
  by_number(center, motion.v), by_number(spin, motion.omega);
  return motion;
}
TAPPET_INLINE void move(const Motion<double>& motion, const std::uint32_t* at, double* v) {
  double *center[4], *spin[4];
  for (int lane = 0; lane < 4; ++lane) center[lane] = v + at[lane], spin[lane] = center[lane] + 4;
  by_body(motion.v, center), by_body(motion.omega, spin);
}

// A line of eight numbers has both velocities of a body, so both are transposed at once, for four bodies at a time.
TAPPET_INLINE void by_number(const float* v, const std::uint32_t* at, Eight* x) {
  const Eight a = load(v + at[0]), b = load(v + at[1]), c = load(v + at[2]), d = load(v + at[3]);
  const Eight ab = first(a, b), cd = first(c, d);
  x[0] = low(ab, cd), x[1] = high(ab, cd), x[2] = low(last(a, b), last(c, d));
}
TAPPET_INLINE void by_body(const Eight* x, const std::uint32_t* at, float* v) {
  const Eight zero = {};
  const Eight xy = first(x[0], x[1]), last_xy = last(x[0], x[1]), z = first(x[2], zero), last_z = last(x[2], zero);
  store(v + at[0], low(xy, z)), store(v + at[1], high(xy, z));
  store(v + at[2], low(last_xy, last_z)), store(v + at[3], high(last_xy, last_z));
}

TAPPET_INLINE Motion<float> motion_of(const float* v, const std::uint32_t* at) {
  Eight x[3], y[3];
  by_number(v, at, x), by_number(v, at + 4, y);
  Motion<float> motion;
  for (int i = 0; i < 3; ++i) motion.v[i] = low_halves(x[i], y[i]), motion.omega[i] = high_halves(x[i], y[i]);
  return motion;
}
TAPPET_INLINE void move(const Motion<float>& motion, const std::uint32_t* at, float* v) {
  Eight x[3], y[3];
  for (int i = 0; i < 3; ++i) {
    x[i] = low_halves(motion.v[i], motion.omega[i]);
    y[i] = high_halves(motion.v[i], motion.omega[i]);
  }
  by_body(x, at, v), by_body(y, at + 4, v);
}

template <class Pack>
TAPPET_INLINE Pack dot(const Pack* a, const Pack* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

TAPPET_INLINE Four root(Four x) { return Four{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])}; }
TAPPET_INLINE Eight root(Eight x) {
  return Eight{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3]),
               std::sqrt(x[4]), std::sqrt(x[5]), std::sqrt(x[6]), std::sqrt(x[7])};
}

TAPPET_INLINE double sum(Four x) { return (x[0] + x[1]) + (x[2] + x[3]); }
TAPPET_INLINE double sum(Eight x) { return sum(Four{x[0], x[1], x[2], x[3]}) + sum(Four{x[4], x[5], x[6], x[7]}); }

// The contacts of a group with one or two bodies, seen from here as a constant of the compiler.
template <class Real, int bodies>
struct Rows {
  using Pack = typename Wide<Real>::Pack;
  Pack n[3], s[3], t[3];
  const BallGroup<Real>& group;

  TAPPET_INLINE explicit Rows(const BallGroup<Real>& g) : group(g) {
    for (int i = 0; i < 3; ++i) n[i] = g.n[i], s[i] = g.s[i];
    for (int i = 0; i < 3; ++i) t[i] = n[(i + 1) % 3] * s[(i + 2) % 3] - n[(i + 2) % 3] * s[(i + 1) % 3];
  }
  TAPPET_INLINE void rates(const Motion<Real>* body, Pack* xi) const {
    Pack v[3], w[3];
    for (int i = 0; i < 3; ++i) {
      v[i] = group.a[0] * body[0].v[i], w[i] = group.b[0] * body[0].omega[i];
      if constexpr (bodies == 2) v[i] -= group.a[1] * body[1].v[i], w[i] += group.b[1] * body[1].omega[i];
    }
    xi[0] = group.c[0] + dot(n, v);
    xi[1] = group.c[1] + (dot(s, v) - dot(t, w));
    xi[2] = group.c[2] + (dot(t, v) + dot(s, w));
  }
  TAPPET_INLINE void add_push(const Pack* dP, Motion<Real>* body) const {
    for (int i = 0; i < 3; ++i) {
      const Pack p = n[i] * dP[0] + s[i] * dP[1] + t[i] * dP[2], r = s[i] * dP[2] - t[i] * dP[1];
      body[0].v[i] += group.a[0] * p, body[0].omega[i] += group.b[0] * r;
      if constexpr (bodies == 2) body[1].v[i] -= group.a[1] * p, body[1].omega[i] += group.b[1] * r;
    }
  }
  TAPPET_INLINE Pack sum_of_sides(const Pack* x) const {
    return bodies == 2 ? Pack(x[0] * x[0] + x[1] * x[1]) : Pack(x[0] * x[0]);
  }
};

template <class Real, int bodies>
TAPPET_INLINE auto visit(const BallGroup<Real>& group, Real* v, Real* P) {
  using Pack = typename Wide<Real>::Pack;
  constexpr int lanes = Wide<Real>::lanes;
  Motion<Real> body[bodies];
  for (int side = 0; side < bodies; ++side) body[side] = motion_of(v, group.body[side]);
  const Rows<Real, bodies> rows(group);
  Pack xi[3];
  rows.rates(body, xi);
  const Pack G_N = rows.sum_of_sides(group.a), G_F = G_N + rows.sum_of_sides(group.b);
  const Pack zero = {}, one = zero + Real(1), inverse_F = one / G_F;
  const Pack before[3] = {load(P), load(P + lanes), load(P + 2 * lanes)};
  const Pack unbounded = before[0] - xi[0] / G_N, P_N = unbounded > zero ? unbounded : zero;
  Pack x = before[1] - inverse_F * xi[1], y = before[2] - inverse_F * xi[2];
  const Pack square = x * x + y * y, limit = group.mu * P_N;
  const Pack scale = square > limit * limit ? limit / root(square) : one;
  x *= scale, y *= scale;
  store(P, P_N), store(P + lanes, x), store(P + 2 * lanes, y);
  const Pack dP[3] = {P_N - before[0], x - before[1], y - before[2]};
  rows.add_push(dP, body);
  for (int side = 0; side < bodies; ++side) move(body[side], group.body[side], v);
  return Pack(G_N * G_N * (dP[0] * dP[0]) + G_F * G_F * (dP[1] * dP[1] + dP[2] * dP[2]));
}

template <class Real>
TAPPET_INLINE double visit_all(const BallGroup<Real>* groups, int count, Real* v, Real* P) {
  typename Wide<Real>::Pack total = {};
  for (const BallGroup<Real>* g = groups; g < groups + count; ++g, P += BallGroup<Real>::numbers)
    total += g->has_pairs() ? visit<Real, 2>(*g, v, P) : visit<Real, 1>(*g, v, P);
  return sum(total);
}

template <class Real>
TAPPET_INLINE void rates_of(const BallGroup<Real>& group, const Real* v, typename Wide<Real>::Pack* xi) {
  const auto of = [&]<int bodies>() {
    Motion<Real> body[bodies];
    for (int side = 0; side < bodies; ++side) body[side] = motion_of(v, group.body[side]);
    Rows<Real, bodies>(group).rates(body, xi);
  };
  group.has_pairs() ? of.template operator()<2>() : of.template operator()<1>();
}

template <class Real>
TAPPET_INLINE double distance_of(const BallGroup<Real>* groups, int count, const Real* v, const Real* P,
                                 Real rho_inverse) {
  using Pack = typename Wide<Real>::Pack;
  constexpr int lanes = Wide<Real>::lanes;
  Pack total = {};
  for (const BallGroup<Real>* g = groups; g < groups + count; ++g, P += BallGroup<Real>::numbers) {
    Pack xi[3];
    rates_of(*g, v, xi);
    const Pack mu = g->mu, slip = root(xi[1] * xi[1] + xi[2] * xi[2]);
    const Pack p[3] = {load(P) * rho_inverse, load(P + lanes) * rho_inverse, load(P + 2 * lanes) * rho_inverse};
    // The projection of x on the cone.
    const Pack x = p[0] - xi[0] - mu * slip, y = p[1] - xi[1], z = p[2] - xi[2];
    const Pack side = root(y * y + z * z), zero = {}, one = zero + Real(1);
    const Pack on_cone = (x + mu * side) / (one + mu * mu);
    const auto inside = side <= mu * x, below = mu * side <= -x;
    const Pack N = inside ? x : (below ? zero : on_cone);
    const Pack scale = inside ? one : (below ? zero : mu * on_cone / side);
    const Pack d_N = p[0] - N, d_1 = p[1] - scale * y, d_2 = p[2] - scale * z;
    total += d_N * d_N + d_1 * d_1 + d_2 * d_2;
  }
  return sum(total);
}

template <class Real>
TAPPET_INLINE void push_all(const BallGroup<Real>* groups, int count, const Real* P, Real* v) {
  constexpr int lanes = Wide<Real>::lanes;
  for (const BallGroup<Real>* g = groups; g < groups + count; ++g, P += BallGroup<Real>::numbers) {
    const typename Wide<Real>::Pack dP[3] = {load(P), load(P + lanes), load(P + 2 * lanes)};
    const auto of = [&]<int bodies>() {
      Motion<Real> body[bodies];
      for (int side = 0; side < bodies; ++side) body[side] = motion_of(v, g->body[side]);
      Rows<Real, bodies>(*g).add_push(dP, body);
      for (int side = 0; side < bodies; ++side) move(body[side], g->body[side], v);
    };
    g->has_pairs() ? of.template operator()<2>() : of.template operator()<1>();
  }
}

template <class Real>
TAPPET_INLINE void velocities_of(const BallGroup<Real>* groups, int count, const Real* v, Real* xi) {
  constexpr int lanes = Wide<Real>::lanes;
  for (const BallGroup<Real>* g = groups; g < groups + count; ++g, xi += BallGroup<Real>::numbers) {
    typename Wide<Real>::Pack rate[3];
    rates_of(*g, v, rate);
    for (int r = 0; r < 3; ++r) store(xi + r * lanes, rate[r]);
  }
}

}  // namespace

// One version for every width of vectors, in both precisions. The compiler makes such versions of plain functions only.
#define TAPPET_BALL_GROUPS(Real)                                                                              \
  TAPPET_WIDE double visit(const BallGroup<Real>* groups, int count, Real* v, Real* P) {                      \
    return visit_all(groups, count, v, P);                                                                    \
  }                                                                                                           \
  TAPPET_WIDE double squared_distance(const BallGroup<Real>* groups, int count, const Real* v, const Real* P, \
                                      Real rho_inverse) {                                                     \
    return distance_of(groups, count, v, P, rho_inverse);                                                     \
  }                                                                                                           \
  TAPPET_WIDE void push(const BallGroup<Real>* groups, int count, const Real* P, Real* v) {                   \
    push_all(groups, count, P, v);                                                                            \
  }                                                                                                           \
  TAPPET_WIDE void velocities(const BallGroup<Real>* groups, int count, const Real* v, Real* xi) {            \
    velocities_of(groups, count, v, xi);                                                                      \
  }
TAPPET_BALL_GROUPS(float)
TAPPET_BALL_GROUPS(double)

}  // namespace tappet
