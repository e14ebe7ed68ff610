// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "steppers/event_driven/integration/ode.h"

namespace tappet::events {

// SUNDIALS CVODE: formulas of Adams or, for stiff equations, backward differentiation formulas.
class Cvode final : public Ode {
 public:
  Cvode(Motion& motion, int size, bool stiff);
  ~Cvode() override;

  void start(const Vec& y, int watched, double first_step, double largest_step, double relative,
             double absolute) override;
  void limit_step(double largest_step) override;
  Outcome advance(double tau_stop) override;
  double tau() const override;
  void at(double tau, Vec& y) const override;
  bool stiff() const override;
  bool struggles() const override;
  const double* y() const override;
  bool fired(int watched) const override;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace tappet::events
