// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "record/sampler.h"
#include "record/trace.h"
#include "tangent/event_functions.h"

namespace tappet {

// A formula of the state (record/trace.h) and its derivatives.
class Quantity {
 public:
  // Throws a UsageError if the formula is wrong or needs the forces of a step.
  Quantity(const CompiledModel& base, const std::string& formula);

  double at(const State& state) { return value(base_, state); }
  // Along each direction, for the columns X of neighbouring motions at the same time.
  Eigen::RowVectorXd slopes(const State& state, const Eigen::MatrixXd& X, const std::vector<Direction>& directions);
  double rate(const State& state, const Eigen::VectorXd& motion);  // along the motion (u, a)

 private:
  struct Reader {
    Reader(const System& system, const std::string& formula);
    std::string wrong;
    Trace trace;
    Sampler sampler;
  };
  double value(const CompiledModel& model, const State& state);
  double along(const State& state, const Eigen::VectorXd& x, double t_rate);

  const CompiledModel& base_;
  std::string formula_;
  std::map<const CompiledModel*, std::unique_ptr<Reader>> readers_;
};

}  // namespace tappet
