// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "record/sample.h"
#include "steppers/stepper.h"

namespace tappet {

// The largest of a quantity over a run, and where it was.
struct Worst {
  double max = 0;
  std::string name;  // of the contact or joint; "" where nothing was violated
  double time = 0;
};

enum class RunStatus { done, failed, interrupted };

// What a run comes to; summary.json.
struct Summary {
  std::string model, scheme;
  std::string contact_forces;  // how they are read from the result: "lambda", "P/dt", "mean of P/dt"; "": no contacts
  RunStatus status = RunStatus::done;
  std::string message;     // why it failed
  double dt = 0, end = 0;  // as asked
  double time = 0;         // reached
  long steps = 0;
  double wall_s = 0;  // of steps and recording
  std::vector<std::string> q_names, u_names;
  Vec q, u;  // at `time`
  Energy energy;
  double initial_energy = 0;
  Worst violation, joint_violation;  // of gap ≥ 0 (m) and of joints, at ends of steps
  long impulsive_steps = 0, unconverged_steps = 0;
  long rejected_steps = 0;  // attempts of schemes that control their step
  double mean_iterations = 0;
  int max_iterations = 0;
  double mean_islands = 1;  // of the contact problems: so many parts were solved apart
  int max_islands = 1;
  double max_residual = 0;
  std::vector<RecordedEvent> events;  // the first of them, at most max_events
  long event_count = 0;
  bool locates_events = false;                         // the scheme does
  std::vector<ForceDerivative> force_derivatives;      // of schemes that linearise forces
  std::vector<std::pair<std::string, double>> phases;  // seconds by phase, where the run was profiled
  bool colliders = false;  // and then, of contacts found: most in reach, most and mean in the active set
  int max_found = 0, max_closed = 0;
  double mean_closed = 0;
  bool sleeping = false;  // bodies may fall asleep; then, of those that slept: at the end, most, mean over the steps
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
