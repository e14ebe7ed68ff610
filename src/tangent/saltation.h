// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tangent/event_functions.h"
#include "tangent/impact_map.h"

namespace tappet {

// By direction: why there is no derivative along it; empty if there is one. The first reason stays.
class Troubles {
 public:
  explicit Troubles(size_t directions) : list_(directions) {}
  void spoil(int direction, double t, const std::string& why);
  void spoil_all(double t, const std::string& why);
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::vector<std::string> list_;
};

// A derivative along a direction may differ for an increase and a decrease, or exist only for one of them.
enum class Side { decrease = -1, both = 0, increase = 1 };

// What an event does to the columns X of neighbouring motions: they are advanced by f⁻ δt, mapped by the impact, and
// taken back by f⁺ δt, where δt is the delay of the event along a direction.
//
// If several contacts strike at once and a direction separates their impacts, the neighbours strike one after the
// other. There is a derivative all the same if the impacts do not act on each other and their order does not matter.
// A contact that grazes is missed by the neighbours on one side. They go on without an event.
class Saltation {
 public:
  Saltation(CompiledModel& base, Linearisation& linear, const std::vector<Direction>& directions, Side side);

  // `time_step` is a small part of the time in which the motion changes. An impact is named as one that grazes if it
  // would turn back at a smaller depth (m) than this.
  void apply(const events::Instant& instant, double time_step, Eigen::MatrixXd& X, Troubles& troubles);
  void name_grazing_below(double depth) { grazing_depth_ = depth; }
  // Of the last event: its delays, the rate of the motion before it, and by direction whether neighbours have this one
  // event too.
  const Eigen::RowVectorXd& delays() const { return delays_; }
  const Eigen::VectorXd& rate_before() const { return rate_before_; }
  const std::vector<char>& one_event() const { return one_event_; }
  EventFunctions& functions() { return functions_; }

 private:
  struct Delayed {  // a function that is zero at the event
    EventFunction function;
    Eigen::RowVectorXd delay, unsure;
    bool grazes = false;
  };
  enum class Column { together, apart, missed, spoilt };

  std::vector<EventFunction> functions_of(const events::Instant& instant);
  std::vector<Delayed> delayed(const events::Instant& instant);
  Column kind_of(int direction, const std::vector<Delayed>& list, const events::Instant& instant, Troubles& troubles);
  std::string what(const EventFunction& function) const;
  Eigen::MatrixXd together(const events::Instant& instant, Eigen::MatrixXd X);
  Eigen::MatrixXd mapped(const State& at, const events::VelocityJump& jump, const events::Regime& after,
                         const Eigen::MatrixXd& X, const Eigen::RowVectorXd& delays, const std::vector<int>& columns,
                         Troubles* troubles);
  bool independent(const events::Instant& instant, const std::vector<Delayed>& list);
  Eigen::VectorXd one_by_one(const events::Instant& instant, const std::vector<Delayed>& list, int direction,
                             double sign, const Eigen::VectorXd& x);
  void apart(const events::Instant& instant, const std::vector<Delayed>& list, int direction, Eigen::MatrixXd& X,
             Troubles& troubles);

  CompiledModel& base_;
  Linearisation& linear_;
  const std::vector<Direction>& directions_;
  const Side side_;
  ImpactMap impact_;
  EventFunctions functions_;
  Eigen::RowVectorXd delays_;
  Eigen::VectorXd rate_before_;
  std::vector<char> one_event_;
  Troubles* troubles_ = nullptr;  // during apply()
  double grazing_depth_ = 1e-11;
};

}  // namespace tappet
