// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "math/vec.h"

namespace tappet::events {

// y' = f(y) with functions whose falling zeros end a segment of the motion.
struct Motion {
  virtual ~Motion() = default;
  virtual void rate(const double* y, double* rate) = 0;
  virtual void watch(const double* y, double* values) = 0;
};

// SUNDIALS CVODE, one internal step a call. Its own time τ starts at zero in every segment, so that zeros are located
// relative to the length of the segment, not to the time of the run.
class Ode {
 public:
  enum class Outcome { step, root, stop, failed };

  Ode(Motion& motion, int size, bool stiff);  // stiff: backward differentiation formulas in place of Adams'
  ~Ode();

  // Steps of 0: its own choice. Tolerances are those of this segment.
  void start(const Vec& y, int watched, double first_step, double largest_step, double relative, double absolute);
  void limit_step(double largest_step);  // 0: none
  Outcome advance(double tau_stop);
  double tau() const;
  void at(double tau, Vec& y) const;  // within the last internal step
  bool stiff() const;
  bool struggles() const;  // in this segment steps are as short as the iteration needs them: stiff
  const double* y() const;
  bool fired(int watched) const;  // after Outcome::root

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace tappet::events
