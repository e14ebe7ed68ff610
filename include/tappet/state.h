// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/error.h>
#include <tappet/vec.h>

#include <string>
#include <vector>

namespace tappet {

// A state of a mechanism. Positions q and velocities u are ordered as System::q_names() and u_names() say. Units are
// SI.
struct State {
  double t = 0.0;
  Vec q, u;
};

struct Energy {
  double kinetic = 0.0, potential = 0.0;
  double total() const { return kinetic + potential; }
};

// Some of the contacts of a ContactList, by index, ascending.
using ContactSet = std::vector<int>;

// A state to start from in place of the one that the model file gives: the end of an earlier run.
struct StartState {
  std::string from;  // the folder of that run
  double t = 0;
  std::vector<double> q, u;
  double joint_violation = 0, penetration = 0;  // what that run itself had, and a run that continues it may have
};

// One option of a scheme or of its contact solver, as text: {"theta", "0.5"}.
struct Option {
  std::string key, value;
  Place place = {};  // where it stands, if it comes from a model file
};

}  // namespace tappet
