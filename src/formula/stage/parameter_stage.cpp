// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/stage/parameter_stage.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tappet {

namespace {

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

bool reciprocal_is_exact(double x) {
  int exponent;
  return std::isfinite(x) && std::abs(std::frexp(x, &exponent)) == 0.5 && std::abs(exponent) < 1000;
}

}  // namespace

bool ParameterStage::is_true(Condition condition, double x, double y) {
  switch (condition) {
    case Condition::same:
      return bits(x) == bits(y);
    case Condition::equal:
      return x == y;
    case Condition::positive:
      return x > 0.0;
    case Condition::finite:
      return std::isfinite(x);
    case Condition::exact_reciprocal:
      return reciprocal_is_exact(x);
  }
  return false;
}

ParameterStage::ParameterStage(std::vector<double> parameters)
    : parameters_(static_cast<int>(parameters.size())), values_(std::move(parameters)) {}

int ParameterStage::place_of(StagedNumber x) {
  if (x.place >= 0) return x.place;
  const auto [known, is_new] = literals_.try_emplace(bits(x.value), static_cast<int>(values_.size()));
  if (is_new) values_.push_back(x.value);
  return known->second;
}

StagedNumber ParameterStage::apply(Operation op, StagedNumber x, StagedNumber y, StagedNumber z) {
  StagedNumber result{tappet::apply(op, x.value, y.value, z.value)};
  if (x.place < 0 && y.place < 0 && z.place < 0) return result;
  const int count = operands(op);
  const int a = place_of(x), b = count > 1 ? place_of(y) : a, c = count > 2 ? place_of(z) : a;
  const auto [known, is_new] = results_.try_emplace({op, a, b, c}, static_cast<int>(values_.size()));
  result.place = known->second;
  if (!is_new) return result;
  values_.push_back(result.value);
  operations_.push_back({op, a, b, c, result.place});
  return result;
}

bool ParameterStage::decide(Condition condition, StagedNumber x, StagedNumber y) {
  const bool holds = is_true(condition, x.value, y.value);
  if (x.place < 0 && y.place < 0) return holds;
  const int a = place_of(x), b = condition <= Condition::equal ? place_of(y) : a;
  if (decided_.emplace(condition, a, b).second) decisions_.push_back({condition, holds, a, b});
  return holds;
}

void ParameterStage::keep_apart(const std::vector<int>& places, const std::vector<double>& others) {
  if (places.empty()) return;
  Apart numbers{places, {}};
  for (const double x : others) numbers.others.push_back(bits(x));
  std::sort(numbers.others.begin(), numbers.others.end());
  apart_.push_back(std::move(numbers));
}

void ParameterStage::end_recording() { literals_.clear(), results_.clear(), decided_.clear(); }

bool ParameterStage::are_apart(const Apart& numbers) {
  sorted_.clear();
  for (const int place : numbers.places) sorted_.push_back(bits(values_[place]));
  std::sort(sorted_.begin(), sorted_.end());
  if (std::adjacent_find(sorted_.begin(), sorted_.end()) != sorted_.end()) return false;
  return std::none_of(sorted_.begin(), sorted_.end(), [&](std::uint64_t x) {
    return std::binary_search(numbers.others.begin(), numbers.others.end(), x);
  });
}

bool ParameterStage::evaluate(std::span<const double> parameters) {
  std::copy(parameters.begin(), parameters.end(), values_.begin());
  for (const Step& step : operations_)
    values_[step.result] = tappet::apply(step.op, values_[step.x], values_[step.y], values_[step.z]);
  const auto holds = [&](const Decision& d) { return is_true(d.condition, values_[d.x], values_[d.y]) == d.holds; };
  return std::all_of(decisions_.begin(), decisions_.end(), holds) &&
         std::all_of(apart_.begin(), apart_.end(), [&](const Apart& numbers) { return are_apart(numbers); });
}

}  // namespace tappet
