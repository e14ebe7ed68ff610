// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "record/sampler.h"
#include "record/trace.h"
#include "tangent/event_functions.h"

namespace tappet {

// A formula of the state (record/trace.h) and its derivatives. It may contain the forces of closed contacts, which
// follow from the state and the regime of the motion.
class Quantity {
 public:
  // Where the formula is evaluated.
  struct Where {
    const State& state;
    const events::Regime& regime;
  };

  enum class Forces { allowed, refused };
  // Throws a UsageError if the formula is wrong, or describes a step and not a state.
  Quantity(CompiledModel& base, const std::string& formula, Forces forces = Forces::allowed);

  // Why the formula has no value in a regime, because a force in it is not unique; empty if it has one.
  std::string trouble(const events::Regime& regime) const;

  double at(const Where& where) { return value(base_, where); }
  // Along each direction, for the columns X of neighbouring motions. `delays` says by how much later they are looked
  // at; if it is empty, at the same time. A slope is NaN where the formula has a kink.
  Eigen::RowVectorXd slopes(const Where& where, const Eigen::MatrixXd& X, const std::vector<Direction>& directions,
                            const Eigen::RowVectorXd& delays = {});
  double rate(const Where& where, const Eigen::VectorXd& motion);  // along the motion (u, a)

 private:
  struct Reader {
    Reader(CompiledModel& model, const std::string& formula);
    std::string wrong;
    Trace trace;
    Sampler sampler;
    Linearisation forces;
  };
  Reader& reader(CompiledModel& model);
  void check_names(Forces forces);
  double value(CompiledModel& model, const Where& where);
  double along(const Where& where, double here, const Eigen::VectorXd& x, double t_rate);

  CompiledModel& base_;
  std::string formula_;
  std::vector<int> forces_;  // the contacts whose forces it contains
  std::map<const CompiledModel*, std::unique_ptr<Reader>> readers_;
};

}  // namespace tappet
