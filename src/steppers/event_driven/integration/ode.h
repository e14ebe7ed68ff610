// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/vec.h"

namespace tappet::events {

// y' = f(y), with functions whose zeros (from above) end a segment of the motion.
struct Motion {
  virtual ~Motion() = default;
  virtual void rate(const double* y, double* rate) = 0;
  virtual void watch(const double* y, double* values) = 0;
};

// An integrator, with one of its steps per call. Its time τ starts at zero in every segment, so zeros are located
// relative to the length of the segment and not to the time of the run.
class Ode {
 public:
  enum class Outcome { step, root, stop, failed };
  virtual ~Ode() = default;

  // If a step is 0, the integrator chooses it. The tolerances are those of this segment.
  virtual void start(const Vec& y, int watched, double first_step, double largest_step, double relative,
                     double absolute) = 0;
  virtual void limit_step(double largest_step) = 0;  // 0: no limit
  virtual Outcome advance(double tau_stop) = 0;
  virtual double tau() const = 0;
  virtual void at(double tau, Vec& y) const = 0;  // within the last step
  virtual bool stiff() const = 0;                 // whether it is made for stiff equations
  // Whether the iteration limits the steps in this segment, which means that it is stiff.
  virtual bool struggles() const = 0;
  virtual const double* y() const = 0;
  virtual bool fired(int watched) const = 0;  // after Outcome::root
};

}  // namespace tappet::events
