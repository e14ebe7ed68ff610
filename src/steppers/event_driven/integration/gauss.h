// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "steppers/event_driven/integration/gauss_rule.h"
#include "steppers/event_driven/integration/ode.h"

namespace tappet::events {

// Gauss's collocation with eight stages, order 16, solved by fixed-point iteration: for smooth motions that are to be
// right to round-off. A step is so short that the polynomial through its stages is resolved, so the motion within the
// step is as accurate as its end. A zero is located on that polynomial first. Then the step is made once more, to end
// there.
class Gauss final : public Ode {
 public:
  Gauss(Motion& motion, int size);

  void start(const Vec& y, int watched, double first_step, double largest_step, double relative,
             double absolute) override;
  void limit_step(double largest_step) override { largest_ = largest_step; }
  Outcome advance(double tau_stop) override;
  double tau() const override { return tau_ + done_; }
  void at(double tau, Vec& y) const override;
  bool stiff() const override { return false; }
  bool struggles() const override { return failures_ >= 20 && 2 * failures_ > steps_; }
  const double* y() const override { return end_.data(); }
  bool fired(int watched) const override { return fired_[watched] != 0; }

 private:
  static constexpr int stages = 8;
  using Rule = GaussRule<stages>;

  double first_step();
  bool step(double h);     // false: next_ is a shorter one
  bool iterate(double h);  // the rates at the stages, from a first guess; false: it does not converge
  void first_guess(double h);
  void take_from_terms(double from,
                       double length);  // rates_ of the polynomial, in parts of the step that it belongs to
  double improve(double h);             // by one iteration; returns the change, in parts of the tolerance
  double unresolved(double h) const;    // how much of the tolerance the last terms of the polynomial are
  void take_weights(double h);
  void finish(double h);  // the end of the step
  void keep_terms();      // of the polynomial, to continue it
  void within(double part, double h, double* y) const;
  bool find_zero(double h, double& zero);
  bool locate(double from, double to, double h, double& zero);
  double dip(int watched, std::array<double, 3> at, double h);
  double value(int watched, double part, double h);
  void land(double h, double zero);

  Motion& motion_;
  const int size_;
  int watched_ = 0;
  double relative_ = 0, absolute_ = 0, largest_ = 0, next_ = 0;
  double tau_ = 0, done_ = 0;  // where the last step began, and its length
  Vec start_, end_, probe_, weight_;
  std::array<Vec, stages> rates_, next_rates_, terms_;  // at the stages; of the polynomial through them
  std::vector<double> values_, scratch_, where_;        // by function: values, and the places of zeros
  std::vector<double> earlier_, last_, now_;            // values at three places of a step, one after the other
  double sampled_ = 0;                                  // where earlier_ was
  std::vector<char> fired_;
  long steps_ = 0, failures_ = 0;  // of this segment
  double contraction_ = 0;         // of the last iteration, per step; 0: it has converged too quickly to tell
  bool known_ = false;             // terms_ are those of the step before
};

}  // namespace tappet::events
