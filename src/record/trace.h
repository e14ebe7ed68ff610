// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "formula/parse.h"
#include "formula/program.h"
#include "record/recorder.h"
#include "system/system.h"

namespace tappet {

// Stores the values of formulas at every recorded step of a run. A formula may use
//   t, dt                        time and length of the step
//   x, x', crank.vx              coordinates and velocities, as in results; definitions and parameters of the model
//   kinetic, potential, energy
//   floor.gap, floor.P_N, …      gap, gap_velocity, P_N, lambda_N, Lambda_N of a contact, and slip_velocity, P_F,
//                                lambda_F, Lambda_F (with 2, 3 at the end for further components)
//   rod.residual, rod.impulse    of a joint (2, 3, …)
//   violation, joint_violation   the largest of all contacts (≥ 0) and joints
//   newton, index_sets, projections, iterations, residual, closed, impulsive, unconverged      of the step
//   last.NAME                    any of these, one recorded step earlier
class Trace final : public Recorder {
 public:
  // Throws a FormulaError. `wrong` is then the formula to which it belongs.
  Trace(const System& system, const std::vector<std::string>& formulas, std::string* wrong = nullptr);

  // For a system whose parameters vary (ParametricSystem). end_recording() is called before that of the system; after
  // the system has other values, follow() gives the formulas the same, and forgets all samples.
  void end_recording();
  void follow(const ParameterStage& stage);

  // Whether a name belongs to a step and not to a state: its length, its iterations, a value one step earlier.
  static bool describes_step(const std::string& name);

  void record(const Sample& sample) override;
  SampleParts needs() const override { return needs_; }

  const std::vector<double>& t() const { return t_; }
  const std::vector<double>& column(const std::string& formula) const { return columns_[index_.at(formula)]; }

 private:
  using Value = std::function<double(const Sample&)>;
  Value find(const std::string& name);  // empty if there is no such name; adds to needs_
  int slot(const std::string& name);    // −1 if there is no such name
  Scope scope(const System& system, const std::vector<std::string>& formulas);

  Layout layout_;
  SampleParts needs_ = SampleParts::none();
  Graph graph_;
  std::vector<Value> values_;  // by input slot
  std::vector<int> read_;      // the slots that some formula reads, now or one step earlier
  std::map<std::string, int> slots_;
  TapeLayout tape_;
  Program program_;
  std::vector<std::pair<Node, int>> constants_;  // those that depend on parameters, with their places in the stage
  std::map<std::string, int> index_;
  // The inputs among the numbers of the tape are the present values, then those of the last step.
  std::vector<double> t_, numbers_, outputs_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace tappet
