// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "steppers/event_driven/kinematics.h"
#include "tangent/event_functions.h"
#include "tangent/impact_map.h"

namespace tappet {

// How close a motion came to places where it has no derivative.
struct Closeness {
  struct Found {
    double value = INFINITY, t = 0;
    std::string contact;  // empty: it belongs to none
    void take(double other, double when, const std::string& which) {
      if (other < value) value = other, t = when, contact = which;
    }
  };
  Found slowest_impact;    // m/s
  Found nearest_miss;      // m: the smallest gap at which a contact turned back without touching
  Found smallest_spacing;  // s, between two events
  int events = 0;
};

// What happens at an instant, in words: "impact stop", "slip lower".
struct NamedInstant {
  double t = 0;
  std::string what;
};

// The derivatives of a motion with respect to some directions: an observer that carries the columns X = (w, v) of
// neighbouring motions along. Between events they obey the variational equations (collocation). At an event whose time
// changes by δt they are advanced by f⁻ δt, mapped by the impact, and taken back by f⁺ δt (saltation).
class Tangent final : public events::Observer {
 public:
  Tangent(CompiledModel& base, std::vector<Direction> directions);

  void passes(const events::Passage& passage) override;
  void happens(const events::Instant& instant) override;
  // Why the motion has no derivative if it ends exactly at this state; empty if it has one.
  std::string trouble_of_end(const State& state);

  const Eigen::MatrixXd& X() const { return X_; }  // 2n × directions
  const std::vector<Direction>& directions() const { return directions_; }
  // By direction: why there is no derivative along it; empty if there is one.
  const std::vector<std::string>& trouble() const { return trouble_; }
  const Closeness& closeness() const { return closeness_; }
  const std::vector<NamedInstant>& sequence() const { return sequence_; }
  int rank() const;  // of X: how many independent directions are left

  // The rate (u, a) of the motion at a state of the present regime, and at the start.
  Eigen::VectorXd rate(const State& at);
  const Eigen::VectorXd& start_rate() const { return start_rate_; }

 private:
  void start(const events::Instant& instant);
  void take_closeness(const events::Instant& instant);
  void look_for_misses(const events::Passage& passage);
  std::vector<EventFunction> functions_of(const events::Instant& instant);
  Eigen::RowVectorXd time_changes(const events::Instant& instant);  // δt by direction
  void jump(const events::Instant& instant, const Eigen::RowVectorXd& delays);
  void note_sizes() { largest_ = largest_.cwiseMax(X_.colwise().norm()); }
  void spoil(int direction, double t, const std::string& why);
  void spoil_all(double t, const std::string& why);
  std::string contact_name(int k) const { return base_.contacts.name(k); }

  CompiledModel& base_;
  std::vector<Direction> directions_;
  Linearisation linear_;
  ImpactMap impact_;
  EventFunctions functions_;
  events::Regime regime_;
  Eigen::MatrixXd X_;
  std::vector<std::string> trouble_;
  Closeness closeness_;
  std::vector<NamedInstant> sequence_;
  double longest_passage_ = 0, last_event_ = -INFINITY;
  Eigen::VectorXd gap_rates_;  // at the end of the last passage
  Eigen::VectorXd start_rate_;
  Eigen::RowVectorXd largest_;  // by direction: the largest size that it has had
};

}  // namespace tappet
