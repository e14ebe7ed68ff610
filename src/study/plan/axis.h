// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tappet {

// The values that a study gives to one parameter of its model.
struct StudyAxis {
  enum class Kind {
    values,   // each of them, combined with every value of the other axes
    uniform,  // random between `low` and `high`
    normal,   // random with mean `low` and standard deviation `high`
    column,   // from a table: its values belong together with those of the other columns
  };
  std::string parameter;
  Kind kind = Kind::values;
  std::vector<double> values;  // of the kinds `values` and `column`
  double low = 0, high = 0;
  Place place;

  bool random() const { return kind == Kind::uniform || kind == Kind::normal; }
};

// How random axes are sampled. All of them depend on the seed only, so every run can be computed alone.
//   independent       every sample is drawn independently of the others
//   latin_hypercube   each axis is divided into as many parts of equal probability as there are samples, and every
//                     part holds one sample
//   sobol             the sequence of Sobol', shifted by a random vector; it fills the space more evenly
enum class Sampling { independent, latin_hypercube, sobol };

// The values of every run of a study. Axes of the kind `values` are combined with each other; the last one varies
// fastest. Random axes together count as one axis with `samples` points, columns of a table as one axis with as many
// points as the table has lines. These two vary slowest.
class Plan {
 public:
  Plan() = default;
  Plan(std::vector<StudyAxis> axes, Sampling sampling, long samples, std::uint64_t seed);

  // The number of runs as a floating-point number, which does not overflow. It can be asked before a Plan is made.
  static double count(const std::vector<StudyAxis>& axes, long samples);

  long runs() const { return runs_; }
  const std::vector<StudyAxis>& axes() const { return axes_; }
  // The values of run k, one per axis.
  void values(long k, std::vector<double>& out) const;

  static constexpr int most_sobol_axes = 20;

 private:
  double uniform(int random_axis, long sample) const;  // between 0 and 1

  std::vector<StudyAxis> axes_;
  Sampling sampling_ = Sampling::independent;
  long samples_ = 1, lines_ = 1, runs_ = 1;
  std::uint64_t seed_ = 0;
  std::vector<std::vector<std::int32_t>> order_;  // latin hypercube: the part of each sample, per random axis
};

// The value below which a standard normal number lies with probability p, 0 < p < 1.
double normal_quantile(double p);

}  // namespace tappet
