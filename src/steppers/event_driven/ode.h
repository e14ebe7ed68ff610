// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "math/vec.h"

namespace tappet::events {

// y' = f(y), with functions whose zeros (from above) end a segment of the motion.
struct Motion {
  virtual ~Motion() = default;
  virtual void rate(const double* y, double* rate) = 0;
  virtual void watch(const double* y, double* values) = 0;
};

// SUNDIALS CVODE, with one internal step per call. Its time τ starts at zero in every segment, so zeros are located
// relative to the length of the segment and not to the time of the run.
class Ode {
 public:
  enum class Outcome { step, root, stop, failed };

  Ode(Motion& motion, int size, bool stiff);  // stiff: backward differentiation formulas instead of those of Adams
  ~Ode();

  // If a step is 0, CVODE chooses it. The tolerances are those of this segment.
  void start(const Vec& y, int watched, double first_step, double largest_step, double relative, double absolute);
  void limit_step(double largest_step);  // 0: no limit
  Outcome advance(double tau_stop);
  double tau() const;
  void at(double tau, Vec& y) const;  // within the last internal step
  bool stiff() const;
  bool struggles() const;  // whether the iteration limits the steps in this segment, which means that it is stiff
  const double* y() const;
  bool fired(int watched) const;  // after Outcome::root

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace tappet::events
