// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/contact_quads.h"

#include <cmath>

namespace tappet {

namespace {

using Lanes = long long __attribute__((vector_size(32)));

#define TAPPET_INLINE inline __attribute__((always_inline))

TAPPET_INLINE Four load(const double* x) { return *reinterpret_cast<const Four*>(x); }
TAPPET_INLINE void store(double* x, Four value) { *reinterpret_cast<Four*>(x) = value; }

// Three numbers of four bodies: a line of each ↔ one number of all.
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

TAPPET_INLINE Motion motion_of(const BodyVelocity* bodies, const int* index) {
  const double* line[4];
  for (int lane = 0; lane < 4; ++lane) line[lane] = bodies[index[lane]].value;
  Motion motion;
  by_number(load(line[0]), load(line[1]), load(line[2]), load(line[3]), motion.v);
  by_number(load(line[0] + 4), load(line[1] + 4), load(line[2] + 4), load(line[3] + 4), motion.omega);
  return motion;
}

TAPPET_INLINE void move(const Motion& motion, const int* index, unsigned moves, BodyVelocity* bodies) {
  Four v[4], omega[4];
  by_body(motion.v, v), by_body(motion.omega, omega);
  if (moves == 0b1111) {
    for (int lane = 0; lane < 4; ++lane) {
      store(bodies[index[lane]].value, v[lane]);
      store(bodies[index[lane]].value + 4, omega[lane]);
    }
    return;
  }
  for (int lane = 0; lane < 4; ++lane)
    if (moves >> lane & 1) {
      store(bodies[index[lane]].value, v[lane]);
      store(bodies[index[lane]].value + 4, omega[lane]);
    }
}

TAPPET_INLINE Four dot(const Four* a, const Four* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

TAPPET_INLINE Four root(Four x) { return Four{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])}; }

TAPPET_INLINE Four larger(Four a, Four b) { return a > b ? a : b; }

TAPPET_INLINE void rates(const ContactQuad& q, const Motion& A, const Motion& B, Four* xi) {
  Four v[3];
  for (int i = 0; i < 3; ++i) v[i] = A.v[i] - q.kappa * B.v[i];
  xi[0] = q.c[0] + dot(q.centre[0], v);
  for (int f = 0; f < 2; ++f)
    xi[1 + f] = q.c[1 + f] + dot(q.centre[1 + f], v) + (dot(q.turn_A[f], A.omega) + dot(q.turn_B[f], B.omega));
}

TAPPET_INLINE void add_push(const ContactQuad& q, const Four* dP, Motion& A, Motion& B) {
  for (int i = 0; i < 3; ++i) {
    const Four p = q.centre[0][i] * dP[0] + q.centre[1][i] * dP[1] + q.centre[2][i] * dP[2];
    A.v[i] += p, B.v[i] -= q.kappa * p;
    A.omega[i] += q.turn_A[0][i] * dP[1] + q.turn_A[1][i] * dP[2];
    B.omega[i] += q.turn_B[0][i] * dP[1] + q.turn_B[1][i] * dP[2];
  }
}

TAPPET_INLINE double sum(Four x) { return (x[0] + x[1]) + (x[2] + x[3]); }

}  // namespace

TAPPET_WIDE double visit(const ContactQuad* quads, int count, BodyVelocity* bodies, double* P) {
  Four total = {};
  for (const ContactQuad* q = quads; q < quads + count; ++q, P += 12) {
    Motion A = motion_of(bodies, q->A), B = motion_of(bodies, q->B);
    Four xi[3], dP[3];
    rates(*q, A, B, xi);
    const Four P_N = larger(load(P) - q->G_inverse[0] * xi[0], Four{});
    Four x = load(P + 4) - q->G_inverse[1] * xi[1], y = load(P + 8) - q->G_inverse[1] * xi[2];
    const Four square = x * x + y * y, limit = q->mu * P_N;
    const Four scale = square > limit * limit ? limit / root(square) : Four{1.0, 1.0, 1.0, 1.0};
    x *= scale, y *= scale;
    dP[0] = P_N - load(P), dP[1] = x - load(P + 4), dP[2] = y - load(P + 8);
    store(P, P_N), store(P + 4, x), store(P + 8, y);
    const Four f_N = q->G[0] * dP[0], f_1 = q->G[1] * dP[1], f_2 = q->G[1] * dP[2];
    total += f_N * f_N + f_1 * f_1 + f_2 * f_2;
    add_push(*q, dP, A, B);
    move(A, q->A, q->moves_A, bodies), move(B, q->B, q->moves_B, bodies);
  }
  return sum(total);
}

TAPPET_WIDE double squared_distance(const ContactQuad* quads, int count, const BodyVelocity* bodies, const double* P,
                                    double rho_inverse) {
  Four total = {};
  for (const ContactQuad* q = quads; q < quads + count; ++q, P += 12) {
    const Motion A = motion_of(bodies, q->A), B = motion_of(bodies, q->B);
    Four xi[3];
    rates(*q, A, B, xi);
    const Four slip = root(xi[1] * xi[1] + xi[2] * xi[2]);
    const Four p[3] = {load(P) * rho_inverse, load(P + 4) * rho_inverse, load(P + 8) * rho_inverse};
    // The projection of x on the cone.
    const Four x = p[0] - xi[0] - q->mu * slip, y = p[1] - xi[1], z = p[2] - xi[2];
    const Four side = root(y * y + z * z), zero = {}, one = {1.0, 1.0, 1.0, 1.0};
    const Four on_cone = (x + q->mu * side) / (one + q->mu * q->mu);
    const auto inside = side <= q->mu * x, below = q->mu * side <= -x;
    const Four N = inside ? x : (below ? zero : on_cone);
    const Four scale = inside ? one : (below ? zero : q->mu * on_cone / side);
    const Four d_N = p[0] - N, d_1 = p[1] - scale * y, d_2 = p[2] - scale * z;
    total += d_N * d_N + d_1 * d_1 + d_2 * d_2;
  }
  return sum(total);
}

TAPPET_WIDE void push(const ContactQuad* quads, int count, const double* P, BodyVelocity* bodies) {
  for (const ContactQuad* q = quads; q < quads + count; ++q, P += 12) {
    Motion A = motion_of(bodies, q->A), B = motion_of(bodies, q->B);
    const Four dP[3] = {load(P), load(P + 4), load(P + 8)};
    add_push(*q, dP, A, B);
    move(A, q->A, q->moves_A, bodies), move(B, q->B, q->moves_B, bodies);
  }
}

}  // namespace tappet
