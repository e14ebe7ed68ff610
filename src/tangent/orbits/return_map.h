// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tangent/flow.h"
#include "tangent/gradient/quantity.h"

namespace tappet {

// When a motion counts as having come back.
struct ReturnRule {
  // A motion that is forced in time returns after a given period, a formula of the parameters such as 2*pi/omega.
  // Otherwise it returns when a formula of the state, the section, passes zero upwards.
  std::string period, section;
  double phase = 0;  // forced: the part of the period at which the motion is looked at
  int times = 1;     // so many returns make one: orbits of a multiple of the period
  // Symmetric orbits: after half the period these coordinates have the opposite sign, and all others are the same.
  std::vector<std::string> mirrored;
  bool pieces = false;          // multiple shooting from the beginning, not only if single shooting fails
  double expected = 0;          // s, for sections: about how long a return takes; 0: not known
  double longest = 0;           // s, for sections: the motion is given up after this time
  std::vector<Option> options;  // of event-driven

  bool forced() const { return section.empty(); }
};

// One return of a motion, and how it depends on the start.
struct Return {
  State end;
  double period = 0;               // s
  Eigen::VectorXd difference;      // 2n: from the start to the end, as (w, v)
  Eigen::MatrixXd by_start;        // 2n × 2n, at fixed time
  Eigen::VectorXd by_parameter;    // 2n, with the change of a period that is given; empty if there is no parameter
  Eigen::VectorXd rate;            // (u, a) at the end
  Eigen::RowVectorXd section_row;  // 2n: how the section depends on the start; empty if the motion is forced
  double section_value = 0, section_by_parameter = 0;  // of the start
  Closeness closeness;
  std::vector<NamedInstant> sequence;

  std::string words() const;  // the sequence without its times
};

// A part of a motion, and how its end depends on its start.
struct MotionPiece {
  State end;
  Eigen::MatrixXd by_start;  // 2n × 2n
  Eigen::VectorXd rate;      // (u, a) at the end
};

// A model at one value of a parameter, and the returns of its motions.
class ReturnMap {
 public:
  // An empty name means that there is no parameter. Throws a UsageError if the rule does not fit the model.
  ReturnMap(const ModelSource& source, const ReturnRule& rule, const std::string& parameter = {});

  const System& system() const { return base_.system; }
  // Throws std::runtime_error if the motion does not return, or has no derivative.
  Return from(const State& start);
  // Where a motion is after so many returns, at the phase of the rule or on the section. A forced motion may start at
  // any time before that phase.
  State settled(const State& start, int returns);
  double start_time() const { return rule_.forced() ? rule_.phase * period() : 0.0; }
  State moved(const State& start, const Eigen::VectorXd& x) const;
  Eigen::VectorXd displacement(const State& from, const State& to) const;
  State mirrored(const State& state) const;
  const Eigen::VectorXd& signs() const { return signs_; }  // 2n: −1 for what is mirrored
  double time_of_return(const State& start);               // by the rule

  // For multiple shooting: the motion up to a time, without mirroring its end, and states of a motion at the middle of
  // the times without events, where no contact is closed.
  MotionPiece piece(const State& start, double t_end);
  std::vector<State> quiet_states(const State& start, const Return& back);
  // The section and its slopes by the state, if the motion is not forced.
  double section_value(const State& state) { return section_->at({state, {}}); }
  Eigen::RowVectorXd section_row(const State& state);

 private:
  double period() const;

  const ReturnRule rule_;
  CompiledModel base_;
  std::unique_ptr<ParameterSlope> parameter_;
  std::unique_ptr<Quantity> section_;
  Eigen::VectorXd signs_;
};

}  // namespace tappet
