// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "steppers/event_driven/event_driven.h"
#include "tangent/tangent.h"

namespace tappet {

// Throws a UsageError if motions of this model have no derivatives that can be computed.
void require_derivatives(const System& system, const std::string& scheme, const std::vector<Option>& options);

// A motion by event-driven, with an observer.
class Flow {
 public:
  // The options are those of event-driven. All arguments but the options must outlive the object.
  Flow(const CompiledModel& model, const std::vector<Option>& options, const State& start,
       events::Observer* observer = nullptr);

  const State& state() const { return state_; }
  void go_to(double t);  // throws std::runtime_error, with the time, if the motion cannot be continued

 private:
  const CompiledModel& model_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
};

// The unit directions of all positions (as displacements) and velocities.
std::vector<Direction> state_directions(const System& system);

}  // namespace tappet
