// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "record/sample.h"
#include "steppers/stepper.h"
#include "system/evaluator.h"

namespace tappet {

// Names: those of coordinates too, with their units, as recorders want them.
Layout layout_of(const System& system, bool names = true);

// Evaluates what recorders want to know of a state.
class Sampler {
 public:
  explicit Sampler(const System& system);

  const Layout& layout() const { return layout_; }
  const Sample& sample(const State& state, const StepReport& report, const Impulses& impulses);

 private:
  void motion_of_constraints(const State& state, const Impulses& impulses);
  void choose_touching(const Impulses& impulses);
  void sample_touching(const State& state, const Impulses& impulses);
  void split(const Vec& rows, Vec& joints, Vec& normal, Vec& friction) const;
  void scale_friction(int power, Vec& rows) const;

  const System& system_;
  Layout layout_;
  Evaluator evaluate_;
  ContactSet all_;          // the contacts of the file, then those found that touch
  std::vector<int> party_;  // of a collider, where found contacts are recorded one by one
  BlockRows W_;
  Vec chi_, gamma_, g_, gaps_, joint_forces_;
  Sample sample_;
};

}  // namespace tappet
