// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tangent/linearisation.h"
#include "tangent/parameter_slopes.h"

namespace tappet {

// Something that may be changed at the start of a motion: a parameter, or one number of the state.
struct Direction {
  std::string name;
  ParameterSlope* parameter = nullptr;  // null: a number of the state
  Eigen::VectorXd start;                // (w, v)
};

// A function whose zero is an event: its value, its rate along the motion before the event, and by direction its change
// at a fixed time and how large the terms of that change are. The event comes later by −change/rate.
struct EventFunction {
  std::string name;
  int contact = -1;
  double value = 0, rate = 0;
  Eigen::RowVectorXd row;  // by the state; only of gaps and velocities
  Eigen::RowVectorXd change, size;
};

// The functions whose zeros are events, linearised at the state before the event.
class EventFunctions {
 public:
  EventFunctions(CompiledModel& base, Linearisation& linear, const std::vector<Direction>& directions)
      : base_(base), linear_(linear), directions_(directions) {}

  // The linearisation must be placed there.
  void place(const State& before, const events::Regime& regime, const Eigen::MatrixXd& X, double time_step);

  EventFunction gap(int contact);
  EventFunction normal_force(int contact);
  EventFunction friction_left(int contact);
  EventFunction slip(int contact);
  EventFunction formula_switch(int which);
  EventFunction time_switch(int which);
  // γ of one row of a contact, 0 is the normal one: the changes alone
  EventFunction velocity(int contact, int row);
  // How a change of the state alone changes the rows of joints: their positions and their velocities.
  std::vector<EventFunction> joints();

  // A derivative with respect to time at a fixed state, of F(const State&).
  template <class F>
  Eigen::VectorXd by_time(F&& f) const {
    const Difference& rule = Difference::central();
    return rule.sum([&](size_t i) -> Eigen::VectorXd {
      State at = before_;
      at.t += rule.offsets[i] * time_step_;
      return f(at);
    }) / time_step_;
  }

 private:
  EventFunction make(std::string name, int contact) const;
  EventFunction of_start(const std::string& joint, const Eigen::RowVectorXd& row) const;
  // Adds the row times X, and the slope by each parameter. F(CompiledModel&) gives a vector of one number.
  void add_state(const Eigen::RowVectorXd& row, EventFunction& function) const;
  template <class F>
  void add_parameters(F&& f, EventFunction& function) const {
    for (size_t d = 0; d < directions_.size(); ++d)
      if (directions_[d].parameter) {
        const double slope = directions_[d].parameter->of(f)[0];
        function.change[static_cast<int>(d)] += slope, function.size[static_cast<int>(d)] += std::abs(slope);
      }
  }
  // A combination of forces of the equations: row × δλ.
  void add_forces(const Eigen::RowVectorXd& row, EventFunction& function);
  Eigen::RowVectorXd force_row(int contact, int row) const;  // picks the force of a row of a closed contact

  CompiledModel& base_;
  Linearisation& linear_;
  const std::vector<Direction>& directions_;
  State before_;
  events::Regime regime_;
  Eigen::MatrixXd X_;
  double time_step_ = 1e-6;
};

}  // namespace tappet
