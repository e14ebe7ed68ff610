// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured/contact_quads.h"

#include <cmath>

namespace tappet {

namespace {

using Lanes = long long __attribute__((vector_size(32)));

#define TAPPET_INLINE inline __attribute__((always_inline))

TAPPET_INLINE Four load(const double* x) { return *reinterpret_cast<const Four*>(x); }
TAPPET_INLINE void store(double* x, Four value) { *reinterpret_cast<Four*>(x) = value; }

// Transposes three numbers of four bodies: from one line per body to one number of all, and back.
TAPPET_INLINE void by_number(Four a, Four b, Four c, Four d, Four* x) {
  const Four ab = __builtin_shuffle(a, b, Lanes{0, 4, 2, 6}), cd = __builtin_shuffle(c, d, Lanes{0, 4, 2, 6});
  const Four odd_ab = __builtin_shuffle(a, b, Lanes{1, 5, 3, 7}), odd_cd = __builtin_shuffle(c, d, Lanes{1, 5, 3, 7});
  x[0] = __builtin_shuffle(ab, cd, Lanes{0, 1, 4, 5});
  x[1] = __builtin_shuffle(odd_ab, odd_cd, Lanes{0, 1, 4, 5});
  x[2] = __builtin_shuffle(ab, cd, Lanes{2, 3, 6, 7});
}

TAPPET_INLINE void by_body(const Four* x, Four* body) {
  const Four zero = {};
  const Four xy = __builtin_shuffle(x[0], x[1], Lanes{0, 4, 2, 6}),
             odd = __builtin_shuffle(x[0], x[1], Lanes{1, 5, 3, 7});
  const Four z = __builtin_shuffle(x[2], zero, Lanes{0, 4, 2, 6}),
             odd_z = __builtin_shuffle(x[2], zero, Lanes{1, 5, 3, 7});
  body[0] = __builtin_shuffle(xy, z, Lanes{0, 1, 4, 5});
  body[1] = __builtin_shuffle(odd, odd_z, Lanes{0, 1, 4, 5});
  body[2] = __builtin_shuffle(xy, z, Lanes{2, 3, 6, 7});
  body[3] = __builtin_shuffle(odd, odd_z, Lanes{2, 3, 6, 7});
}

struct Motion {
  Four v[3], omega[3];
};

TAPPET_INLINE Motion motion_of(const double* v, const std::uint32_t* at) {
  const double* line[4];
  for (int lane = 0; lane < 4; ++lane) line[lane] = v + at[lane];
  Motion motion;
  by_number(load(line[0]), load(line[1]), load(line[2]), load(line[3]), motion.v);
  by_number(load(line[0] + 4), load(line[1] + 4), load(line[2] + 4), load(line[3] + 4), motion.omega);
  return motion;
}

TAPPET_INLINE void move(const Motion& motion, const std::uint32_t* at, const bool* moves, double* v) {
  Four center[4], omega[4];
  by_body(motion.v, center), by_body(motion.omega, omega);
  if (moves[0] & moves[1] & moves[2] & moves[3]) {
    for (int lane = 0; lane < 4; ++lane) store(v + at[lane], center[lane]), store(v + at[lane] + 4, omega[lane]);
    return;
  }
  for (int lane = 0; lane < 4; ++lane)
    if (moves[lane]) store(v + at[lane], center[lane]), store(v + at[lane] + 4, omega[lane]);
}

TAPPET_INLINE Four dot(const Four* a, const Four* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

TAPPET_INLINE Four root(Four x) { return Four{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])}; }

TAPPET_INLINE Four larger(Four a, Four b) { return a > b ? a : b; }

TAPPET_INLINE Four upper(const Two& x) { return x.both; }
TAPPET_INLINE Four lower(const Two& x) { return reinterpret_cast<Four>(reinterpret_cast<Lanes>(x.both) << 32); }

struct Directions {
  Four n[3], s[3], t[3], a_A, a_B, b_A, b_B;
};

TAPPET_INLINE Directions directions_of(const ContactQuad& q) {
  Directions d;
  for (int i = 0; i < 3; ++i) d.n[i] = upper(q.ns[i]), d.s[i] = lower(q.ns[i]);
  for (int i = 0; i < 3; ++i) d.t[i] = d.n[(i + 1) % 3] * d.s[(i + 2) % 3] - d.n[(i + 2) % 3] * d.s[(i + 1) % 3];
  d.a_A = upper(q.a), d.a_B = lower(q.a), d.b_A = upper(q.b), d.b_B = lower(q.b);
  return d;
}

TAPPET_INLINE void rates(const Directions& d, const Four* c, const Motion& A, const Motion& B, Four* xi) {
  Four v[3], w[3];
  for (int i = 0; i < 3; ++i) v[i] = d.a_A * A.v[i] - d.a_B * B.v[i], w[i] = d.b_A * A.omega[i] + d.b_B * B.omega[i];
  xi[0] = c[0] + dot(d.n, v);
  xi[1] = c[1] + (dot(d.s, v) - dot(d.t, w));
  xi[2] = c[2] + (dot(d.t, v) + dot(d.s, w));
}

TAPPET_INLINE void add_push(const Directions& d, const Four* dP, Motion& A, Motion& B) {
  for (int i = 0; i < 3; ++i) {
    const Four p = d.n[i] * dP[0] + d.s[i] * dP[1] + d.t[i] * dP[2], r = d.s[i] * dP[2] - d.t[i] * dP[1];
    A.v[i] += d.a_A * p, B.v[i] -= d.a_B * p;
    A.omega[i] += d.b_A * r, B.omega[i] += d.b_B * r;
  }
}

TAPPET_INLINE double sum(Four x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// Processes this number of quads side by side, so that one computes while the other waits.
template <int count>
TAPPET_INLINE Four visit_some(const ContactQuad* q, double* v, double* P) {
  Four total = {};
  Motion A[count], B[count];
  Four xi[count][3], dP[count][3], P_N[count], x[count], y[count], scale[count];
  for (int j = 0; j < count; ++j) {
    A[j] = motion_of(v, q[j].A), B[j] = motion_of(v, q[j].B);
    rates(directions_of(q[j]), q[j].c, A[j], B[j], xi[j]);
  }
  for (int j = 0; j < count; ++j) {
    const Four inverse_F = lower(q[j].inverse);
    P_N[j] = larger(load(P + 12 * j) - upper(q[j].inverse) * xi[j][0], Four{});
    x[j] = load(P + 12 * j + 4) - inverse_F * xi[j][1], y[j] = load(P + 12 * j + 8) - inverse_F * xi[j][2];
    const Four square = x[j] * x[j] + y[j] * y[j], limit = q[j].mu * P_N[j];
    scale[j] = square > limit * limit ? limit / root(square) : Four{1.0, 1.0, 1.0, 1.0};
  }
  for (int j = 0; j < count; ++j) {
    double* p = P + 12 * j;
    x[j] *= scale[j], y[j] *= scale[j];
    dP[j][0] = P_N[j] - load(p), dP[j][1] = x[j] - load(p + 4), dP[j][2] = y[j] - load(p + 8);
    store(p, P_N[j]), store(p + 4, x[j]), store(p + 8, y[j]);
    const Directions d = directions_of(q[j]);
    const Four G_N = d.a_A * d.a_A + d.a_B * d.a_B, G_F = G_N + (d.b_A * d.b_A + d.b_B * d.b_B);
    total += G_N * G_N * (dP[j][0] * dP[j][0]) + G_F * G_F * (dP[j][1] * dP[j][1] + dP[j][2] * dP[j][2]);
    add_push(d, dP[j], A[j], B[j]);
    move(A[j], q[j].A, q[j].moves_A, v), move(B[j], q[j].B, q[j].moves_B, v);
  }
  return total;
}

}  // namespace

TAPPET_WIDE double visit(const ContactQuad* quads, int count, double* v, double* P) {
  Four total = {};
  int k = 0;
  for (; k + 2 <= count; k += 2) total += visit_some<2>(quads + k, v, P + 12 * k);
  if (k < count) total += visit_some<1>(quads + k, v, P + 12 * k);
  return sum(total);
}

TAPPET_WIDE double squared_distance(const ContactQuad* quads, int count, const double* v, const double* P,
                                    double rho_inverse) {
  Four total = {};
  for (const ContactQuad* q = quads; q < quads + count; ++q, P += 12) {
    const Motion A = motion_of(v, q->A), B = motion_of(v, q->B);
    Four xi[3];
    rates(directions_of(*q), q->c, A, B, xi);
    const Four mu = q->mu, slip = root(xi[1] * xi[1] + xi[2] * xi[2]);
    const Four p[3] = {load(P) * rho_inverse, load(P + 4) * rho_inverse, load(P + 8) * rho_inverse};
    // The projection of x on the cone.
    const Four x = p[0] - xi[0] - mu * slip, y = p[1] - xi[1], z = p[2] - xi[2];
    const Four side = root(y * y + z * z), zero = {}, one = {1.0, 1.0, 1.0, 1.0};
    const Four on_cone = (x + mu * side) / (one + mu * mu);
    const auto inside = side <= mu * x, below = mu * side <= -x;
    const Four N = inside ? x : (below ? zero : on_cone);
    const Four scale = inside ? one : (below ? zero : mu * on_cone / side);
    const Four d_N = p[0] - N, d_1 = p[1] - scale * y, d_2 = p[2] - scale * z;
    total += d_N * d_N + d_1 * d_1 + d_2 * d_2;
  }
  return sum(total);
}

TAPPET_WIDE void push(const ContactQuad* quads, int count, const double* P, double* v) {
  for (const ContactQuad* q = quads; q < quads + count; ++q, P += 12) {
    Motion A = motion_of(v, q->A), B = motion_of(v, q->B);
    const Four dP[3] = {load(P), load(P + 4), load(P + 8)};
    add_push(directions_of(*q), dP, A, B);
    move(A, q->A, q->moves_A, v), move(B, q->B, q->moves_B, v);
  }
}

TAPPET_WIDE void velocities(const ContactQuad* quads, int count, const double* v, double* xi) {
  for (const ContactQuad* q = quads; q < quads + count; ++q, xi += 12) {
    Four rate[3];
    rates(directions_of(*q), q->c, motion_of(v, q->A), motion_of(v, q->B), rate);
    for (int r = 0; r < 3; ++r) store(xi + 4 * r, rate[r]);
  }
}

}  // namespace tappet
