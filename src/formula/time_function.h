// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "formula/program.h"

namespace tappet {

// A formula of time alone, such as the angle of a driven joint. It is cheap to copy, and zero by default.
class TimeFunction {
 public:
  TimeFunction() = default;
  TimeFunction(double constant) : constant_(constant) {}  // NOLINT: a number is a function of time
  // f may depend only on slot 0, which is t. Otherwise it throws std::invalid_argument.
  TimeFunction(Graph& graph, Node f);

  bool is_constant() const { return !compiled_; }

  template <class S>
  S operator()(const S& t) const {
    return compiled_ ? run(compiled_->value, t) : S(constant_);
  }
  double derivative(double t) const { return compiled_ ? run(compiled_->first, t) : 0.0; }
  double second_derivative(double t) const { return compiled_ ? run(compiled_->second, t) : 0.0; }

  // The functions of t whose signs decide which branch of the formula is valid (formula/switches.h).
  int switches() const { return compiled_ ? static_cast<int>(compiled_->switches.size()) : 0; }
  double switch_function(int i, double t) const { return run(compiled_->switches[i], t); }

 private:
  struct Compiled {
    Program value, first, second;
    std::vector<Program> switches;
  };

  // There is one set of registers per thread and scalar type. It grows to the size of the longest formula and is kept.
  template <class S>
  static S run(const Program& program, const S& t) {
    static thread_local std::vector<S> registers;
    if (static_cast<int>(registers.size()) < program.register_count()) registers.resize(program.register_count());
    S result = t;
    program.run(&t, &result, registers.data());
    return result;
  }

  double constant_ = 0.0;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace tappet
