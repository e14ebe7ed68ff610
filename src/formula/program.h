// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "formula/graph.h"

namespace tappet {

// The places at which programs find their numbers, counted from a base pointer: constants at −1, −2, …, inputs at 0, 1,
// …, and then the computed values, one after the other. Several programs may share one layout and therefore one array
// of numbers, into which constants are written once.
struct TapeLayout {
  int inputs = 0;
  int scratch = 0;  // the places that the longest program needs
  std::vector<double> constants;
  std::unordered_map<Node, int> constant_place, angle_place;
  // Programs on doubles share sines and cosines. An angle has three places among the constants, [bits, sin, cos] of its
  // last value, and is computed again only if the bits differ (so −0 and 0 are different).
  bool remember_angles = false;

  // Gives the constants that depend on parameters their values in the stage (Graph::staged_constants).
  void set_constants(std::span<const std::pair<Node, int>> staged, const ParameterStage& stage);
  std::vector<double> numbers() const;  // an array with the constants in place; the base is numbers + constants.size()
};

// Formulas as a flat tape. Operations that the outputs do not need are left out, and equal subexpressions are computed
// once.
class Program {
 public:
  Program() = default;
  Program(const Graph& graph, std::span<const Node> outputs, int inputs);
  Program(const Graph& graph, std::span<const Node> outputs, TapeLayout& shared);

  int inputs() const { return inputs_; }
  int outputs() const { return static_cast<int>(outputs_.size()); }
  int operations() const { return operations_; }
  int register_count() const { return static_cast<int>(constants_.size()) + inputs_ + scratch_; }

  // For programs that have their own layout, on any scalar type whose functions are found by argument-dependent lookup.
  template <class S>
  void run(const S* inputs, S* outputs, S* registers) const {
    load_constants(registers);
    run_loaded(inputs, outputs, registers);
  }
  template <class S>
  void load_constants(S* registers) const {
    const std::size_t count = constants_.size();
    for (std::size_t i = 0; i < count; ++i) registers[count - 1 - i] = S(constants_[i]);
  }
  template <class S>
  void run_loaded(const S* inputs, S* outputs, S* registers) const {
    S* base = registers + constants_.size();
    std::copy(inputs, inputs + inputs_, base);
    execute(base);
    read(base, 0, this->outputs(), outputs);
  }

  // The level below, for shared layouts: inputs and constants are already in place.
  template <class S>
  void execute(S* base) const;
  template <class S>
  void read(const S* base, int first, int count, S* outputs) const {
    const int *place = outputs_.data() + first, *end = place + count;
    if (count % 2) *outputs++ = base[*place++];
    // in pairs, because reading takes a fifth of the time of a short program
    for (; place != end; place += 2, outputs += 2) {
      const S *x = base + place[0], *y = base + place[1];
      outputs[0] = *x;
      outputs[1] = *y;
    }
  }

 private:
  // Every instruction writes to the next place, so it need not store its target. The order is that of the table of
  // execute<double>.
  // clang-format off
  enum class Code : std::int32_t {
    end, add, subtract, multiply, divide, negate, multiply_add, multiply_subtract, subtract_product,
    products_sum, products_difference, square,
    sin, cos, sin_cos, angle, tan, asin, acos, atan, sqrt, exp, log, abs, sign, step,
    sinh, cosh, tanh, floor, table,
    power, atan2, min, max, less, select,
  };
  // clang-format on
  struct Instruction {
    Code code;
    std::int32_t a, b, c, d;
  };
  class Compiler;

  std::vector<Instruction> tape_;
  std::vector<int> outputs_;
  std::vector<double> constants_;  // with a layout of its own
  std::vector<std::shared_ptr<const Table>> tables_;
  int inputs_ = 0, scratch_ = 0, operations_ = 0;
};

template <class S>
void Program::execute(S* base) const {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow,
      std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  const Instruction* i = tape_.data();
  S* next = base + inputs_;
  // clang-format off
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
      case Code::products_sum: *next++ = a * base[i->b] + base[i->c] * base[i->d]; break;
      case Code::products_difference: *next++ = a * base[i->b] - base[i->c] * base[i->d]; break;
      case Code::square: *next++ = a * a; break;
      case Code::sin: *next++ = sin(a); break;
      case Code::cos: *next++ = cos(a); break;
      case Code::angle:
        base[i->b + 1] = sin(a);
        base[i->b + 2] = cos(a);
        break;
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
      case Code::sinh: *next++ = sinh(a); break;
      case Code::cosh: *next++ = cosh(a); break;
      case Code::tanh: *next++ = tanh(a); break;
      case Code::floor: *next++ = floor_of(a); break;
      case Code::table: *next++ = tables_[i->b]->evaluate(a, i->c); break;
      case Code::power: *next++ = pow(a, base[i->b]); break;
      case Code::atan2: *next++ = atan2(a, base[i->b]); break;
      case Code::min: *next++ = smaller(a, base[i->b]); break;
      case Code::max: *next++ = larger(a, base[i->b]); break;
      case Code::less: *next++ = S(a < base[i->b] ? 1.0 : 0.0); break;
      case Code::select: *next++ = a > S(0.0) ? base[i->b] : base[i->c]; break;
    }
  }
  // clang-format on
}

template <>
void Program::execute<double>(double* base) const;

}  // namespace tappet
