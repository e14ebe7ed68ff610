// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/time_function.h"

#include <stdexcept>

#include "formula/switches.h"

namespace tappet {
namespace {

// Each thread has one set of registers, which grows to the longest formula.
double run(const Program& program, double t) {
  static thread_local std::vector<double> registers;
  if (static_cast<int>(registers.size()) < program.register_count()) registers.resize(program.register_count());
  double result = t;
  program.run(&t, &result, registers.data());
  return result;
}

}  // namespace

TimeFunction::TimeFunction(Graph& graph, Node f) {
  if (graph.is_constant(f)) {
    constant_ = graph.value(f);
    return;
  }
  const std::vector<int> slots = graph.input_slots({&f, 1});
  if (slots != std::vector<int>{0}) throw std::invalid_argument("a function of time may only depend on t");
  const Node t = graph.input(0), first = graph.derivative(f, t), second = graph.derivative(first, t);
  std::vector<Program> switches;
  for (Node decides : switch_functions(graph, f)) switches.emplace_back(graph, std::span(&decides, 1), 1);
  compiled_ = std::make_shared<const Compiled>(Compiled{Program(graph, {&f, 1}, 1), Program(graph, {&first, 1}, 1),
                                                        Program(graph, {&second, 1}, 1), std::move(switches)});
}

double TimeFunction::value(double t) const { return run(compiled_->value, t); }
double TimeFunction::first(double t) const { return run(compiled_->first, t); }
double TimeFunction::second(double t) const { return run(compiled_->second, t); }
int TimeFunction::switches() const { return compiled_ ? static_cast<int>(compiled_->switches.size()) : 0; }
double TimeFunction::switch_function(int i, double t) const { return run(compiled_->switches[i], t); }

}  // namespace tappet
