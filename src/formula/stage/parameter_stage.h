// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "formula/operation.h"

namespace tappet {

// A number that may depend on parameters that vary. `place` is its place in a ParameterStage.
struct StagedNumber {
  double value = 0.0;
  int place = -1;  // −1: it depends on none of them
};

// How the numbers of a model follow from those parameters that vary from run to run. A model is read and compiled once,
// with some values of the parameters. Meanwhile the stage records
//   * the operations by which numbers follow from the parameters (a graph folds constants), and
//   * the decisions that were made on the way, such as "this constant is not zero, so the product stays".
// With other values of the parameters, evaluate() carries out the operations again and says whether all decisions would
// be the same. If so, reading and compiling again would give the same formulas with these numbers in them, bit for bit.
class ParameterStage {
 public:
  enum class Condition : std::uint8_t {
    same,              // x and y have the same bits
    equal,             // x == y; 0 and −0 are equal
    positive,          // x > 0
    finite,            // x is finite
    exact_reciprocal,  // x is a power of two, and 1/x is exact
  };

  static bool is_true(Condition condition, double x, double y);

  explicit ParameterStage(std::vector<double> parameters);

  // Recording.
  int parameters() const { return parameters_; }
  StagedNumber parameter(int i) const { return {values_[i], i}; }
  StagedNumber apply(Operation op, StagedNumber x, StagedNumber y = {}, StagedNumber z = {});
  bool decide(Condition condition, StagedNumber x, StagedNumber y = {});  // returns whether it holds
  void hold(StagedNumber x) { decide(Condition::same, x, {x.value}); }    // its value must not change
  // The numbers at these places and these other numbers must differ from each other. Equal numbers would be one
  // constant.
  void keep_apart(const std::vector<int>& places, const std::vector<double>& others);
  void end_recording();  // frees what only recording needs

  // Computes all numbers for these values of the parameters. Returns false if a decision would be different; the
  // numbers then belong to no model.
  bool evaluate(std::span<const double> parameters);
  double operator[](int place) const { return values_[place]; }

  int operations() const { return static_cast<int>(operations_.size()); }
  int decisions() const { return static_cast<int>(decisions_.size()); }

 private:
  struct Step {
    Operation op;
    int x, y, z, result;
  };
  struct Decision {
    Condition condition;
    bool holds;
    int x, y;
  };
  struct Apart {
    std::vector<int> places;
    std::vector<std::uint64_t> others;  // their bits, ascending
  };
  int place_of(StagedNumber x);
  bool are_apart(const Apart& numbers);

  int parameters_;
  std::vector<double> values_;  // parameters first, then literal numbers and results as they were recorded
  std::vector<Step> operations_;
  std::vector<Decision> decisions_;
  std::vector<Apart> apart_;
  std::vector<std::uint64_t> sorted_;  // scratch of are_apart()
  // Only while recording: what is known already.
  std::map<std::uint64_t, int> literals_;
  std::map<std::tuple<Operation, int, int, int>, int> results_;
  std::set<std::tuple<Condition, int, int>> decided_;
};

}  // namespace tappet
