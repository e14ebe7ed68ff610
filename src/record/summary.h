// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "record/sample.h"
#include "steppers/stepper.h"

namespace tappet {

// The largest value of a quantity over a run, and where it occurred.
struct Worst {
  double max = 0;
  std::string name;  // of the contact or joint; "" if nothing was violated
  double time = 0;
};

enum class RunStatus { done, failed, interrupted };

// The summary of a run, as in summary.json.
struct Summary {
  std::string model, scheme;
  // how they are read from the result: "lambda", "P/dt", "mean of P/dt"; "" if there are no contacts
  std::string contact_forces;
  RunStatus status = RunStatus::done;
  std::string message;     // why it failed
  double dt = 0, end = 0;  // as asked for
  double time = 0;         // the time that was reached
  long steps = 0;
  double wall_s = 0;  // time of steps and recording
  std::vector<std::string> q_names, u_names;
  Vec q, u;  // at `time`
  Energy energy;
  double initial_energy = 0;
  Worst violation, joint_violation;  // of gap ≥ 0 (m) and of joints, at ends of steps
  long impulsive_steps = 0, unconverged_steps = 0;
  long rejected_steps = 0;  // attempts of schemes that choose their step
  double mean_iterations = 0;
  int max_iterations = 0;
  double mean_islands = 1;  // the mean number of islands of a contact problem that were solved separately
  int max_islands = 1;
  double max_residual = 0;
  std::vector<RecordedEvent> events;  // the first events, at most max_events
  long event_count = 0;
  bool locates_events = false;                         // whether the scheme locates events
  std::vector<ForceDerivative> force_derivatives;      // for schemes that linearise forces
  std::vector<std::pair<std::string, double>> phases;  // seconds per phase, if the run was profiled
  // if so: the largest number of found contacts in reach, the largest and mean number in the active set
  bool colliders = false;
  int max_found = 0, max_closed = 0;
  double mean_closed = 0;
  bool sleeping = false;  // whether bodies may sleep; if so: the number that slept at the end, at most, and on average
  int asleep = 0, max_asleep = 0;
  double mean_asleep = 0;
  std::vector<std::string> contact_names;
  std::vector<std::string> switch_names;  // of formulas: "max in contacts.ledge.gap"
  std::vector<std::string> warnings;

  static constexpr long max_events = 10000;

  double us_per_step() const { return steps == 0 ? 0.0 : 1e6 * wall_s / static_cast<double>(steps); }
};

nlohmann::ordered_json to_json(const Summary& summary);

// One line: "slider_crank, moreau-midpoint: 1000 steps to t = 0.1 s in 0.01 s (…)".
std::string brief(const Summary& summary);

}  // namespace tappet
