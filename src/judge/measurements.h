// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "judge/reproduction.h"
#include "record/summary.h"
#include "record/trace.h"

namespace tappet {

// The result of a run of a reproduction.
struct FinishedRun {
  std::string label;    // within its family
  std::string trouble;  // why it did not reach its end; empty if it did
  double dt = 0;
  double seconds = 0;  // processor time
  const Summary* summary = nullptr;
  const Trace* trace = nullptr;
};
using FinishedFamilies = std::vector<std::vector<FinishedRun>>;  // as in Reproduction::runs

// A measured quantity: one number, or one for each run of a family.
struct Measured {
  std::vector<double> values;
  std::vector<std::string> labels;
  std::vector<double> dt;
  std::string trouble;  // why a value is not a number
  bool timed = false;   // whether it depends on the speed of the machine

  double operator[](size_t k) const { return values.size() == 1 ? values[0] : values[k]; }
};

// All measures of a reproduction. Throws a ModelError if they do not fit together.
class Measurements {
 public:
  Measurements(const Reproduction& reproduction, const FinishedFamilies& families);

  const Measured& named(const PlacedText& name) const;
  // a formula of measures, evaluated for every run in which they were taken
  Measured formula(const PlacedText& formula) const;
  [[noreturn]] void refuse(Place place, const std::string& message) const;

 private:
  Measured measure(const Measure& m) const;
  double measure(const Measure& m, const FinishedRun& run, size_t member, std::string& trouble) const;
  Measured order(const Measure& m) const;

  const Reproduction& reproduction_;
  const FinishedFamilies& families_;
  std::map<std::string, Measured> measured_;
};

}  // namespace tappet
