// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files of this folder are no part of the program. They are compiled together with the code that is written for a
// model, for a GPU or for the processor of this machine, when a batch runs.
//
// A Real is one number of each instance that is computed together, and a Mask says something of each of them. On a GPU
// a thread computes one instance, so they are a double and a bool. On a processor they are vectors of TAPPET_LANES
// numbers. Code that branches asks in_any(mask), and then lets only the instances of the mask take the results
// (select).
#ifdef __CUDACC__

#define TAPPET_FUNCTION __device__ __forceinline__
#define TAPPET_MEMBER __device__ __forceinline__
#define TAPPET_RARE __device__ __noinline__
#ifdef TAPPET_LARGE  // registers cannot hold the arrays anyway
#define TAPPET_UNROLL _Pragma("unroll 1")
#else
#define TAPPET_UNROLL _Pragma("unroll")
#endif
#define TAPPET_CONSTANT __device__ constexpr

using Real = double;
using Mask = bool;

TAPPET_FUNCTION Real real(double x) { return x; }
TAPPET_FUNCTION bool in_any(Mask m) { return m; }
TAPPET_FUNCTION Real select(Mask m, Real x, Real y) { return m ? x : y; }
TAPPET_FUNCTION Real abs_of(Real x) { return fabs(x); }
TAPPET_FUNCTION Mask all_true() { return true; }
TAPPET_FUNCTION void sin_cos(Real x, Real& s, Real& c) { sincos(x, &s, &c); }

// x/y with an error of at most one unit in the last place, without the path of division for numbers that are almost
// zero or almost infinite: those beyond 1e-300 or 1e300 may become 0 or infinite.
TAPPET_FUNCTION Real quotient(Real x, Real y) {
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(y));  // to 20 digits of two
  const double rough = x * r, e = fma(-y, r, 1.0);
  r = fma(r, fma(e, e, e), r);
  const double q = x * r, better = fma(fma(-y, q, x), r, q);
  return better == better ? better : rough;  // if x or y is 0 or infinite
}
// The root of x/y to six digits, for numbers that are only reported; 0 if y is 0.
TAPPET_FUNCTION Real rough_root_of_ratio(Real x, Real y) {
  return y > 0.0 ? sqrtf(static_cast<float>(x * 1e20) / static_cast<float>(y)) * 1e-10 : 0.0;
}

#define TAPPET_MAP(name, function) \
  TAPPET_FUNCTION Real name(Real x) { return function(x); }
#define TAPPET_MAP_2(name, function) \
  TAPPET_FUNCTION Real name(Real x, Real y) { return function(x, y); }

#else

#include <cmath>

#define TAPPET_FUNCTION static inline __attribute__((always_inline))
#define TAPPET_MEMBER inline __attribute__((always_inline))
#define TAPPET_RARE static __attribute__((noinline))
#ifdef TAPPET_LARGE
#define TAPPET_UNROLL _Pragma("GCC unroll 1")
#else
#define TAPPET_UNROLL _Pragma("GCC unroll 16")
#endif
#define TAPPET_CONSTANT constexpr

using Real = double __attribute__((vector_size(8 * TAPPET_LANES)));
using Mask = decltype(Real{} < Real{});

TAPPET_FUNCTION Real real(double x) { return Real{} + x; }
TAPPET_FUNCTION bool in_any(Mask m) {
  long long found = 0;
  for (int i = 0; i < TAPPET_LANES; ++i) found |= m[i];
  return found != 0;
}
TAPPET_FUNCTION Real select(Mask m, Real x, Real y) { return m ? x : y; }
TAPPET_FUNCTION Real abs_of(Real x) { return x < 0.0 ? -x : x; }
TAPPET_FUNCTION Mask all_true() { return Real{} == Real{}; }
TAPPET_FUNCTION Real quotient(Real x, Real y) { return x / y; }
TAPPET_FUNCTION void sin_cos(Real x, Real& s, Real& c) {
  for (int i = 0; i < TAPPET_LANES; ++i) {
    s[i] = std::sin(x[i]);
    c[i] = std::cos(x[i]);
  }
}
#define TAPPET_MAP(name, function)                                     \
  TAPPET_FUNCTION Real name(Real x) {                                  \
    for (int i = 0; i < TAPPET_LANES; ++i) x[i] = std::function(x[i]); \
    return x;                                                          \
  }
#define TAPPET_MAP_2(name, function)                                         \
  TAPPET_FUNCTION Real name(Real x, Real y) {                                \
    for (int i = 0; i < TAPPET_LANES; ++i) x[i] = std::function(x[i], y[i]); \
    return x;                                                                \
  }

#endif

TAPPET_MAP(sin_of, sin)
TAPPET_MAP(cos_of, cos)
TAPPET_MAP(tan_of, tan)
TAPPET_MAP(asin_of, asin)
TAPPET_MAP(acos_of, acos)
TAPPET_MAP(atan_of, atan)
TAPPET_MAP(sqrt_of, sqrt)
TAPPET_MAP(exp_of, exp)
TAPPET_MAP(log_of, log)
TAPPET_MAP(sinh_of, sinh)
TAPPET_MAP(cosh_of, cosh)
TAPPET_MAP(tanh_of, tanh)
TAPPET_MAP(floor_of, floor)
TAPPET_MAP_2(power_of, pow)
TAPPET_MAP_2(atan2_of, atan2)

#ifndef __CUDACC__
TAPPET_FUNCTION Real rough_root_of_ratio(Real x, Real y) {
  return select(y > 0.0, sqrt_of(x / select(y > 0.0, y, real(1.0))), real(0.0));
}
#endif

// As in the formula language (formula/operation.h).
TAPPET_FUNCTION Real zero_or_one(Mask m) { return select(m, real(1.0), real(0.0)); }
TAPPET_FUNCTION Real sign_of(Real x) { return select(x > 0.0, real(1.0), select(x < 0.0, real(-1.0), real(0.0))); }
TAPPET_FUNCTION Real step_of(Real x) { return select(x < 0.0, real(0.0), real(1.0)); }
TAPPET_FUNCTION Real smaller(Real x, Real y) { return select(y < x, y, x); }
TAPPET_FUNCTION Real larger(Real x, Real y) { return select(x < y, y, x); }
TAPPET_FUNCTION Real less(Real x, Real y) { return zero_or_one(x < y); }
TAPPET_FUNCTION Real choose(Real which, Real x, Real y) { return select(which > 0.0, x, y); }
