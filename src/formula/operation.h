// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "math/dual.h"

namespace tappet {

// The operations of the formula language. `less` and `select` are written `if(x < y, a, b)`. `mod` is made of `floor`.
// `max` and `min` of several arguments are nested. `table` has one operand. The other two fields of its node hold its
// data and the order of its derivative (Graph::table).
//
// Some operations change their formula, or switch, when an argument passes through zero:
//   abs, sign, step   a                 min, max, less   a − b               select   a
//   floor             a − whole number  table            a − knot (lines: a kink; a spline is smooth enough)
// clang-format off
enum class Operation : std::uint8_t {
  constant, input,
  negate, sin, cos, tan, asin, acos, atan, sqrt, exp, log, abs, sign, step, sinh, cosh, tanh, floor, table,
  add, subtract, multiply, divide, power, atan2, min, max, less,
  select,
};
// clang-format on

constexpr int operands(Operation op) {
  if (op < Operation::negate) return 0;
  if (op < Operation::add) return 1;
  return op < Operation::select ? 2 : 3;
}

// The functions that jump, for any scalar type with an order. Their derivative is zero where it exists. step(0) = 1, so
// step(t - 1) switches on at t = 1.
template <class S>
S sign_of(const S& x) {
  return S(x > S(0.0) ? 1.0 : (x < S(0.0) ? -1.0 : 0.0));
}
template <class S>
S step_of(const S& x) {
  return S(x < S(0.0) ? 0.0 : 1.0);
}
template <class S>
S floor_of(const S& x) {
  return S(std::floor(value_of(x)));
}
template <class S>
S smaller(const S& x, const S& y) {
  return y < x ? y : x;
}
template <class S>
S larger(const S& x, const S& y) {
  return x < y ? y : x;
}

template <class S>
S apply(Operation op, const S& x, const S& y, const S& z) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow,
      std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  // clang-format off
  switch (op) {
    case Operation::constant: case Operation::input: case Operation::table: return x;  // table: see Graph
    case Operation::negate: return -x;
    case Operation::sin: return sin(x);
    case Operation::cos: return cos(x);
    case Operation::tan: return tan(x);
    case Operation::asin: return asin(x);
    case Operation::acos: return acos(x);
    case Operation::atan: return atan(x);
    case Operation::sqrt: return sqrt(x);
    case Operation::exp: return exp(x);
    case Operation::log: return log(x);
    case Operation::abs: return abs(x);
    case Operation::sign: return sign_of(x);
    case Operation::step: return step_of(x);
    case Operation::sinh: return sinh(x);
    case Operation::cosh: return cosh(x);
    case Operation::tanh: return tanh(x);
    case Operation::floor: return floor_of(x);
    case Operation::add: return x + y;
    case Operation::subtract: return x - y;
    case Operation::multiply: return x * y;
    case Operation::divide: return x / y;
    case Operation::power: return pow(x, y);
    case Operation::atan2: return atan2(x, y);
    case Operation::min: return smaller(x, y);
    case Operation::max: return larger(x, y);
    case Operation::less: return S(x < y ? 1.0 : 0.0);
    case Operation::select: return x > S(0.0) ? y : z;
  }
  // clang-format on
  return x;
}

}  // namespace tappet
