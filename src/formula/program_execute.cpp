// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <iterator>

#include "formula/program.h"

namespace tappet {

// The interpreter. Jumping from instruction to instruction through a table (an extension of GCC and Clang) takes half
// the machine instructions of a switch in a loop: nine for a sum or a product.
// clang-format off
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#define A base[i->a]
#define B base[i->b]
#define C base[i->c]
#define D base[i->d]
#define NEXT ++i; goto* target[static_cast<int>(i->code)]

template <>
#if !defined(__clang__)
__attribute__((optimize("no-crossjumping")))   // GCC would merge the jumps again
#endif
void Program::execute<double>(double* base) const {
  static const void* const target[] = {
      &&end, &&add, &&subtract, &&multiply, &&divide, &&negate, &&multiply_add, &&multiply_subtract, &&subtract_product,
      &&products_sum, &&products_difference, &&square, &&sin, &&cos, &&sin_cos, &&angle, &&tan, &&asin, &&acos,
      &&atan, &&sqrt, &&exp, &&log, &&abs, &&sign,
      &&step, &&sinh, &&cosh, &&tanh, &&floor, &&table, &&power, &&atan2, &&min, &&max, &&less, &&select};
  static_assert(std::size(target) == static_cast<int>(Code::select) + 1);
  const Instruction* i = tape_.data() - 1;
  double* next = base + inputs_;
  NEXT;
add: *next++ = A + B; NEXT;
subtract: *next++ = A - B; NEXT;
multiply: *next++ = A * B; NEXT;
divide: *next++ = A / B; NEXT;
negate: *next++ = -A; NEXT;
multiply_add: *next++ = A * B + C; NEXT;
multiply_subtract: *next++ = A * B - C; NEXT;
subtract_product: *next++ = C - A * B; NEXT;
products_sum: *next++ = A * B + C * D; NEXT;
products_difference: *next++ = A * B - C * D; NEXT;
square: *next++ = A * A; NEXT;
sin: *next++ = std::sin(A); NEXT;
cos: *next++ = std::cos(A); NEXT;
sin_cos: next[0] = std::sin(A); next[1] = std::cos(A); next += 2; NEXT;
angle:
  if (std::bit_cast<std::uint64_t>(A) != std::bit_cast<std::uint64_t>(B)) {
    double* known = base + i->b;
    known[0] = A;
    known[1] = std::sin(known[0]);
    known[2] = std::cos(known[0]);
  }
  NEXT;
tan: *next++ = std::tan(A); NEXT;
asin: *next++ = std::asin(A); NEXT;
acos: *next++ = std::acos(A); NEXT;
atan: *next++ = std::atan(A); NEXT;
sqrt: *next++ = std::sqrt(A); NEXT;
exp: *next++ = std::exp(A); NEXT;
log: *next++ = std::log(A); NEXT;
abs: *next++ = std::abs(A); NEXT;
sign: *next++ = sign_of(A); NEXT;
step: *next++ = step_of(A); NEXT;
sinh: *next++ = std::sinh(A); NEXT;
cosh: *next++ = std::cosh(A); NEXT;
tanh: *next++ = std::tanh(A); NEXT;
floor: *next++ = std::floor(A); NEXT;
table: *next++ = tables_[i->b]->evaluate(A, i->c); NEXT;
power: *next++ = std::pow(A, B); NEXT;
atan2: *next++ = std::atan2(A, B); NEXT;
min: *next++ = smaller(A, B); NEXT;
max: *next++ = larger(A, B); NEXT;
less: *next++ = A < B ? 1.0 : 0.0; NEXT;
select: *next++ = A > 0.0 ? B : C; NEXT;
end: return;
}

#undef A
#undef B
#undef C
#undef D
#undef NEXT
#pragma GCC diagnostic pop
// clang-format on

}  // namespace tappet
