// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "record/sample.h"
#include "steppers/stepper.h"
#include "system/evaluator.h"

namespace tappet {

// `names` also adds the names of coordinates with their units, which recorders need.
Layout layout_of(const System& system, bool names = true);

// What a run has evaluated at a state already.
struct ConstraintPositions {
  Vec gaps;             // the contacts of the file come first
  Vec joint_residuals;  // zero for joints on velocity level
};

// Evaluates what recorders need to know about a state. It knows only the contacts of the file and has its own
// evaluator, so it may run on another thread than the run. Found contacts are passed to it as they are to be recorded.
class Sampler {
 public:
  explicit Sampler(const System& system, const SampleParts& parts = {});

  const Layout& layout() const { return layout_; }
  // `known` belongs to this state. Without it, gaps and residuals of joints are evaluated here.
  const Sample& sample(const State& state, const StepReport& report, const Impulses& impulses,
                       const FoundSample& found = {}, const ConstraintPositions* known = nullptr);

 private:
  const ConstraintPositions& evaluated(const State& state);
  void positions_of_constraints(const ConstraintPositions& positions);
  void velocities_of_constraints(const State& state);
  void impulses_of_constraints(const Impulses& impulses);
  void motion_of_joints(const State& state);
  void split(const Vec& rows, Vec& joints, Vec& normal, Vec& friction) const;
  void scale_friction(int power, Vec& rows) const;

  const System& system_;
  const SampleParts parts_;  // those that are evaluated
  Layout layout_;
  const ContactList named_;
  Evaluator evaluate_;
  ContactSet all_;
  BlockRows W_;
  ConstraintPositions positions_;
  Vec chi_, gamma_, joint_forces_;
  Sample sample_;
};

}  // namespace tappet
