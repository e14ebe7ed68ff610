// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tangent/gradient/quantity.h"
#include "tangent/tangent.h"

namespace tappet {

// An event of a motion, as a run lists it: "impact floor 2" is the second impact of the contact floor.
struct EventName {
  Event::Kind kind = Event::Kind::impact;
  std::string contact;  // empty: any
  int number = 1;       // from 1

  std::string words() const;
};

// Looked at shortly before or after an event. A neighbouring motion is looked at when it has the event.
enum class BesideEvent { before, after };

// A formula and when it is looked at: "theta1 at 0.05", "y' after impact floor 2", "t at impact".
struct QuantityAtTime {
  std::string formula;
  double t = 0;  // s; with an event, the time until which it is waited for
  std::string text;
  std::optional<EventName> event = {};
  BesideEvent side = BesideEvent::after;
};

// Without a time it is `end`. Throws a UsageError.
QuantityAtTime parse_quantity(const std::string& text, double end);

// Waits for an event, and keeps the motion there with its neighbours.
class EventWatch {
 public:
  // Throws a UsageError if there is no such contact.
  EventWatch(const CompiledModel& base, const QuantityAtTime& of);

  void take(const events::Instant& instant, Tangent& tangent);
  bool found() const { return found_.has_value(); }
  Quantity::Where where() const { return {found_->state, found_->regime}; }
  // The columns of neighbours at their own events, which are later by `delays`.
  const Eigen::MatrixXd& X() const { return found_->X; }
  const Eigen::RowVectorXd& delays() const { return found_->delays; }
  const std::vector<std::string>& trouble() const { return found_->trouble; }  // by direction

 private:
  struct Found {
    State state;
    events::Regime regime;
    Eigen::MatrixXd X;
    Eigen::RowVectorXd delays;
    std::vector<std::string> trouble;
  };
  bool is_meant(const Event& event) const;
  void keep(const events::Instant& instant, Tangent& tangent);

  const QuantityAtTime of_;
  int contact_ = -1;
  int left_;
  std::optional<Found> found_;
};

}  // namespace tappet
