// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "judge/plot.h"
#include "model/model.h"
#include "run/simulate.h"

namespace tappet {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// A motion to compare with. Row k of q and u belongs to t[k]. u may be empty.
struct ReferenceMotion {
  std::string description;
  std::vector<double> t;
  std::vector<Vec> q, u;
  double energy = unknown;    // at the end
  bool samples_only = false;  // true for the few instants of a case file, between which nothing may be interpolated
};

// Distances from the reference. At one instant this is the Euclidean norm over all coordinates, and over time it is L¹,
// L² or L∞. Velocities jump, and no scheme jumps at exactly the same instant as the reference, so they are compared at
// the end and in L¹.
struct Errors {
  double q_end = unknown, q_L1 = unknown, q_L2 = unknown, q_max = unknown;
  double u_end = unknown, u_L1 = unknown;
};
Errors errors(const Result& run, const ReferenceMotion& reference);

struct CompareOptions {
  std::vector<std::string> schemes = {};  // empty: all
  std::vector<double> dt = {};            // s
  double end = 0;                         // s; 0: that of the model
  std::vector<Option> options = {};       // for all schemes that have them
  // "" is event-driven, or the finest run if that fails. "finest" is the scheme of the model at a tenth of the smallest
  // dt. The others are SCHEME or SCHEME@DT, and FILE.json[#path/to/set], a case file with `samples`.
  std::string reference = {};
  double limit_s = 60;  // a run that takes longer is stopped and listed as such
  int threads = 0;      // 0: one per core
  const std::atomic<bool>* stop = nullptr;
  std::function<void(int done, int all)> progress = {};
};

struct ComparedRun {
  std::string scheme;
  double dt = 0;
  std::string trouble;  // why there are no numbers; empty if there are
  Errors errors;
  double order = unknown;  // order of errors.q_L1, from the previous run with the same scheme
  double violation = 0, joint_violation = 0;
  double energy = 0, energy_error = unknown;                 // at the end [J]; minus that of the reference
  double mean_iterations = 0, us_per_step = 0, seconds = 0;  // processor time
  long steps = 0, unconverged_steps = 0;
};

// A second opinion on the reference: another motion, and its distance from the reference.
struct ReferenceCheck {
  std::string with;           // "event-driven at a tolerance of 1e-9", "ggl-unified at dt = 2.5e-4 s"
  double distance = unknown;  // of the positions, L¹ over time
  double allowed = unknown;   // the distance that the errors of both explain
  std::string trouble = {};   // why there is no such motion

  bool disagrees() const { return distance > allowed; }
};

struct Comparison {
  std::string model, reference;
  double end = 0;
  std::vector<ReferenceCheck> checks;  // of the reference
  std::vector<ComparedRun> runs;       // sorted by scheme, then from the largest to the smallest dt
};

// Throws a UsageError if a scheme, an option or the reference does not exist.
Comparison compare(const Model& model, const CompareOptions& options);

// What is wrong with the reference, in sentences. It is empty if the checks agree with the reference.
std::vector<std::string> doubts(const Comparison& comparison);

std::string to_table(const Comparison& comparison);  // for a terminal
std::string to_json(const Comparison& comparison);   // reference, its checks, doubts
std::string to_csv(const Comparison& comparison);
Plot error_over_dt(const Comparison& comparison);
Plot work_and_precision(const Comparison& comparison);

}  // namespace tappet
