// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "formula/graph.h"

namespace tappet {

// Where programs find their numbers, counted from a base pointer: constants at −1, −2, …, inputs at 0, 1, …, and
// behind them what the program computes, one place after the other. Several programs may share one layout and so one
// array of numbers, into which constants are written once.
struct TapeLayout {
  int inputs = 0;
  int scratch = 0;                    // of the longest program
  std::vector<double> constants;
  std::unordered_map<Node, int> constant_place, angle_place;
  bool remember_angles = false;       // programs share sines and cosines of equal angles through Angle slots
};

// The angle last seen at this place with its sine and cosine. Compared by bits, so that −0 and 0 stay apart.
struct Angle {
  std::uint64_t bits = ~std::uint64_t{0};   // a NaN no computation produces
  double sin = 0.0, cos = 0.0;
};

// Formulas as a flat tape: what is not needed for the outputs is left out, equal subexpressions are computed once.
class Program {
 public:
  Program() = default;
  Program(const Graph& graph, std::span<const Node> outputs, int inputs);
  Program(const Graph& graph, std::span<const Node> outputs, TapeLayout& shared);

  int inputs() const { return layout_.inputs; }
  int outputs() const { return static_cast<int>(outputs_.size()); }
  int operations() const { return operations_; }
  int register_count() const { return static_cast<int>(layout_.constants.size()) + layout_.inputs + layout_.scratch; }

  // For programs with a layout of their own, on any scalar whose functions are found by argument.
  template <class S>
  void run(const S* inputs, S* outputs, S* registers) const {
    load_constants(registers);
    run_loaded(inputs, outputs, registers);
  }
  template <class S>
  void load_constants(S* registers) const {
    const std::size_t count = layout_.constants.size();
    for (std::size_t i = 0; i < count; ++i) registers[count - 1 - i] = S(layout_.constants[i]);
  }
  template <class S>
  void run_loaded(const S* inputs, S* outputs, S* registers) const {
    S* base = registers + layout_.constants.size();
    std::copy(inputs, inputs + layout_.inputs, base);
    execute(base, nullptr);
    read(base, 0, this->outputs(), outputs);
  }

  // One level down, for shared layouts: inputs and constants are in place.
  template <class S>
  void execute(S* base, Angle* angles) const;
  template <class S>
  void read(const S* base, int first, int count, S* outputs) const {
    const int* place = outputs_.data() + first;
    for (int i = 0; i < count; ++i) outputs[i] = base[place[i]];
  }

 private:
  // Every instruction writes to the next place, so none says where.
  enum class Code : std::int32_t {
    end, add, subtract, multiply, divide, negate, multiply_add, multiply_subtract, subtract_product, square,
    sin, cos, sin_cos, angle, tan, asin, acos, atan, sqrt, exp, log, abs, sign, step,
    power, atan2, min, max, less, select,
  };
  struct Instruction {
    Code code;
    std::int32_t a, b, c;
  };
  class Compiler;

  std::vector<Instruction> tape_;
  std::vector<int> outputs_;
  TapeLayout layout_;
  int operations_ = 0;
};

template <class S>
void Program::execute(S* base, Angle* angles) const {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp, std::log, std::pow, std::sin,
      std::sqrt, std::tan;
  const Instruction* i = tape_.data();
  S* next = base + layout_.inputs;
  for (;; ++i) {
    const S& a = base[i->a];
    switch (i->code) {
      case Code::end: return;
      case Code::add: *next++ = a + base[i->b]; break;
      case Code::subtract: *next++ = a - base[i->b]; break;
      case Code::multiply: *next++ = a * base[i->b]; break;
      case Code::divide: *next++ = a / base[i->b]; break;
      case Code::negate: *next++ = -a; break;
      case Code::multiply_add: *next++ = a * base[i->b] + base[i->c]; break;
      case Code::multiply_subtract: *next++ = a * base[i->b] - base[i->c]; break;
      case Code::subtract_product: *next++ = base[i->c] - a * base[i->b]; break;
      case Code::square: *next++ = a * a; break;
      case Code::sin: *next++ = sin(a); break;
      case Code::cos: *next++ = cos(a); break;
      case Code::angle:
        if constexpr (std::is_same_v<S, double>) {
          Angle& known = angles[i->b];
          std::uint64_t bits;
          static_assert(sizeof bits == sizeof a);
          __builtin_memcpy(&bits, &a, sizeof bits);
          if (known.bits != bits) known.bits = bits, known.sin = sin(a), known.cos = cos(a);
          next[0] = known.sin;
          next[1] = known.cos;
          next += 2;
          break;
        }
        [[fallthrough]];
      case Code::sin_cos:
        next[0] = sin(a);
        next[1] = cos(a);
        next += 2;
        break;
      case Code::tan: *next++ = tan(a); break;
      case Code::asin: *next++ = asin(a); break;
      case Code::acos: *next++ = acos(a); break;
      case Code::atan: *next++ = atan(a); break;
      case Code::sqrt: *next++ = sqrt(a); break;
      case Code::exp: *next++ = exp(a); break;
      case Code::log: *next++ = log(a); break;
      case Code::abs: *next++ = abs(a); break;
      case Code::sign: *next++ = sign_of(a); break;
      case Code::step: *next++ = step_of(a); break;
      case Code::power: *next++ = pow(a, base[i->b]); break;
      case Code::atan2: *next++ = atan2(a, base[i->b]); break;
      case Code::min: *next++ = smaller(a, base[i->b]); break;
      case Code::max: *next++ = larger(a, base[i->b]); break;
      case Code::less: *next++ = S(a < base[i->b] ? 1.0 : 0.0); break;
      case Code::select: *next++ = a > S(0.0) ? base[i->b] : base[i->c]; break;
    }
  }
}

extern template void Program::execute<double>(double*, Angle*) const;

}  // namespace tappet
