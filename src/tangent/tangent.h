// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "steppers/event_driven/kinematics.h"
#include "tangent/saltation.h"

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
// neighbouring motions along. Between events they obey the variational equations (collocation), and at events they jump
// (saltation).
class Tangent final : public events::Observer {
 public:
  Tangent(CompiledModel& base, std::vector<Direction> directions, Side side = Side::both);

  void passes(const events::Passage& passage) override;
  void happens(const events::Instant& instant) override;
  // Why the motion has no derivative if it ends exactly at this state; empty if it has one.
  std::string trouble_of_end(const State& state);
  static constexpr double instant = 1e-11;  // s: an event that is nearer to the end than this is at the end
  // Deviations that contacts which are closed at the start do not allow are left out, instead of being named.
  void keep_closed_contacts() { keep_closed_ = true; }
  void name_grazing_below(double depth) { saltation_.name_grazing_below(depth); }

  // The last event: its time; the state, the regime, the columns and the rate of the motion before it; by direction its
  // delay, and whether neighbours have this one event. Otherwise they have several, or none.
  struct LastEvent {
    double t = -INFINITY;
    State before;
    events::Regime regime;
    Eigen::MatrixXd X;
    Eigen::VectorXd rate;
    Eigen::RowVectorXd delays;
    std::vector<char> one;
  };
  const LastEvent& last_event() const { return last_; }
  // Is told of each instant when its effect on the columns is known.
  void listen(std::function<void(const events::Instant&)> listener) { listener_ = std::move(listener); }

  const Eigen::MatrixXd& X() const { return X_; }  // 2n × directions
  const std::vector<Direction>& directions() const { return directions_; }
  // By direction: why there is no derivative along it; empty if there is one.
  const std::vector<std::string>& trouble() const { return troubles_.list(); }
  const events::Regime& regime() const { return regime_; }  // the present one
  const Closeness& closeness() const { return closeness_; }
  const std::vector<NamedInstant>& sequence() const { return sequence_; }
  int rank() const;  // of X: how many independent directions are left

  // The rate (u, a) of the motion at a state of the present regime, and at the start.
  Eigen::VectorXd rate(const State& at);
  const Eigen::VectorXd& start_rate() const { return start_rate_; }

 private:
  void start(const events::Instant& instant);
  void take(const events::Instant& instant);
  void take_closeness(const events::Instant& instant);
  void look_for_misses(const events::Passage& passage);
  void pass_by(int contact, const State& at);
  void project(const std::vector<EventFunction>& held);
  void note_sizes() { largest_ = largest_.cwiseMax(X_.colwise().norm()); }
  std::string contact_name(int k) const { return base_.contacts.name(k); }

  CompiledModel& base_;
  std::vector<Direction> directions_;
  const Side side_;
  Linearisation linear_;
  Saltation saltation_;
  events::Regime regime_;
  Eigen::MatrixXd X_;
  Troubles troubles_;
  LastEvent last_;
  std::function<void(const events::Instant&)> listener_;
  Closeness closeness_;
  std::vector<NamedInstant> sequence_;
  bool keep_closed_ = false;
  double longest_passage_ = 0;
  Eigen::VectorXd gap_rates_;  // at the end of the last passage
  Eigen::VectorXd start_rate_;
  Eigen::RowVectorXd largest_;  // by direction: the largest size that it has had
};

}  // namespace tappet
